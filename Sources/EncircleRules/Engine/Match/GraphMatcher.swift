import EncircleText

/// Matches selectors against all readings of a path in one pass.
///
/// The matcher goes upwards from the element. A boundary is active if the steps so far match the rest of some reading from there.
/// Each step leads from one set of active boundaries to the next.
struct GraphMatcher: ~Copyable {
  // For each boundary, 1 if it is active; in `next`, after the present step.
  private var active = GrowingBuffer<UInt8>()
  private var next = GrowingBuffer<UInt8>()
  // All active boundaries lie in this range.
  private var least = 0
  private var greatest = 0
  private var nextLeast = 0
  private var nextGreatest = 0

  /// Returns whether a selector matches some reading.
  ///
  /// - Complexity: O(steps × (boundaries + edges + length of the text)), and comparisons of the parts of patterns with it.
  mutating func matches(
    _ selector: Int, _ graph: borrowing NumberedGraph, _ table: borrowing SelectorTable,
    _ classes: borrowing ClassTable
  ) -> Bool {
    begin(boundaries: graph.last + 1)
    activate(graph.last)
    endStep()
    for number in table.steps(of: selector) {
      let step = table.steps.address(of: Int(number))
      if step.pointee.classTest == .recursiveWildcard {
        skip(graph)
      } else {
        follow(step, graph, table, classes)
      }
      endStep()
      if least > greatest { return false }
    }
    return active[0] == 1
  }

  private mutating func begin(boundaries: Int) {
    active.removeAll()
    next.removeAll()
    active.append(repeating: 0, count: boundaries)
    next.append(repeating: 0, count: boundaries)
    (least, greatest) = (boundaries, -1)
    (nextLeast, nextGreatest) = (boundaries, -1)
  }

  @inline(__always) private mutating func activate(_ boundary: Int) {
    next[boundary] = 1
    nextLeast = min(nextLeast, boundary)
    nextGreatest = max(nextGreatest, boundary)
  }

  /// Makes the next set the present one.
  private mutating func endStep() {
    if least <= greatest {
      for boundary in least...greatest { active[boundary] = 0 }
    }
    swap(&active, &next)
    (least, greatest) = (nextLeast, nextGreatest)
    (nextLeast, nextGreatest) = (next.count, -1)
  }

  // MARK: - Recursive wildcards

  /// Activates all boundaries from which any number of components lead to an active one, including the active ones.
  private mutating func skip(_ graph: borrowing NumberedGraph) {
    var open = graph.openSegments.partitioningIndex { $0.last > greatest } - 1
    // The segment in which a name may begin at the boundary, and the last active boundary in that segment.
    var segment: NumberedGraph.OpenSegment?
    if open + 1 < graph.openSegments.count, graph.openSegments[open + 1].first < greatest {
      segment = graph.openSegments[open + 1]
    }
    var end: Int?
    for boundary in (0...greatest).reversed() {
      if active[boundary] == 1 { activate(boundary) }
      if let current = segment {
        if let end, !current.names.range(boundary - current.first, end - current.first).isEmpty { activate(boundary) }
        if boundary == current.first { (segment, end) = (nil, nil) }
      }
      if open >= 0, graph.openSegments[open].last == boundary {
        segment = graph.openSegments[open]
        end = nil
        open -= 1
      }
      guard next[boundary] == 1 else { continue }
      if segment != nil, end == nil { end = boundary }
      for edge in graph.edges(endingAt: boundary) { activate(Int(graph.edges[edge].start)) }
    }
  }

  // MARK: - Steps that stand for one component

  private mutating func follow(
    _ step: UnsafePointer<SelectorStep>, _ graph: borrowing NumberedGraph, _ table: borrowing SelectorTable,
    _ classes: borrowing ClassTable
  ) {
    for boundary in (least...greatest).reversed() where active[boundary] == 1 {
      for edge in graph.edges(endingAt: boundary) {
        let edge = graph.edges.base + edge
        let matches = withUnsafePointer(to: edge.pointee.component) { table.matches(step, $0, classes) }
        if matches { activate(Int(edge.pointee.start)) }
      }
    }
    guard step.pointee.classTest == .any || step.pointee.classTest == .glob else { return }
    var i = graph.openSegments.partitioningIndex { $0.last > greatest }
    if i == graph.openSegments.count { i -= 1 }
    while i >= 0, graph.openSegments[i].last >= least {
      follow(step, in: graph.openSegments[i], table, classes)
      i -= 1
    }
  }

  /// Follows a step that may match any name of a segment.
  private mutating func follow(
    _ step: UnsafePointer<SelectorStep>, in segment: NumberedGraph.OpenSegment, _ table: borrowing SelectorTable,
    _ classes: borrowing ClassTable
  ) {
    let lastLocator = ComponentNumbers(ClassTable.unknown, segment.names.locator)
    let noLocator = ComponentNumbers(ClassTable.unknown, .none)
    let lastMatches = withUnsafePointer(to: lastLocator) { table.locatorMatches(step, $0, classes) }
    let othersMatch = withUnsafePointer(to: noLocator) { table.locatorMatches(step, $0, classes) }
    let lowest = max(segment.first + 1, least)
    let highest = min(segment.last, greatest)
    guard lowest <= highest else { return }
    let ends = (lowest...highest).reversed().lazy.filter { [active = active.base] boundary in
      active[boundary] == 1 && (boundary == segment.last ? lastMatches : othersMatch)
    }
    if step.pointee.classTest == .any {
      guard let end = ends.first(where: { _ in true }) else { return }
      activateStarts(of: segment) { start in !segment.names.range(start, end - segment.first).isEmpty }
      return
    }
    table.patterns.withBytes(of: StringID(step.pointee.number)) { pattern in
      segment.names.text.withUnsafeBufferPointer { text in
        let glob = SplitGlob(pattern)
        if glob.isLiteral {
          for end in ends {
            if let start = Self.start(of: glob.prefix, endingAt: end - segment.first, segment, text) {
              activate(segment.first + start)
            }
          }
          return
        }
        // The latest end at which the pattern's suffix fits leaves the most room for names to begin.
        guard let end = ends.first(where: { text[..<segment.names.end($0 - segment.first)].ends(with: glob.suffix) })
        else { return }
        var place = segment.names.end(end - segment.first) - glob.suffix.count
        for part in glob.middle.reversed() {
          guard let found = text.lastRange(of: part, endingBy: place) else { return }
          place = found
        }
        activateStarts(of: segment) { start in
          let offset = segment.names.start(start)
          return offset + glob.prefix.count <= place && !segment.names.range(start, end - segment.first).isEmpty
            && text[offset...].starts(with: glob.prefix)
        }
      }
    }
  }

  /// Activates the boundaries of a segment at which names begin that pass a test.
  private mutating func activateStarts(of segment: NumberedGraph.OpenSegment, where isStart: (Int) -> Bool) {
    for boundary in segment.first..<segment.last where isStart(boundary - segment.first) { activate(boundary) }
  }

  /// Returns the boundary of the segment at which a name that ends at another boundary begins; nil if the name is not there.
  private static func start(
    of name: UnsafeBufferPointer<UInt8>.SubSequence, endingAt end: Int, _ segment: NumberedGraph.OpenSegment,
    _ text: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    let offset = segment.names.end(end) - name.count
    guard offset >= 0, !name.isEmpty, text[offset...].starts(with: name) else { return nil }
    if offset == 0 { return 0 }
    let separators = segment.names.separators
    let place = separators.partitioningIndex { $0 >= offset - 1 }
    return place < separators.count && separators[place] == offset - 1 ? place + 1 : nil
  }
}

/// A pattern in the parts between its stars.
private struct SplitGlob {
  let prefix: UnsafeBufferPointer<UInt8>.SubSequence
  let middle: ArraySlice<UnsafeBufferPointer<UInt8>.SubSequence>
  let suffix: UnsafeBufferPointer<UInt8>.SubSequence
  /// This is true if the pattern has no star and therefore equals its prefix.
  let isLiteral: Bool

  init(_ pattern: UnsafeBufferPointer<UInt8>) {
    let parts = pattern.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
    prefix = parts[0]
    suffix = parts[parts.count - 1]
    middle = parts.dropFirst().dropLast()
    isLiteral = parts.count == 1
  }
}

extension UnsafeBufferPointer<UInt8>.SubSequence {
  fileprivate func ends(with part: Self) -> Bool {
    count >= part.count && suffix(part.count).elementsEqual(part)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the start of the last occurrence of a part that ends at or before an offset.
  fileprivate func lastRange(of part: SubSequence, endingBy end: Int) -> Int? {
    var start = end - part.count
    while start >= 0 {
      if self[start..<start + part.count].elementsEqual(part) { return start }
      start -= 1
    }
    return nil
  }
}
