import EncircleEvents
import EncircleRuleFiles
import EncircleText
import Foundation

/// A page of a rule set's rules. They are listed as the file contains them, so that a draft with errors has a list, too.
struct RuleListing: Sendable {
  /// The text that listed rules must contain in their id, name, description, event name, owner, tag, origin or summary, or in
  /// the text of one of their elements. Case does not matter.
  var search: String
  var offset: Int
  var limit: Int
  /// The recent number of matches of each rule.
  var counts: EventStore.RuleCounts
  /// The places of the rules on the stored screens; nil if they are unknown, as for a draft with errors.
  var places: RulePlaces?
  /// Counts the events of rules over the days that the request names; nil if it does not name any.
  var series: (@Sendable ([String]) throws -> RuleSeries)?

  /// - Complexity: O(rules).
  func answer(_ document: RuleFileDocument) throws -> EventValue {
    let needle = search.lowercased()
    let all = document.rules.map(Self.item).filter { needle.isEmpty || isFound($0, needle) }
    let page = all.dropFirst(offset).prefix(limit)
    let series = try series?(page.compactMap(\.ruleID))
    var answer: EventObject = [
      "rules": .list(page.map { .object(withCounts($0, series)) }), "total": .number(DecimalNumber(all.count)),
    ]
    if let series { answer["starts"] = .list(series.starts.map { .string(EventText.time($0)) }) }
    return .object(answer)
  }

  private func isFound(_ item: EventObject, _ needle: String) -> Bool {
    let values =
      ["id", "name", "description", "emit", "owner", "summary"].compactMap { item[$0] } + Self.list(item["tags"])
      + Self.origin(item["origin"])
    let isNamed = values.contains {
      if case .string(let text) = $0 { text.lowercased().contains(needle) } else { false }
    }
    guard !isNamed, let texts = item.ruleID.flatMap({ places?.texts[UTF8String($0)] }) else { return isNamed }
    return texts.contains { $0.contains(needle) }
  }

  private func withCounts(_ rule: EventObject, _ series: RuleSeries?) -> EventObject {
    guard case .string(let text)? = rule["id"] else { return rule }
    let id = UTF8String(text)
    var rule = rule
    rule["place"] = places.map { places in places.places[id].map(\.value) ?? .null }
    if let series {
      let events = series.events[id] ?? []
      rule["events"] = .number(DecimalNumber(events.reduce(0, +)))
      rule["series"] = .list(events.map { .number(DecimalNumber($0)) })
    }
    rule["last_seen"] = counts.lastSeen[id].map { .string(EventText.time($0)) } ?? .null
    rule["events_24h"] = .number(DecimalNumber(counts.lastDay[id] ?? 0))
    return rule
  }

  /// Returns a rule of the file in the form of the list, without data from events.
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
      "unless": .list(unless), "owner": rule["owner"] ?? .null, "tags": .list(list(rule["tags"])),
      "origin": rule["origin"] ?? .null,
      "properties": rule["properties"] ?? .null,
    ]
  }

  private static func origin(_ value: EventValue?) -> [EventValue] {
    guard case .object(let origin)? = value else { return [] }
    return ["tool", "id"].compactMap { origin[$0] }
  }

  private static func list(_ value: EventValue?) -> [EventValue] {
    switch value {
    case nil, .null: []
    case .list(let values): values
    case let value?: [value]
    }
  }

  /// Returns a clause in one line: `$AppClick on CartViewController at UIButton(0) where $app_version`.
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
    // A character may have any number of scalars.
    text.unicodeScalars.count <= 300 ? text : String(text.unicodeScalars.prefix(299)) + "…"
  }
}
