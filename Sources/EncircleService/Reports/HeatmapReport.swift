import EncircleEvents
import EncircleIdentity
import EncircleText
import EncircleTree

/// The places on a screen where people tap: the elements, and the points, if events have `$page_x` and `$page_y`. Sensors' SDKs
/// for web pages send these properties.
struct HeatmapReport: Encodable {
  struct Point: Encodable {
    /// The point in the coordinates of the capture.
    var x: Int
    var y: Int
    var count: Int
  }

  struct Element: Encodable {
    var element: Int
    var count: Int
  }

  var points: [Point] = []
  var elements: [Element] = []
  /// Events on elements of the capture.
  var events = 0

  /// The number of newest events whose points are read.
  private static let maximumEvents = 200_000
  /// The size of the cells within which points count as one.
  private static let cell = 4.0

  /// - Parameters:
  ///   - time: The time from which events count, in milliseconds since 1970.
  ///   - project: The project of the events; nil for all.
  init(_ screen: StoredScreen, _ store: EventStore, since time: Int64, of project: String?) throws {
    let counts = try project.map { try store.elementCounts(of: $0, since: time) } ?? store.elementCounts(since: time)
    let identified = screen.identified
    var pages: Set<UTF8String> = []
    if !counts.isEmpty {
      let androidIDs = identified.androidIDs()
      for element in identified.tree.elements {
        if element.index % 256 == 0 { try WorkBudget.check() }
        if let page = identified.page(of: element) { pages.insert(UTF8String(page)) }
        let ids = [identified.eventID(of: element), androidIDs[element]].compactMap { $0?.bytes }
        let count = ids.reduce(0) { $0 + (counts[$1] ?? 0) }
        guard count > 0 else { continue }
        elements.append(Element(element: element.index, count: count))
        events += count
      }
    }
    if !pages.isEmpty { try addPoints(pages.sorted().map(\.text), store, time, project) }
  }

  private mutating func addPoints(
    _ pages: [String], _ store: EventStore, _ time: Int64, _ project: String?
  ) throws {
    var cells: [SIMD2<Int>: Int] = [:]
    var tape = JSONTape()
    var seen = 0
    try store.forEach(onPages: Array(pages.prefix(100)), since: time, of: project) { json in
      if seen % 256 == 0 { try WorkBudget.check() }
      seen += 1
      json.withUnsafeBufferPointer { text in
        guard (try? tape.parse(text)) != nil, let properties = tape.member("properties", of: 0, in: text) else {
          return
        }
        func number(_ name: StaticString) -> Double? {
          tape.member(name, of: properties, in: text).flatMap { tape.number($0, in: text) }
            .flatMap { Double($0.description) }
        }
        guard let x = number("$page_x"), let y = number("$page_y"), abs(x) < 1e6, abs(y) < 1e6 else { return }
        cells[SIMD2(Int((x / Self.cell).rounded(.down)), Int((y / Self.cell).rounded(.down))), default: 0] += 1
      }
      return seen < Self.maximumEvents
    }
    points = cells.map { place, count in
      let (size, middle) = (Int(Self.cell), Int(Self.cell) / 2)
      return Point(x: place.x * size + middle, y: place.y * size + middle, count: count)
    }.sorted { ($0.y, $0.x) < ($1.y, $1.x) }
  }
}
