import EncircleText

/// Writes the changes that a table makes to a plan, for people.
package enum PlanImportText {
  private static let widestCell = 40
  private static let maximumMissing = 20

  package static func text(_ result: PlanImport) -> String {
    var rows: [[String]] = []
    for row in result.rows {
      let name = name(row.event, row.property)
      switch row.outcome {
      case .unchanged, .ignored: continue
      case .new where row.changes.isEmpty: rows.append(["new", name, ""])
      case .removed: rows.append(["removed", name, row.property == nil ? "archived" : "no longer planned"])
      case .rejected(let column, let reason):
        rows.append([
          "rejected", name,
          PlanImport.place(sheet: row.sheet, line: row.line) + (column.isEmpty ? "" : ", \(column)") + ": \(reason)",
        ])
      case .new, .changed:
        let word = if case .new = row.outcome { "new" } else { "changed" }
        for (i, change) in row.changes.enumerated() {
          rows.append(i == 0 ? [word, name, words(change)] : ["", "", words(change)])
        }
      }
    }
    for moved in result.movedFacts {
      let (key, rule) = (moved.key, "the rule '\(moved.rule)'")
      let cells = moved.isTaken ? ["moved", "\(key) → \(rule)"] : ["dropped", "\(key): \(rule) has it"]
      rows.append([cells[0], name(moved.event, nil), cells[1]])
    }
    for missing in result.missing.prefix(maximumMissing) {
      rows.append(["missing", name(missing.event, missing.property), "kept"])
    }
    if result.missing.count > maximumMissing {
      rows.append(["missing", "and \(result.missing.count - maximumMissing) more", "kept"])
    }
    var lines = rows.isEmpty ? [] : TextTable.lines(rows, hasHeader: false) + [""]
    lines.append(summary(result))
    return lines.map { VisibleText.escaping($0) + "\n" }.joined()
  }

  /// Returns the numbers of rows by outcome.
  package static func summary(_ result: PlanImport) -> String {
    let counts = result.counts
    let always: [PlanImport.Word] = [.new, .changed, .unchanged, .rejected]
    var parts = PlanImport.Word.allCases.filter { counts[$0] != nil || always.contains($0) }
      .map { "\(counts[$0] ?? 0) \($0.rawValue)" }
    parts.append("\(result.missing.count) missing in the file")
    return parts.joined(separator: ", ")
  }

  private static func name(_ event: UTF8String, _ property: UTF8String?) -> String {
    VisibleText.shortened(property.map { "\(event) / \($0)" } ?? event.text, columns: 60)
  }

  private static func words(_ change: PlanImport.Change) -> String {
    func cell(_ text: String) -> String { text.isEmpty ? "-" : VisibleText.shortened(text, columns: widestCell) }
    return "\(change.column): \(cell(change.old)) → \(cell(change.new))"
  }
}
