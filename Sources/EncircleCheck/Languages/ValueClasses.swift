import EncircleEvents
import EncircleRules
import EncircleText
import EncircleTree

/// All values that a property can have, or lack, divided by which of some conditions they meet.
///
/// Sets of values are decided as what they are: numbers and versions by their order, texts by the automaton of what they
/// begin with, end with and contain. Of a regular expression nothing is known but what it says of the texts that tests
/// name: that it may hold of any other text, or not, is taken to be possible. So a class that is said not to exist does
/// not, and one that exists may lack an example.
struct ValueClasses {
  struct ValueClass {
    /// The conditions that are met.
    let matching: Bits
    /// A value; ``Example/unknown(_:)`` if nobody knows one.
    let example: Example
  }

  /// A value of a class.
  enum Example: Hashable {
    case absent
    case value(EventValue)
    /// Some text that these regular expressions match, or not.
    case unknown([String])
  }

  let classes: [ValueClass]

  // Sets of what is not known beyond this are too many.
  private static let mostUnknown = 6
  private static let mostTexts = 8

  /// Divides the values; nil if there are too many ways to do it.
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
    // Where a text can be a version, begin with something and match an expression, all at once, any of them may go together.
    let isMixed = !tests.ranges.isEmpty && !(tests.patterns.isEmpty && tests.unknown.isEmpty)
    // In order, so that the same rules give the same examples.
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

/// The tests of which conditions are made, each once for each place where it stands.
private struct Tests {
  /// A condition, its tests by number.
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

  /// Texts that tests name, each once.
  private(set) var texts: [String] = []
  private(set) var textSet: Set<UTF8String> = []
  private(set) var numbers: [DecimalNumber] = []
  private(set) var ranges: [VersionRange] = []
  /// What is known of texts by their characters, and by pattern the test.
  private(set) var patterns: [TextPattern] = []
  private var patternTests: [[Int]] = []
  private var patternNumbers: [TextPattern: Int] = [:]
  /// Tests of which it is not known of which texts they hold.
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
      // The text itself reads better than what an automaton finds.
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
      // There may be subclasses that nobody has told of.
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

  /// A test in words.
  func text(_ test: Int) -> String { tests[test].description }

  /// The tests that a value passes.
  func holding(_ value: EventValue?) -> Bits {
    var bits = Bits(count: tests.count)
    for (i, probe) in probes.enumerated() where probe.holds(value) { bits[i] = true }
    return bits
  }

  /// The tests that a text passes of which nothing is known but its patterns.
  func holding(pattern matching: Bits) -> Bits {
    var bits = Bits(count: tests.count)
    for i in patterns.indices where matching[i] { for test in patternTests[i] { bits[test] = true } }
    for test in existsTests { bits[test] = probes[test].holds(.string("")) }
    return bits
  }

  /// Of some tests those of versions.
  func versions(_ holding: Bits) -> Bits {
    var bits = Bits(count: tests.count)
    for test in rangeTests where holding[test] { bits[test] = true }
    return bits
  }

  /// The conditions that are met where these tests are passed.
  func conditions(_ holding: Bits) -> Bits {
    var bits = Bits(count: trees.count)
    for (i, tree) in trees.enumerated() where tree.holds(holding) { bits[i] = true }
    return bits
  }
}
