import EncircleText

extension ViewTree {
  /// Returns an Android tree with an activity on its top-level elements; returns other trees, and trees that already name an activity
  /// there, unchanged. System bars do not belong to the activity, and dialogs belong to the activity beneath them.
  ///
  /// - Parameter name: The class of the activity. A name that begins with `.` is in the package of the capture.
  /// - Complexity: O(elements + attributes).
  public func addingActivity(_ name: String) -> ViewTree {
    let windows = elements.filter { parent(of: $0) == nil }
    guard isAndroid, !windows.contains(where: { valueID(.controller, of: $0) != nil }) else { return self }
    let attribute = attributeName("package")
    func package(_ element: ElementID) -> String? { attribute.flatMap { value($0, of: element) } }
    // Windows of the system may come before those of the app.
    func isSystem(_ element: ElementID) -> Bool {
      package(element).map { $0.hasSameBytes(as: "com.android.systemui") } ?? false
    }
    var name = name
    if name.utf8.first == UInt8(ascii: "."),
      let own = elements.first(where: { !isSystem($0) }).flatMap(package) ?? header.app
    {
      name = own + name
    }
    let window = attributeName("window")
    func isBeneath(_ element: ElementID) -> Bool {
      !isSystem(element) && window.flatMap { valueID($0, of: element) } == nil
    }
    let hasBeneath = windows.contains(where: isBeneath)
    return addingController(name) { hasBeneath ? isBeneath($0) : !isSystem($0) }
  }

  /// Returns the tree with the page that it shows, as the maker of the capture names it: the activity of an Android screen, or
  /// the address of a web page, which is a whole URL or a path with or without query.
  public func addingPage(_ page: String) -> ViewTree {
    guard web != nil else { return addingActivity(page) }
    var tree = self
    tree.web?.url = page
    return tree
  }

  /// Returns the tree with a view controller or activity for the top-level elements that have none.
  ///
  /// Android's dumps do not name the visible activity, but the person who made the dump knows it.
  ///
  /// - Parameters:
  ///   - name: The class of the view controller or activity.
  ///   - hasPage: Returns whether a top-level element belongs to the view controller or activity.
  /// - Complexity: O(elements + attributes).
  public func addingController(_ name: String, where hasPage: (ElementID) -> Bool = { _ in true }) -> ViewTree {
    var strings = strings
    let value = strings.intern(name)
    var nodes: [Node] = []
    nodes.reserveCapacity(self.nodes.count)
    var attributes: [Attribute] = []
    attributes.reserveCapacity(self.attributes.count + 1)
    for (i, node) in self.nodes.enumerated() {
      let end = i + 1 < self.nodes.count ? Int(self.nodes[i + 1].attributeStart) : self.attributes.count
      nodes.append(
        Node(
          parent: node.parent, subtreeEnd: node.subtreeEnd, className: node.className,
          attributeStart: UInt32(attributes.count)))
      attributes += self.attributes[Int(node.attributeStart)..<end]
      if node.parent < 0, valueID(.controller, of: ElementID(i)) == nil, hasPage(ElementID(i)) {
        attributes.append(Attribute(name: .controller, value: value))
      }
    }
    return ViewTree(
      format: format, header: header, strings: strings, nodes: nodes, frames: frames, attributes: attributes,
      customNames: customNames, alertTexts: alertTexts, controllersWithoutView: controllersWithoutView, web: web)
  }
}
