import EncircleIdentity
import EncircleText
import EncircleTree

/// The facts about a screen's elements that answers contain, found for all of them in one pass. Typed text is not among them.
struct ScreenElements {
  let screen: IdentifiedTree
  /// In the coordinates of the windows.
  let frames: WindowFrames
  private let contents: ElementContents
  private(set) var types: [TrackingType?] = []
  /// For each element, the nearest one from it upwards that is tracked; -1 where there is none.
  private(set) var tracked: [Int32] = []
  private var depths: [Int32] = []
  /// Whether an element cannot be seen: it, or one around it, is hidden or transparent.
  private(set) var hidden: [Bool] = []

  /// - Complexity: O(elements + attributes).
  init(of screen: IdentifiedTree) {
    self.screen = screen
    let tree = screen.tree
    frames = WindowFrames(of: tree)
    // Of a page only SDKs for the web track anything.
    let style: PathStyleName = tree.web == nil ? .hubbleData : .sensorsWeb
    contents = ElementContents(of: screen, in: style)
    types.reserveCapacity(tree.count)
    tracked.reserveCapacity(tree.count)
    depths.reserveCapacity(tree.count)
    hidden.reserveCapacity(tree.count)
    for element in tree.elements {
      let parent = tree.parent(of: element)?.index
      let type = screen.trackingType(of: element, in: style)
      types.append(type)
      tracked.append(type != nil ? element.rawValue : parent.map { tracked[$0] } ?? -1)
      depths.append(parent.map { depths[$0] + 1 } ?? 0)
      hidden.append(parent.map { hidden[$0] } ?? false || Self.isInvisible(element, in: tree))
    }
  }

  private static func isInvisible(_ element: ElementID, in tree: ViewTree) -> Bool {
    tree.isHidden(element) || tree.value(.alpha, of: element).map { Double($0) == 0 } ?? false
  }

  /// The content of an element that is tracked or has a text of its own; none for others, whose content is only that of the
  /// elements inside them.
  func content(of element: ElementID) -> String? {
    contents.ownContent(of: element) ?? (types[element.index] != nil ? contents.content(of: element) : nil)
  }

  // MARK: - JSON

  /// Writes all elements as the elements of a JSON array.
  ///
  /// - Complexity: O(length of all paths and contents).
  func writeAll(to json: inout JSONBuilder) {
    screen.forEachIdentity { element, path, _, eventID in
      json.element { write(element, path: path, eventID, to: &$0) }
    }
  }

  /// Writes the members of an element.
  ///
  /// - Complexity: O(length of its identity and content).
  func write(_ element: ElementID, to json: inout JSONBuilder) {
    let path = Array(screen.path(of: element).written(.underscores).utf8)
    path.withUnsafeBufferPointer { write(element, path: $0, screen.eventID(of: element), to: &json) }
  }

  private func write(
    _ element: ElementID, path: UnsafeBufferPointer<UInt8>, _ eventID: EventID, to json: inout JSONBuilder
  ) {
    let type = types[element.index]
    json.member("element", element.index)
    json.member("parent", orNull: screen.tree.parent(of: element)?.index)
    json.member("depth", Int(depths[element.index]))
    json.member("class", screen.className(of: element))
    json.member("frame") { json in
      guard let frame = frames[element] else { return json.null() }
      json.array([frame.x, frame.y, frame.width, frame.height]) { $1.value($0) }
    }
    json.member("path", path)
    json.member("page", orNull: screen.page(of: element))
    json.member("controller", orNull: screen.controller(of: element))
    json.member("type", orNull: type?.sent.rawValue)
    json.member("kind", orNull: type?.rawValue)
    json.member("tracked", orNull: tracked[element.index] < 0 ? nil : Int(tracked[element.index]))
    json.member("event_id", eventID)
    json.member("content", orNull: content(of: element))
    json.member("hidden", hidden[element.index])
    json.member("list_position", orNull: listPosition(of: element))
  }

  /// The place in the nearest list, `section:row`, as events have it.
  private func listPosition(of element: ElementID) -> String? {
    switch screen.cellLocator(of: element) {
    case .row(let section, let row)?: "\(section):\(row)"
    case .item(let section, let item)?: "\(section):\(item)"
    default: nil
    }
  }

  // MARK: - Points

  /// The visible elements at a point: those that are tracked first, then the others; each topmost first.
  ///
  /// - Complexity: O(elements).
  func elements(atX x: Double, y: Double) -> [ElementID] {
    let tree = screen.tree
    // Whether the point is in all frames around an element, and in its own.
    var isInside: [Bool] = []
    isInside.reserveCapacity(tree.count)
    var hits: [ElementID] = []
    for element in tree.elements {
      var inside = tree.parent(of: element).map { isInside[$0.index] } ?? true
      let frame = frames[element]
      if let frame {
        inside =
          inside && x >= frame.x && y >= frame.y && x < frame.x + frame.width && y < frame.y + frame.height
      }
      isInside.append(inside)
      // An element without a frame cannot be hit, but elements inside it can.
      if inside, frame != nil, !hidden[element.index] { hits.append(element) }
    }
    hits.reverse()
    return hits.filter { types[$0.index] != nil } + hits.filter { types[$0.index] == nil }
  }
}
