import EncircleText
import EncircleTree

/// The windows, activities, fragments and lists of an Android screen, and the indexes of its views.
struct AndroidScreen: Sendable {
  let tree: ViewTree
  let structure: ScreenStructure
  let attributes: Attributes
  private var classes: [AndroidClass] = []
  // For each element, its class in `classes`.
  private var classNumbers: [Int32] = []
  // For each element, the number of earlier siblings of its class or a subclass, of those with its simple name, and of all
  // siblings.
  private(set) var kindIndexes: [Int32]
  private(set) var nameIndexes: [Int32]
  private var childIndexes: [Int32]
  /// For each element, the root of its window.
  private(set) var windows: [Int32]
  /// For each element, the root view of the nearest fragment around it, itself included; -1 if it is in no fragment.
  private(set) var fragments: [Int32]
  /// The tags that GrowingIO's SDK gives to parts of the system's alerts.
  private(set) var alertTags: [ElementID: String] = [:]
  /// The root views of fragments that are hidden or lie in hidden ones.
  private var hiddenFragments: Set<ElementID> = []
  /// This is true if the resource ids of every package count as the app's, because none has the package of the app.
  private var takesForeignIDs = true

  /// The names of attributes that only captures of Android have, each nil if no element has it.
  struct Attributes: Sendable {
    let window, actionBarTitle, menuItem, controllerIdentifier, controllerHidden, controllerResumed: AttributeName?
    let tabCustomView, selectedItem, textOn, textOff, section, role, selectedIndex: AttributeName?
    let growingUniqueTag, growingContent, growingTrackText, growingIgnore: AttributeName?
    let sensorsViewID, sensorsIgnored: AttributeName?

    init(of tree: ViewTree) {
      window = tree.attributeName("window")
      actionBarTitle = tree.attributeName("actionBarTitle")
      menuItem = tree.attributeName("menuItem")
      controllerIdentifier = tree.attributeName("controllerIdentifier")
      controllerHidden = tree.attributeName("controllerHidden")
      controllerResumed = tree.attributeName("controllerResumed")
      tabCustomView = tree.attributeName("tabCustomView")
      selectedItem = tree.attributeName("selectedItem")
      textOn = tree.attributeName("textOn")
      textOff = tree.attributeName("textOff")
      section = tree.attributeName("section")
      role = tree.attributeName("role")
      selectedIndex = tree.attributeName("selectedIndex")
      growingUniqueTag = tree.attributeName("growingUniqueTag")
      growingContent = tree.attributeName("growingContent")
      growingTrackText = tree.attributeName("growingTrackText")
      growingIgnore = tree.attributeName("growingIgnore")
      sensorsViewID = tree.attributeName("sensorsViewID")
      sensorsIgnored = tree.attributeName("sensorsIgnored")
    }
  }

  /// - Complexity: O(elements × superclasses of their classes).
  init(of tree: ViewTree, _ structure: ScreenStructure) {
    self.tree = tree
    self.structure = structure
    attributes = Attributes(of: tree)
    let count = tree.count
    kindIndexes = Array(repeating: 0, count: count)
    nameIndexes = kindIndexes
    childIndexes = kindIndexes
    windows = kindIndexes
    fragments = Array(repeating: -1, count: count)
    findClasses()
    numberChildren()
    findWindows()
    findFragments()
    tagAlerts()
  }

  // MARK: - Classes

  func androidClass(of element: ElementID) -> AndroidClass { classes[Int(classNumbers[element.index])] }

  func kinds(of element: ElementID) -> AndroidKinds {
    var kinds = androidClass(of: element).kinds
    // Every view with subviews is a group, even if the capture does not describe its class.
    if tree.firstChild(of: element) != nil { kinds.insert(.viewGroup) }
    return kinds
  }

  private mutating func findClasses() {
    var numbers: [ClassKey: Int32] = [:]
    classNumbers.reserveCapacity(tree.count)
    for element in tree.elements {
      let name = structure.writtenClasses[element.index]
      let key = ClassKey(name: name, superclasses: tree.valueID(.superclasses, of: element))
      if let number = numbers[key] {
        classNumbers.append(number)
        continue
      }
      numbers[key] = Int32(classes.count)
      classNumbers.append(Int32(classes.count))
      classes.append(
        AndroidClass(structure.names[name], superclasses: tree.value(.superclasses, of: element)))
    }
  }

  private mutating func numberChildren() {
    var ids: [UTF8String: Int] = [:]
    func id(_ name: String) -> Int {
      if let id = ids[UTF8String(name)] { return id }
      ids[UTF8String(name)] = ids.count
      return ids.count - 1
    }
    let lineages = classes.map { $0.lineage.map(id) }
    // Java gives an anonymous class an empty simple name, but GrowingIO compares it as `Anonymous`.
    let simpleNames = classes.map {
      id("simple " + ($0.isAnonymous && $0.simpleName == "Anonymous" ? "" : $0.simpleName))
    }
    let comparedNames = classes.map { id("simple " + $0.simpleName) }
    let counted = classes.indices.map { Array(Set(lineages[$0]).union([simpleNames[$0]])) }
    // For each name, the number of siblings counted so far, and their parent. A count for another parent is outdated.
    var countedIn = Array(repeating: Int32.min, count: ids.count)
    var counts = Array(repeating: Int32(0), count: ids.count)
    func count(_ name: Int, in parent: Int32) -> Int32 { countedIn[name] == parent ? counts[name] : 0 }
    for parent in tree.elements {
      for (number, element) in tree.children(of: parent).enumerated() {
        let own = Int(classNumbers[element.index])
        kindIndexes[element.index] = count(lineages[own][0], in: parent.rawValue)
        nameIndexes[element.index] = count(comparedNames[own], in: parent.rawValue)
        childIndexes[element.index] = Int32(number)
        for name in counted[own] {
          counts[name] = count(name, in: parent.rawValue) + 1
          countedIn[name] = parent.rawValue
        }
      }
    }
  }

  // MARK: - Windows, activities and fragments

  private mutating func findWindows() {
    for element in tree.elements {
      windows[element.index] = tree.parent(of: element).map { windows[$0.index] } ?? element.rawValue
    }
  }

  /// Returns whether an element is the root view of an activity.
  func isActivity(_ element: ElementID) -> Bool { structure.isActivity(element, of: tree) }

  /// Returns whether an element is the root view of a fragment.
  func isFragment(_ element: ElementID) -> Bool {
    structure.writtenControllers[element.rawValue] != nil && !isActivity(element)
  }

  private mutating func findFragments() {
    for element in tree.elements {
      let above = tree.parent(of: element).map { fragments[$0.index] } ?? -1
      guard isFragment(element) else {
        fragments[element.index] = above
        continue
      }
      fragments[element.index] = element.rawValue
      if structure.isHiddenFragment(element, of: tree) { hiddenFragments.insert(element) }
    }
    let app = tree.header.app.map { $0 + ":" }
    if let app {
      takesForeignIDs = !tree.elements.contains { element in
        tree.valueID(.identifier, of: element).map { id in
          tree.strings.withBytes(of: id) { $0.starts(with: app.utf8) }
        } ?? false
      }
    }
  }

  /// Returns the root view of an element's activity.
  func activity(of element: ElementID) -> ElementID? {
    let activity = structure.activities[element.index]
    return activity < 0 ? nil : ElementID(rawValue: activity)
  }

  /// Returns the root view of the nearest fragment around an element, itself included.
  func fragment(around element: ElementID) -> ElementID? {
    let fragment = fragments[element.index]
    return fragment < 0 ? nil : ElementID(rawValue: fragment)
  }

  /// Returns the root view of the nearest fragment that is shown.
  func shownFragment(around element: ElementID) -> ElementID? {
    var current = fragment(around: element)
    while let fragment = current, hiddenFragments.contains(fragment) {
      current = tree.parent(of: fragment).flatMap { self.fragment(around: $0) }
    }
    return current
  }

  func controller(_ root: ElementID?) -> String? {
    root.flatMap { structure.writtenControllers[$0.rawValue] }.map { structure.names[$0] }
  }

  /// Returns whether an element is, or lies in, a field for typing.
  func holdsTypedText(_ element: ElementID) -> Bool { structure.places[element.index].contains(.typedText) }

  // MARK: - Attributes

  func value(_ name: AttributeName?, _ element: ElementID) -> String? {
    name.flatMap { tree.value($0, of: element) }
  }

  func isTrue(_ name: AttributeName?, _ element: ElementID) -> Bool {
    name.map { tree.isTrue($0, of: element) } ?? false
  }

  private func number(_ name: AttributeName?, _ element: ElementID) -> Int? {
    value(name, element).flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// Returns the name of an element's resource id, without package and type; nil for ids that were generated at run time.
  func resourceID(of element: ElementID) -> String? { tree.value(.identifier, of: element).flatMap(Self.entry) }

  /// Returns the name in a resource id such as `com.example.shop:id/pay`; nil if it has no name, like `generated:5`.
  static func entry(_ id: String) -> String? {
    let bytes = id.utf8
    if let slash = bytes.lastIndex(of: UInt8(ascii: "/")) {
      let name = bytes[bytes.index(after: slash)...]
      return name.isEmpty ? nil : String(Substring(name))
    }
    return bytes.isEmpty || bytes.starts(with: "generated:".utf8) ? nil : id
  }

  private func hasOwnID(_ element: ElementID) -> Bool {
    guard let id = tree.value(.identifier, of: element), Self.entry(id) != nil,
      !id.utf8.starts(with: "android:".utf8)
    else { return false }
    guard !takesForeignIDs, let app = tree.header.app, let colon = id.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      return true
    }
    return id.utf8[..<colon].elementsEqual(app.utf8)
  }

  // MARK: - Nodes

  func place(of element: ElementID) -> AndroidNode.Place {
    guard let parent = tree.parent(of: element) else { return .view }
    let kinds = kinds(of: parent)
    if kinds.contains(.viewPager) { return .page(shown: number(attributes.selectedIndex, parent) ?? 0) }
    let index = Int(childIndexes[element.index])
    let path = HubbleDataLocators.indexPath(of: element, tree)
    if kinds.contains(.expandableList) {
      switch value(attributes.role, element) {
      case "group"?: return .group(number(attributes.section, element) ?? index)
      case "header"?: return .header(number(attributes.section, element) ?? index)
      case "footer"?: return .footer(number(attributes.section, element) ?? 0)
      default: return path.map { .child(group: $0.section, child: $0.row) } ?? .row(index, isKnown: false)
      }
    }
    if !kinds.isDisjoint(with: [.adapterView, .recyclerView]) {
      return path.map { .row($0.row, isKnown: true) } ?? .row(index, isKnown: false)
    }
    return kinds.contains(.refreshLayout) ? .refreshed : .view
  }

  func node(of element: ElementID) -> AndroidNode {
    var node = AndroidNode()
    node.kindIndex = Int(kindIndexes[element.index])
    node.nameIndex = Int(nameIndexes[element.index])
    node.place = place(of: element)
    let kinds = kinds(of: element)
    node.isList = !kinds.isDisjoint(with: .lists)
    node.hasOwnID = hasOwnID(element)
    if isActivity(element) {
      node.page = .activity
    } else if isFragment(element) {
      node.page = hiddenFragments.contains(element) ? .hiddenFragment : .fragment(container: container(of: element))
    }
    if tree.parent(of: element) == nil, let activity = activity(of: element),
      windows[activity.index] != element.rawValue
    {
      node.owner = controller(activity)
    }
    if let item = value(attributes.menuItem, element) {
      node.menuItem = Self.entry(item) ?? ""
      node.isPopupItem = kinds.contains(.listMenuItem)
    }
    node.isIgnored = attributes.growingIgnore != nil && isIgnored(element)
    return node
  }

  private func container(of fragment: ElementID) -> String? {
    if let id = value(attributes.controllerIdentifier, fragment) { return Self.entry(id) }
    return tree.parent(of: fragment).flatMap { resourceID(of: $0) }
  }

  /// Returns whether the developer made GrowingIO's SDK ignore an element, by a policy on the element or an ancestor.
  ///
  /// - Complexity: O(depth).
  private func isIgnored(_ element: ElementID) -> Bool {
    if let policy = policy(element) { return policy.ignoresSelf }
    return tree.ancestors(of: element).contains { policy($0)?.ignoresChildren ?? false }
  }

  private func policy(_ element: ElementID) -> (ignoresSelf: Bool, ignoresChildren: Bool)? {
    guard let text = value(attributes.growingIgnore, element)?.lowercased() else { return nil }
    switch text {
    case "", "false", "no", "0": return nil
    default:
      if text.endsWithBytes(of: "all") { return (true, true) }
      return text.containsBytes(of: "child") ? (false, true) : (true, false)
    }
  }

  // MARK: - Alerts

  /// Tags the button bars and lists of the system's alerts. The alerts of AndroidX have no tags.
  private mutating func tagAlerts() {
    guard let window = attributes.window else { return }
    for dialog in tree.windows where tree.value(window, of: dialog) == "dialog" {
      let views = (dialog.index..<tree.subtreeEnd(of: dialog).index).lazy.map { ElementID($0) }
      guard !views.contains(where: { kinds(of: $0).contains(.libraryAlert) }) else { continue }
      var name = "AlertDialog"
      let texts = [tree.value(.title, of: dialog), tree.value(.message, of: dialog)]
      if let text = texts.compactMap({ $0 }).first(where: { !$0.isEmpty }) { name += "/" + text }
      for view in views {
        if isAlertButton(view), let bar = tree.parent(of: view) { alertTags[bar] = name + "ButtonLayout" }
        if isAlertList(view) { alertTags[view] = name + "ListView" }
      }
    }
  }

  /// Returns whether an element is one of the three buttons of an alert. Dumps of uiautomator do not distinguish dialogs from other
  /// windows, so there the ID alone decides.
  func isAlertButton(_ element: ElementID) -> Bool {
    guard kinds(of: element).contains(.button), isInDialog(element) || tree.format != .viewTree else { return false }
    return ["android:id/button1", "android:id/button2", "android:id/button3"].contains {
      tree.value(.identifier, of: element) == $0
    }
  }

  /// Returns whether an element is the list of an alert.
  func isAlertList(_ element: ElementID) -> Bool {
    guard kinds(of: element).contains(.listView), isInDialog(element) else { return false }
    return resourceID(of: element) == "select_dialog_listview"
      || androidClass(of: element).lineage.contains { $0.endsWithBytes(of: "AlertController.RecycleListView") }
  }

  /// Returns whether an element is in a dialog.
  func isInDialog(_ element: ElementID) -> Bool {
    value(attributes.window, ElementID(rawValue: windows[element.index])) == "dialog"
  }
}
