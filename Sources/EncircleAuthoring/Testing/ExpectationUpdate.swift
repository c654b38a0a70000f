import EncircleCapture
import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Replaces the expectations in test files with the results that were found.
public enum ExpectationUpdate {
  /// The result for one file.
  public struct Result: Sendable {
    /// The new text.
    public let text: String
    /// The names of the updated tests, in their order.
    public let updated: [String]
    /// The tests that could not be updated, with the reason.
    public let problems: [Diagnostic]
  }

  /// Returns the text of a file with the actual results as expectations of each test that failed or expects nothing yet.
  ///
  /// A test keeps its keys; a test that expects nothing yet gets the most informative keys. The rest of the file stays
  /// unchanged, except for a byte order mark. A test whose events have different results is not changed.
  ///
  /// - Parameters:
  ///   - ruleSet: The rules that the tests were run on.
  ///   - reader: Reads the captures that tests name.
  /// - Throws: ``RuleFileErrors`` if the file cannot be changed, for example because of a comment in a replaced part.
  public static func update(
    _ file: RuleTestFile, _ results: [TestResult], for ruleSet: RuleSet,
    captures reader: CaptureReader = CaptureReader()
  ) throws(RuleFileErrors) -> Result {
    guard !file.name.endsWithBytes(of: ".json") || results.allSatisfy(\.passed) else {
      throw RuleFileErrors(
        [Diagnostic("tests in JSON are not updated: edit the text", file: file.name)], isMissingInput: false)
    }
    var edits: [MappingEdit] = []
    var updated: [String] = []
    var problems: [Diagnostic] = []
    for result in results where !result.passed {
      let test = result.test
      let expectation = test.expectation ?? Expectation()
      let wanted = expectation.isEmpty ? keys(for: result) : Set(result.failures.flatMap { $0.mismatches.map(\.key) })
      guard wanted.allSatisfy({ result.found[$0] != nil }), !wanted.isEmpty else {
        problems.append(
          Diagnostic(
            "'\(test.name)' is not updated: its events do not agree; make it several tests", file: file.name,
            at: test.location))
        continue
      }
      let values = ExpectedKey.allCases.filter(wanted.contains).map { key in
        EventObject.Member(name: key.rawValue, value: result.found[key].map(written) ?? .list([]))
      }
      edits.append(MappingEdit(item: test.number, key: "expect", members: values))
      updated.append(test.name)
    }
    let text = try MappingEdit.apply(edits, toItemsOf: "tests", in: file.text, name: file.name)
    let passed = Dictionary(results.filter(\.passed).map { (UTF8String($0.test.name), $0.test.location) }) { $1 }
    try check(
      text, file.name, Set(updated.map { UTF8String($0) }), passed, TestResources(of: ruleSet, captures: reader),
      ruleSet)
    return Result(text: text, updated: updated, problems: problems)
  }

  /// Checks that the new text can be read, that the updated tests pass, and that those that passed before still do.
  ///
  /// - Parameter passed: The places of these tests in the old text, which errors name.
  private static func check(
    _ text: String, _ name: String, _ updated: Set<UTF8String>, _ passed: [UTF8String: SourceLocation],
    _ resources: TestResources, _ ruleSet: RuleSet
  ) throws(RuleFileErrors) {
    if updated.isEmpty { return }
    var resources = resources
    let (file, diagnostics) = RuleTestReader.read(text, name: name, ruleSet, checksRules: false, &resources)
    guard diagnostics.isEmpty else { throw RuleFileErrors(diagnostics, isMissingInput: false) }
    var runner = RuleTestRunner(ruleSet)
    let wanted = updated.union(passed.keys)
    let failed = runner.run(file) { wanted.contains(UTF8String($0.name)) }.filter { !$0.passed }
    for test in failed.map(\.test) {
      guard let place = passed[UTF8String(test.name)] else { continue }
      throw RuleFileErrors(
        [
          Diagnostic(
            "cannot be updated: '\(test.name)', which passes, has the same expectation by an alias: edit the text",
            file: name, at: place)
        ], isMissingInput: false)
    }
    guard failed.isEmpty, file.tests.count(where: { updated.contains(UTF8String($0.name)) }) == updated.count else {
      throw RuleFileErrors(
        [Diagnostic("cannot be updated: the new expectations would not be read as they are meant", file: name)],
        isMissingInput: false)
    }
  }

  /// Returns the keys for a test that expects nothing yet: the keys with a value that is not empty.
  private static func keys(for result: TestResult) -> Set<ExpectedKey> {
    if case .selector = result.test.subject { return [.elements] }
    var keys: Set<ExpectedKey> = [.selected, .rules]
    for key in [ExpectedKey.excludedBy, .pages, .emit] where result.found[key] != .names([]) { keys.insert(key) }
    if let found = result.found[.properties], found != .properties([:]) { keys.insert(.properties) }
    return keys
  }

  private static func written(_ value: ExpectedValue) -> EventValue {
    switch value {
    case .flag(let flag): .bool(flag)
    case .names(let names): .list(names.map { .string($0.text) })
    case .elements(let elements): .list(elements.map { .number(DecimalNumber($0.index)) })
    case .properties(let rules):
      object(rules) { values in object(values) { $0.value } }
    }
  }

  private static func object<Value>(_ values: [UTF8String: Value], _ written: (Value) -> EventValue) -> EventValue {
    var object = EventObject()
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      object.members.append(.init(name: name.text, value: written(value)))
    }
    return .object(object)
  }
}
