import EncircleText

/// The numbers of the captures that contain an element.
///
/// They are stored as runs, so that an element on every screen needs only a few bytes. Each run is a pair of
/// variable-length numbers (LEB128): the gap since the run before it, and the run's length less 1.
struct CaptureSet: Hashable {
  /// The runs, in ascending order and with gaps between them.
  private(set) var runs: [ClosedRange<Int>] = []

  init() {}

  /// Adds a number.
  ///
  /// - Complexity: O(1) if it is greater than all others, else O(runs).
  mutating func insert(_ number: Int) {
    guard let last = runs.last else {
      runs.append(number...number)
      return
    }
    if number == last.upperBound + 1 {
      runs[runs.count - 1] = last.lowerBound...number
    } else if number > last.upperBound {
      runs.append(number...number)
    } else if !contains(number) {
      var all = Array(self)
      all.append(number)
      self = CaptureSet(all.sorted())
    }
  }

  private init(_ numbers: [Int]) { for number in numbers { insert(number) } }

  func contains(_ number: Int) -> Bool {
    let i = runs.partitioningIndex { $0.upperBound >= number }
    return i < runs.count && runs[i].contains(number)
  }

  /// The set as bytes.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    var next = 0
    for run in runs {
      Varint.append(run.lowerBound - next, to: &bytes)
      Varint.append(run.count - 1, to: &bytes)
      next = run.upperBound + 1
    }
    return bytes
  }

  /// Reads a set from its bytes; nil if they are not a set.
  init?(_ bytes: some Collection<UInt8>) {
    var rest = bytes[...]
    var next = 0
    while !rest.isEmpty {
      guard let gap = Varint.read(&rest), let length = Varint.read(&rest) else { return nil }
      let (lower, overflow) = next.addingReportingOverflow(gap)
      let (upper, overflowToo) = lower.addingReportingOverflow(length)
      guard !overflow, !overflowToo, upper < .max else { return nil }
      runs.append(lower...upper)
      next = upper + 1
    }
  }
}

extension CaptureSet: Sequence {
  func makeIterator() -> some IteratorProtocol<Int> { runs.lazy.joined().makeIterator() }
}
