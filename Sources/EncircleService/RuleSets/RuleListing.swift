import EncircleEvents
import EncircleRuleFiles
import EncircleText
import Foundation

/// A page of a rule set's rules, as they stand in its file: a draft with errors has a list, too.
struct RuleListing: Sendable {
  /// Rules whose id, name, description or summary contain it, whatever the case.
  var search: String
  var offset: Int
  var limit: Int
  /// The recent number of matches of each rule.
  var counts: EventStore.RuleCounts

  /// - Complexity: O(rules).
  func answer(_ document: RuleFileDocument) -> EventValue {
    let needle = search.lowercased()
    let found = document.rules.lazy.map { Self.item($0) }.filter { item in
      needle.isEmpty
        || ["id", "name", "description", "summary"].contains { key in
          if case .string(let text)? = item[key] { text.lowercased().contains(needle) } else { false }
        }
    }
    let all = Array(found)
    return [
      "rules": .list(all.dropFirst(offset).prefix(limit).map { .object(withCounts($0)) }),
      "total": .number(DecimalNumber(all.count)),
    ]
  }

  private func withCounts(_ rule: EventObject) -> EventObject {
    guard case .string(let id)? = rule["id"] else { return rule }
    var rule = rule
    rule["last_seen"] = counts.lastSeen[id].map { .string(EventText.time($0)) } ?? .null
    rule["events_24h"] = .number(DecimalNumber(counts.lastDay[id] ?? 0))
    return rule
  }

  /// A rule of the file as the list has it, without what events say of it.
  static func item(_ rule: EventObject) -> EventObject {
    let isExclude = rule["exclude"] != nil
    let clauses = Self.list(rule[isExclude ? "exclude" : "include"])
    let unless = Self.list(rule["unless"])
    var summary = clauses.map(Self.summary).joined(separator: ", or ")
    if !unless.isEmpty { summary += ", unless " + unless.map(Self.summary).joined(separator: ", or ") }
    let id = rule["id"] ?? ""
    return [
      "id": id, "name": rule["name"] ?? .null, "description": rule["description"] ?? .null,
      "kind": isExclude ? "exclude" : "include", "enabled": .bool(rule["enabled"] != .bool(false)),
      "emit": rule["emit"] ?? id, "summary": .string(Self.shortened(summary)), "clauses": .list(clauses),
      "unless": .list(unless),
    ]
  }

  private static func list(_ value: EventValue?) -> [EventValue] {
    switch value {
    case nil, .null: []
    case .list(let values): values
    case let value?: [value]
    }
  }

  /// A clause in a line: `$AppClick on CartViewController at UIButton(0) where $app_version`.
  private static func summary(_ clause: EventValue) -> String {
    guard case .object(let clause) = clause else { return text(clause) }
    var words: [String] = []
    for (key, word) in [("event", ""), ("page", "on"), ("selector", "at"), ("eventID", "at"), ("identity", "at")] {
      guard let value = clause[key] else { continue }
      words.append((word.isEmpty ? "" : word + " ") + text(value))
    }
    if case .object(let properties)? = clause["where"] {
      words.append("where " + properties.members.map { "\($0.name) \(text($0.value))" }.joined(separator: " and "))
    }
    return words.joined(separator: " ")
  }

  private static func text(_ value: EventValue) -> String {
    switch value {
    case .string(let text): text
    case .list(let values): values.map(text).joined(separator: " | ")
    case .object(let object): object.members.map { "\($0.name) \(text($0.value))" }.joined(separator: " and ")
    default: String(decoding: value.json, as: UTF8.self)
    }
  }

  private static func shortened(_ text: String) -> String {
    text.count <= 300 ? text : text.prefix(299) + "…"
  }
}
