import EncircleText
import EncircleTree

/// What each element of a tree is and belongs to: kinds, controller, page, alert, navigation bar.
///
/// Independent of how paths are written.
///
/// - Complexity: O(elements + attributes) to make.
struct ScreenStructure: Sendable {
  /// What an element lies in, itself included.
  struct Places: OptionSet, Sendable {
    let rawValue: UInt8
    static let navigationBar = Places(rawValue: 1)
    static let searchBar = Places(rawValue: 2)
    /// A field in which people type; nothing that is written there is told.
    static let typedText = Places(rawValue: 4)
  }

  /// By element.
  private(set) var kinds: [ViewKinds]
  private(set) var places: [Places]
  /// The nearest element up the tree, itself included, that is a controller's root view; -1 if there is none.
  private(set) var controllers: [Int32]
  /// The element whose controller is the page that the user sees; -1 if it is unknown.
  private(set) var pages: [Int32]
  /// The alert that the element lies in, itself included; -1 outside of alerts.
  private(set) var alerts: [Int32]
  /// The nearest list view up the tree, itself not included; -1 if there is none.
  private(set) var lists: [Int32]
  /// By root view: the kinds of its controller.
  private(set) var controllerKinds: [Int32: ViewKinds]
  /// By element: its class as paths write it, in `names`.
  private(set) var writtenClasses: [StringID]
  /// By root view: its controller's class as paths write it, in `names`.
  private(set) var writtenControllers: [Int32: StringID]
  private(set) var names: StringTable

  init(of tree: ViewTree, hierarchy: ClassHierarchy) {
    let count = tree.count
    kinds = []
    kinds.reserveCapacity(count)
    places = []
    places.reserveCapacity(count)
    controllers = Array(repeating: -1, count: count)
    pages = []
    alerts = Array(repeating: -1, count: count)
    lists = Array(repeating: -1, count: count)
    controllerKinds = [:]
    writtenClasses = []
    writtenClasses.reserveCapacity(count)
    writtenControllers = [:]
    names = StringTable()

    var classes = ClassInterner(tree: tree, hierarchy: hierarchy)
    var hidden = Array(repeating: false, count: count)

    for element in tree.elements {
      let e = element.index
      let parent = tree.parent(of: element)?.index
      var attributes = Attributes()
      attributes.read(element, of: tree)

      let (name, kind) = classes.intern(
        tree.classID(of: element), superclasses: attributes.superclasses, names: &names)
      writtenClasses.append(name)
      kinds.append(kind)

      var place = parent.map { places[$0] } ?? []
      if kind.contains(.navigationBar) { place.insert(.navigationBar) }
      if kind.contains(.searchBar) { place.formUnion([.searchBar, .typedText]) }
      if !kind.isDisjoint(with: [.textField, .textView, .secureField])
        || (attributes.secure != nil && tree.isTrue(.secure, of: element))
      {
        place.insert(.typedText)
      }
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
      // Of nested alert views, the one that says something speaks for what is in it.
      if isAlert,
        alerts[e] < 0 || tree.valueID(.title, of: element) != nil || tree.valueID(.message, of: element) != nil
      {
        alerts[e] = element.rawValue
      }
      hidden[e] = (attributes.hidden != nil && tree.isTrue(.hidden, of: element)) || attributes.isTransparent(in: tree)
    }
    pages = Self.pages(of: tree, self, hidden: hidden)
  }

  // The attributes that matter here, found in one pass over an element's attributes.
  private struct Attributes {
    var superclasses: StringID?
    var controller: StringID?
    var controllerSuperclasses: StringID?
    var secure: StringID?
    var hidden: StringID?
    var alpha: StringID?

    mutating func read(_ element: ElementID, of tree: ViewTree) {
      tree.forEachAttribute(of: element) { name, value in
        switch name {
        case .superclasses: superclasses = value
        case .controller: controller = tree.strings.length(of: value) > 0 ? value : nil
        case .controllerSuperclasses: controllerSuperclasses = value
        case .secure: secure = value
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

  /// Gives classes their written names and kinds, each distinct one once.
  private struct ClassInterner {
    let tree: ViewTree
    let hierarchy: ClassHierarchy
    private struct Key: Hashable {
      let name: StringID
      let superclasses: StringID?
    }
    private var known: [Key: (StringID, ViewKinds)] = [:]
    private var last: (key: Key, value: (StringID, ViewKinds))?

    init(tree: ViewTree, hierarchy: ClassHierarchy) {
      self.tree = tree
      self.hierarchy = hierarchy
    }

    mutating func intern(
      _ name: StringID, superclasses: StringID?, names: inout StringTable
    ) -> (StringID, ViewKinds) {
      let key = Key(name: name, superclasses: superclasses)
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

  /// The controller of each element, but beneath navigation bars and alerts the page that shows there.
  private static func pages(of tree: ViewTree, _ structure: ScreenStructure, hidden: [Bool]) -> [Int32] {
    // What each subtree shows: the last page in it, since later subviews lie above. Children come after their parents in
    // pre-order, so going backwards meets the topmost first.
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
    // By alert: the page beneath it.
    var beneathAlert: [Int32: Int32] = [:]
    // The page that the windows before the current one show.
    let beneath = pagesBeneath(tree, showing)
    for e in 0..<tree.count {
      let alert = structure.alerts[e]
      if alert >= 0 {
        if let page = beneathAlert[alert] {
          pages[e] = page
        } else {
          // An alert within an alert has the outer one's page, which comes first in pre-order.
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

  /// For each element, the page that its preceding siblings show, or those of its nearest ancestor that has any; -1 if
  /// nothing lies beneath it.
  private static func pagesBeneath(_ tree: ViewTree, _ showing: [Int32]) -> [Int32] {
    var beneath = Array(repeating: Int32(-1), count: tree.count)
    // By parent, the last page that the children visited so far show; the last entry is for windows.
    var shown = Array(repeating: Int32(-1), count: tree.count + 1)
    for e in 0..<tree.count {
      let parent = tree.parent(of: ElementID(e))?.index
      let slot = parent ?? tree.count
      beneath[e] = shown[slot] >= 0 ? shown[slot] : parent.map { beneath[$0] } ?? -1
      if showing[e] >= 0 { shown[slot] = showing[e] }
    }
    return beneath
  }

  /// The page beneath an alert that lies in no other alert.
  private static func pageBeneath(
    alert: ElementID, _ tree: ViewTree, _ structure: ScreenStructure, _ beneath: [Int32]
  ) -> Int32 {
    if beneath[alert.index] >= 0 { return beneath[alert.index] }
    return tree.parent(of: alert).map { structure.controllers[$0.index] } ?? -1
  }
}
