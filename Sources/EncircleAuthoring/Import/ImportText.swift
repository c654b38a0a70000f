import EncircleEvents
import EncircleText

/// An import for people.
package enum ImportText {
  private static let widestName = 40

  /// - Parameter merge: The result of joining the definitions with the rules of a folder; nil without a folder.
  package static func text(_ report: ImportReport, _ merge: ImportMerge?) -> String {
    let entries = report.entries.concurrentMap { entry in
      let name = VisibleText.shortened(entry.definition.name, columns: widestName)
      let form = entry.definition.forms.count > 1 ? entry.form.map { ", \($0.kind.rawValue)" } ?? "" : ""
      let left = entry.isTaken || entry.grade == .skipped ? "" : ", not taken"
      let details = reasons(entry) + (entry.proposal.map { proposal($0) } ?? [])
      return ["\(entry.definition.ruleID)  \(name): \(entry.grade.rawValue)\(form)\(left)"]
        + details.map { "    \($0)" }
    }
    var lines = Array(entries.joined())
    if !lines.isEmpty { lines.append("") }
    let counted = events(report)
    lines += counted.isEmpty ? [] : counted + [""]
    if let merge { lines += changes(merge) }
    lines.append(summary(report))
    lines += found(report).map { ["\($0); a person confirms each"] } ?? []
    return lines.concurrentMap { VisibleText.escaping($0) + "\n" }.joined()
  }

  /// Returns the reasons of a definition, each sentence once.
  private static func reasons(_ entry: ImportReport.Entry) -> [String] {
    var lines: [String] = []
    var places: [UTF8String: Int] = [:]
    for reason in entry.reasons {
      let sentence = UTF8String("\(reason.code.rawValue): \(reason.sentence)")
      places[sentence, default: 0] += 1
      if places[sentence] == 1 { lines.append("\(sentence) [\(entry.definition.file)#\(reason.pointer)]") }
    }
    return lines
  }

  /// Returns lines about the elements that a definition may be about, each with the clause for its rule.
  private static func proposal(_ proposal: ImportProposal) -> [String] {
    ["\(proposal.verdict.rawValue): \(proposal.sentence)"]
      + proposal.elements.flatMap { element in
        let place = "\(element.capture), element \(element.element) (\(element.title))"
        let clause = element.clause.map(written) ?? "no rule selects it alone"
        return ["  \(percent(element.score)) \(place): \(reasons(element))", "       \(clause)"]
      }
  }

  static func reasons(_ element: ImportProposal.Element) -> String {
    element.reasons.map(\.text).joined(separator: ", ")
  }

  /// Returns a clause on one line, as rule files have it.
  static func written(_ clause: EventObject) -> String {
    "include: " + String(decoding: EventValue.object(clause).json, as: UTF8.self)
  }

  static func percent(_ score: Double) -> String { "\(Int((score * 100).rounded())) %" }

  /// Returns the number of definitions that were found again, in words; nil without a search.
  static func found(_ report: ImportReport) -> String? {
    let verdicts = report.entries.compactMap { $0.proposal?.verdict }
    guard !verdicts.isEmpty else { return nil }
    func count(_ verdict: FoundAgain.Verdict) -> Int { verdicts.count { $0 == verdict } }
    let all = counted(verdicts.count, "element")
    return "of \(all), \(count(.found)) found again, \(count(.several)) among several"
  }

  /// Returns the counts of events as a table; empty without events.
  private static func events(_ report: ImportReport) -> [String] {
    var rows = [["DEFINITION", "READABLE", "LITERAL", "THERE", "DIFFERENCES"]]
    for entry in report.entries {
      guard let events = entry.events else { continue }
      let differences = [("readable", events.onlyReadable), ("literal", events.onlyLiteral)]
        .filter { !$0.1.isEmpty }
        .map { name, places in
          "only \(name): " + places.map { "\($0.file):\($0.line)" }.joined(separator: ", ")
        }
      rows.append([
        entry.definition.ruleID, events.readable.map { "\($0)" } ?? "", events.literal.map { "\($0)" } ?? "",
        entry.definition.count.map { "\($0)" } ?? "", differences.joined(separator: "; "),
      ])
    }
    return rows.count > 1 ? TextTable.lines(rows, right: [1, 2, 3]) : []
  }

  /// Returns the cause of a conflict, in words.
  private static func cause(_ item: ImportMerge.Item) -> String {
    item.problem == nil ? "changed there and here" : "changed there, and the rule cannot be changed on its own"
  }

  private static func changes(_ merge: ImportMerge) -> [String] {
    let lines = merge.items.compactMap { item -> String? in
      switch item.change {
      case .unchanged: nil
      case .conflict:
        "conflict   \(item.rule): \(item.keys.joined(separator: ", ")) \(cause(item)); the version here stays"
          + (item.taken.isEmpty ? "" : "; \(item.taken.joined(separator: ", ")) taken from there")
      case .kept: "kept       \(item.rule), which was edited here"
      case .removed: "removed    \(item.rule), which was removed here"
      case .vanished: "vanished   \(item.rule), which none of the files has; the rule stays"
      case .added: "added      \(item.rule)"
      case .updated: "updated    \(item.rule): \(item.taken.joined(separator: ", "))"
      }
    }
    return lines.isEmpty ? [] : lines + [""]
  }

  /// Returns the numbers of definitions by result, in words.
  static func summary(_ report: ImportReport) -> String {
    let counts = report.counts
    let parts = ImportGrade.allCases.compactMap { grade in counts[grade].map { "\($0) \(grade.rawValue)" } }
    let all = counted(report.entries.count, "definition")
    return parts.isEmpty ? all : "\(all): \(parts.joined(separator: ", "))"
  }
}
