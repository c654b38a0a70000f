import EncircleCheck
import EncircleEvents
import EncircleText

/// Findings for programs: one object.
enum FindingJSON {
  static func text(of findings: [Finding]) -> String {
    EventValue.object(("findings", .list(findings.map(value)))).line
  }

  static func text(of problems: [Diagnostic]) -> String {
    let values = problems.map { problem in
      EventValue.object(
        ("file", problem.file.map { .string($0) }), ("line", problem.location.map { .number(DecimalNumber($0.line)) }),
        ("column", problem.location.map { .number(DecimalNumber($0.column)) }), ("message", .string(problem.message)),
        ("suggestion", problem.suggestion.map { .string($0) }), ("notes", notes(problem.notes)))
    }
    return EventValue.object(("findings", .list([])), ("errors", .list(values))).line
  }

  private static func value(_ finding: Finding) -> EventValue {
    .object(
      ("code", .string(finding.code.rawValue)), ("severity", .string(finding.severity.rawValue)),
      ("rule", .string(finding.rule.text)), ("file", .string(finding.file)),
      ("line", .number(DecimalNumber(finding.place.location.line))),
      ("column", .number(DecimalNumber(finding.place.location.column))), ("message", .string(finding.message)),
      ("example", finding.example.map { .string($0) }), ("suggestion", finding.suggestion.map { .string($0) }),
      (
        "edit",
        finding.edit.map { .object(("written", .string($0.written)), ("replacement", .string($0.replacement))) }
      ), ("notes", notes(finding.notes)))
  }

  private static func notes(_ notes: [Diagnostic.Note]) -> EventValue? {
    guard !notes.isEmpty else { return nil }
    return .list(
      notes.map { note in
        .object(
          ("file", note.file.map { .string($0) }), ("line", .number(DecimalNumber(note.location.line))),
          ("column", .number(DecimalNumber(note.location.column))), ("message", .string(note.message)))
      })
  }
}
