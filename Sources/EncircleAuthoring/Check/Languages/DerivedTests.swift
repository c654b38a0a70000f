import EncircleEvents
import EncircleRules
import EncircleText
import EncircleTree

/// The tests of one value that look at something derived from it, which are those of the number in a text, of samples and of the items
/// of a list, with the sets of them that values pass together.
///
/// No set that some value passes is missing; a set may be impossible together with other tests of the value.
struct DerivedTests {
  typealias Test = (number: Int, condition: Condition)

  /// The numbers of all tests.
  let all: [Int]
  /// The numbers of the tests of samples.
  private(set) var samples: [Int] = []
  /// The sets that texts pass.
  private(set) var ofTexts: [Bits]
  /// The sets of tests of samples that texts and numbers pass.
  private(set) var ofSamples: [Bits]
  /// The sets that lists pass, with the items of such a list; nil if they are unknown.
  private(set) var ofLists: [(passed: Bits, items: [EventValue]?)]

  /// Prepares tests.
  ///
  /// - Parameter bound: The number of all tests of the value, derived or not.
  init(_ tests: [Test], bound: Int, _ hierarchy: ClassHierarchy, _ budget: WordClasses.Budget?) {
    all = tests.map(\.number)
    let none = Bits(count: bound)
    var numberTests: [(test: Int, probe: ConditionProbe)] = []
    var constants: [DecimalNumber] = []
    var groups: [(salt: UTF8String, tests: [(test: Int, millionths: Int)])] = []
    var itemTests: [(test: Int, kind: Condition.ListTest)] = []
    var itemConditions: [Condition] = []
    for (number, condition) in tests {
      switch condition {
      case .numberInText(let part):
        numberTests.append((test: number, probe: ConditionProbe(part, hierarchy: hierarchy)))
        constants += part.constants
      case .sample(let sample):
        samples.append(number)
        if let i = groups.firstIndex(where: { $0.salt == sample.salt }) {
          groups[i].tests.append((test: number, millionths: sample.millionths))
        } else {
          groups.append((salt: sample.salt, tests: [(test: number, millionths: sample.millionths)]))
        }
      case .items(let kind, let part):
        itemTests.append((test: number, kind: kind))
        itemConditions.append(part)
      default: continue
      }
    }
    // A text may have no number, and a value may be in no sample.
    ofTexts = [none]
    for point in numberTests.isEmpty ? [] : NumberPoints.around(constants) {
      var passed = none
      for (test, probe) in numberTests where probe.holds(.number(point)) { passed[test] = true }
      if !ofTexts.contains(passed) { ofTexts.append(passed) }
    }
    ofSamples = [none]
    for group in groups {
      var sets = [none]
      for (_, least) in group.tests {
        // A value in this sample is also in all larger samples with the same salt.
        var passed = none
        for (test, millionths) in group.tests where millionths >= least { passed[test] = true }
        sets.append(passed)
      }
      ofSamples = Self.unions(ofSamples, sets)
    }
    ofTexts = Self.unions(ofTexts, ofSamples)
    ofLists = Self.lists(itemTests, itemConditions, none, hierarchy, budget)
  }

  /// Returns the union of each set of one list with each of another.
  private static func unions(_ left: [Bits], _ right: [Bits]) -> [Bits] {
    var result: [Bits] = []
    var seen: Set<Bits> = []
    for first in left {
      for second in right {
        var union = first
        union.formUnion(second)
        if seen.insert(union).inserted { result.append(union) }
      }
    }
    return result
  }

  /// Returns the sets that lists pass: those of the empty list, and those that arise when one more item is appended.
  private static func lists(
    _ tests: [(test: Int, kind: Condition.ListTest)], _ conditions: [Condition], _ none: Bits,
    _ hierarchy: ClassHierarchy, _ budget: WordClasses.Budget?
  ) -> [(passed: Bits, items: [EventValue]?)] {
    var ofEmpty = none
    for (test, kind) in tests where kind == .all { ofEmpty[test] = true }
    var result: [(passed: Bits, items: [EventValue]?)] = [(passed: ofEmpty, items: [])]
    guard !tests.isEmpty else { return result }
    // Conditions nest no deeper than 32 levels.
    guard let items = ValueClasses(of: conditions, hierarchy: hierarchy, budget: budget)?.classes,
      budget?.allows(items.count * tests.count << tests.count) ?? true
    else {
      return (0..<(1 << tests.count)).map { choice -> (passed: Bits, items: [EventValue]?) in
        var passed = none
        for (i, (test, _)) in tests.enumerated() where choice >> i & 1 == 1 { passed[test] = true }
        return (passed: passed, items: nil)
      }
    }
    var seen: Set<Bits> = [ofEmpty]
    var next = 0
    while next < result.count {
      let list = result[next]
      next += 1
      for item in items where item.example != .absent {
        var passed = none
        for (i, (test, kind)) in tests.enumerated() {
          passed[test] =
            kind == .any ? list.passed[test] || item.matching[i] : list.passed[test] && item.matching[i]
        }
        guard seen.insert(passed).inserted else { continue }
        var longer = list.items
        if case .value(let value) = item.example { longer?.append(value) } else { longer = nil }
        result.append((passed: passed, items: longer))
      }
    }
    return result
  }
}

extension Condition {
  /// The numbers that the condition and its parts name.
  var constants: [DecimalNumber] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.constants)
    case .not(let part), .items(_, let part), .numberInText(let part): part.constants
    case .isOneOf(let values, _): values.compactMap { if case .number(let number) = $0 { number } else { nil } }
    case .number(_, let constant): [constant]
    case .text, .matches, .exists, .version, .kindOf, .sample: []
    }
  }
}
