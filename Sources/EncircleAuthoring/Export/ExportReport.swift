import EncircleRules
import EncircleText

/// The result of an export: for each rule, whether the other tool has a definition that takes the same events.
package struct ExportReport: Sendable {
  /// The tools.
  package enum Tool: String, CaseIterable, Sendable {
    case posthog, sensors
  }

  /// The result for one rule.
  package enum Status: String, CaseIterable, Sendable {
    /// The definition takes the same events.
    case exported
    /// It takes these events, and more.
    case exportedWider = "exported-wider"
    /// There is no definition.
    case refused
  }

  /// The effect of a part of a rule on its definition.
  package enum Effect: String, Sendable {
    /// Some events may be decided differently, depending on their values.
    case unsure
    /// The definition takes more.
    case wider
    /// The tool has no way to express it.
    case refused
  }

  /// The reason why a definition differs from its rule.
  package struct Reason: Sendable {
    /// A stable name.
    package var code: String
    package var effect: Effect
    /// The reason in a sentence.
    package var text: String
    /// The part of the rule, as a JSON pointer into it.
    package var pointer: String
    /// The place of the part in the rule files.
    package var place: Place?
  }

  /// A place in rule files.
  package struct Place: Hashable, Sendable {
    package var file: String
    package var location: SourceLocation
  }

  /// A rule in one of the definitions that a tool has for a rule.
  package struct Row: Sendable {
    package var rule: UTF8String
    package var name: String?
    /// The target: `action`, or the system of apps.
    package var target: String
    package var reasons: [Reason]
    /// This is true if the files contain the definition.
    package var isWritten = false
    /// The names of the files.
    package var files: [String] = []
    /// The id of the definition of this tool that the rule was imported from; nil if there is none.
    package var origin: String?
    /// The number of the rule in the rule set.
    var order = 0

    package var status: Status {
      if reasons.contains(where: { $0.effect == .refused }) { return .refused }
      return reasons.contains { $0.effect == .wider } ? .exportedWider : .exported
    }

    /// This is true if the definition is certain to equal the rule.
    package var isExact: Bool { reasons.isEmpty }
  }

  /// A file to be written.
  package struct File: Sendable {
    package var name: String
    package var bytes: [UInt8]
    /// The definitions in it.
    package var count: Int
  }

  /// Something about a definition as a whole.
  package struct Note: Sendable {
    package var code: String
    package var text: String
  }

  package var tool: Tool
  package var rows: [Row] = []
  package var files: [File] = []
  package var notes: [Note] = []

  /// Adds a note on exported rules that were imported from definitions of this tool, so that they are not created twice.
  mutating func noteOrigins(_ rules: RuleSet) {
    var known: [UTF8String] = []
    var seen: Set<UTF8String> = []
    for i in rows.indices {
      guard let origin = rules.rules[rows[i].order].origin, origin.tool == UTF8String(tool.rawValue) else { continue }
      rows[i].origin = origin.id.text
      if rows[i].isWritten, seen.insert(rows[i].rule).inserted { known.append(rows[i].rule) }
    }
    guard !known.isEmpty else { return }
    let (verb, which) = known.count == 1 ? ("comes", "a definition") : ("come", "definitions")
    notes.append(
      Note(
        code: "has-origin",
        text:
          "\(NameList.text(known.map { "'\($0)'" })) \(verb) from \(which) of this tool: "
          + "change the original there instead of adding it twice."
      ))
  }

  /// The numbers of rules by status.
  package var counts: [Status: Int] { rows.reduce(into: [:]) { $0[$1.status, default: 0] += 1 } }
}

/// The definitions that are written although there are reasons against them.
package struct ExportAllowance: Sendable {
  /// This is true if definitions that take more than their rules are written.
  package var wider: Bool
  /// This is true if definitions that may decide differently are left out.
  package var isStrict: Bool

  package init(wider: Bool = false, isStrict: Bool = false) {
    self.wider = wider
    self.isStrict = isStrict
  }

  /// Returns whether the definition of a rule is written.
  func takes(_ row: ExportReport.Row) -> Bool {
    switch row.status {
    case .refused: false
    case .exportedWider: wider && !isStrict
    case .exported: !isStrict || row.isExact
    }
  }
}
