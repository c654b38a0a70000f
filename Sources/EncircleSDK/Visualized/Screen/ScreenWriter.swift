import EncircleText
import EncircleTree

/// Writes a screen as a capture, and finds the object of each element.
struct ScreenWriter {
  private(set) var text = CaptureXML()
  /// The places of the elements in the walk, by element number; -1 for a view that the payload does not list.
  private(set) var places: [Int32] = []

  private let assembly: ScreenAssembly
  private let payload: SnapshotPayload
  private let walk: ObjectWalk
  private let kinds: [ObjectKinds]
  private let contents: MaskedContents
  // The number of hidden views that may still be added.
  private var nodesLeft: Int
  private static let gapLimit = 1_000

  private enum Step {
    case node(Int)
    /// A hidden view of a node's class.
    case hidden(Int)
    case begin(wrapper: String)
    case end
    /// A label with the texts of items that the SDK does not list.
    case label(String)
  }

  /// - Complexity: O(nodes log nodes + hidden views).
  init(
    _ assembly: ScreenAssembly, _ payload: SnapshotPayload, _ walk: ObjectWalk, _ kinds: [ObjectKinds],
    _ contents: MaskedContents, _ header: ViewTree.Header
  ) {
    self.assembly = assembly
    self.payload = payload
    self.walk = walk
    self.kinds = kinds
    self.contents = contents
    nodesLeft = assembly.nodes.count + 1_000
    text.begin(header)
    write(Self.children(assembly.nodes))
    text.end()
  }

  /// Returns the children of each node, followed by the windows in their order.
  private static func children(_ nodes: [ScreenNode]) -> [[Int]] {
    var children = Array(repeating: [Int](), count: nodes.count + 1)
    for (number, node) in nodes.enumerated() {
      children[node.parent < 0 ? nodes.count : node.parent].append(number)
    }
    for i in children.indices where children[i].count > 1 {
      children[i].sort { (nodes[$0].order, $0) < (nodes[$1].order, $1) }
    }
    return children
  }

  private mutating func write(_ children: [[Int]]) {
    var stack = steps(children[assembly.nodes.count])
    stack.reverse()
    while let step = stack.popLast() {
      switch step {
      case .end: text.endView()
      case .label(let content):
        text.beginView(class: "UILabel")
        places.append(-1)
        text.attribute("frame", "0 0 0 0")
        text.attribute("text", content)
        text.attribute("enableAppClick", "false")
        text.endView()
      case .begin(let wrapper):
        text.beginView(class: wrapper)
        places.append(-1)
        text.attribute("superclasses", "UIView")
      case .hidden(let number):
        let node = assembly.nodes[number]
        text.beginView(class: node.className)
        places.append(-1)
        if let superclasses = Self.superclasses(node.superclasses) { text.attribute("superclasses", superclasses) }
        text.attribute("hidden", "true")
        text.endView()
      case .node(let number):
        begin(assembly.nodes[number])
        stack.append(.end)
        let offscreen = assembly.nodes[number].place.flatMap { contents.offscreenTexts[$0] }
        if let offscreen, !offscreen.isBefore { stack.append(.label(offscreen.text)) }
        stack.append(contentsOf: steps(children[number]).reversed())
        if let offscreen, offscreen.isBefore { stack.append(.label(offscreen.text)) }
      }
    }
  }

  /// Returns the children of a view, with the views that must be added so that each child has the index in its path.
  private mutating func steps(_ children: [Int]) -> [Step] {
    var counts: [UTF8String: Int] = [:]
    var steps: [Step] = []
    var indexed: Set<UTF8String> = []
    for child in children {
      if case .index = assembly.nodes[child].position { indexed.insert(UTF8String(assembly.nodes[child].className)) }
    }
    for child in children {
      let node = assembly.nodes[child]
      let name = UTF8String(node.className)
      switch node.position {
      case .index(let index):
        let count = counts[name, default: 0]
        if index >= count {
          let gap = hiddenViews(index - count)
          steps.append(contentsOf: repeatElement(.hidden(child), count: gap))
          counts[name] = count + gap
        } else {
          // Two views claim the same index of their class. A view that has no place in paths separates them.
          steps.append(.begin(wrapper: "UITableViewWrapperView"))
          steps.append(contentsOf: repeatElement(.hidden(child), count: hiddenViews(index)))
          steps.append(.node(child))
          steps.append(.end)
          continue
        }
        steps.append(.node(child))
      case .free where node.controller != nil && indexed.contains(name):
        // The wrapper keeps the view from counting among the siblings of its class.
        steps.append(.begin(wrapper: "UIViewControllerWrapperView"))
        steps.append(.node(child))
        steps.append(.end)
        continue
      default: steps.append(.node(child))
      }
      counts[name, default: 0] += 1
    }
    return steps
  }

  private mutating func hiddenViews(_ count: Int) -> Int {
    guard count <= Self.gapLimit, count <= nodesLeft else { return 0 }
    nodesLeft -= count
    return count
  }

  /// Returns the superclasses that identify the kind of a view; nil if there are none.
  private static func superclasses(_ classes: [String]) -> String? {
    // Spaces separate the names in the list, so a name with a space cannot be in it.
    let names = classes.prefix { $0 != "UIResponder" && $0 != "NSObject" }.filter { !$0.utf8.contains(0x20) }
    return names.isEmpty ? nil : names.joined(separator: " ")
  }

  private mutating func begin(_ node: ScreenNode) {
    text.beginView(class: node.className)
    places.append(Int32(node.place ?? -1))
    if let superclasses = Self.superclasses(node.superclasses) { text.attribute("superclasses", superclasses) }
    let origin = node.parent < 0 ? Frame(x: 0, y: 0, width: 0, height: 0) : assembly.nodes[node.parent].area
    text.attribute(
      "frame",
      [node.area.x - origin.x, node.area.y - origin.y, node.area.width, node.area.height].map(CaptureXML.number)
        .joined(separator: " "))
    if let controller = node.controller {
      text.attribute("controller", controller.name)
      if let title = controller.title { text.attribute("controllerTitle", title) }
      if let superclasses = Self.superclasses(controller.superclasses) {
        text.attribute("controllerSuperclasses", superclasses)
      }
    }
    switch node.position {
    case .cell(let section, let row): text.attribute("indexPath", "\(section) \(row)")
    case .header(let section): text.attribute("section", "\(section)")
    case .footer(let section):
      text.attribute("section", "\(section)")
      text.attribute("role", "footer")
    case .free, .index: break
    }
    // A view that follows from the paths of others causes no event.
    let isTappable = node.place.map { payload.objects[walk.order[$0]].isTappable ?? false } ?? false
    text.attribute("enableAppClick", isTappable ? "true" : "false")
    if let place = node.place { describe(place) }
  }

  private mutating func describe(_ place: Int) {
    let object = payload.objects[walk.order[place]]
    let kinds = kinds[place]
    if object.isTappable == true, kinds.views.isDisjoint(with: [.control, .tableViewCell, .collectionViewCell]) {
      text.attribute("gestures", "tap")
    }
    if let identifier = object.identifier { text.attribute("identifier", identifier) }
    if let selected = assembly.selectedSegments[place] { text.attribute("selectedIndex", "\(selected)") }
    if let state = contents.states[place], !contents.isTyped[place] {
      if case .toggle = kinds.state { text.attribute("on", state == "checked" ? "true" : "false") }
      if case .number = kinds.state { text.attribute("value", state) }
    }
    if contents.isOwn[place], !kinds.isSegmentedControl, let content = contents.contents[place] {
      text.attribute("text", content)
    }
    if kinds.views.contains(.alertView) { describeAlert(place) }
    guard object.isWeb else { return }
    if let tag = object.tagName { text.attribute("tagName", tag) }
    if let path = object.path { text.attribute("elementPath", path) }
    if let selector = object.elementSelector { text.attribute("elementSelector", selector) }
    if let selector = object.listSelector { text.attribute("listSelector", selector) }
    if let position = object.position { text.attribute("elementPosition", position) }
    if let url = object.url { text.attribute("url", url) }
    if let title = object.webTitle { text.attribute("webTitle", title) }
  }

  /// Adds the title and the message of an alert: the first two labels above its actions. Either may be missing.
  private mutating func describeAlert(_ place: Int) {
    for inner in place..<walk.ends[place] {
      let object = payload.objects[walk.order[inner]]
      guard object.className == "UILabel", let content = contents.contents[inner], let path = object.path,
        path.contains("HeaderScrollView")
      else { continue }
      if path.endsWithBytes(of: "/UILabel[0]") { text.attribute("title", content) }
      if path.endsWithBytes(of: "/UILabel[1]") {
        text.attribute("message", content)
        return
      }
    }
  }
}
