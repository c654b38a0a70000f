import EncircleEvents
import EncircleRules
import EncircleText
import EncircleTree

/// All values that a property can have, and its absence, divided by the conditions that they meet.
///
/// Numbers and versions are divided by their order, texts by an automaton of the prefixes, suffixes, parts, versions and
/// regular expressions that are tested. Expressions that are too large, or that ``ExpressionParser`` does not know, are
/// tried only on the texts that tests name; any other text may or may not match. Any number may stand in such a text, which
/// may be in any sample. So every existing class is found, but a class that is found may be impossible; then it has no example.
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
    guard tests.derived.count <= Self.maximumUnknown else { return nil }
    // This divides the values of items in turn, so it happens only once, whatever is tried with texts.
    let derived = DerivedTests(tests.derived, bound: tests.count, hierarchy, budget)
    if let classes = Self.classes(tests, derived, budget) {
      self.classes = classes
      return
    }
    let isOnlyPatterns = tests.languages.allSatisfy { if case .pattern = $0 { true } else { false } }
    guard !isOnlyPatterns,
      let classes = Self.classes(
        ConditionTestList(of: conditions, hierarchy, knowsExpressions: false), derived, budget)
    else { return nil }
    self.classes = classes
  }

  /// The classes that were found so far, in the order in which they were found.
  private struct FoundClasses {
    private let tests: ConditionTestList
    private let derived: DerivedTests
    private var examples: [Bits: Example] = [:]
    private var order: [Bits] = []

    init(of tests: ConditionTestList, _ derived: DerivedTests) {
      self.tests = tests
      self.derived = derived
    }

    var classes: [ValueClass] { order.map { ValueClass(matching: $0, example: examples[$0] ?? .absent) } }

    mutating func add(_ value: EventValue) { addOne(tests.holding(value), .value(value)) }

    mutating func addAbsent() { addOne(tests.holding(nil), .absent) }

    /// Adds the classes of a number and of others like it, which may be in other samples.
    mutating func add(number: DecimalNumber) {
      let holding = tests.holding(.number(number))
      addOne(holding, .value(.number(number)))
      guard !derived.samples.isEmpty else { return }
      for passed in derived.ofSamples {
        addOne(holding.replacing(derived.samples, by: passed), .unknown(words(passed)))
      }
    }

    /// Adds the classes of unknown texts that pass these tests; any number may be in such a text, and it may be in any sample.
    mutating func addTexts(_ holding: Bits, _ words: [String]) {
      for passed in derived.ofTexts {
        addOne(holding.replacing(derived.all, by: passed), .unknown(words + self.words(passed)))
      }
    }

    mutating func addLists() {
      for (passed, items) in derived.ofLists {
        if let items {
          add(.list(items))
        } else {
          addOne(tests.holding(.list([])).replacing(derived.all, by: passed), .unknown(words(passed)))
        }
      }
    }

    private func words(_ passed: Bits) -> [String] { derived.all.filter { passed[$0] }.map { tests.text($0) } }

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

  private static func classes(
    _ tests: ConditionTestList, _ derived: DerivedTests, _ budget: WordClasses.Budget?
  ) -> [ValueClass]? {
    let values = tests.texts.count + 4 * tests.numbers.count + 20 * tests.ranges.count
    guard budget?.allows(values * tests.steps << tests.derived.count) ?? true else { return nil }
    var found = FoundClasses(of: tests, derived)
    for text in tests.texts { found.add(.string(text)) }
    if !tests.numbers.isEmpty { for number in NumberPoints.around(tests.numbers) { found.add(number: number) } }
    let versions =
      tests.ranges.isEmpty ? [] : VersionPoints.around(tests.ranges) { tests.textSet.contains(UTF8String($0)) }
    for version in versions {
      found.add(.string(version))
      // Other versions between the same bounds may have another number in front.
      if !tests.derived.isEmpty { found.addTexts(tests.holding(.string(version)), []) }
    }
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
        generic.classes.count * kinds.count * (1 << tests.unknown.count) * tests.steps << tests.derived.count) ?? true
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
      var parts = choices.count > 1 || isMixed || isTaken || !tests.derived.isEmpty ? [base] : []
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
          found.addTexts(bits, isMixed || part == base ? words : words + ["is longer than 256 bytes"])
        }
      }
    }
    found.add(.string(""))
    for value: EventValue in [.bool(true), .bool(false), .null] { found.add(value) }
    found.addLists()
    found.add(.object([:]))
    if tests.numbers.isEmpty { found.add(number: 0) }
    found.addAbsent()
    return found.classes
  }
}
