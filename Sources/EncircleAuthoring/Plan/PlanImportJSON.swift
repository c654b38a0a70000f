import EncircleText

/// Writes the changes that a table makes to a plan, for programs.
package enum PlanImportJSON {
  private static let maximumMissing = 1_000

  package static func append(_ result: PlanImport, to json: inout JSONBuilder) {
    let counts = result.counts
    json.object("counts") {
      for word in PlanImport.Word.allCases { $0.member(word.rawValue, counts[word] ?? 0) }
      $0.member("missing", result.missing.count)
    }
    json.array("rows", result.rows.filter { ![.unchanged, .ignored].contains($0.outcome.word) }) { row, json in
      json.object {
        $0.member("outcome", row.outcome.word.rawValue)
        if let sheet = row.sheet { $0.member("sheet", sheet) }
        $0.member("line", row.line)
        $0.member("event", row.event.text)
        $0.member("property", row.property?.text)
        if case .rejected(let column, let reason) = row.outcome {
          if !column.isEmpty { $0.member("column", column) }
          $0.member("reason", reason)
        }
        $0.array("changes", row.changes) { change, json in
          json.object {
            $0.member("column", change.column)
            $0.member("old", change.old)
            $0.member("new", change.new)
          }
        }
      }
    }
    json.array("moved", result.movedFacts) { moved, json in
      json.object {
        $0.member("event", moved.event.text)
        $0.member("key", moved.key)
        $0.member("rule", moved.rule.text)
        $0.member("taken", moved.isTaken)
      }
    }
    json.array("missing", Array(result.missing.prefix(maximumMissing))) { missing, json in
      json.object {
        $0.member("event", missing.event.text)
        $0.member("property", missing.property?.text)
      }
    }
    json.array("unknown_columns", result.unknownHeaders) { $1.value($0) }
    if !result.rejected.isEmpty { json.member("rejected_table", result.rejectedTable) }
  }
}

extension PlanImport {
  /// Returns the place of a row, in words.
  static func place(sheet: String?, line: Int) -> String {
    sheet.map { "\($0), line \(line)" } ?? "line \(line)"
  }

  /// The outcome of a row, in a word.
  package enum Word: String, CaseIterable, Sendable {
    case new, changed, removed, unchanged, ignored, rejected
  }

  /// The numbers of rows by outcome.
  package var counts: [Word: Int] { Dictionary(rows.map { ($0.outcome.word, 1) }, uniquingKeysWith: +) }
}

extension PlanImport.Outcome {
  package var word: PlanImport.Word {
    switch self {
    case .new: .new
    case .changed: .changed
    case .removed: .removed
    case .unchanged: .unchanged
    case .ignored: .ignored
    case .rejected: .rejected
    }
  }
}
