import EncircleAuthoring
import EncircleRuleFiles
import Testing

/// A rule file, the captures and events that it is checked with, and the expected findings of one kind.
struct FindingCase: Sendable, CustomTestStringConvertible {
  let claim: String
  let code: CheckCode
  let rules: String
  var captures: [String] = []
  var events: [String] = []
  /// `rule line:column` of each finding of the code.
  let found: [String]

  var testDescription: String { claim }

  /// Checks that the findings of the code are those, and no others.
  func check() throws {
    let findings = try Checked.findings(rules, captures: captures, events: events)
    let places = findings.filter { $0.code == code }.map { "\($0.rule) \($0.place.location)" }
    #expect(places == found, "\(Checked.lines(findings).joined(separator: "\n"))\n\(findings.map(\.message))")
  }
}
