import EncircleRules
import EncircleText

/// A pattern that matches whole texts: scalars, and gaps for any run of scalars.
struct TextPattern: Hashable {
  enum Item: Hashable {
    case gap
    case scalar(Unicode.Scalar)
  }

  var items: [Item] = []
  /// This is true if case is ignored; the scalars are then in lower case.
  var fold = false

  /// Creates the pattern of a test; nil if case is ignored and the text has scalars beyond ASCII, whose case mapping
  /// may change their number.
  init?(_ test: Condition.TextTest, _ text: String, fold: Bool) {
    self.fold = fold
    switch test {
    case .prefix: items = Self.literal(text) + [.gap]
    case .suffix: items = [.gap] + Self.literal(text)
    case .contains: items = [.gap] + Self.literal(text) + [.gap]
    case .glob: items = Self.glob(text)
    }
    if fold, !foldItems() { return nil }
  }

  /// Creates a pattern that matches one text; nil under the same condition.
  init?(exactly text: String, fold: Bool) {
    self.fold = fold
    items = Self.literal(text)
    if fold, !foldItems() { return nil }
  }

  /// Creates the pattern of a glob; `*` matches any run of scalars.
  init(glob text: String) { items = Self.glob(text) }

  private static func literal(_ text: String) -> [Item] { text.unicodeScalars.map { .scalar($0) } }

  private static func glob(_ text: String) -> [Item] { text.unicodeScalars.map { $0 == "*" ? .gap : .scalar($0) } }

  private mutating func foldItems() -> Bool {
    for case (let i, .scalar(let scalar)) in items.enumerated() {
      guard scalar.isASCII else { return false }
      items[i] = .scalar(scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar)
    }
    return true
  }
}

/// All texts, divided by the patterns that match them.
struct TextClasses {
  struct TextClass {
    /// The patterns that they match.
    let matching: Bits
    /// The shortest of them.
    let texts: [String]
  }

  let classes: [TextClass]

  /// The maximum number of states of the automaton of the patterns.
  static let stateLimit = 2_000

  init(classes: [TextClass]) { self.classes = classes }

  /// Divides all texts of at least one scalar; nil if the patterns are too long or dividing them takes too long.
  init?(of patterns: [TextPattern], textsPerClass: Int = 1, budget: WordClasses.Budget? = nil) {
    if patterns.isEmpty {
      let texts = (1...max(1, textsPerClass)).map { String(repeating: "x", count: $0) }
      classes = [TextClass(matching: Bits(count: 0), texts: texts)]
      return
    }
    guard patterns.reduce(0, { $0 + $1.items.count + 1 }) <= Self.stateLimit else { return nil }
    var predicates: [Predicate: Int] = [:]
    var scalars: [Unicode.Scalar] = []
    var known: Set<Unicode.Scalar> = []
    func add(_ scalar: Unicode.Scalar) { if known.insert(scalar).inserted { scalars.append(scalar) } }
    let gapped = patterns.map { pattern in
      GappedPattern(
        items: pattern.items.map { item in
          guard case .scalar(let scalar) = item else { return .gap }
          for variant in pattern.fold ? Self.variants(of: scalar) : [scalar] { add(variant) }
          let predicate = Predicate(scalar: scalar, fold: pattern.fold)
          let number = predicates[predicate] ?? predicates.count
          predicates[predicate] = number
          return .one(number)
        })
    }
    // One scalar represents all that no pattern names.
    if let other = Self.others.first(where: { !known.contains($0) }) { add(other) }
    guard budget?.allows(scalars.count * predicates.count / 4) ?? true else { return nil }
    let symbols = scalars.map { scalar in
      var bits = Bits(count: predicates.count)
      for (predicate, i) in predicates where predicate.matches(scalar.value) { bits[i] = true }
      return bits
    }
    guard let words = WordClasses(of: gapped, symbols: symbols, wordsPerClass: textsPerClass, budget: budget) else {
      return nil
    }
    classes = words.classes.map { words in
      TextClass(
        matching: words.matching,
        texts: words.words.map { word in
          String(String.UnicodeScalarView(word.map { scalars[$0] }))
        })
    }
  }

  struct Predicate: Hashable {
    let scalar: Unicode.Scalar
    let fold: Bool

    func matches(_ other: UInt32) -> Bool {
      fold ? TextClasses.variants(of: scalar).contains { $0.value == other } : other == scalar.value
    }
  }

  /// Returns the scalars that equal a lower-case ASCII scalar if case is ignored; for k and s these include the Kelvin
  /// sign and the long s.
  static func variants(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    let upper = scalar.properties.uppercaseMapping.unicodeScalars.first ?? scalar
    let same = upper == scalar ? [scalar] : [scalar, upper]
    return scalar == "k" ? same + ["\u{212A}"] : scalar == "s" ? same + ["\u{17F}"] : same
  }

  // Letters come first, because people read the examples.
  private static let others: [Unicode.Scalar] =
    (Array("xyzqwXYZQW0123456789-_.".unicodeScalars)) + (0x61...0x7A).compactMap { Unicode.Scalar($0) }
    + (0x4E00...0x9FFF).compactMap { Unicode.Scalar($0) }
}
