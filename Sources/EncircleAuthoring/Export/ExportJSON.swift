import EncircleText

/// Writes the results of an export as one JSON object. Its schema is docs/export.schema.json.
package enum ExportJSON {
  package static func text(_ report: ExportReport) -> String {
    var json = JSONBuilder()
    let counts = report.counts
    json.object {
      $0.member("tool", report.tool.rawValue)
      $0.object("counts") {
        for status in ExportReport.Status.allCases { $0.member(status.rawValue, counts[status] ?? 0) }
      }
      $0.array("rules", report.rows, element: append)
      $0.array("files", report.files) { file, json in
        json.object {
          $0.member("name", file.name)
          $0.member("definitions", file.count)
          $0.member("bytes", file.bytes.count)
        }
      }
      $0.array("notes", report.notes) { note, json in
        json.object {
          $0.member("code", note.code)
          $0.member("message", note.text)
        }
      }
    }
    return json.line
  }

  private static func append(_ row: ExportReport.Row, to json: inout JSONBuilder) {
    json.object {
      $0.member("rule", row.rule.text)
      $0.member("name", row.name)
      $0.member("target", row.target)
      $0.member("origin", row.origin)
      $0.member("status", row.status.rawValue)
      $0.member("written", row.isWritten)
      $0.member("files", row.files)
      $0.array("reasons", row.reasons) { reason, json in
        json.object {
          $0.member("code", reason.code)
          $0.member("effect", reason.effect.rawValue)
          $0.member("message", reason.text)
          $0.member("pointer", reason.pointer)
          $0.member("file", reason.place?.file)
          $0.member("line", reason.place?.location.line)
          $0.member("column", reason.place?.location.column)
        }
      }
    }
  }
}
