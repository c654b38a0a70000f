/// The differing lines of two texts, found in bounded time by the greedy algorithm of Myers (An O(ND) Difference Algorithm, 1986).
///
/// A search gives up after ``maximumEdits`` edits, and the next one starts at the furthest place that it reached. For texts that
/// have little in common, the result may therefore be longer than necessary, but it is always correct.
package struct LineDifference {
  /// Lines of the old text, and the lines of the new one that replace them; one of the two may be empty.
  package struct Change: Hashable {
    /// The numbers of the lines before, from 0.
    package let old: Range<Int>
    /// The numbers of the lines now, from 0.
    package let new: Range<Int>

    package init(old: Range<Int>, new: Range<Int>) {
      self.old = old
      self.new = new
    }
  }

  /// The maximum number of edits that one search tries.
  static let maximumEdits = 256

  /// The lines of the old text, with their line feeds.
  package let oldLines: [ArraySlice<UInt8>]
  /// The lines of the new text, with their line feeds.
  package let newLines: [ArraySlice<UInt8>]
  /// The changes, in the order of the lines; between two of them is at least one line that is the same.
  package let changes: [Change]

  /// Compares two texts, whose lines end with LF.
  ///
  /// - Complexity: O(*n* · ``maximumEdits``), *n* lines; O(*n*) for texts that are nearly the same.
  package init(from old: [UInt8], to new: [UInt8]) {
    oldLines = Self.lines(old)
    newLines = Self.lines(new)
    var numbers: [ArraySlice<UInt8>: Int] = [:]
    func numbered(_ lines: [ArraySlice<UInt8>]) -> [Int] {
      lines.map { line in
        if let number = numbers[line] { return number }
        numbers[line] = numbers.count
        return numbers.count - 1
      }
    }
    let a = numbered(oldLines)
    let b = numbered(newLines)
    changes = LineMatcher(a, b).changes
  }

  private static func lines(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    for i in text.indices where text[i] == 0x0A {
      lines.append(text[start...i])
      start = i + 1
    }
    if start < text.count { lines.append(text[start...]) }
    return lines
  }
}

/// Finds the lines that two texts share, in order. Lines are numbers, equal for equal lines.
private struct LineMatcher {
  private let a: [Int]
  private let b: [Int]
  private var end: (a: Int, b: Int)
  private(set) var changes: [LineDifference.Change] = []

  /// The state of a path of edits: how many lines it has passed since its beginning, `a` in the old text and `a - diagonal` in
  /// the new one.
  private struct Search {
    let start: (a: Int, b: Int)
    let length: (a: Int, b: Int)
    // For each number of edits, how far each diagonal gets: entry `diagonal + edits`, or -1 for none.
    var reached: [[Int]] = []

    /// Returns the start on a diagonal with one edit more than `row`, and the diagonal that it comes from.
    func step(to diagonal: Int, _ row: [Int]) -> (a: Int, from: Int)? {
      let edits = row.count / 2
      func reached(_ diagonal: Int) -> Int {
        let i = diagonal + edits
        return row.indices.contains(i) ? row[i] : -1
      }
      let below = reached(diagonal + 1)
      let left = reached(diagonal - 1)
      let inserted = below >= 0 && below - diagonal <= length.b ? below : -1
      let deleted = left >= 0 && left < length.a ? left + 1 : -1
      guard max(inserted, deleted) >= 0 else { return nil }
      return inserted > deleted ? (inserted, diagonal + 1) : (deleted, diagonal - 1)
    }
  }

  init(_ a: [Int], _ b: [Int]) {
    self.a = a
    self.b = b
    var start = 0
    while start < min(a.count, b.count), a[start] == b[start] { start += 1 }
    end = (a.count, b.count)
    while min(end.a, end.b) > start, a[end.a - 1] == b[end.b - 1] { end = (end.a - 1, end.b - 1) }
    var place = (a: start, b: start)
    while place.a < end.a || place.b < end.b { place = advance(from: place) }
  }

  /// Searches a path of edits from a place, adds its changes and returns where it ends.
  private mutating func advance(from start: (a: Int, b: Int)) -> (a: Int, b: Int) {
    var search = Search(start: start, length: (end.a - start.a, end.b - start.b))
    var best = (edits: 0, diagonal: 0, sum: 0)
    search: for edits in 0...LineDifference.maximumEdits {
      var row = Array(repeating: -1, count: 2 * edits + 1)
      best.sum = -1
      for diagonal in stride(from: -edits, through: edits, by: 2) {
        let first = edits == 0 ? 0 : search.step(to: diagonal, search.reached[edits - 1])?.a
        guard var i = first else { continue }
        while i < search.length.a, i - diagonal < search.length.b, a[start.a + i] == b[start.b + i - diagonal] {
          i += 1
        }
        row[diagonal + edits] = i
        if 2 * i - diagonal > best.sum { best = (edits, diagonal, 2 * i - diagonal) }
      }
      search.reached.append(row)
      if best.sum == search.length.a + search.length.b { break search }
    }
    let reached = search.reached[best.edits][best.diagonal + best.edits]
    append(search, edits: best.edits, diagonal: best.diagonal)
    return (start.a + reached, start.b + reached - best.diagonal)
  }

  /// Adds the changes of the path that ends on a diagonal after some edits.
  private mutating func append(_ search: Search, edits: Int, diagonal: Int) {
    var found: [LineDifference.Change] = []
    var diagonal = diagonal
    for edit in stride(from: edits, to: 0, by: -1) {
      let row = search.reached[edit - 1]
      guard let (i, from) = search.step(to: diagonal, row) else { break }
      let isInsertion = from > diagonal
      let a = search.start.a + i
      let b = search.start.b + i - diagonal
      found.append(
        LineDifference.Change(old: (isInsertion ? a : a - 1)..<a, new: (isInsertion ? b - 1 : b)..<b))
      diagonal = from
    }
    for change in found.reversed() {
      if let last = changes.last, last.old.upperBound == change.old.lowerBound,
        last.new.upperBound == change.new.lowerBound
      {
        changes[changes.count - 1] = LineDifference.Change(
          old: last.old.lowerBound..<change.old.upperBound, new: last.new.lowerBound..<change.new.upperBound)
      } else {
        changes.append(change)
      }
    }
  }
}
