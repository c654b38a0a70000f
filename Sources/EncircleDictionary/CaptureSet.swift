import EncircleText

/// The numbers of captures in which an element was seen, as runs: an element that is on every screen takes a few bytes.
///
/// Written as pairs of variable-length numbers (LEB128), the gap since the last run and the length of the run less 1.
struct CaptureSet: Hashable {
  /// Not empty, in order, not touching each other.
  private(set) var runs: [ClosedRange<Int>] = []

  init() {}

  /// Adds a number.
  ///
  /// - Complexity: O(1) for one that is not less than all others, else O(runs).
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

  /// The written form.
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

  /// The set that is written so; nil if the bytes are none.
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

/// Numbers of seven bits a byte, the lowest first (LEB128).
enum Varint {
  static func append(_ number: Int, to bytes: inout [UInt8]) {
    precondition(number >= 0)
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Takes a number from the beginning; nil if there is none or it is too large.
  static func read<C: Collection>(_ bytes: inout C) -> Int? where C.Element == UInt8, C.SubSequence == C {
    var number = 0
    var shift = 0
    while let byte = bytes.popFirst() {
      guard shift <= 56 else { return nil }
      number |= Int(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return number }
      shift += 7
    }
    return nil
  }
}
