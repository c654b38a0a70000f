import EncircleIdentity
import EncircleRules

/// All locators, divided by which of some locator patterns they match, with a locator for each part.
struct LocatorAlphabet {
  /// A locator, and the patterns that take it.
  typealias Symbol = (locator: Locator, matching: Bits)

  /// One for each set of patterns that some locator matches.
  let symbols: [Symbol]

  /// Divides the locators.
  ///
  /// - Parameter hasUnknown: Whether events may leave out indexes and rows, as those of other styles do.
  init(of patterns: [ElementSelector.LocatorPattern?], hasUnknown: Bool = false) {
    var symbols: [Symbol] = []
    var seen: Set<Bits> = []
    func add(_ locator: Locator) {
      var bits = Bits(count: patterns.count)
      for (i, pattern) in patterns.enumerated() { bits[i] = pattern.map { $0.takes(locator) } ?? true }
      if seen.insert(bits).inserted { symbols.append((locator, bits)) }
    }
    let least = hasUnknown ? Locator.unknown : 0
    var tests: [ElementSelector.Field?: [ElementSelector.NumberTest]] = [:]
    for pattern in patterns {
      switch pattern {
      case .index(let test)?: tests[nil, default: []].append(test)
      case .fields(let fields)?: for field in fields { tests[field.field, default: []].append(field.test) }
      case nil, .some(.none): break
      }
    }
    func numbers(_ field: ElementSelector.Field?, from least: Int) -> [Int] {
      Self.representatives(of: tests[field] ?? [], from: least)
    }
    for index in numbers(nil, from: least) { add(.index(index)) }
    add(.none)
    let sections = numbers(.section, from: least)
    for section in sections { for row in numbers(.row, from: least) { add(.row(section: section, row: row)) } }
    for section in sections { for item in numbers(.item, from: least) { add(.item(section: section, item: item)) } }
    let columns = numbers(.indexx, from: .min)
    for x in columns { for y in numbers(.indexy, from: .min) { add(.position(x: x, y: y)) } }
    self.symbols = symbols
  }

  /// Numbers of which each other one passes the same tests as some; small ones first.
  static func representatives(of tests: [ElementSelector.NumberTest], from least: Int) -> [Int] {
    // What passes changes only at the numbers that tests name, and just behind them.
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
    return ordered.filter { number in seen.insert(tests.map { $0.takes(number) } + [number == Locator.unknown]).inserted
    }
  }
}

extension ElementSelector.LocatorPattern {
  /// Whether the pattern takes a locator.
  func takes(_ locator: Locator) -> Bool {
    switch self {
    case .none: return locator == .none
    case .index(let test):
      guard case .index(let index) = locator else { return false }
      return test.takes(index, orUnknown: true)
    case .fields(let tests):
      let fields = locator.fields
      var hasUnknown = true
      if case .position = locator { hasUnknown = false }
      return tests.allSatisfy { test in
        fields.contains {
          $0.name == test.field.rawValue && test.test.takes($0.value, orUnknown: hasUnknown)
        }
      }
    }
  }
}

extension ElementSelector.NumberTest {
  /// Whether the test takes a number, or what stands in its place if it is not known.
  func takes(_ number: Int, orUnknown: Bool) -> Bool {
    orUnknown && number == Locator.unknown ? self == .any : takes(number)
  }

  /// Whether the test takes a number.
  func takes(_ number: Int) -> Bool {
    switch self {
    case .any: true
    case .range(let lower, let upper): (lower ?? .min) <= number && number <= (upper ?? .max)
    case .oneOf(let numbers): numbers.contains(number)
    }
  }
}
