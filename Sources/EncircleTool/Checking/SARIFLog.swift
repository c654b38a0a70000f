import EncircleCheck
import EncircleEvents
import EncircleRuleFiles
import EncircleText

/// Findings in SARIF 2.1.0 (OASIS, 2020), which code hosts and editors show.
enum SARIFLog {
  static func text(of findings: [Finding]) -> String { log(findings.map(result)) }

  static func text(of problems: [Diagnostic]) -> String { log(problems.map(result)) }

  private static func log(_ results: [EventValue]) -> String {
    let problem = EventValue.object(
      ("id", .string(CheckFormat.problemCode)), ("shortDescription", message("a rule file that cannot be loaded")),
      ("defaultConfiguration", .object(("level", "error"))))
    let driver = EventValue.object(
      ("name", "encircle"), ("version", .string(EncircleCommand.configuration.version)),
      ("rules", .list(CheckCode.allCases.map(descriptor) + [problem])))
    let run = EventValue.object(
      ("tool", .object(("driver", driver))), ("columnKind", "unicodeCodePoints"), ("results", .list(results)))
    return EventValue.object(
      ("$schema", "https://json.schemastore.org/sarif-2.1.0.json"), ("version", "2.1.0"), ("runs", .list([run]))
    ).line
  }

  private static func descriptor(_ code: CheckCode) -> EventValue {
    let text = code.documentation
    return .object(
      ("id", .string(code.rawValue)), ("shortDescription", message(text.title)),
      ("fullDescription", message(text.explanation)),
      ("help", message("\(text.explanation)\n\nWrong:\n\n\(text.wrong)\n\nRight:\n\n\(text.right)")),
      ("defaultConfiguration", .object(("level", .string(text.severity.rawValue)))))
  }

  private static func message(_ text: String) -> EventValue { .object(("text", .string(text))) }

  private static func result(_ finding: Finding) -> EventValue {
    var text = "\(finding.rule): \(finding.message)."
    if let example = finding.example { text += " Example: \(example)." }
    if finding.edit == nil, let suggestion = finding.suggestion { text += " Instead: \(suggestion)." }
    let width = finding.place.written.map { $0.unicodeScalars.count }
    let fix = finding.edit.map { edit in
      EventValue.object(
        ("description", message("Write \(edit.replacement)")),
        (
          "artifactChanges",
          .list([
            .object(
              ("artifactLocation", artifact(finding.file)),
              (
                "replacements",
                .list([
                  .object(
                    ("deletedRegion", region(edit.location, width: edit.written.unicodeScalars.count)),
                    ("insertedContent", message(edit.replacement)))
                ])
              ))
          ])
        ))
    }
    let related = finding.notes.compactMap { note in
      note.file.map { location($0, note.location, message: note.message) }
    }
    return .object(
      ("ruleId", .string(finding.code.rawValue)),
      ("ruleIndex", .number(DecimalNumber(CheckCode.allCases.firstIndex(of: finding.code) ?? 0))),
      ("level", .string(finding.severity.rawValue)), ("message", message(text)),
      ("locations", .list([location(finding.file, finding.place.location, width: width)])),
      ("relatedLocations", related.isEmpty ? nil : .list(related)), ("fixes", fix.map { .list([$0]) }))
  }

  private static func result(_ problem: Diagnostic) -> EventValue {
    let suggestion = problem.suggestion.map { "; did you mean '\($0)'?" } ?? ""
    return .object(
      ("ruleId", .string(CheckFormat.problemCode)), ("ruleIndex", .number(DecimalNumber(CheckCode.allCases.count))),
      ("level", "error"), ("message", message(problem.message + suggestion)),
      ("locations", problem.file.map { .list([location($0, problem.location)]) }))
  }

  private static func location(
    _ file: String, _ place: SourceLocation?, width: Int? = nil, message text: String? = nil
  ) -> EventValue {
    .object(
      (
        "physicalLocation",
        .object(("artifactLocation", artifact(file)), ("region", place.map { region($0, width: width) }))
      ), ("message", text.map(message)))
  }

  private static func region(_ place: SourceLocation, width: Int?) -> EventValue {
    .object(
      ("startLine", .number(DecimalNumber(place.line))), ("startColumn", .number(DecimalNumber(place.column))),
      ("endColumn", width.map { .number(DecimalNumber(place.column + $0)) }))
  }

  /// A file as a URI reference (RFC 3986), relative if the path is.
  private static func artifact(_ file: String) -> EventValue {
    var uri = ""
    for byte in file.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        uri += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return .object(("uri", .string(file.utf8.first == UInt8(ascii: "/") ? "file://" + uri : uri)))
  }
}
