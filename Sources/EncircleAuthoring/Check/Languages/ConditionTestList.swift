import EncircleEvents
import EncircleRules
import EncircleText
import EncircleTree

/// The tests in conditions. A test that occurs several times is listed each time, unless it is one of ``derived``.
struct ConditionTestList {
  /// A condition with the numbers of its tests.
  private indirect enum Tree {
    case all([Tree])
    case any([Tree])
    case not(Tree)
    case test(Int)

    func holds(_ bits: Bits) -> Bool {
      switch self {
      case .all(let parts): parts.allSatisfy { $0.holds(bits) }
      case .any(let parts): parts.contains { $0.holds(bits) }
      case .not(let part): !part.holds(bits)
      case .test(let number): bits[number]
      }
    }
  }

  /// A test in the form for trying values.
  private enum Probe {
    case probe(ConditionProbe)
    /// A test for a version; the value is read as a version once for all of these.
    case range(VersionRange)
  }

  private var trees: [Tree] = []
  private var tests: [Condition] = []
  private var probes: [Probe] = []
  private let hierarchy: ClassHierarchy
  private let knowsExpressions: Bool
  /// This is true if ``languages`` includes languages of versions.
  private(set) var hasVersionLanguages = false

  /// The texts that tests name, each once.
  private(set) var texts: [String] = []
  private(set) var textSet: Set<UTF8String> = []
  /// The texts among these that may pass tests which no other text passes.
  private(set) var exactTexts: Set<UTF8String> = []
  private(set) var numbers: [DecimalNumber] = []
  private(set) var ranges: [VersionRange] = []
  /// The texts that pass tests, as far as that is known.
  private(set) var languages: [TextLanguage] = []
  private var languageTests: [[Int]] = []
  private var patternNumbers: [TextPattern: Int] = [:]
  private var languageNumbers: [UTF8String: Int] = [:]
  /// The tests whose matching texts are not known.
  private(set) var unknown: [Int] = []
  /// The classes in kind-of tests, without duplicates.
  private(set) var kinds: [UTF8String] = []
  private var kindNumbers: [UTF8String: Int] = [:]
  private var kindTests: [(test: Int, kinds: [Int])] = []
  /// The number of steps that trying all tests on a value takes; see ``WordClasses/Budget``.
  private(set) var steps = 1
  private var rangeTests: [Int] = []
  // The tests for existence, and whether a text passes them.
  private var existsTests: [(test: Int, passes: Bool)] = []
  /// The tests of what is derived from a value; see ``DerivedTests``.
  private(set) var derived: [DerivedTests.Test] = []
  private var derivedNumbers: [UTF8String: Int] = [:]

  /// Prepares conditions.
  ///
  /// - Parameter knowsExpressions: True if the texts of regular expressions, and of versions beside other tests of
  ///   texts, are distinguished.
  init(of conditions: [Condition], _ hierarchy: ClassHierarchy, knowsExpressions: Bool = true) {
    self.hierarchy = hierarchy
    self.knowsExpressions = knowsExpressions
    for condition in conditions { trees.append(add(condition)) }
    guard knowsExpressions, !(languages.isEmpty && unknown.isEmpty && kinds.isEmpty) else { return }
    for (test, range) in zip(rangeTests, ranges) { add(.versions(range), key: "version \(range)", test) }
    hasVersionLanguages = !ranges.isEmpty
  }

  // Conditions nest no deeper than 32 levels.
  private mutating func add(_ condition: Condition) -> Tree {
    switch condition {
    case .all(let parts): return .all(parts.map { add($0) })
    case .any(let parts): return .any(parts.map { add($0) })
    case .not(let part): return .not(add(part))
    case .items, .numberInText, .sample:
      // Equal tests are one, so that they are passed together.
      let key = UTF8String(condition.key)
      if let known = derivedNumbers[key] { return .test(known) }
      derivedNumbers[key] = tests.count
      derived.append((number: tests.count, condition: condition))
      if case .numberInText(let part) = condition { numbers += part.constants }
    default: break
    }
    let number = tests.count
    tests.append(condition)
    if case .version(let range) = condition {
      probes.append(.range(range))
    } else {
      probes.append(.probe(ConditionProbe(condition, hierarchy: hierarchy)))
    }
    steps += 3
    switch condition {
    case .all, .any, .not, .items, .numberInText, .sample: break
    case .isOneOf(let values, let fold):
      var isKnown = true
      for value in values {
        switch value {
        case .null, .bool: break
        case .number(let number): numbers.append(number)
        case .string(let text):
          add(exactText: text.text)
          if fold {
            if let pattern = TextPattern(exactly: text.text, fold: true) {
              add(pattern, number)
            } else {
              isKnown = false
            }
          }
        }
      }
      if !isKnown { unknown.append(number) }
    case .text(let test, let text, let fold):
      if let pattern = TextPattern(test, text.text, fold: fold) { add(pattern, number) } else { unknown.append(number) }
      // The text itself is more readable as an example than a text from the automaton.
      if test != .glob { add(text: text.text) }
    case .matches(let expression):
      if knowsExpressions, let states = ExpressionParser.states(of: expression) {
        steps += states.count / 4
        add(.expression(states), key: "\(expression.foldsCase) \(expression)", number)
      } else {
        unknown.append(number)
      }
    case .exists(let wanted): existsTests.append((number, wanted))
    case .number(_, let constant): numbers.append(constant)
    case .version(let range):
      ranges.append(range)
      steps += range.description.utf8.count / 4
      rangeTests.append(number)
    case .kindOf(let names):
      hierarchy.forEachClass(kindOfAny: names.map(\.text)) { add(exactText: $0) }
      for name in names { add(exactText: name.text) }
      kindTests.append((number, names.map { add(kind: $0) }))
    }
    return .test(number)
  }

  private mutating func add(kind name: UTF8String) -> Int {
    let number = kindNumbers[name] ?? kinds.count
    if number == kinds.count {
      kindNumbers[name] = number
      kinds.append(name)
    }
    return number
  }

  private mutating func add(exactText text: String) {
    add(text: text)
    exactTexts.insert(UTF8String(text))
  }

  private mutating func add(text: String) { if textSet.insert(UTF8String(text)).inserted { texts.append(text) } }

  private mutating func add(_ pattern: TextPattern, _ test: Int) {
    let number = patternNumbers[pattern] ?? languages.count
    patternNumbers[pattern] = number
    add(.pattern(pattern), number, test)
  }

  private mutating func add(_ language: TextLanguage, key: String, _ test: Int) {
    let number = languageNumbers[UTF8String(key)] ?? languages.count
    languageNumbers[UTF8String(key)] = number
    add(language, number, test)
  }

  private mutating func add(_ language: TextLanguage, _ number: Int, _ test: Int) {
    if number == languages.count {
      languages.append(language)
      languageTests.append([])
    }
    languageTests[number].append(test)
  }

  /// The number of tests.
  var count: Int { tests.count }

  /// Returns a test in words.
  func text(_ test: Int) -> String { tests[test].description }

  /// Returns the tests that a value passes; nil is the absent value.
  func holding(_ value: EventValue?) -> Bits {
    var bits = Bits(count: tests.count)
    var version: VersionNumber?
    if !ranges.isEmpty, case .string(let text)? = value { version = VersionNumber(text) }
    for (i, probe) in probes.enumerated() {
      switch probe {
      case .probe(let probe): bits[i] = probe.holds(value)
      case .range(let range): bits[i] = version.map { range.contains($0) } ?? false
      }
    }
    return bits
  }

  /// Returns the tests that a text passes if it is in these languages and is otherwise unknown.
  func holding(languages matching: Bits) -> Bits {
    var bits = Bits(count: tests.count)
    for i in languages.indices where matching[i] { for test in languageTests[i] { bits[test] = true } }
    for (test, passes) in existsTests { bits[test] = passes }
    return bits
  }

  /// Returns some tests without those for versions.
  func withoutVersions(_ holding: Bits) -> Bits {
    var bits = holding
    for test in rangeTests { bits[test] = false }
    return bits
  }

  /// Returns the sets of kind-of tests that the unknown name of a class may pass together, each once; the first set is empty. Nil
  /// if there are too many.
  ///
  /// - Parameter most: If there are too many classes, all combinations of the tests are assumed to be possible, unless there are
  ///   more tests than this.
  func kindChoices(most: Int) -> [[Int]]? {
    var seen: Set<[Int]> = []
    let choices =
      KindCombinations.all(of: kinds, hierarchy)?.map { combination in
        kindTests.filter { $0.kinds.contains { combination[$0] } }.map(\.test)
      }
    if let choices { return choices.filter { seen.insert($0).inserted } }
    guard kindTests.count <= most else { return nil }
    return (0..<(1 << kindTests.count)).map { choice in
      kindTests.indices.filter { choice >> $0 & 1 == 1 }.map { kindTests[$0].test }
    }
  }

  /// Returns the subset of tests that are about versions.
  func versions(_ holding: Bits) -> Bits {
    var bits = Bits(count: tests.count)
    for test in rangeTests where holding[test] { bits[test] = true }
    return bits
  }

  /// Returns the conditions that a value meets if it passes these tests.
  func conditions(_ holding: Bits) -> Bits {
    var bits = Bits(count: trees.count)
    for (i, tree) in trees.enumerated() where tree.holds(holding) { bits[i] = true }
    return bits
  }
}
