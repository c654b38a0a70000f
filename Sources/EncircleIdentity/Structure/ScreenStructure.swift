import EncircleText
import EncircleTree

/// The kinds of each element of a tree, and its controller, page, alert and list.
///
/// The structure does not depend on the path style.
struct ScreenStructure: Sendable {
  /// The kinds of view that an element is or lies in.
  struct Places: OptionSet, Sendable {
    let rawValue: UInt8
    static let navigationBar = Places(rawValue: 1)
    static let searchBar = Places(rawValue: 2)
    /// A field for typing. Texts in it must not be shown.
    static let typedText = Places(rawValue: 4)
    /// The view that represents an action of an alert.
    static let alertRepresentation = Places(rawValue: 8)
    /// The cell around an action of an alert.
    static let alertCell = Places(rawValue: 16)
    /// A bar button that the element lies in, and is not itself.
    static let insideBarButton = Places(rawValue: 32)
    /// A collection view cell that the element lies in, and is not itself.
    static let insideCollectionCell = Places(rawValue: 64)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Creates the places of an element: those of its parent, and what it is itself.
    init(of kinds: ViewKinds, isSecure: Bool, within parent: (places: Places, kinds: ViewKinds)?) {
      self = parent?.places ?? []
      if kinds.contains(.navigationBar) { insert(.navigationBar) }
      if kinds.contains(.searchBar) { insert(.searchBar) }
      if isSecure || !kinds.isDisjoint(with: .typedText) { insert(.typedText) }
      if kinds.contains(.alertRepresentation) { insert(.alertRepresentation) }
      if kinds.contains(.alertCell) { insert(.alertCell) }
      guard let parent else { return }
      if parent.kinds.contains(.barButton) { insert(.insideBarButton) }
      if parent.kinds.contains(.collectionViewCell) { insert(.insideCollectionCell) }
    }
  }

  /// The kinds of each element.
  private(set) var kinds: [ViewKinds]
  /// The places that each element lies in.
  private(set) var places: [Places]
  /// For each element, the nearest root view of a controller, which may be the element itself, or -1.
  private(set) var controllers: [Int32]
  /// For each element, the root view of the controller whose page the user sees; -1 if it is unknown.
  private(set) var pages: [Int32]
  /// For each element, the root view of the controller that Sensors Analytics sends as its screen; -1 if it is unknown.
  private(set) var sensorsScreens: [Int32]
  /// For each root view of a controller, the root view of the controller that PostHog sends as the screen.
  private(set) var postHogScreens: [Int32: Int32]
  /// The pages of GrowingIO.
  private(set) var growingIOPages: GrowingIOPages
  /// For each element of an Android screen, the root view of its window's activity; -1 if it is unknown. Empty on other systems.
  private(set) var activities: [Int32] = []
  /// For each element, the alert that it is or lies in, or -1.
  private(set) var alerts: [Int32]
  /// For each element, the nearest list view around it, or -1.
  private(set) var lists: [Int32]
  /// The kinds of controllers, by their root views.
  private(set) var controllerKinds: [Int32: ViewKinds]
  /// For each element, the class name that paths contain, in `names`.
  private(set) var writtenClasses: [StringID]
  /// The class names of controllers that identities contain, in `names`, by root view.
  private(set) var writtenControllers: [Int32: StringID]
  private(set) var names: StringTable
  let appearance: AppearanceNames
  let stateNames: StateNames
  /// The alerts that contain a collection view, by their elements.
  private(set) var alertsWithList: Set<Int32>

  /// The names of attributes that only the trackers of some SDKs read, each nil if no element has it.
  struct StateNames: Sendable {
    let actionEvents: AttributeName?
    let userInteractionEnabled: AttributeName?
    let textContentType: AttributeName?
    let tapCount: AttributeName?
    let ignorePolicy: AttributeName?
    let enableAppClick: AttributeName?
    // The attributes of elements of web pages.
    let elementPath: AttributeName?
    let elementSelector: AttributeName?
    let elementPosition: AttributeName?
    let tagName: AttributeName?
    let url: AttributeName?
    let webTitle: AttributeName?

    init(of tree: ViewTree) {
      actionEvents = tree.attributeName("actionEvents")
      userInteractionEnabled = tree.attributeName("userInteractionEnabled")
      textContentType = tree.attributeName("textContentType")
      tapCount = tree.attributeName("tapCount")
      ignorePolicy = tree.attributeName("growingViewIgnorePolicy")
      enableAppClick = tree.attributeName("enableAppClick")
      elementPath = tree.attributeName("elementPath")
      elementSelector = tree.attributeName("elementSelector")
      elementPosition = tree.attributeName("elementPosition")
      tagName = tree.attributeName("tagName")
      url = tree.attributeName("url")
      webTitle = tree.attributeName("webTitle")
    }
  }

  /// The names of attributes about state and appearance, each nil if no element has it.
  struct AppearanceNames: Sendable {
    let titleColor: AttributeName?
    let imageName: AttributeName?
    let selectedIndex: AttributeName?
  }

  /// - Complexity: O(elements + attributes).
  init(of tree: ViewTree, hierarchy: ClassHierarchy) {
    let count = tree.count
    kinds = []
    kinds.reserveCapacity(count)
    places = []
    places.reserveCapacity(count)
    controllers = Array(repeating: -1, count: count)
    pages = []
    sensorsScreens = []
    postHogScreens = [:]
    growingIOPages = GrowingIOPages()
    alerts = Array(repeating: -1, count: count)
    lists = Array(repeating: -1, count: count)
    controllerKinds = [:]
    writtenClasses = []
    writtenClasses.reserveCapacity(count)
    writtenControllers = [:]
    names = StringTable()
    appearance = AppearanceNames(
      titleColor: tree.attributeName("titleColor"), imageName: tree.attributeName("imageName"),
      selectedIndex: tree.attributeName("selectedIndex"))
    stateNames = StateNames(of: tree)
    alertsWithList = []

    var classes = ClassInterner(tree: tree, hierarchy: hierarchy)
    var hidden = Array(repeating: false, count: count)

    for element in tree.elements {
      let e = element.index
      let parent = tree.parent(of: element)?.index
      var attributes = Attributes()
      attributes.read(element, of: tree)

      let (name, ownKind) = classes.intern(
        tree.classID(of: element), superclasses: attributes.superclasses, names: &names)
      var kind = ownKind
      for others in attributes.otherSuperclasses {
        kind.formUnion(classes.intern(tree.classID(of: element), superclasses: others, names: &names).1)
      }
      writtenClasses.append(name)
      kinds.append(kind)

      let isSecure = attributes.isMarkedSecure && tree.isSecure(element)
      let place = Places(of: kind, isSecure: isSecure, within: parent.map { (places: places[$0], kinds: kinds[$0]) })
      places.append(place)

      if let parent {
        controllers[e] = controllers[parent]
        alerts[e] = alerts[parent]
        lists[e] = kinds[parent].isDisjoint(with: [.tableView, .collectionView]) ? lists[parent] : Int32(parent)
      }
      var isAlert = kind.contains(.alertView)
      if let controller = attributes.controller {
        let (name, kind) = classes.intern(
          controller, superclasses: attributes.controllerSuperclasses, names: &names)
        controllers[e] = element.rawValue
        controllerKinds[element.rawValue] = kind
        writtenControllers[element.rawValue] = name
        if kind.contains(.alertController) { isAlert = true }
      }
      // If alert views are nested, the innermost one with a title or message counts.
      if isAlert, !place.contains(.typedText),
        alerts[e] < 0 || tree.valueID(.title, of: element) != nil || tree.valueID(.message, of: element) != nil
      {
        alerts[e] = element.rawValue
      }
      if kind.contains(.collectionView), alerts[e] >= 0 { alertsWithList.insert(alerts[e]) }
      hidden[e] = (attributes.hidden != nil && tree.isHidden(element)) || attributes.isTransparent(in: tree)
    }
    pages = Self.pages(of: tree, self, hidden: hidden)
    for element in tree.elements {
      if let parent = tree.parent(of: element), hidden[parent.index] { hidden[element.index] = true }
    }
    if tree.isAndroid {
      activities = androidActivities(of: tree)
      for e in pages.indices where pages[e] < 0 { pages[e] = activities[e] }
    }
    sensorsScreens = SensorsScreens(of: tree, self, hidden: hidden).roots
    postHogScreens = PostHogScreens(of: tree, self, hidden: hidden).screens
    growingIOPages = GrowingIOPages(of: tree, self, hidden: hidden)
  }

  // The attributes that are needed here, found in one pass over the attributes of an element.
  private struct Attributes {
    var superclasses: StringID?
    // Other lists of superclasses, since captures can have one under each of several names. Any of them may say that people type.
    var otherSuperclasses: [StringID] = []
    var controller: StringID?
    var controllerSuperclasses: StringID?
    var isMarkedSecure = false
    var hidden: StringID?
    var alpha: StringID?

    mutating func read(_ element: ElementID, of tree: ViewTree) {
      tree.forEachAttribute(of: element) { name, value in
        switch name {
        case .superclasses: if superclasses == nil { superclasses = value } else { otherSuperclasses.append(value) }
        case .controller: controller = tree.strings.length(of: value) > 0 ? value : nil
        case .controllerSuperclasses: controllerSuperclasses = value
        case .secure: isMarkedSecure = true
        case .hidden: hidden = value
        case .alpha: alpha = value
        default: break
        }
      }
    }

    func isTransparent(in tree: ViewTree) -> Bool {
      alpha.map { Double(tree.strings[$0]) == 0 } ?? false
    }
  }

  /// Finds the names in paths and the kinds of classes, only once for each class.
  private struct ClassInterner {
    let tree: ViewTree
    let hierarchy: ClassHierarchy
    private var known: [ClassKey: (StringID, ViewKinds)] = [:]
    private var last: (key: ClassKey, value: (StringID, ViewKinds))?

    init(tree: ViewTree, hierarchy: ClassHierarchy) {
      self.tree = tree
      self.hierarchy = hierarchy
    }

    mutating func intern(
      _ name: StringID, superclasses: StringID?, names: inout StringTable
    ) -> (StringID, ViewKinds) {
      let key = ClassKey(name: name, superclasses: superclasses)
      if let last, last.key == key { return last.value }
      if let value = known[key] {
        last = (key, value)
        return value
      }
      let value = tree.strings.withBytes(of: name) { bytes in
        let written = bytes.part(RuntimeSubclass.writtenClass(in: bytes))
        let kinds =
          superclasses.map { list in
            tree.strings.withBytes(of: list) { ViewKinds(class: written, superclasses: $0, in: hierarchy) }
          } ?? ViewKinds(class: written, in: hierarchy)
        return (names.intern(written), kinds)
      }
      known[key] = value
      last = (key, value)
      return value
    }
  }

  // MARK: - Pages

  /// Returns ``pages``. They are the same as ``controllers``, except that an element of a navigation bar or an alert has the
  /// page that is visible beneath it.
  private static func pages(of tree: ViewTree, _ structure: ScreenStructure, hidden: [Bool]) -> [Int32] {
    // The page that is visible in each subtree: the last one, because later subviews lie above earlier ones. The loop goes
    // backwards, so it meets the topmost page of a subtree first.
    var showing = Array(repeating: Int32(-1), count: tree.count)
    for e in stride(from: tree.count - 1, through: 0, by: -1) {
      if hidden[e] {
        showing[e] = -1
        continue
      }
      if let kinds = structure.controllerKinds[Int32(e)] {
        if kinds.contains(.systemOverlay) || structure.alerts[e] >= 0 {
          showing[e] = -1
        } else if showing[e] < 0 || kinds.isDisjoint(with: .pageContainers) {
          showing[e] = Int32(e)
        }
      }
      if let parent = tree.parent(of: ElementID(e)), showing[parent.index] < 0 { showing[parent.index] = showing[e] }
    }

    var pages = structure.controllers
    // The pages beneath alerts, by alert.
    var beneathAlert: [Int32: Int32] = [:]
    // For each element, the page beneath it.
    let beneath = pagesBeneath(tree, showing)
    for e in 0..<tree.count {
      let alert = structure.alerts[e]
      if alert >= 0 {
        if let page = beneathAlert[alert] {
          pages[e] = page
        } else {
          // An alert in an alert has the page of the outer one, which comes first in pre-order.
          let outer = tree.parent(of: ElementID(rawValue: alert)).map { structure.alerts[$0.index] } ?? -1
          let page =
            beneathAlert[outer] ?? pageBeneath(alert: ElementID(rawValue: alert), tree, structure, beneath)
          beneathAlert[alert] = page
          pages[e] = page
        }
      } else if structure.places[e].contains(.navigationBar), structure.controllers[e] >= 0 {
        let controller = structure.controllers[e]
        let isContainer = structure.controllerKinds[controller].map { !$0.isDisjoint(with: .pageContainers) } ?? false
        if isContainer { pages[e] = showing[Int(controller)] >= 0 ? showing[Int(controller)] : controller }
      }
    }
    return pages
  }

  /// Returns, for each element, the page that is visible in its preceding siblings or else in the preceding siblings of its nearest
  /// ancestor with such a page; -1 if there is no page beneath the element.
  private static func pagesBeneath(_ tree: ViewTree, _ showing: [Int32]) -> [Int32] {
    var beneath = Array(repeating: Int32(-1), count: tree.count)
    // For each parent, the last page that is visible in the children visited so far. The last entry is for the windows.
    var shown = Array(repeating: Int32(-1), count: tree.count + 1)
    for e in 0..<tree.count {
      let parent = tree.parent(of: ElementID(e))?.index
      let slot = parent ?? tree.count
      beneath[e] = shown[slot] >= 0 ? shown[slot] : parent.map { beneath[$0] } ?? -1
      if showing[e] >= 0 { shown[slot] = showing[e] }
    }
    return beneath
  }

  /// Returns the page beneath an alert that lies in no other alert.
  private static func pageBeneath(
    alert: ElementID, _ tree: ViewTree, _ structure: ScreenStructure, _ beneath: [Int32]
  ) -> Int32 {
    if beneath[alert.index] >= 0 { return beneath[alert.index] }
    return tree.parent(of: alert).map { structure.controllers[$0.index] } ?? -1
  }
}
