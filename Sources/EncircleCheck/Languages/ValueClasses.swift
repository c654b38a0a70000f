import EncircleEvents
import EncircleRules
import EncircleText
import EncircleTree

/// All values that a property can have, and its absence, divided by the conditions that they meet.
///
/// Numbers and versions are divided by their order, texts by an automaton of the prefixes, suffixes and parts that are
/// tested. Regular expressions are tried only on the texts that tests name; any other text is assumed to match or not
/// to match. So a class that is not found does not exist, while one that is found may be impossible, and then it has no
/// example.
struct ValueClasses {
  struct ValueClass {
    /// The conditions that the values meet.
    let matching: Bits
    /// A value, or ``Example/unknown(_:)`` if none is known.
    let example: Example
  }

  /// A value of a class.
  enum Example: Hashable {
    case absent
    case value(EventValue)
    /// Some text that passes these tests, in words.
    case unknown([String])
  }

  let classes: [ValueClass]

  // There are 2ⁿ combinations of n tests whose texts are unknown, so n is bounded.
  private static let mostUnknown = 6
  private static let mostTexts = 8

  /// Divides the values; nil if that takes too long.
  init?(
    of conditions: [Condition], hierarchy: ClassHierarchy = .builtIn, budget: WordClasses.Budget? = nil
  ) {
    let tests = Tests(of: conditions, hierarchy)
    var found: [Bits: Example] = [:]
    var order: [Bits] = []
    func add(_ holding: Bits, _ example: Example) {
      let matching = tests.conditions(holding)
      if let known = found[matching] {
        if case .unknown = known, case .value = example { found[matching] = example }
        return
      }
      found[matching] = example
      order.append(matching)
    }
    func add(_ value: EventValue) { add(tests.holding(value), .value(value)) }

    for text in tests.texts { add(.string(text)) }
    for number in NumberPoints.around(tests.numbers) where !tests.numbers.isEmpty { add(.number(number)) }
    let versions =
      tests.ranges.isEmpty ? [] : VersionPoints.around(tests.ranges) { tests.textSet.contains(UTF8String($0)) }
    for version in versions { add(.string(version)) }
    guard
      let generic = TextClasses(
        of: tests.patterns, textsPerClass: min(Self.mostTexts, tests.texts.count + 1), budget: budget),
      tests.unknown.count <= Self.mostUnknown
    else { return nil }
    // A text can be a version, have a prefix and match an expression at once, so all combinations of these are
    // possible.
    let isMixed = !tests.ranges.isEmpty && !(tests.patterns.isEmpty && tests.unknown.isEmpty)
    // An array rather than a set, so that the same rules always give the same examples.
    var versionParts: [Bits] = []
    for version in versions where isMixed {
      let part = tests.versions(tests.holding(.string(version)))
      if !versionParts.contains(part) { versionParts.append(part) }
    }
    for part in generic.classes {
      for text in part.texts { add(.string(text)) }
      let base = tests.holding(pattern: part.matching)
      let isTaken =
        part.texts.count >= Self.mostTexts && part.texts.allSatisfy { tests.textSet.contains(UTF8String($0)) }
      guard !tests.unknown.isEmpty || isMixed || isTaken else { continue }
      var parts = [base]
      if isMixed {
        parts += versionParts.map { versions in
          var bits = base
          bits.formUnion(versions)
          return bits
        }
      }
      for part in parts {
        for choice in 0..<(1 << tests.unknown.count) {
          var bits = part
          for (i, test) in tests.unknown.enumerated() where choice >> i & 1 == 1 { bits[test] = true }
          add(
            bits,
            .unknown(tests.unknown.enumerated().filter { choice >> $0.offset & 1 == 1 }.map { tests.text($0.element) }))
        }
      }
    }
    add(.string(""))
    for value: EventValue in [.bool(true), .bool(false), .null, .list([])] { add(value) }
    if tests.numbers.isEmpty { add(.number(0)) }
    add(tests.holding(nil), .absent)
    classes = order.map { ValueClass(matching: $0, example: found[$0] ?? .absent) }
  }
}

/// The tests in conditions; a test that occurs several times is there several times.
private struct Tests {
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

  private var trees: [Tree] = []
  private var tests: [Condition] = []
  private var probes: [ConditionProbe] = []
  private let hierarchy: ClassHierarchy

  /// The texts that tests name, each once.
  private(set) var texts: [String] = []
  private(set) var textSet: Set<UTF8String> = []
  private(set) var numbers: [DecimalNumber] = []
  private(set) var ranges: [VersionRange] = []
  /// The patterns that tests have for texts.
  private(set) var patterns: [TextPattern] = []
  private var patternTests: [[Int]] = []
  private var patternNumbers: [TextPattern: Int] = [:]
  /// The tests whose matching texts are not known.
  private(set) var unknown: [Int] = []
  private var rangeTests: [Int] = []
  private var existsTests: [Int] = []

  init(of conditions: [Condition], _ hierarchy: ClassHierarchy) {
    self.hierarchy = hierarchy
    for condition in conditions { trees.append(add(condition)) }
  }

  // Conditions nest no deeper than 32 levels.
  private mutating func add(_ condition: Condition) -> Tree {
    switch condition {
    case .all(let parts): return .all(parts.map { add($0) })
    case .any(let parts): return .any(parts.map { add($0) })
    case .not(let part): return .not(add(part))
    default: break
    }
    let number = tests.count
    tests.append(condition)
    probes.append(ConditionProbe(condition, hierarchy: hierarchy))
    switch condition {
    case .all, .any, .not: break
    case .isOneOf(let values, let fold):
      var isKnown = true
      for value in values {
        switch value {
        case .null, .bool: break
        case .number(let number): numbers.append(number)
        case .string(let text):
          add(text: text.text)
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
      // As an example the text itself reads better than one that the automaton finds.
      if test != .glob { add(text: text.text) }
    case .matches: unknown.append(number)
    case .exists: existsTests.append(number)
    case .number(_, let constant): numbers.append(constant)
    case .version(let range):
      ranges.append(range)
      rangeTests.append(number)
    case .kindOf(let names):
      hierarchy.forEachClass { name in
        if names.contains(where: { hierarchy.isClass(name, kindOf: $0.text) }) { add(text: name) }
      }
      for name in names { add(text: name.text) }
      // There may be subclasses that are not known.
      unknown.append(number)
    }
    return .test(number)
  }

  private mutating func add(text: String) { if textSet.insert(UTF8String(text)).inserted { texts.append(text) } }

  private mutating func add(_ pattern: TextPattern, _ test: Int) {
    let number = patternNumbers[pattern] ?? patterns.count
    if number == patterns.count {
      patternNumbers[pattern] = number
      patterns.append(pattern)
      patternTests.append([])
    }
    patternTests[number].append(test)
  }

  /// Returns a test in words.
  func text(_ test: Int) -> String { tests[test].description }

  /// Returns the tests that a value passes; nil is the absent value.
  func holding(_ value: EventValue?) -> Bits {
    var bits = Bits(count: tests.count)
    for (i, probe) in probes.enumerated() where probe.holds(value) { bits[i] = true }
    return bits
  }

  /// Returns the tests that a text passes if it matches these patterns and is otherwise unknown.
  func holding(pattern matching: Bits) -> Bits {
    var bits = Bits(count: tests.count)
    for i in patterns.indices where matching[i] { for test in patternTests[i] { bits[test] = true } }
    for test in existsTests { bits[test] = probes[test].holds(.string("")) }
    return bits
  }

  /// Returns those of some tests that are about versions.
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
