import EncircleRules
import EncircleText

/// A pattern of whole texts: scalars, or any run of them.
struct TextPattern: Hashable {
  enum Item: Hashable {
    case gap
    case scalar(Unicode.Scalar)
  }

  var items: [Item] = []
  /// Whether case is ignored; the scalars then are in lower case.
  var fold = false

  /// The pattern of a test; nil if what ignoring case means there is not a matter of single scalars.
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

  /// The pattern of one text.
  init?(exactly text: String, fold: Bool) {
    self.fold = fold
    items = Self.literal(text)
    if fold, !foldItems() { return nil }
  }

  /// The pattern of a text in which `*` stands for any run.
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

/// All texts, divided by which of some patterns they match.
struct TextClasses {
  struct TextClass {
    /// The patterns that they match.
    let matching: Bits
    /// The shortest of them.
    let texts: [String]
  }

  let classes: [TextClass]

  /// More places than these are not looked into.
  private static let placeLimit = 2_000

  /// Divides all texts of at least one scalar; nil if the patterns are too long or too entangled.
  init?(of patterns: [TextPattern], textsPerClass: Int = 1, budget: WordClasses.Budget? = nil) {
    guard patterns.reduce(0, { $0 + $1.items.count + 1 }) <= Self.placeLimit else { return nil }
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
    // One that no pattern names stands for all those.
    if let other = Self.others.first(where: { !known.contains($0) }) { add(other) }
    let symbols = scalars.map { scalar in
      var bits = Bits(count: predicates.count)
      for (predicate, i) in predicates where predicate.takes(scalar) { bits[i] = true }
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

  private struct Predicate: Hashable {
    let scalar: Unicode.Scalar
    let fold: Bool

    func takes(_ other: Unicode.Scalar) -> Bool {
      fold ? TextClasses.variants(of: scalar).contains(other) : other == scalar
    }
  }

  /// What is the same as an ASCII scalar in lower case when case is ignored; the Kelvin sign and the long s are.
  private static func variants(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    let upper = scalar.properties.uppercaseMapping.unicodeScalars.first ?? scalar
    let same = upper == scalar ? [scalar] : [scalar, upper]
    return scalar == "k" ? same + ["\u{212A}"] : scalar == "s" ? same + ["\u{17F}"] : same
  }

  // Letters first, as they are to be read.
  private static let others: [Unicode.Scalar] =
    (Array("xyzqwXYZQW0123456789-_.".unicodeScalars)) + (0x61...0x7A).compactMap { Unicode.Scalar($0) }
    + (0x4E00...0x9FFF).compactMap { Unicode.Scalar($0) }
}
