import EncircleText

extension ViewTree {
  /// Returns an Android tree with an activity on its top-level elements; returns other trees, and trees that already name an activity
  /// there, unchanged. System bars, keyboards and other apps do not belong to the activity; dialogs belong to the one beneath them.
  ///
  /// The app is the one whose package the name begins with, else the one whose windows have the most elements.
  ///
  /// - Parameter name: The class of the activity. A name that begins with `.` is in the package of the app.
  /// - Complexity: O(elements + attributes).
  public func addingActivity(_ name: String) -> ViewTree {
    let windows = elements.filter { parent(of: $0) == nil }
    guard isAndroid, !windows.contains(where: { valueID(.controller, of: $0) != nil }) else { return self }
    let attribute = attributeName("package")
    func packageID(of window: ElementID) -> StringID? { attribute.flatMap { valueID($0, of: window) } }
    let inputArea = strings.find("android:id/inputArea")
    func isKeyboard(_ window: ElementID) -> Bool {
      guard let inputArea else { return false }
      return (window.index..<subtreeEnd(of: window).index).contains {
        valueID(.identifier, of: ElementID($0)) == inputArea
      }
    }
    func isSystem(_ window: ElementID) -> Bool {
      packageID(of: window).map { strings[$0].hasSameBytes(as: "com.android.systemui") } ?? false
    }
    let apps = windows.filter { !isSystem($0) && !isKeyboard($0) }
    var sizes: [StringID: Int] = [:]
    var own: StringID?
    for window in apps {
      guard let package = packageID(of: window) else { continue }
      let size = sizes[package, default: 0] + subtreeEnd(of: window).index - window.index
      sizes[package] = size
      if size > own.flatMap({ sizes[$0] }) ?? 0 { own = package }
    }
    own = apps.compactMap(packageID(of:)).first { name.utf8.starts(with: (strings[$0] + ".").utf8) } ?? own
    let isRelative = name.utf8.first == UInt8(ascii: ".")
    let activity = isRelative ? (own.map { strings[$0] } ?? header.app ?? "") + name : name
    let ownWindows = apps.filter { packageID(of: $0) == nil || packageID(of: $0) == own }
    let window = attributeName("window")
    let beneath = ownWindows.filter { element in window.flatMap { valueID($0, of: element) } == nil }
    let roots = Set(beneath.isEmpty ? ownWindows : beneath)
    return addingController(activity) { roots.contains($0) }
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
