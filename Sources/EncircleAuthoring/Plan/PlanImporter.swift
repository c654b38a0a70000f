import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Takes the rows of a table one by one, and records their changes.
struct PlanImporter {
  private let plan: TrackingPlan
  private let head: PlanTableHead
  private let table: PlanTable
  private(set) var rows: [PlanImport.Row] = []
  private(set) var missing: [PlanImport.Missing] = []
  private(set) var drafts: [PlanDraft] = []
  private(set) var ruleChanges: [UTF8String: PlanImport.RuleChange] = [:]
  private var numbers: [UTF8String: Int] = [:]
  private var lines: [Key: String] = [:]
  // The events and properties with rows, whatever the outcome.
  private var listed: Set<Key> = []
  private var lastEvent: UTF8String?
  // The properties of the event that was requested last, by their keys.
  private var known: (event: UTF8String, properties: [UTF8String: PlannedProperty])?

  private struct Key: Hashable {
    let event: UTF8String
    let property: UTF8String?
  }

  init(_ plan: TrackingPlan, _ head: PlanTableHead, derivesStatus: Bool = true) {
    (self.plan, self.head) = (plan, head)
    let columns = head.columns.map { $0 ?? PlanTable.Column(PlanHeader("")) }
    table = PlanTable(plan, head.set, columns: columns, derivesStatus: derivesStatus)
  }

  // MARK: - Rows

  mutating func add(_ record: CSVReader.Record, sheet: String? = nil) {
    let cells = record.cells.map { CSVText.formulated($0) }
    let kind = kind(of: cells)
    let name = head.cell(.event, ofProperty: kind != .event, in: cells) ?? ""
    let namesEvent = kind == .event || !PlanVocabulary.trimmed(name).isEmpty
    let event = namesEvent ? knownName(name) : lastEvent
    let place = PlanImport.place(sheet: sheet, line: record.line)
    let key = kind == .event ? nil : head.cell(.property, ofProperty: true, in: cells).map { knownKey($0, of: event) }
    var row = PlanImport.Row(
      sheet: sheet, line: record.line, event: event ?? "", property: key, outcome: .unchanged, cells: record.cells)
    defer { rows.append(row) }
    let type = objectType(of: cells)
    let isKnownType = type.map { PlanVocabulary.objectTypes[PlanVocabulary.key($0)] != nil } ?? true
    if let event, !event.text.isEmpty {
      // Rows without a name belong to it, even if this row is rejected; those below something else belong to no event.
      lastEvent = isKnownType ? event : nil
      listed.insert(Key(event: event, property: key))
      if mayBeFirst(cells) { listed.insert(Key(event: event, property: nil)) }
    }
    do throws(Rejection) {
      if let extra = cells.dropFirst(head.columns.count).firstIndex(where: { !$0.isEmpty }) {
        throw Rejection("", "cell \(extra + 1) has no header")
      }
      if record.isUnended, cells.count < head.columns.count {
        throw Rejection("", "the table breaks off here, after \(cells.count) of \(head.columns.count) cells")
      }
      guard let event, !event.text.isEmpty else { throw Rejection(.event, head, "the row does not name an event") }
      if key?.text.isEmpty ?? false { throw Rejection(.property, head, "the row does not name a property") }
      let action = try action(of: cells)
      if let type, !isKnownType, action != .ignore {
        let (ofEvent, ofProperty) = (head.set.word(false), head.set.word(true))
        throw Rejection(.objectType, head, "unknown object type '\(type)': expected \(ofEvent) or \(ofProperty)")
      }
      if let first = lines[Key(event: event, property: key)], action != .ignore {
        throw Rejection(key == nil ? .event : .property, head, "\(first) has it already")
      }
      lines[Key(event: event, property: key)] = place
      switch action {
      case .ignore: row.outcome = .ignored
      case .remove: row.outcome = try remove(event, key) ? .removed : .unchanged
      case .change:
        let isNew = isNew(event, key)
        row.changes =
          if let key { try changeProperty(key, of: event, cells, namesEvent ? place : nil) } else {
            try changeEvent(event, cells, isOwnRow: true)
          }
        row.outcome = isNew ? .new : row.changes.isEmpty ? .unchanged : .changed
      }
    } catch {
      row.outcome = .rejected(column: error.column, reason: error.reason)
    }
  }

  /// A row that is wrong.
  struct Rejection: Error {
    let column: String
    let reason: String

    init(_ column: String, _ reason: String) { (self.column, self.reason) = (column, reason) }

    init(_ column: PlanColumn, _ head: PlanTableHead, _ reason: String) {
      self.column =
        head.columns.compactMap { $0?.header }.first { $0.event == column || $0.property == column }?.text
        ?? column.rawValue
      self.reason = reason
    }
  }

  private enum Kind {
    case event, property
  }

  private enum Action {
    case change, ignore, remove
  }

  /// Returns the object type of a row; nil if the row does not have one.
  private func objectType(of cells: [String]) -> String? {
    let type = head.cell(.objectType, ofProperty: false, in: cells).map(PlanVocabulary.trimmed)
    return type?.isEmpty ?? true ? nil : type
  }

  /// Returns the kind of a row, by its object type or else by whether it has a property.
  private func kind(of cells: [String]) -> Kind {
    // Names of events and properties are in one column: a property has a type.
    let column: PlanColumn = head.set == .segment ? .propertyType : .property
    let property = head.cell(column, ofProperty: true, in: cells) ?? ""
    let hasProperty = !PlanVocabulary.trimmed(property).isEmpty
    let isProperty = objectType(of: cells).flatMap { PlanVocabulary.objectTypes[PlanVocabulary.key($0)] }
    return isProperty ?? false || hasProperty ? .property : .event
  }

  /// Returns whether the row of a property may be the first one of its event, too: if it says that it is an event's, or the table
  /// does not say what rows are.
  private func mayBeFirst(_ cells: [String]) -> Bool {
    guard head.set != .segment else { return false }
    if let type = objectType(of: cells) { return PlanVocabulary.objectTypes[PlanVocabulary.key(type)] == false }
    return head.cell(.objectType, ofProperty: false, in: []) == nil
  }

  /// Returns the name of an event without white space at its ends, unless the plan has the name with it.
  private func knownName(_ cell: String) -> UTF8String {
    plan.entry(of: UTF8String(cell)) != nil ? UTF8String(cell) : UTF8String(PlanVocabulary.trimmed(cell))
  }

  private mutating func knownKey(_ cell: String, of event: UTF8String?) -> UTF8String {
    let key = UTF8String(cell)
    return event.flatMap { properties(of: $0)[key] } != nil ? key : UTF8String(PlanVocabulary.trimmed(cell))
  }

  /// Returns the planned properties of an event by their keys.
  private mutating func properties(of event: UTF8String) -> [UTF8String: PlannedProperty] {
    if let known, known.event == event { return known.properties }
    let pairs = (plan.entry(of: event)?.planned?.properties ?? []).map { ($0.property, $0) }
    let properties = Dictionary(pairs) { first, _ in first }
    known = (event, properties)
    return properties
  }

  private func action(of cells: [String]) throws(Rejection) -> Action {
    guard let cell = head.cell(.action, ofProperty: false, in: cells) else { return .change }
    switch PlanVocabulary.key(cell) {
    case "": return .change
    case "ignore", "忽略": return .ignore
    case "remove", "删除", "移除": return .remove
    default: throw Rejection(.action, head, "expected nothing, Ignore or Remove")
    }
  }

  private mutating func isNew(_ event: UTF8String, _ property: UTF8String?) -> Bool {
    guard let property else { return plan.entry(of: event) == nil }
    return properties(of: event)[property] == nil
  }

  // MARK: - Changes

  /// Returns the number of the draft of an event, and creates the draft if there is none.
  private mutating func draft(of event: UTF8String) -> Int {
    if let number = numbers[event] { return number }
    let entry = plan.entry(of: event)
    drafts.append(PlanDraft(entry ?? .init(event: event, planned: nil, rules: []), isNew: entry == nil))
    numbers[event] = drafts.count - 1
    return drafts.count - 1
  }

  /// Takes a property out, or archives an event.
  ///
  /// - Returns: False if the event is archived already, or does not have the property any more.
  private mutating func remove(_ event: UTF8String, _ property: UTF8String?) throws(Rejection) -> Bool {
    guard let entry = plan.entry(of: event) else {
      throw Rejection(.action, head, "there is nothing with that name to remove")
    }
    if property == nil ? entry.planned?.status == .archived : isNew(event, property) { return false }
    let number = draft(of: event)
    if let property {
      drafts[number].properties[property] = .init(isRemoved: true)
    } else {
      drafts[number].facts.append((key: "status", value: .string(PlannedEvent.Status.archived.rawValue)))
    }
    return true
  }

  private mutating func changeEvent(
    _ event: UTF8String, _ cells: [String], isOwnRow: Bool
  ) throws(Rejection) -> [PlanImport.Change] {
    let isNew = isNew(event, nil)
    let entry = plan.entry(of: event) ?? .init(event: event, planned: nil, rules: [])
    let kept = KeptTexts(entry.planned?.columns ?? [])
    var facts = PlanFacts(entry)
    var changes: [PlanImport.Change] = []
    for (i, column) in table.columns.enumerated() where i < head.columns.count && head.columns[i] != nil {
      let new = i < cells.count ? cells[i] : ""
      // A new event has no earlier text. An export has a status for every event, but here people state it.
      let old = isNew ? "" : table.cell(column, entry, kept)
      if new.hasSameBytes(as: old) || (!isOwnRow && PlanVocabulary.trimmed(new).isEmpty) { continue }
      do throws(PlanFacts.Problem) {
        let isChange = try facts.set(column, new, head.set)
        if isChange { changes.append(.init(column: column.header.text, old: old, new: new)) }
      } catch {
        throw Rejection(column.header.text, error.reason)
      }
    }
    do throws(PlanFacts.Problem) { try facts.check() } catch { throw Rejection(.until, head, error.reason) }
    try note(facts.ruleFacts, of: entry)
    guard isNew || !facts.facts.isEmpty else { return changes }
    let number = draft(of: event)
    drafts[number].facts += facts.facts
    return changes
  }

  /// Records the changes of rules; a rule that emits several events has the same text for all.
  private mutating func note(
    _ facts: [(key: String, value: EventValue?, rule: UTF8String)], of entry: TrackingPlan.Entry
  ) throws(Rejection) {
    for (key, value, rule) in facts {
      guard let known = ruleChanges[rule] else { continue }
      if let other = known.facts.first(where: { $0.key.hasSameBytes(as: key) }), other.value != value {
        throw Rejection(
          "", "the rule '\(rule)' emits '\(other.event)', too, for which this table has another \(key)")
      }
    }
    for (key, value, rule) in facts {
      ruleChanges[rule, default: .init()].facts.append((key: key, value: value, event: entry.event))
    }
  }

  /// - Parameter eventPlace: The place of the row if the row names the event. It may then be the first row of that event.
  private mutating func changeProperty(
    _ key: UTF8String, of event: UTF8String, _ cells: [String], _ eventPlace: String?
  ) throws(Rejection) -> [PlanImport.Change] {
    let eventKey = Key(event: event, property: nil)
    let isFirst = mayBeFirst(cells) && eventPlace != nil && lines[eventKey] == nil
    guard isFirst || plan.entry(of: event) != nil || numbers[event] != nil else {
      throw Rejection(.event, head, "the event is not known: a row for it must come before its properties")
    }
    let entry = plan.entry(of: event) ?? .init(event: event, planned: nil, rules: [])
    let old = properties(of: event)[key]
    let property = old ?? PlannedProperty(key, at: SourceLocation(line: 0, column: 0))
    let kept = KeptTexts(property.columns)
    var facts = PropertyFacts(property)
    var changes: [PlanImport.Change] = []
    for (i, column) in table.columns.enumerated() where i < head.columns.count && head.columns[i] != nil {
      let new = i < cells.count ? cells[i] : ""
      let was = table.cell(column, property, of: entry, kept)
      if new.hasSameBytes(as: was) { continue }
      do throws(PlanFacts.Problem) {
        let isChange = try facts.set(column, new, head.set)
        if isChange { changes.append(.init(column: column.header.text, old: was, new: new)) }
      } catch {
        throw Rejection(column.header.text, error.reason)
      }
    }
    do throws(PlanFacts.Problem) { try facts.check() } catch { throw Rejection(.values, head, error.reason) }
    // No part of a row is taken before the whole row has been read.
    if isFirst {
      changes = try changeEvent(event, cells, isOwnRow: false) + changes
      lines[eventKey] = eventPlace
    }
    guard old == nil || !facts.facts.isEmpty else { return changes }
    let number = draft(of: event)
    if old == nil { drafts[number].newProperties.append(key) }
    drafts[number].properties[key] = .init(facts: facts.facts)
    return changes
  }

  /// Records the items that the table lacks.
  mutating func finish() {
    for entry in plan.entries where entry.isPlanned {
      guard listed.contains(Key(event: entry.event, property: nil)) else {
        missing.append(.init(event: entry.event, property: nil))
        continue
      }
      for property in entry.planned?.properties ?? [] {
        if !listed.contains(Key(event: entry.event, property: property.property)) {
          missing.append(.init(event: entry.event, property: property.property))
        }
      }
    }
  }
}
