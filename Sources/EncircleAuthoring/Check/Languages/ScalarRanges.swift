import EncircleText

/// A set of Unicode scalars, as ranges.
struct ScalarRanges: Hashable {
  /// The ranges in order, with a gap between each two.
  let ranges: [ClosedRange<UInt32>]

  /// The largest scalar.
  static let last: UInt32 = 0x10FFFF

  /// Creates the set of the scalars in some ranges, which may overlap.
  init(_ some: [ClosedRange<UInt32>]) {
    var ranges: [ClosedRange<UInt32>] = []
    for range in some.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let previous = ranges.last, range.lowerBound <= previous.upperBound + 1 {
        ranges[ranges.count - 1] = previous.lowerBound...max(previous.upperBound, range.upperBound)
      } else {
        ranges.append(range)
      }
    }
    self.ranges = ranges
  }

  /// All other scalars.
  var inverted: ScalarRanges {
    var result: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { result.append(next...range.lowerBound - 1) }
      next = range.upperBound + 1
    }
    if next <= Self.last { result.append(next...Self.last) }
    return ScalarRanges(result)
  }

  /// Returns whether a scalar is in the set.
  ///
  /// - Complexity: O(log ranges).
  func contains(_ scalar: UInt32) -> Bool {
    let place = ranges.partitioningIndex { $0.upperBound >= scalar }
    return place < ranges.count && ranges[place].contains(scalar)
  }
}

extension ScalarRanges {
  /// The set with the other cases of its letters, as RE2 ignores case; nil if that is not known here.
  ///
  /// It is known for ASCII, where k and s each have a variant outside ASCII, and for scripts of East Asia, which have no case.
  var caseFolded: ScalarRanges? {
    var result = ranges
    for range in ranges {
      guard range.upperBound < 0x80 || Self.caseless.contains(where: { $0.contains(range) }) else { return nil }
      func add(_ letters: ClosedRange<UInt32>, _ distance: Int64) {
        guard range.overlaps(letters) else { return }
        let both = range.clamped(to: letters)
        result.append(UInt32(Int64(both.lowerBound) + distance)...UInt32(Int64(both.upperBound) + distance))
      }
      add(0x41...0x5A, 0x20)
      add(0x61...0x7A, -0x20)
      if range.contains(0x4B) || range.contains(0x6B) { result.append(0x212A...0x212A) }
      if range.contains(0x53) || range.contains(0x73) { result.append(0x17F...0x17F) }
    }
    return ScalarRanges(result)
  }

  private static let caseless: [ClosedRange<UInt32>] = [0x3000...0x9FFF, 0xAC00...0xD7A3]
}

extension ClosedRange {
  fileprivate func contains(_ other: ClosedRange<Bound>) -> Bool {
    lowerBound <= other.lowerBound && other.upperBound <= upperBound
  }
}
