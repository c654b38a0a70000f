import EncircleText

/// A part of a path whose underscores may separate class names or belong to them. Only a locator marks its end with certainty.
package struct UnderscoredNames: Sendable {
  /// A class name between two boundaries of the segment.
  package struct Name: BitwiseCopyable, Sendable {
    package let start: Int32
    package let end: Int32
  }

  /// The text without the locator.
  package let text: [UInt8]
  /// The offsets of the underscores that may separate. Boundary 0 is the beginning of the text, boundary k + 1 is separator k,
  /// and the last boundary is the end of the text.
  package let separators: [Int]
  /// The locator of the last name; names before it have none.
  package let locator: Locator
  /// The names of all readings that consist of known class names, by start and then by end, longest first; nil without such a
  /// reading, because then any name is possible.
  package let known: [Name]?
  /// The number of readings, or `Int.max` if there are more.
  package let count: Int

  /// Finds the readings of a text.
  ///
  /// - Parameter vocabulary: The class names that decide between readings, where they can.
  /// - Complexity: O(*n*) without a vocabulary, else O(*n* + *u* × *l*) look-ups with *u* underscores and *l* different lengths of
  ///   names in the vocabulary.
  init(_ text: [UInt8], _ locator: Locator, _ vocabulary: ClassVocabulary?) {
    self.text = text
    self.locator = locator
    // There must be a name before and after each separator.
    let separators = text.indices.filter { $0 > 0 && $0 + 1 < text.count && text[$0] == UInt8(ascii: "_") }
    self.separators = separators
    if !separators.isEmpty, let vocabulary {
      let names = Self.names(text, separators, lengths: vocabulary.nameLengths) { vocabulary.contains($0) }
      known = Self.onWholeReadings(names, boundaries: separators.count + 2)
    } else {
      known = nil
    }
    count = known.map { Self.count($0, boundaries: separators.count + 2) } ?? Self.countAll(separators)
  }

  private var last: Int { separators.count + 1 }

  /// Returns the bytes of the text between two boundaries; empty between neighbouring underscores.
  package func range(_ start: Int, _ end: Int) -> Range<Int> {
    let lower = self.start(start)
    return lower..<max(lower, self.end(end))
  }

  /// Returns the offset of names that begin at a boundary.
  package func start(_ boundary: Int) -> Int { boundary == 0 ? 0 : separators[boundary - 1] + 1 }

  /// Returns the end offset of names that end at a boundary.
  package func end(_ boundary: Int) -> Int { boundary == last ? text.count : separators[boundary - 1] }

  /// Returns the names between any two boundaries that have one of the given lengths and pass a test, by start and then by
  /// end, longest first.
  ///
  /// - Complexity: O(*n* + *u* × *l*) tests, with *u* underscores and *l* lengths.
  package func names(lengths: [Int], where isName: (UnsafeBufferPointer<UInt8>) -> Bool) -> [Name] {
    Self.names(text, separators, lengths: lengths, where: isName)
  }

  private static func names(
    _ text: [UInt8], _ separators: [Int], lengths: [Int], where isName: (UnsafeBufferPointer<UInt8>) -> Bool
  ) -> [Name] {
    // For each offset, the boundary for names that end there; 0 for none.
    var ends = [Int32](repeating: 0, count: text.count + 1)
    for (i, separator) in separators.enumerated() { ends[separator] = Int32(i + 1) }
    ends[text.count] = Int32(separators.count + 1)
    let descending = lengths.sorted(by: >)
    var result: [Name] = []
    text.withUnsafeBufferPointer { text in
      for boundary in 0...separators.count {
        let start = boundary == 0 ? 0 : separators[boundary - 1] + 1
        for length in descending where length > 0 && start + length <= text.count {
          let end = ends[start + length]
          if end > boundary, isName(text.part(start..<start + length)) {
            result.append(Name(start: Int32(boundary), end: end))
          }
        }
      }
    }
    return result
  }

  /// Returns the names that lie on a way from the first boundary to the last; nil if no way exists.
  private static func onWholeReadings(_ names: [Name], boundaries: Int) -> [Name]? {
    var isReached = [Bool](repeating: false, count: boundaries)
    isReached[0] = true
    for name in names where isReached[Int(name.start)] { isReached[Int(name.end)] = true }
    guard isReached[boundaries - 1] else { return nil }
    var reachesEnd = [Bool](repeating: false, count: boundaries)
    reachesEnd[boundaries - 1] = true
    for name in names.reversed() where reachesEnd[Int(name.end)] { reachesEnd[Int(name.start)] = true }
    return names.filter { isReached[Int($0.start)] && reachesEnd[Int($0.end)] }
  }

  private static func count(_ names: [Name], boundaries: Int) -> Int {
    // For each boundary, the number of ways from there to the end.
    var ways = [Int](repeating: 0, count: boundaries)
    ways[boundaries - 1] = 1
    for name in names.reversed() { add(ways[Int(name.end)], to: &ways[Int(name.start)]) }
    return ways[0]
  }

  private static func countAll(_ separators: [Int]) -> Int {
    // For each separator, the number of ways from there to the end: to any later separator, except one directly after
    // it.
    var ways = [Int](repeating: 0, count: separators.count)
    var sum = 1
    for k in separators.indices.reversed() {
      let isNext = k + 1 < separators.count && separators[k + 1] == separators[k] + 1
      ways[k] = sum
      if isNext, sum != .max { ways[k] -= ways[k + 1] }
      add(ways[k], to: &sum)
    }
    return sum
  }

  private static func add(_ number: Int, to sum: inout Int) {
    let (result, overflow) = sum.addingReportingOverflow(number)
    sum = overflow ? .max : result
  }

  /// Returns the first readings, longest names first.
  ///
  /// - Complexity: O(`limit` × length).
  func readings(limit: Int) -> [[PathComponent]] {
    var result: [[PathComponent]] = []
    // A search in depth; it meets no dead ends. Each level is a boundary, with the next name to try there.
    var way: [(boundary: Int, next: Int)] = [(0, firstName(from: 0))]
    while result.count < limit, let (boundary, next) = way.last {
      guard let end = end(ofName: next, from: boundary) else {
        way.removeLast()
        continue
      }
      way[way.count - 1].next += 1
      if end < last {
        way.append((end, firstName(from: end)))
      } else {
        result.append(components(way.map(\.boundary) + [last]))
      }
    }
    return result
  }

  private func firstName(from boundary: Int) -> Int {
    known.map { known in known.partitioningIndex { Int($0.start) >= boundary } } ?? 0
  }

  /// Returns the end of a name by its number; nil if there are no more names from a boundary.
  private func end(ofName number: Int, from boundary: Int) -> Int? {
    if let known {
      return number < known.count && Int(known[number].start) == boundary ? Int(known[number].end) : nil
    }
    let end = last - number
    return end > boundary && !range(boundary, end).isEmpty ? end : nil
  }

  private func components(_ boundaries: [Int]) -> [PathComponent] {
    zip(boundaries, boundaries.dropFirst()).map { start, end in
      PathComponent(String(decoding: text[range(start, end)], as: UTF8.self), end == last ? locator : .none)
    }
  }
}
