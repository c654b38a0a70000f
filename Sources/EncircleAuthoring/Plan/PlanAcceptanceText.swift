import EncircleText

/// Writes the state of a checklist for people, as text and as GitHub Flavored Markdown.
package enum PlanAcceptanceText {
  private static let widestName = 40
  private static let maximumUnexpected = 20

  package static func text(_ report: PlanAcceptanceReport) -> String {
    var lines = facts(report).map { "\($0.name): \($0.text)" }
    if !lines.isEmpty { lines.append("") }
    var rows = [["", "EVENT", "PLATFORM", "ARRIVED", "WHAT"]]
    for item in report.items {
      rows.append([
        mark(item), VisibleText.shortened(item.event.text, columns: widestName), item.platform?.rawValue ?? "",
        "\(item.arrived)", what(item),
      ])
      for sample in item.samples {
        for problem in sample.problems { rows.append(["", "", "", "", "\(problem) (\(place(sample)))"]) }
        rows.append(["", "", "", "", sample.event])
      }
    }
    if rows.count > 1 { lines += TextTable.lines(rows, right: [3]) + [""] }
    if !report.unexpected.isEmpty { lines += ["not in the plan: \(unexpected(report))", ""] }
    lines.append(summary(report))
    return lines.map { VisibleText.escaping($0) + "\n" }.joined()
  }

  package static func markdown(_ report: PlanAcceptanceReport) -> String {
    var text = "### Acceptance: \(summary(report))\n"
    let facts = facts(report)
    if !facts.isEmpty {
      text += "\n" + facts.map { "- \($0.name): \(MarkdownText.code($0.text))\n" }.joined()
    }
    if !report.items.isEmpty {
      text += "\n| | event | platform | arrived | what |\n| --- | --- | --- | ---: | --- |\n"
      for item in report.items {
        let problems = item.samples.flatMap { sample in sample.problems.map { "\($0) (\(place(sample)))" } }
        let what = ([what(item)] + problems).filter { !$0.isEmpty }.map { MarkdownText.code($0) }
        let cells = [
          mark(item), MarkdownText.code(item.event.text), item.platform?.rawValue ?? "", "\(item.arrived)",
          what.joined(separator: "<br>"),
        ]
        text += MarkdownText.row(cells)
      }
    }
    if !report.unexpected.isEmpty { text += "\nNot in the plan: \(MarkdownText.code(unexpected(report)))\n" }
    return text
  }

  /// Returns the version, the tester, the devices and the time, as far as they are known.
  static func facts(_ report: PlanAcceptanceReport) -> [(name: String, text: String)] {
    var facts: [(name: String, text: String)] = []
    if let version = report.version { facts.append(("version", version)) }
    if let tester = report.tester { facts.append(("tester", tester)) }
    if !report.devices.isEmpty { facts.append(("devices", report.devices.joined(separator: ", "))) }
    let times = [report.first, report.last].compactMap { $0.flatMap(Timestamp.minute) }
    if times.count == 2 { facts.append(("time", times[0] == times[1] ? times[0] : times.joined(separator: " to "))) }
    return facts
  }

  static func mark(_ item: PlanAcceptance.Item) -> String {
    switch item.state {
    case .accepted: "✓"
    case .wrong: "✗"
    case .waiting: item.isOptional ? "–" : "·"
    }
  }

  /// Describes an item, apart from its problems.
  static func what(_ item: PlanAcceptance.Item) -> String {
    switch item.state {
    case .accepted: item.first.flatMap(Timestamp.minute) ?? ""
    case .wrong: "wrong in \(item.wrong) of \(item.arrived)"
    case .waiting:
      [item.isOptional ? "need not be there yet" : "has not arrived", item.trigger].compactMap { $0 }
        .joined(separator: ": ")
    }
  }

  static func place(_ sample: PlanAcceptance.Sample) -> String { "\(sample.place.file):\(sample.place.line)" }

  static func unexpected(_ report: PlanAcceptanceReport) -> String {
    let names = report.unexpected.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
    return NameList.text(names, atMost: maximumUnexpected)
  }

  package static func summary(_ report: PlanAcceptanceReport) -> String {
    let counts = report.counts
    let words = "\(counts[.accepted] ?? 0) of \(report.items.count) arrived as planned"
    let rest = [(counts[.wrong] ?? 0, "wrong"), (counts[.waiting] ?? 0, "waiting")].filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)" }
    let others = report.others > 0 ? ", \(report.others) of others" : ""
    return "\(([words] + rest).joined(separator: ", ")); \(counted(report.read, "event")) read\(others)"
  }
}
