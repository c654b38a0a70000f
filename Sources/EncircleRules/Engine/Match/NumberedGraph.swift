import EncircleIdentity
import EncircleText

/// The readings of an ambiguous path as numbers. They are all matched together, in a time that depends on the length of the text
/// and not on the number of readings.
///
/// Boundaries are the places where a component may begin or end; 0 is the beginning of the path. An edge is a component between two
/// boundaries. In a segment without known class names, a name may lie between any two underscores; only the names that rules or the
/// class hierarchy know become edges there, and patterns are matched against the text.
struct NumberedGraph: ~Copyable {
  struct Edge: BitwiseCopyable {
    let start: UInt32
    let end: UInt32
    let component: ComponentNumbers
  }

  /// A segment that may contain any name.
  struct OpenSegment {
    let names: UnderscoredNames
    /// Its boundaries, from the first to the last.
    let first: Int
    let last: Int
  }

  /// The edges, sorted by their end.
  private(set) var edges = GrowingBuffer<Edge>()
  // The edges that end at boundary b: edges[edgeStarts[b] ..< edgeStarts[b + 1]].
  private var edgeStarts = GrowingBuffer<UInt32>()
  private(set) var openSegments: [OpenSegment] = []
  /// The number of the last boundary.
  private(set) var last = 0

  // MARK: - Reading

  /// Takes over the readings of a path.
  ///
  /// - Parameter lengths: The lengths of all class names that steps of selectors can know.
  mutating func read(
    _ graph: PathGraph, _ classes: inout ClassTable, _ selectors: borrowing SelectorTable, lengths: [Int]
  ) {
    edges.removeAll()
    openSegments.removeAll()
    last = 0
    for segment in graph.segments {
      let first = last
      last += segment.boundaryCount
      switch segment {
      case .component(let components):
        for component in components {
          append(first, last, selectors.numbers(component, &classes))
        }
      case .underscored(let names):
        if names.known == nil { openSegments.append(OpenSegment(names: names, first: first, last: last)) }
        appendKnownNames(names, first: first, &classes, lengths)
      }
    }
    sortEdges()
  }

  private mutating func appendKnownNames(
    _ names: UnderscoredNames, first: Int, _ classes: inout ClassTable, _ lengths: [Int]
  ) {
    var known = names.known
    if known == nil {
      known = names.names(lengths: lengths) { classes.find($0) != nil || classes.isInHierarchy($0) }
    }
    names.text.withUnsafeBufferPointer { text in
      for name in known ?? [] {
        let (start, end) = (Int(name.start), Int(name.end))
        let number = classes.number(UnsafeBufferPointer(rebasing: text[names.range(start, end)]))
        append(
          first + start, first + end, ComponentNumbers(number, first + end == last ? names.locator : .none))
      }
    }
  }

  private mutating func append(_ start: Int, _ end: Int, _ component: ComponentNumbers) {
    edges.append(Edge(start: UInt32(start), end: UInt32(end), component: component))
  }

  private mutating func sortEdges() {
    edges.sort { $0.end != $1.end ? $0.end < $1.end : $0.start < $1.start }
    edgeStarts.removeAll()
    edgeStarts.append(repeating: 0, count: last + 2)
    for i in 0..<edges.count { edgeStarts[Int(edges[i].end) + 1] += 1 }
    for boundary in 0...last { edgeStarts[boundary + 1] += edgeStarts[boundary] }
  }

  @inline(__always) func edges(endingAt boundary: Int) -> Range<Int> {
    Int(edgeStarts[boundary])..<Int(edgeStarts[boundary + 1])
  }

  // MARK: - Ways

  /// Calls `body` with the last components of each reading, as far up as their classes are known, with every single component,
  /// and with every pair of neighbours, outermost component first. These parts have all the keys that the readings have.
  ///
  /// - Returns: False if there are too many and some were omitted.
  func forEachKnownPart(_ body: (UnsafeBufferPointer<ComponentNumbers>) -> Void) -> Bool {
    forEachKnownEnd(body) && forEachKnownPair(body)
  }

  // The maximum number of ends of readings, and of pairs, that are looked up. If class names in rules contain underscores, there
  // could be very many.
  private static let maximumParts = 4096

  private func forEachKnownEnd(_ body: (UnsafeBufferPointer<ComponentNumbers>) -> Void) -> Bool {
    var parts = 0
    var steps = 0
    // A depth-first search from the element upwards. Each level is an edge, with the next edge to try above it.
    var way: [(edge: Int, next: Int)] = []
    var components = [ComponentNumbers](repeating: ComponentNumbers(ClassTable.unknown, .none), count: 16)
    for edge in edges(endingAt: last) {
      way.append((edge, edges(endingAt: Int(edges[edge].start)).lowerBound))
      while let (current, next) = way.last {
        let above = edges(endingAt: Int(edges[current].start))
        if next < above.upperBound {
          way[way.count - 1].next += 1
          way.append((next, edges(endingAt: Int(edges[next].start)).lowerBound))
          steps += 1
          guard steps <= Self.maximumParts * 16 else { return false }
          continue
        }
        if above.isEmpty {
          parts += 1
          guard parts <= Self.maximumParts else { return false }
          while components.count < way.count { components += components }
          for (i, level) in way.enumerated() {
            components[components.count - 1 - i] = edges[level.edge].component
          }
          components.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0.suffix(way.count))) }
        }
        way.removeLast()
      }
    }
    return true
  }

  private func forEachKnownPair(_ body: (UnsafeBufferPointer<ComponentNumbers>) -> Void) -> Bool {
    var parts = 0
    return withUnsafeTemporaryAllocation(of: ComponentNumbers.self, capacity: 2) { pair in
      for i in 0..<edges.count {
        pair.initializeElement(at: 1, to: edges[i].component)
        body(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(pair)[1...]))
        for outer in edges(endingAt: Int(edges[i].start)) {
          parts += 1
          guard parts <= Self.maximumParts else { return false }
          pair.initializeElement(at: 0, to: edges[outer].component)
          body(UnsafeBufferPointer(pair))
        }
      }
      return true
    }
  }
}
