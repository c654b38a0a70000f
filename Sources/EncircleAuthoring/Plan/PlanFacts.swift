import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// The facts in cells about an event, for the plan and for the rules that emit it.
struct PlanFacts {
  /// A cell that is wrong.
  struct Problem: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  private let entry: TrackingPlan.Entry
  private var since: String?
  private var until: String?
  private var changed = ChangedFacts()
  var facts: [(key: String, value: EventValue?)] { changed.all }
  private(set) var ruleFacts: [(key: String, value: EventValue?, rule: UTF8String)] = []
  private var kept: KeptTexts

  init(_ entry: TrackingPlan.Entry) {
    self.entry = entry
    kept = KeptTexts(entry.planned?.columns ?? [])
    (since, until) = (entry.planned?.since, entry.planned?.until)
  }

  /// Takes a cell that differs from the old one; returns whether that is a change.
  mutating func set(_ column: PlanTable.Column, _ cell: String, _ set: PlanHeaders) throws(Problem) -> Bool {
    if let header = column.kept {
      kept.set(header, cell)
      return true
    }
    guard let what = column.header.event, what.isTaken else { return false }
    let text = PlanVocabulary.trimmed(cell)
    let value: EventValue? = text.isEmpty ? nil : .string(cell)
    switch what {
    case .name: return setFact("name", value, \.name)
    case .description: return setFact("description", value, \.summary)
    case .owner: return setFact("owner", value, \.owner)
    case .tags:
      guard let tags = PlanVocabulary.texts(cell) else { throw Problem("a quote has no end") }
      return setTags(tags)
    case .trigger: return changed.record("trigger", value, was: entry.planned?.trigger)
    case .category: return changed.record("category", value, was: entry.planned?.category)
    case .picture: return changed.record("picture", value, was: entry.planned?.picture)
    case .remark: return changed.record("remark", value, was: entry.planned?.remark)
    case .platforms: return try setPlatforms(cell)
    case .since: return try setVersion("since", text, \.since)
    case .until: return try setVersion("until", text, \.until)
    case .status: return try setStatus(text)
    case .tracking:
      let word = try word(text, PlanVocabulary.tracking, "way of tracking")
      return changed.record("tracking", word.map { .string($0.rawValue) }, was: entry.planned?.tracking?.rawValue)
    case .app: try checkApp(text)
    default: break
    }
    return false
  }

  /// Checks the facts of several cells together.
  mutating func check() throws(Problem) {
    if kept.isChanged { changed.record("columns", kept.value) }
    guard let since = since.flatMap({ VersionNumber($0) }), let until = until.flatMap({ VersionNumber($0) }) else {
      return
    }
    if since >= until { throw Problem("the first version without the event must come after its first one") }
  }

  /// Records a fact in its place: the first rule that states it, else the first rule; the plan if there is no rule.
  private mutating func setFact(_ key: String, _ value: EventValue?, _ fact: KeyPath<SelectionRule, String?>) -> Bool {
    guard let rule = entry.rules.first(where: { $0[keyPath: fact] != nil }) ?? entry.rules.first else {
      let old = key == "name" ? entry.planned?.name : key == "owner" ? entry.planned?.owner : entry.planned?.summary
      return changed.record(key, value, was: old)
    }
    guard value != rule[keyPath: fact].map({ .string($0) }) else { return false }
    ruleFacts.append((key: key, value: value, rule: rule.id))
    return true
  }

  private mutating func setTags(_ tags: [String]) -> Bool {
    // Earlier tables have tags without quotes, so that a tag with commas looks like several.
    let known = [entry.tags, entry.tags.flatMap(PlanVocabulary.list)].map { $0.map { UTF8String($0) } }
    if known.contains(tags.map { UTF8String($0) }) { return false }
    let value: EventValue? = tags.isEmpty ? nil : .list(tags.map { .string($0) })
    if let rule = entry.rules.first(where: { !$0.tags.isEmpty }) ?? entry.rules.first {
      ruleFacts.append((key: "tags", value: value, rule: rule.id))
    } else {
      changed.record("tags", value)
    }
    return true
  }

  private mutating func setPlatforms(_ cell: String) throws(Problem) -> Bool {
    var platforms: [PlannedEvent.Platform] = []
    // An export marks a platform that was only seen in events with a question mark; such a guess is not part of the plan.
    // People also write iOS/Android.
    for word in PlanVocabulary.list(cell.replacingBytes(of: "/", with: ",")) where word.utf8.last != UInt8(ascii: "?") {
      guard let platform = try self.word(word, PlanVocabulary.platforms, "platform") else { continue }
      if !platforms.contains(platform) { platforms.append(platform) }
    }
    if platforms == entry.planned?.platforms ?? [] { return false }
    changed.record("platforms", platforms.isEmpty ? nil : .list(platforms.map { .string($0.rawValue) }))
    return true
  }

  private mutating func setVersion(
    _ key: String, _ text: String, _ bound: WritableKeyPath<PlanFacts, String?>
  ) throws(Problem) -> Bool {
    let version = VersionNumber(text)
    if !text.isEmpty, version == nil { throw Problem("expected a version of the app, such as 5.2") }
    let old = self[keyPath: bound]
    if let old, let version {
      // Spreadsheets write the number 4 for 4.0.
      if version == VersionNumber(old) { return false }
      if Self.hasLostZeros(text, of: old) {
        throw Problem("'\(old)' has lost its last zeros, as numbers do in spreadsheets; format the column as text")
      }
    }
    self[keyPath: bound] = text.isEmpty ? nil : text
    return changed.record(key, text.isEmpty ? nil : .string(text), was: old)
  }

  /// Returns whether a text is what spreadsheets write for a version that they take for a number, as 3.1 for 3.10.
  private static func hasLostZeros(_ text: String, of version: String) -> Bool {
    let isNumber = version.utf8.count { $0 == UInt8(ascii: ".") } == 1
    return isNumber && version.beginsWithBytes(of: text)
      && version.utf8.dropFirst(text.utf8.count).allSatisfy { $0 == UInt8(ascii: "0") }
  }

  /// Sets the status if it is one of the three that people can set. The others come from an export with events and are ignored.
  private mutating func setStatus(_ text: String) throws(Problem) -> Bool {
    if PlanVocabulary.noStatuses.contains(PlanVocabulary.key(text)) { return false }
    guard let status = try word(text, PlanVocabulary.statuses, "status") else {
      return changed.record("status", nil, was: entry.planned?.status?.rawValue)
    }
    guard let own = PlannedEvent.Status(rawValue: status.rawValue), own != entry.planned?.status else { return false }
    return changed.record("status", .string(own.rawValue), was: entry.planned?.status?.rawValue)
  }

  private func checkApp(_ text: String) throws(Problem) {
    let apps = Set(entry.rules.flatMap(\.apps))
    let wrong = PlanVocabulary.list(text).first { !apps.contains(UTF8String($0)) }
    if !apps.isEmpty, let wrong { throw Problem("the rules that emit the event are not for '\(wrong)'") }
  }

  private func word<Word>(_ text: String, _ words: [UTF8String: Word], _ what: String) throws(Problem) -> Word? {
    try PlanFacts.word(text, words, what)
  }

  /// Returns the meaning of a word; nil for an empty cell.
  static func word<Word>(_ text: String, _ words: [UTF8String: Word], _ what: String) throws(Problem) -> Word? {
    let key = PlanVocabulary.key(text)
    if key.text.isEmpty { return nil }
    if let word = words[key] { return word }
    let nearest = Diagnostic.nearest(to: key.text, among: words.keys.map(\.text).sorted())
    throw Problem("unknown \(what) '\(text)'" + (nearest.map { "; did you mean '\($0)'?" } ?? ""))
  }
}

/// The facts in cells that differ from the plan, in the order in which they were found.
struct ChangedFacts {
  private(set) var all: [(key: String, value: EventValue?)] = []

  mutating func record(_ key: String, _ value: EventValue?) { all.append((key: key, value: value)) }

  /// Records a text that differs from the old one; returns whether it does.
  mutating func record(_ key: String, _ value: EventValue?, was old: String?) -> Bool {
    guard value != old.map({ .string($0) }) else { return false }
    record(key, value)
    return true
  }
}
