import EncircleText
import EncircleTree

/// Reassembles the views of a payload so that their paths in the `sensors` style are the paths that the SDK has given.
///
/// The payload's tree is not the tree of superviews: containers such as navigation controllers skip their own views, hidden
/// views are left out, and a view controller stands in place of its root view. The paths reveal the missing views: a root view
/// that only the paths of other views name, views between two listed ones, and hidden siblings that count in the indexes of
/// others.
struct ScreenAssembly {
  /// The maximum number of components of a path that are read.
  static let componentLimit = 256

  private(set) var nodes: [ScreenNode] = []
  /// The node for each place of the walk; -1 for a controller.
  private(set) var nodeOfPlace: [Int]

  private let payload: SnapshotPayload
  private let walk: ObjectWalk
  private let kinds: [ObjectKinds]
  private let levels: Int
  private var scopes: [Scope] = []
  // The scope of each place that is a controller.
  private var scopeOfPlace: [Int: Int] = [:]
  private var children: [ChildKey: Int] = [:]
  // Views that may still be added although the payload does not list them.
  private var nodesLeft: Int

  /// A view controller that the payload lists.
  private struct Scope {
    var place: Int
    var controller: ScreenNode.Controller
    var kinds: ViewKinds
    /// The number of path components before the root view. Only the path of an alert has one: the alert's own class.
    var skipped = 0
    var root: Int?
    /// The node that takes the root views of child controllers.
    var childHost: Int?
  }

  private struct ChildKey: Hashable {
    var parent: Int
    var component: UTF8String
  }

  /// - Complexity: O(*n* + total length of the paths) for *n* objects.
  init(_ payload: SnapshotPayload, _ walk: ObjectWalk, _ kinds: [ObjectKinds], levels: Int) {
    self.payload = payload
    self.walk = walk
    self.kinds = kinds
    self.levels = levels
    nodeOfPlace = Array(repeating: -1, count: walk.order.count)
    nodesLeft = walk.order.count + 1_000
    for place in walk.order.indices {
      if kinds[place].isController {
        enterController(place)
      } else if nodeOfPlace[place] < 0 {
        addView(place)
      }
    }
  }

  private func object(_ place: Int) -> SnapshotObject { payload.objects[walk.order[place]] }

  // MARK: - Nodes

  private mutating func add(_ node: ScreenNode) -> Int {
    nodes.append(node)
    return nodes.count - 1
  }

  private func area(of node: Int?) -> Frame { node.map { nodes[$0].area } ?? Frame(x: 0, y: 0, width: 0, height: 0) }

  /// Creates the node of a listed view.
  private mutating func make(_ place: Int, in parent: Int?, _ component: SensorsComponent?, components: Int) -> Int {
    let object = object(place)
    var node = ScreenNode(
      className: object.className ?? component.map { String($0.name) } ?? "UIView",
      superclasses: Array(object.classes.dropFirst()), place: place, parent: parent ?? -1, order: place,
      area: object.frame ?? area(of: parent), depth: (parent.map { nodes[$0].depth } ?? 0) + 1)
    node.components = components
    node.lastComponent = component
    if let component { describe(component, position: object.position, of: &node) }
    let number = add(node)
    nodeOfPlace[place] = number
    if let component, let parent { children[key(component, node.position, parent)] = number }
    return number
  }

  /// Applies the information in a component to its view.
  private func describe(_ component: SensorsComponent, position: String?, of node: inout ScreenNode) {
    let numbers = (position ?? "").utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .map { Self.number($0) }
    if component.isSectionHeader || component.isSectionFooter {
      if let section = component.numbers.first ?? nil {
        node.position = component.isSectionHeader ? .header(section) : .footer(section)
      }
      return
    }
    // If key-value observing has replaced the class at run time, the path has the original name.
    node.className = String(component.name)
    switch component.numbers.count {
    case 1:
      if let index = component.numbers[0] ?? (numbers.count == 1 ? numbers[0] : nil) { node.position = .index(index) }
    case 2:
      guard let section = component.numbers[0] else { return }
      let row = component.numbers[1] ?? (numbers.count == 2 && numbers[0] == section ? numbers[1] : nil)
      if let row { node.position = .cell(section, row) }
    default: break
    }
  }

  private static func number(_ digits: Substring.UTF8View) -> Int? {
    digits.count <= 9 && digits.allSatisfy(isDigit) ? Int(Substring(digits)) : nil
  }

  private func key(_ component: SensorsComponent, _ position: ScreenNode.Place, _ parent: Int) -> ChildKey {
    ChildKey(parent: parent, component: UTF8String("\(component.name) \(position)"))
  }

  /// Finds or creates a view that is not listed, but that the paths of other views name.
  private mutating func child(_ component: SensorsComponent, of parent: Int, for place: Int) -> Int {
    var node = ScreenNode(
      className: String(component.name), parent: parent, order: place, area: area(of: parent),
      depth: nodes[parent].depth + 1)
    describe(component, position: object(place).position, of: &node)
    if component.isSectionHeader || component.isSectionFooter { node.className = "UITableViewHeaderFooterView" }
    if case .cell = node.position {
      let isItem =
        nodes[parent].className == "UICollectionView" || nodes[parent].superclasses.contains("UICollectionView")
      node.superclasses = [isItem ? "UICollectionViewCell" : "UITableViewCell", "UIView"]
    }
    let key = key(component, node.position, parent)
    if let known = children[key] { return known }
    guard nodesLeft > 0, node.depth < levels else { return parent }
    nodesLeft -= 1
    node.components = nodes[parent].components + 1
    node.lastComponent = component
    let number = add(node)
    children[key] = number
    return number
  }

  /// Finds or creates a container's own view, which no path names.
  private mutating func wrapper(_ name: String, in parent: Int, order: Int) -> Int {
    child(SensorsComponent(name[...]), of: parent, for: order)
  }

  // MARK: - Controllers

  private mutating func enterController(_ place: Int) {
    let object = object(place)
    let parent = walk.parents[place]
    var scope = Scope(
      place: place,
      controller: ScreenNode.Controller(
        name: object.className ?? "UIViewController", superclasses: Array(object.classes.dropFirst()), title: nil),
      kinds: kinds[place].views)
    let members = walk.children(of: place)
    let first = members.first { !kinds[$0].isController && self.object($0).path != nil }
    var path =
      first.flatMap { self.object($0).path }
      .flatMap { SensorsComponent.split($0, limit: Self.componentLimit) } ?? []
    var isPresented = false
    if scope.kinds.contains(.alertController), path.count > 1, path[0].name == scope.controller.name[...] {
      scope.skipped = 1
      // An alert that is not the child of another controller has no index.
      isPresented = path[0].numbers.isEmpty
      path.removeFirst()
    }
    if let first, !isPresented, let outer = scopeOfPlace[parent] {
      // If a controller that is not a container of pages lists another page, it has presented that page.
      let containers: ViewKinds = ViewKinds.pageContainers.union(.pageViewController)
      isPresented =
        scopes[outer].kinds.isDisjoint(with: containers) && self.object(first).screenName == scope.controller.name
        && scopes[outer].root != nil && !kinds[place].views.contains(.pageViewController)
        && self.object(first).screenName != scopes[outer].controller.name
    }
    let host = host(of: place, isPresented: isPresented, alertScreen: scope.skipped > 0 ? first : nil)
    if let first, path.count == 1 {
      let component = path[0]
      scope.controller.title = title(of: scope.controller.name, first)
      let root = make(first, in: host, component, components: scope.skipped + 1)
      nodes[root].position = .free
      nodes[root].controller = scope.controller
      scope.root = root
    } else if !members.isEmpty {
      let name = path.first.map { String($0.name) } ?? Self.rootClass(of: scope.kinds)
      if let first { scope.controller.title = title(of: scope.controller.name, first) }
      var root = ScreenNode(
        className: name, superclasses: ["UIView"], parent: host ?? -1, order: place, area: area(of: host),
        depth: (host.map { nodes[$0].depth } ?? 0) + 1)
      root.components = scope.skipped + 1
      root.lastComponent = path.first
      root.controller = scope.controller
      scope.root = add(root)
    }
    scopeOfPlace[place] = scopes.count
    scopes.append(scope)
  }

  private func title(of controller: String, _ place: Int) -> String? {
    object(place).screenName == controller ? object(place).title : nil
  }

  private static func rootClass(of kinds: ViewKinds) -> String {
    if !kinds.isDisjoint(with: .pageContainers) { return "UILayoutContainerView" }
    return kinds.contains(.pageViewController) ? "_UIPageViewControllerContentView" : "UIView"
  }

  /// Returns the view that contains the root view of a controller; nil for a window's place.
  private mutating func host(of place: Int, isPresented: Bool, alertScreen: Int?) -> Int? {
    let parent = walk.parents[place]
    guard parent >= 0 else { return nil }
    guard let outer = scopeOfPlace[parent] else { return nodeOfPlace[parent] }
    if isPresented, let root = scopes[outer].root {
      var window = root
      while nodes[window].parent >= 0 { window = nodes[window].parent }
      if let alertScreen { addPage(beneath: alertScreen, outer, order: place) }
      return window == root ? root : wrapper("UITransitionView", in: window, order: place)
    }
    return childHost(outer, order: place)
  }

  /// Adds the page beneath an alert, which the payload does not list, with only its name.
  private mutating func addPage(beneath place: Int, _ outer: Int, order: Int) {
    guard let name = object(place).screenName else { return }
    if let known = scopes.first(where: { $0.controller.name == name }) {
      // The page itself has presented the alert, so none of its views is listed.
      if let root = known.root, nodes[root].controller?.title == nil {
        let title = object(place).title
        nodes[root].controller?.title = title
      }
      return
    }
    guard
      let host = childHost(outer, order: order), nodesLeft > 0, nodes[host].depth + 1 < levels
    else { return }
    nodesLeft -= 1
    var page = ScreenNode(
      className: "UIView", parent: host, order: order, area: area(of: host), depth: nodes[host].depth + 1)
    page.controller = ScreenNode.Controller(name: name, superclasses: ["UIViewController"], title: object(place).title)
    _ = add(page)
  }

  private mutating func childHost(_ scope: Int, order: Int) -> Int? {
    if let host = scopes[scope].childHost { return host }
    guard let root = scopes[scope].root else { return nil }
    let kinds = scopes[scope].kinds
    var host = root
    let names: [String] =
      if kinds.contains(.navigationController) {
        ["UINavigationTransitionView", "UIViewControllerWrapperView"]
      } else if !kinds.isDisjoint(with: [.tabBarController, .splitViewController]) {
        ["UITransitionView", "UIViewControllerWrapperView"]
      } else if kinds.contains(.pageViewController) {
        ["_UIQueuingScrollView", "UIView"]
      } else {
        []
      }
    for name in names { host = wrapper(name, in: host, order: order) }
    scopes[scope].childHost = host
    return host
  }

  // MARK: - Views

  /// Classes without a component of their own.
  private static let withoutComponent: Set<String> = [
    "UITableViewWrapperView", "UISegment", "_UISearchBarFieldEditor", "UIFieldEditor",
  ]

  private mutating func addView(_ place: Int) {
    let object = object(place)
    let parent = walk.parents[place]
    let scope = parent >= 0 ? scopeOfPlace[parent] : nil
    let host =
      scope.flatMap { scopes[$0].root } ?? (parent >= 0 && nodeOfPlace[parent] >= 0 ? nodeOfPlace[parent] : nil)
    let path =
      object.isWeb ? nil : object.path.flatMap { SensorsComponent.split($0, limit: Self.componentLimit) }
    guard let path, !Self.withoutComponent.contains(object.className ?? "") else {
      _ = make(place, in: host, nil, components: host.map { nodes[$0].components } ?? 0)
      if let host { nodes[nodeOfPlace[place]].lastComponent = nodes[host].lastComponent }
      return
    }
    guard let host else {
      _ = make(place, in: nil, path[path.count - 1], components: path.count)
      return
    }
    // A segmented control's path has an additional last component for its segments.
    let isControl = path.count > 1 && path[path.count - 1].name == "UISegment" && object.className != "UISegment"
    let own = path.count - (isControl ? 2 : 1)
    let known = nodes[host].components
    let fits =
      known <= own && known > 0
      && (nodes[host].lastComponent.map { $0.isSame(as: path[known - 1]) } ?? true)
    if fits {
      attach(place, to: host, path, from: known, own: own)
      return
    }
    let screen = ScreenNode.Controller(
      name: object.screenName ?? scope.map { scopes[$0].controller.name } ?? "UIViewController",
      superclasses: ["UIViewController"], title: object.title)
    if own == 0 {
      // The root view of a controller that the payload does not list.
      let root = make(place, in: host, path[0], components: 1)
      nodes[root].position = .free
      nodes[root].controller = screen
      return
    }
    let root = child(path[0], of: host, for: place)
    if root != host, nodes[root].place == nil, nodes[root].controller == nil {
      nodes[root].controller = screen
      nodes[root].position = .free
      nodes[root].components = 1
    }
    attach(place, to: root, path, from: nodes[root].components, own: own)
  }

  private mutating func attach(
    _ place: Int, to base: Int, _ path: [SensorsComponent], from known: Int, own: Int
  ) {
    var parent = base
    for component in path[min(known, own)..<own] { parent = child(component, of: parent, for: place) }
    let node = make(place, in: parent, path[own], components: path.count)
    nodes[node].lastComponent = path[path.count - 1]
    if let selected = object(place).position, own < path.count - 1, let index = Self.number(selected.utf8[...]) {
      selectedSegments[place] = index
    }
  }

  /// The selected segment of each segmented control, by place.
  private(set) var selectedSegments: [Int: Int] = [:]
}
