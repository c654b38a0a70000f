import EncircleEvents
import EncircleRules
import EncircleText
import EncircleTree

/// All values that a property can have, and its absence, divided by the conditions that they meet.
///
/// Numbers and versions are divided by their order, texts by an automaton of the prefixes, suffixes, parts, versions and
/// regular expressions that are tested. Expressions that are too large, or that ``ExpressionParser`` does not know, are
/// tried only on the texts that tests name; any other text may or may not match. So every existing class is found, but a
/// class that is found may be impossible; then it has no example.
struct ValueClasses {
  struct ValueClass {
    /// The conditions that the values meet.
    let matching: Bits
    /// A value; ``Example/unknown(_:)`` if no value is known.
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
  private static let maximumUnknown = 6
  private static let maximumTexts = 8

  /// Divides the values; nil if that takes too long.
  init?(
    of conditions: [Condition], hierarchy: ClassHierarchy = .builtIn, budget: WordClasses.Budget? = nil
  ) {
    // Each test is prepared separately.
    guard budget?.allows(conditions.count * 20) ?? true else { return nil }
    let tests = ConditionTestList(of: conditions, hierarchy)
    if let classes = Self.classes(tests, budget) {
      self.classes = classes
      return
    }
    let isOnlyPatterns = tests.languages.allSatisfy { if case .pattern = $0 { true } else { false } }
    guard !isOnlyPatterns,
      let classes = Self.classes(ConditionTestList(of: conditions, hierarchy, knowsExpressions: false), budget)
    else { return nil }
    self.classes = classes
  }

  /// The classes that were found so far, in the order in which they were found.
  private struct FoundClasses {
    private let tests: ConditionTestList
    private var examples: [Bits: Example] = [:]
    private var order: [Bits] = []

    init(of tests: ConditionTestList) { self.tests = tests }

    var classes: [ValueClass] { order.map { ValueClass(matching: $0, example: examples[$0] ?? .absent) } }

    mutating func add(_ value: EventValue) { add(tests.holding(value), .value(value)) }

    /// Adds the class of values that pass these tests, and of present values also the classes for each choice of free tests.
    mutating func add(_ holding: Bits, _ example: Example) {
      addOne(holding, example)
      guard !tests.free.isEmpty, example != .absent else { return }
      for choice in 0..<(1 << tests.free.count) {
        var bits = holding
        for (i, test) in tests.free.enumerated() { bits[test] = choice >> i & 1 == 1 }
        addOne(bits, .unknown(tests.free.indices.filter { choice >> $0 & 1 == 1 }.map { tests.text(tests.free[$0]) }))
      }
    }

    private mutating func addOne(_ holding: Bits, _ example: Example) {
      let matching = tests.conditions(holding)
      if let known = examples[matching] {
        if case .unknown = known, case .value = example { examples[matching] = example }
        return
      }
      examples[matching] = example
      order.append(matching)
    }
  }

  private static func classes(_ tests: ConditionTestList, _ budget: WordClasses.Budget?) -> [ValueClass]? {
    let values = tests.texts.count + 4 * tests.numbers.count + 20 * tests.ranges.count
    guard tests.free.count <= maximumUnknown, budget?.allows(values * tests.steps << tests.free.count) ?? true else {
      return nil
    }
    var found = FoundClasses(of: tests)
    for text in tests.texts { found.add(.string(text)) }
    if !tests.numbers.isEmpty { for number in NumberPoints.around(tests.numbers) { found.add(.number(number)) } }
    let versions =
      tests.ranges.isEmpty ? [] : VersionPoints.around(tests.ranges) { tests.textSet.contains(UTF8String($0)) }
    for version in versions { found.add(.string(version)) }
    guard
      let generic = TextClasses(
        of: tests.languages, textsPerClass: min(Self.maximumTexts, tests.exactTexts.count + 1), budget: budget),
      tests.unknown.count <= Self.maximumUnknown
    else { return nil }
    // There may be unknown classes, and any text may match a test whose texts are unknown.
    guard budget?.allows(tests.kinds.count * tests.kinds.count) ?? true,
      let kinds = tests.kindChoices(most: maximumUnknown - tests.unknown.count)
    else { return nil }
    guard
      budget?.allows(
        generic.classes.count * kinds.count * (1 << tests.unknown.count) * tests.steps << tests.free.count) ?? true
    else { return nil }
    let choices = kinds.flatMap { kinds in
      (0..<(1 << tests.unknown.count)).map { choice in
        kinds + tests.unknown.indices.filter { choice >> $0 & 1 == 1 }.map { tests.unknown[$0] }
      }
    }
    // A text can be a version, have a prefix and match an expression at once, so all combinations of these are
    // possible.
    let isMixed =
      !tests.ranges.isEmpty && !tests.hasVersionLanguages && !(tests.languages.isEmpty && choices.count == 1)
    // This is an array rather than a set, so that the same rules always give the same examples.
    var versionParts: [Bits] = []
    for version in versions where isMixed {
      let part = tests.versions(tests.holding(.string(version)))
      if !versionParts.contains(part) { versionParts.append(part) }
    }
    for part in generic.classes {
      for text in part.texts { found.add(.string(text)) }
      let base = tests.holding(languages: part.matching)
      let isTaken =
        part.texts.count >= Self.maximumTexts && part.texts.allSatisfy { tests.exactTexts.contains(UTF8String($0)) }
      var parts = choices.count > 1 || isMixed || isTaken ? [base] : []
      let long = tests.hasVersionLanguages ? tests.withoutVersions(base) : base
      if long != base { parts.append(long) }
      if isMixed {
        parts += versionParts.map { versions in
          var bits = base
          bits.formUnion(versions)
          return bits
        }
      }
      for part in parts {
        for choice in choices {
          var bits = part
          for test in choice { bits[test] = true }
          let words = choice.map { tests.text($0) }
          found.add(bits, .unknown(isMixed || part == base ? words : words + ["is longer than 256 bytes"]))
        }
      }
    }
    found.add(.string(""))
    for value: EventValue in [.bool(true), .bool(false), .null, .list([])] { found.add(value) }
    if tests.numbers.isEmpty { found.add(.number(0)) }
    found.add(tests.holding(nil), .absent)
    return found.classes
  }
}
