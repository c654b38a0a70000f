import EncircleIdentity
import EncircleRules
import EncircleText

/// All locators and texts of components, divided by the locator patterns that match them, with an example for each
/// part.
struct LocatorAlphabet {
  /// A locator with the texts beside it, and the patterns that match it.
  typealias Symbol = (locator: Locator, texts: ComponentTexts?, matching: Bits)

  /// One locator for each set of patterns that match a locator together.
  let symbols: [Symbol]

  /// Divides the locators; nil if that takes too long.
  ///
  /// - Parameter hasUnknown: True if events may leave out indexes and rows, as in other styles.
  init?(
    of patterns: [ElementSelector.LocatorPattern?], hasUnknown: Bool = false, budget: WordClasses.Budget? = nil
  ) {
    var symbols: [Symbol] = []
    var seen: Set<Bits> = []
    func add(_ locator: Locator, _ texts: ComponentTexts? = nil) {
      var bits = Bits(count: patterns.count)
      let component = PathComponent("", locator, texts: texts)
      for (i, pattern) in patterns.enumerated() { bits[i] = pattern.map { $0.matches(component) } ?? true }
      if seen.insert(bits).inserted { symbols.append((locator, texts, bits)) }
    }
    let least = hasUnknown ? Locator.unknown : 0
    var tests: [ElementSelector.Field?: [ElementSelector.NumberTest]] = [:]
    // The texts that patterns name, and one that no pattern names.
    var texts: [ElementSelector.TextField: [UTF8String]] = [:]
    for pattern in patterns {
      switch pattern {
      case .index(let test)?: tests[nil, default: []].append(test)
      case .fields(let fields)?: for field in fields { tests[field.field, default: []].append(field.test) }
      case .texts(let own)?: for test in own { texts[test.field, default: []].append(test.text) }
      case nil, .some(.none): break
      // The conditions on elements of web pages have too many combinations.
      case .conditions?: return nil
      }
    }
    let sizes = tests.values.map { tests in tests.reduce(0) { $0 + $1.size } }
    guard budget?.allows(sizes.reduce(0) { $0 + $1 * $1 / 8 }) ?? true else { return nil }
    func numbers(_ field: ElementSelector.Field?, from least: Int) -> [Int] {
      Self.representatives(of: tests[field] ?? [], from: least)
    }
    for index in numbers(nil, from: least) { add(.index(index)) }
    add(.none)
    let (words, ids) = (Self.representatives(of: texts[.text]), Self.representatives(of: texts[.id]))
    guard budget?.allows(words.count * ids.count * (1 + patterns.count / 4)) ?? true else { return nil }
    if !texts.isEmpty {
      for word in words { for id in ids { add(.none, ComponentTexts(text: word, id: id)) } }
    }
    let sections = numbers(.section, from: least)
    let (rows, items) = (numbers(.row, from: least), numbers(.item, from: least))
    let (columns, lines) = (numbers(.indexx, from: .min), numbers(.indexy, from: .min))
    let count = sections.count * (rows.count + items.count) + columns.count * lines.count
    guard budget?.allows(count * (1 + patterns.count / 4)) ?? true else { return nil }
    for section in sections { for row in rows { add(.row(section: section, row: row)) } }
    for section in sections { for item in items { add(.item(section: section, item: item)) } }
    for x in columns { for y in lines { add(.position(x: x, y: y)) } }
    self.symbols = symbols
  }

  /// Returns texts such that every other text passes the same tests as one of them.
  private static func representatives(of texts: [UTF8String]?) -> [String] {
    guard let texts else { return [""] }
    let named = Set(texts)
    var other = "x"
    while named.contains(UTF8String(other)) { other += "x" }
    return ["", other] + named.map(\.text).filter { !$0.isEmpty }.sorted()
  }

  /// Returns numbers, small ones first, such that every other number passes the same tests as one of them.
  static func representatives(of tests: [ElementSelector.NumberTest], from least: Int) -> [Int] {
    // The tests that a number passes change only at the numbers that the tests name, and next to these.
    var candidates: Set<Int> = [0, least]
    func add(_ number: Int) {
      candidates.insert(number)
      if number < .max { candidates.insert(number + 1) }
      if number > .min { candidates.insert(number - 1) }
    }
    for test in tests {
      switch test {
      case .any: break
      case .range(let lower, let upper):
        if let lower { add(lower) }
        if let upper { add(upper) }
      case .oneOf(let numbers): for number in numbers { add(number) }
      }
    }
    var seen: Set<[Bool]> = []
    let ordered = candidates.filter { $0 >= least }.sorted {
      ($0.magnitude, $0) < ($1.magnitude, $1)
    }
    return ordered.filter { number in
      seen.insert(tests.map { $0.matches(number) } + [number == Locator.unknown]).inserted
    }
  }
}

extension ElementSelector.NumberTest {
  /// The number of numbers that the test names.
  fileprivate var size: Int {
    switch self {
    case .any: 0
    case .range: 2
    case .oneOf(let numbers): numbers.count
    }
  }
}
