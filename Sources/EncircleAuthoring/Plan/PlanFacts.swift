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
  private(set) var facts: [(key: String, value: EventValue?)] = []
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
    case .name: return noteFact("name", value, \.name)
    case .description: return noteFact("description", value, \.summary)
    case .owner: return noteFact("owner", value, \.owner)
    case .tags:
      guard let tags = PlanVocabulary.texts(cell) else { throw Problem("a quote has no end") }
      return noteTags(tags)
    case .trigger: return note("trigger", value, was: entry.planned?.trigger)
    case .category: return note("category", value, was: entry.planned?.category)
    case .picture: return note("picture", value, was: entry.planned?.picture)
    case .remark: return note("remark", value, was: entry.planned?.remark)
    case .platforms: return try setPlatforms(cell)
    case .since: return try setVersion("since", text, \.since)
    case .until: return try setVersion("until", text, \.until)
    case .status: return try setStatus(text)
    case .tracking:
      let word = try word(text, PlanVocabulary.tracking, "way of tracking")
      return note("tracking", word.map { .string($0.rawValue) }, was: entry.planned?.tracking?.rawValue)
    case .app: try checkApp(text)
    default: break
    }
    return false
  }

  /// Checks the facts of several cells together.
  mutating func check() throws(Problem) {
    if kept.isChanged { note("columns", kept.value) }
    guard let since = since.flatMap({ VersionNumber($0) }), let until = until.flatMap({ VersionNumber($0) }) else {
      return
    }
    if since >= until { throw Problem("the first version without the event must come after its first one") }
  }

  private mutating func note(_ key: String, _ value: EventValue?) { facts.append((key: key, value: value)) }

  /// Records a text that differs from the old one; returns whether it does.
  private mutating func note(_ key: String, _ value: EventValue?, was old: String?) -> Bool {
    guard value != old.map({ .string($0) }) else { return false }
    note(key, value)
    return true
  }

  /// Records a fact in its place: the first rule that states it, else the first rule; the plan if there is no rule.
  private mutating func noteFact(_ key: String, _ value: EventValue?, _ fact: KeyPath<SelectionRule, String?>) -> Bool {
    guard let rule = entry.rules.first(where: { $0[keyPath: fact] != nil }) ?? entry.rules.first else {
      let old = key == "name" ? entry.planned?.name : key == "owner" ? entry.planned?.owner : entry.planned?.summary
      return note(key, value, was: old)
    }
    guard value != rule[keyPath: fact].map({ .string($0) }) else { return false }
    ruleFacts.append((key: key, value: value, rule: rule.id))
    return true
  }

  private mutating func noteTags(_ tags: [String]) -> Bool {
    // Earlier tables have tags without quotes, so that a tag with commas looks like several.
    let known = [entry.tags, entry.tags.flatMap(PlanVocabulary.list)].map { $0.map { UTF8String($0) } }
    if known.contains(tags.map { UTF8String($0) }) { return false }
    let value: EventValue? = tags.isEmpty ? nil : .list(tags.map { .string($0) })
    if let rule = entry.rules.first(where: { !$0.tags.isEmpty }) ?? entry.rules.first {
      ruleFacts.append((key: "tags", value: value, rule: rule.id))
    } else {
      note("tags", value)
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
    note("platforms", platforms.isEmpty ? nil : .list(platforms.map { .string($0.rawValue) }))
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
    return note(key, text.isEmpty ? nil : .string(text), was: old)
  }

  /// Returns whether a text is what spreadsheets write for a version that they take for a number, as 3.1 for 3.10.
  private static func hasLostZeros(_ text: String, of version: String) -> Bool {
    let isNumber = version.utf8.count { $0 == UInt8(ascii: ".") } == 1
    return isNumber && version.beginsWithBytes(of: text)
      && version.utf8.dropFirst(text.utf8.count).allSatisfy { $0 == UInt8(ascii: "0") }
  }

  /// People can set three of the statuses. The others come from an export with events and are ignored.
  private mutating func setStatus(_ text: String) throws(Problem) -> Bool {
    if PlanVocabulary.noStatuses.contains(PlanVocabulary.key(text)) { return false }
    guard let status = try word(text, PlanVocabulary.statuses, "status") else {
      return note("status", nil, was: entry.planned?.status?.rawValue)
    }
    guard let own = PlannedEvent.Status(rawValue: status.rawValue), own != entry.planned?.status else { return false }
    return note("status", .string(own.rawValue), was: entry.planned?.status?.rawValue)
  }

  private func checkApp(_ text: String) throws(Problem) {
    let apps = Set(entry.rules.flatMap(\.apps))
    let wrong = PlanVocabulary.list(text).first { !apps.contains(UTF8String($0)) }
    if !apps.isEmpty, let wrong { throw Problem("the rules that emit the event are not for '\(wrong)'") }
  }

  private func word<Word>(_ text: String, _ words: [UTF8String: Word], _ what: String) throws(Problem) -> Word? {
    try PlanFacts.word(text, words, what)
  }

  /// The meaning of a word; nil for an empty cell.
  static func word<Word>(_ text: String, _ words: [UTF8String: Word], _ what: String) throws(Problem) -> Word? {
    let key = PlanVocabulary.key(text)
    if key.text.isEmpty { return nil }
    if let word = words[key] { return word }
    let nearest = Diagnostic.nearest(to: key.text, among: words.keys.map(\.text).sorted())
    throw Problem("unknown \(what) '\(text)'" + (nearest.map { "; did you mean '\($0)'?" } ?? ""))
  }
}

/// The facts in cells about a property.
struct PropertyFacts {
  private var property: PlannedProperty
  private(set) var facts: [(key: String, value: EventValue?)] = []
  private var kept: KeptTexts

  init(_ property: PlannedProperty) {
    self.property = property
    kept = KeptTexts(property.columns)
  }

  /// Takes a cell that differs from the old one; returns whether that is a change.
  mutating func set(_ column: PlanTable.Column, _ cell: String, _ set: PlanHeaders) throws(PlanFacts.Problem) -> Bool {
    if let header = column.kept {
      kept.set(header, cell)
      return true
    }
    let text = PlanVocabulary.trimmed(cell)
    let value: EventValue? = text.isEmpty ? nil : .string(cell)
    switch column.header.property {
    case .propertyName: return note("name", value, was: property.name)
    case .propertyDescription: return note("description", value, was: property.summary)
    case .propertyRemark: return note("remark", value, was: property.remark)
    case .propertyType: return try setType(text, set)
    case .required:
      return setFlag("required", try PlanFacts.word(text, PlanVocabulary.flags, "answer") ?? false, \.isRequired)
    case .isList: return setFlag("list", try PlanFacts.word(text, PlanVocabulary.flags, "answer") ?? false, \.isList)
    case .values:
      guard let values = PlanVocabulary.values(cell) else { throw PlanFacts.Problem("a quote has no end") }
      return setValues(Self.values(values, of: property.type))
    case .pattern:
      guard note("pattern", value, was: property.pattern?.description) else { return false }
      do throws(RegularExpression.SyntaxError) {
        property.pattern = value == nil ? nil : try RegularExpression(cell)
      } catch {
        throw PlanFacts.Problem("\(error)")
      }
    default: return false
    }
    return true
  }

  /// Checks the facts of several cells together.
  mutating func check() throws(PlanFacts.Problem) {
    if kept.isChanged { note("columns", kept.value) }
    guard let type = property.type else { return }
    if property.values.contains(where: { !type.takes($0) }) { setValues(Self.values(property.values, of: type)) }
    if let wrong = property.values.first(where: { !type.takes($0) }) {
      throw PlanFacts.Problem("\(Self.text(wrong)) is no \(type.rawValue), which is the type of the property")
    }
    if property.pattern != nil, type != .string, type != .any {
      throw PlanFacts.Problem("a pattern is for texts, and the type of the property is \(type.rawValue)")
    }
  }

  private static func text(_ value: Scalar) -> String {
    if case .string(let text) = value { text.text } else { value.description }
  }

  /// Returns the values of a cell as those of a type: a text may look like a number, and spreadsheets write `TRUE`.
  private static func values(_ values: [Scalar], of type: PlannedProperty.ValueType?) -> [Scalar] {
    switch type {
    case .string: values.map { .string(UTF8String(text($0))) }
    case .boolean:
      values.map { value in
        switch PlanVocabulary.key(text(value)) {
        case "true": .bool(true)
        case "false": .bool(false)
        default: value
        }
      }
    default: values
    }
  }

  private mutating func note(_ key: String, _ value: EventValue?) { facts.append((key: key, value: value)) }

  /// Records a text that differs from the old one; returns whether it does.
  private mutating func note(_ key: String, _ value: EventValue?, was old: String?) -> Bool {
    guard value != old.map({ .string($0) }) else { return false }
    note(key, value)
    return true
  }

  private mutating func setType(_ text: String, _ set: PlanHeaders) throws(PlanFacts.Problem) -> Bool {
    if PlanVocabulary.lists.contains(PlanVocabulary.key(text)) { return setFlag("list", true, \.isList) }
    let type = try PlanFacts.word(text, PlanVocabulary.types, "type")
    var isChange = false
    // If the headers have no column for lists, a list is a separate type, so any other type ends it.
    if !set.hasIsList, property.isList { isChange = setFlag("list", false, \.isList) }
    if type == property.type { return isChange }
    property.type = type
    note("type", type.map { .string($0.rawValue) })
    return true
  }

  private mutating func setFlag(
    _ key: String, _ flag: Bool, _ path: WritableKeyPath<PlannedProperty, Bool>
  ) -> Bool {
    guard property[keyPath: path] != flag else { return false }
    property[keyPath: path] = flag
    note(key, flag ? .bool(true) : nil)
    return true
  }

  @discardableResult private mutating func setValues(_ values: [Scalar]) -> Bool {
    guard values != property.values else { return false }
    property.values = values
    note("values", values.isEmpty ? nil : .list(values.map(\.value)))
    return true
  }
}

extension Scalar {
  /// The value as events have it.
  var value: EventValue {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let value): .number(value)
    case .string(let value): .string(value.text)
    }
  }
}
