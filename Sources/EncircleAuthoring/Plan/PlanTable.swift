import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// A plan as a table: a row for each event, followed by one for each of its properties.
///
/// Only the plan, the rules, captures and events determine a cell, so an import can recognise the cells that people have
/// changed.
struct PlanTable {
  /// The data that comes from neither plan nor rules.
  struct Sources: Sendable {
    /// The status of events, by name.
    var report: [UTF8String: PlanReport.Event] = [:]
    var recentIsComplete = true
    /// Their places in captures, by name.
    var places: [UTF8String: PlanPlace] = [:]

    init() {}
  }

  /// A header of the table.
  struct Column: Sendable {
    let header: PlanHeader
    /// The key for its texts in the plan; nil if the plan does not keep them.
    let kept: UTF8String?

    init(_ header: PlanHeader) {
      self.header = header
      let column = header.event ?? header.property
      kept = column == nil ? UTF8String(header.text) : (column.flatMap { $0.isKept ? UTF8String($0.rawValue) : nil })
    }
  }

  let set: PlanHeaders
  let columns: [Column]
  private let sources: Sources
  private let derivesStatus: Bool

  /// - Parameters:
  ///   - columns: Nil for the columns of the set, followed by the other texts that the plan keeps.
  ///   - derivesStatus: True if an event without a status gets one that follows from rules and events.
  init(
    _ plan: TrackingPlan, _ set: PlanHeaders, columns: [Column]? = nil, sources: Sources = Sources(),
    derivesStatus: Bool = true
  ) {
    self.set = set
    self.sources = sources
    self.derivesStatus = derivesStatus
    if let columns {
      self.columns = columns
      return
    }
    var own = set.headers.map { Column($0) }
    guard set != .segment else {
      self.columns = own
      return
    }
    var known = Set(own.map { UTF8String($0.header.text) })
    known.formUnion(PlanColumn.allCases.filter(\.isKept).map { UTF8String($0.rawValue) })
    for header in Self.keptHeaders(of: plan) where known.insert(header).inserted {
      own.append(Column(PlanHeader(header.text)))
    }
    self.columns = own
  }

  /// Returns the headers below which a plan keeps texts, without duplicates.
  static func keptHeaders(of plan: TrackingPlan) -> [UTF8String] {
    let columns = plan.entries.compactMap(\.planned).flatMap { $0.columns + $0.properties.flatMap(\.columns) }
    return unique(columns.map(\.header.text)).map { UTF8String($0) }
  }

  // MARK: - Rows

  /// Returns the cells of the row of an event.
  func row(_ entry: TrackingPlan.Entry) -> [String] {
    let kept = KeptTexts(entry.planned?.columns ?? [])
    return columns.map { cell($0, entry, kept) }
  }

  /// Returns the cells of the row of a property.
  func row(_ property: PlannedProperty, of entry: TrackingPlan.Entry) -> [String] {
    let kept = KeptTexts(property.columns)
    return columns.map { cell($0, property, of: entry, kept) }
  }

  func cell(_ column: Column, _ entry: TrackingPlan.Entry, _ kept: KeptTexts) -> String {
    if let header = column.kept { return kept[header] }
    return column.header.event.map { cell($0, entry) } ?? ""
  }

  func cell(
    _ column: Column, _ property: PlannedProperty, of entry: TrackingPlan.Entry, _ kept: KeptTexts
  ) -> String {
    if let header = column.kept { return kept[header] }
    return column.header.property.map { cell($0, property, of: entry) } ?? ""
  }

  // MARK: - Cells

  private func cell(_ column: PlanColumn, _ entry: TrackingPlan.Entry) -> String {
    let planned = entry.planned
    switch column {
    case .objectType: return set.word(false)
    case .event: return entry.event.text
    case .name: return entry.name ?? ""
    case .rules: return entry.rules.map(\.id.text).joined(separator: ", ")
    case .description: return entry.summary ?? ""
    case .trigger: return planned?.trigger ?? PlanTrigger.text(entry, set) ?? ""
    case .category: return planned?.category ?? Self.module(of: entry) ?? ""
    case .tags: return PlanVocabulary.cell(entry.tags)
    case .owner: return entry.owner ?? ""
    case .platforms: return platforms(entry)
    case .app: return Self.unique(entry.rules.flatMap { $0.apps.map(\.text) }).joined(separator: ", ")
    case .since: return planned?.since ?? ""
    case .until: return planned?.until ?? ""
    case .status: return derivesStatus || planned?.status != nil ? set.word(status(entry)) : ""
    case .tracking: return (planned?.tracking).map { set.word($0) } ?? ""
    case .picture: return planned?.picture ?? ""
    case .remark: return planned?.remark ?? ""
    case .page, .pageTitle, .element, .text, .position, .selector: return place(column, entry)
    case .firstSeen, .lastSeen, .events30, .people30, .versionsSeen, .platformsSeen, .health: return seen(column, entry)
    default: return ""
    }
  }

  private func cell(_ column: PlanColumn, _ property: PlannedProperty, of entry: TrackingPlan.Entry) -> String {
    switch column {
    case .objectType: set.word(true)
    case .event: entry.event.text
    case .property: property.property.text
    case .propertyName: property.name ?? ""
    case .propertyDescription: property.summary ?? ""
    case .propertyType: set.word(property.type, isList: property.isList, hasValues: !property.values.isEmpty)
    case .required: set.word(required: property.isRequired)
    case .isList: set.word(required: property.isList)
    case .values: PlanVocabulary.cell(property.values)
    case .pattern: property.pattern?.description ?? ""
    case .propertyRemark: property.remark ?? ""
    default: ""
    }
  }

  private static func module(of entry: TrackingPlan.Entry) -> String? {
    let tag = entry.tags.first { $0.beginsWithBytes(of: "module:") }
    return tag.map { String(Substring($0.utf8.dropFirst("module:".utf8.count))) }
  }

  static func unique(_ texts: [String]) -> [String] {
    var known: Set<UTF8String> = []
    return texts.filter { known.insert(UTF8String($0)).inserted }
  }

  private func platforms(_ entry: TrackingPlan.Entry) -> String {
    let planned = entry.planned?.platforms ?? []
    if !planned.isEmpty { return planned.map { set.word($0) }.joined(separator: ", ") }
    let seen = Set(sources.report[entry.event]?.rows.filter { $0.events > 0 }.compactMap(\.platform) ?? []).sorted()
    return seen.map { set.word($0) + "?" }.joined(separator: ", ")
  }

  /// Returns the status that follows from the events, or else from the plan and the rules.
  func status(_ entry: TrackingPlan.Entry) -> PlanReport.Status {
    if let known = sources.report[entry.event] { return known.status }
    switch entry.planned?.status {
    case .planned: return .planned
    case .deprecated: return .deprecated
    case .archived: return .archived
    case nil: return entry.isEmitted ? .defined : .planned
    }
  }

  private func place(_ column: PlanColumn, _ entry: TrackingPlan.Entry) -> String {
    let clauses = entry.rules.flatMap(\.clauses)
    switch column {
    case .page: return Self.unique(clauses.flatMap { Self.pages($0.page) }).joined(separator: ", ")
    case .selector: return Self.unique(clauses.flatMap { $0.selectors.map(\.description) }).joined(separator: "\n")
    case .pageTitle: return sources.places[entry.event]?.title ?? ""
    case .element: return sources.places[entry.event]?.type ?? ""
    case .text: return sources.places[entry.event]?.text ?? ""
    default: return sources.places[entry.event]?.position ?? ""
    }
  }

  /// Returns the names that a condition tests; empty if it tests something else.
  static func names(_ condition: Condition?) -> [String] {
    switch condition {
    case .isOneOf(let values, _)?: values.compactMap { if case .string(let text) = $0 { text.text } else { nil } }
    case .kindOf(let names)?: names.map(\.text)
    default: []
    }
  }

  /// Returns the pages that a condition names; empty if it tests something else.
  static func pages(_ condition: Condition?) -> [String] {
    WebAddress.withoutEncodedForms(names(condition).map { UTF8String($0) }).map(\.text)
  }

  private func seen(_ column: PlanColumn, _ entry: TrackingPlan.Entry) -> String {
    guard let known = sources.report[entry.event] else { return "" }
    let rows = known.rows.filter { $0.events > 0 }
    switch column {
    case .firstSeen: return rows.compactMap(\.first).min().flatMap(Timestamp.day) ?? ""
    case .lastSeen: return rows.compactMap(\.last).max().flatMap(Timestamp.day) ?? ""
    case .events30: return PlanReport.text(ofRecent: known.recentEvents, isComplete: sources.recentIsComplete)
    case .people30: return PlanReport.text(ofRecent: known.recentPeople, isComplete: sources.recentIsComplete)
    case .versionsSeen:
      // Rows are sorted by platform first.
      return Self.unique(rows.compactMap(\.version)).sorted(by: VersionNumber.areInOrder).joined(separator: ", ")
    case .platformsSeen: return Set(rows.compactMap(\.platform)).sorted().map { set.word($0) }.joined(separator: ", ")
    default:
      return PlanEvidence.summaries(known).map { summary in
        [summary.platform?.rawValue, PlanEvidence.text(summary, of: known)].compactMap { $0 }.joined(separator: ": ")
      }.joined(separator: "\n")
    }
  }
}
