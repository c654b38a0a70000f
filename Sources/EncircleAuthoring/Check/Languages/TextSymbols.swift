import EncircleText

/// All scalars, divided by the predicates that hold for them.
struct TextSymbols {
  /// For each symbol, the predicates that hold for its scalars.
  private(set) var matching: [Bits] = []
  /// For each symbol some of its scalars, or all if there are fewer than were asked for.
  private(set) var scalars: [[Unicode.Scalar]] = []

  // The maximum number of ranges of scalars that are distinguished.
  private static let maximumRanges = 1_000

  /// Divides the scalars; nil if that takes too long.
  ///
  /// - Parameters:
  ///   - cuts: The scalars at which a predicate may change.
  ///   - preferred: The scalars to prefer in examples, in order.
  ///   - count: The number of scalars to return for each symbol.
  ///   - holds: Returns the predicates that hold for a scalar.
  init?(
    cuts: Set<UInt32>, preferred: [Unicode.Scalar], count: Int, budget: WordClasses.Budget?, cost: Int,
    holds: (UInt32) -> Bits
  ) {
    let surrogates: ClosedRange<UInt32> = 0xD800...0xDFFF
    let end = ScalarRanges.last + 1
    let bounds = cuts.union([0, surrogates.lowerBound, surrogates.upperBound + 1, end]).filter { $0 <= end }.sorted()
    guard bounds.count <= Self.maximumRanges, budget?.allows(bounds.count * cost) ?? true else { return nil }
    var numbers: [Bits: Int] = [:]
    var ranges: [[ClosedRange<UInt32>]] = []
    var owners: [(range: ClosedRange<UInt32>, symbol: Int)] = []
    for (lower, next) in zip(bounds, bounds.dropFirst()) where !surrogates.contains(lower) {
      let bits = holds(lower)
      let number = numbers[bits] ?? ranges.count
      if number == ranges.count {
        numbers[bits] = number
        matching.append(bits)
        ranges.append([])
      }
      ranges[number].append(lower...next - 1)
      owners.append((lower...next - 1, number))
    }
    scalars = Array(repeating: [], count: ranges.count)
    var ranks = Array(repeating: Int.max, count: ranges.count)
    func add(_ scalar: Unicode.Scalar, to symbol: Int, _ scalars: inout [[Unicode.Scalar]]) {
      if scalars[symbol].count < count, !scalars[symbol].contains(scalar) { scalars[symbol].append(scalar) }
    }
    for (rank, scalar) in (preferred + Self.readable).enumerated() {
      let place = owners.partitioningIndex { $0.range.upperBound >= scalar.value }
      guard place < owners.count, owners[place].range.contains(scalar.value) else { continue }
      let symbol = owners[place].symbol
      ranks[symbol] = min(ranks[symbol], rank)
      add(scalar, to: symbol, &scalars)
    }
    for symbol in ranges.indices {
      for isControl in [false, true] {
        for range in ranges[symbol] {
          for value in range {
            guard scalars[symbol].count < count else { break }
            guard let scalar = Unicode.Scalar(value), (value < 0x20 || (0x7F...0x9F).contains(value)) == isControl
            else {
              continue
            }
            add(scalar, to: symbol, &scalars)
          }
        }
      }
    }
    // Words that people can read come first.
    let order = ranges.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
    matching = order.map { matching[$0] }
    scalars = order.map { scalars[$0] }
  }

  private static let readable: [Unicode.Scalar] =
    Array("xyzqwXYZQW0123456789-_.".unicodeScalars) + (0x61...0x7A).compactMap { Unicode.Scalar($0) } + ["é", "中", "文"]
}
