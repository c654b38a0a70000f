import EncircleAuthoring
import EncircleRuleFiles
import EncircleText

/// Findings in SARIF 2.1.0 (OASIS, 2020), which code hosts and editors show.
enum SARIFLog {
  static func text(of findings: [Finding]) -> String { log(findings, result) }

  static func text(of problems: [Diagnostic]) -> String { log(problems, result) }

  private static func log<Item>(_ items: [Item], _ result: (Item, inout JSONBuilder) -> Void) -> String {
    var json = JSONBuilder()
    json.object {
      $0.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
      $0.member("version", "2.1.0")
      $0.array("runs", [items]) { items, json in
        json.object {
          $0.object("tool") { $0.object("driver", driver) }
          $0.member("columnKind", "unicodeCodePoints")
          $0.array("results", items, element: result)
        }
      }
    }
    return json.line
  }

  private static func driver(_ json: inout JSONBuilder) {
    json.member("name", "encircle")
    json.member("version", LibraryVersion.text.description)
    // The last rule stands for problems that prevent a rule file from being loaded.
    json.array("rules", CheckCode.allCases.map(Optional.some) + [nil]) { code, json in
      json.object { if let code { append(code, to: &$0) } else { appendProblemCode(to: &$0) } }
    }
  }

  private static func append(_ code: CheckCode, to json: inout JSONBuilder) {
    let text = code.documentation
    json.member("id", code.rawValue)
    json.message("shortDescription", text.title)
    json.message("fullDescription", text.explanation)
    json.message("help", "\(text.explanation)\n\nWrong:\n\n\(text.wrong)\n\nRight:\n\n\(text.right)")
    json.object("defaultConfiguration") { $0.member("level", text.severity.rawValue) }
  }

  private static func appendProblemCode(to json: inout JSONBuilder) {
    json.member("id", CheckFormat.problemCode)
    json.message("shortDescription", "a rule file that cannot be loaded")
    json.object("defaultConfiguration") { $0.member("level", "error") }
  }

  private static func result(_ finding: Finding, _ json: inout JSONBuilder) {
    var text = "\(finding.messageWithRule)."
    if let example = finding.example { text += " Example: \(example)." }
    if finding.edit == nil, let suggestion = finding.suggestion { text += " Instead: \(suggestion)." }
    json.object {
      $0.member("ruleId", finding.code.rawValue)
      $0.member("ruleIndex", CheckCode.allCases.firstIndex(of: finding.code) ?? 0)
      $0.member("level", finding.severity.rawValue)
      $0.message("message", text)
      $0.array("locations", [finding.place]) { place, json in
        json.object {
          append(finding.file, place.location, width: place.written?.unicodeScalars.count, to: &$0)
        }
      }
      append(finding.notes, to: &$0)
      if let edit = finding.edit { $0.array("fixes", [edit]) { append($0, in: finding.file, to: &$1) } }
    }
  }

  private static func append(_ edit: Finding.Edit, in file: String, to json: inout JSONBuilder) {
    json.object {
      $0.message("description", "Write \(edit.replacement)")
      $0.array("artifactChanges", [edit]) { edit, json in
        json.object {
          $0.object("artifactLocation") { $0.member("uri", uri(file)) }
          $0.array("replacements", [edit]) { edit, json in
            json.object {
              $0.object("deletedRegion") {
                append(edit.location, width: edit.written.unicodeScalars.count, to: &$0)
              }
              $0.message("insertedContent", edit.replacement)
            }
          }
        }
      }
    }
  }

  private static func result(_ problem: Diagnostic, _ json: inout JSONBuilder) {
    json.object {
      $0.member("ruleId", CheckFormat.problemCode)
      $0.member("ruleIndex", CheckCode.allCases.count)
      $0.member("level", "error")
      $0.message("message", problem.messageWithSuggestion)
      if let file = problem.file {
        $0.array("locations", [file]) { file, json in json.object { append(file, problem.location, to: &$0) } }
      }
      append(problem.notes, to: &$0)
    }
  }

  /// Appends the member for the other places that a result involves.
  private static func append(_ notes: [Diagnostic.Note], to json: inout JSONBuilder) {
    let related = notes.filter { $0.file != nil }
    if related.isEmpty { return }
    json.array("relatedLocations", related) { note, json in
      json.object {
        append(note.file ?? "", note.location, to: &$0)
        $0.message("message", note.message)
      }
    }
  }

  /// Appends the members of a location.
  private static func append(
    _ file: String, _ location: SourceLocation?, width: Int? = nil, to json: inout JSONBuilder
  ) {
    json.object("physicalLocation") {
      $0.object("artifactLocation") { $0.member("uri", uri(file)) }
      if let location { $0.object("region") { append(location, width: width, to: &$0) } }
    }
  }

  /// Appends the members of a region.
  ///
  /// - Parameter width: The number of scalars; nil if it is not known.
  private static func append(_ location: SourceLocation, width: Int?, to json: inout JSONBuilder) {
    json.member("startLine", location.line)
    json.member("startColumn", location.column)
    json.member("endColumn", width.map { location.column + $0 })
  }

  /// Returns a path as a URI reference (RFC 3986), relative if the path is relative.
  private static func uri(_ file: String) -> String {
    let uri = PercentEncoding.escaping(file, keepingSlashes: true)
    return file.utf8.first == UInt8(ascii: "/") ? "file://" + uri : uri
  }
}

extension JSONBuilder {
  /// Writes a member whose value is a message object.
  fileprivate mutating func message(_ name: String, _ text: String) { object(name) { $0.member("text", text) } }
}
