import EncircleRuleFiles
import EncircleText

/// Explains the status of events in words.
package enum PlanEvidence {
  /// A row of people's tables: rows of one platform and status that follow each other, with their versions.
  package struct Summary: Sendable {
    package let platform: PlannedEvent.Platform?
    package let status: PlanReport.Status
    package private(set) var rows: [PlanReport.Row]

    /// The versions, as in `5.1–5.3`; empty where none is known.
    package var versions: String { CoverageText.versions(rows.compactMap(\.version)) }

    fileprivate init(_ row: PlanReport.Row) { (platform, status, rows) = (row.platform, row.status, [row]) }

    fileprivate mutating func append(_ row: PlanReport.Row) { rows.append(row) }

    fileprivate func takes(_ row: PlanReport.Row) -> Bool {
      row.platform == platform && row.status == status && Self.kind(row.reason) == Self.kind(rows[0].reason)
    }

    private static func kind(_ reason: PlanReport.Reason?) -> Int {
      switch reason {
      case nil: 0
      case .notInPlan: 1
      case .otherPlatform: 2
      case .otherVersion: 3
      case .archivedButSent: 4
      case .neverSeen: 5
      case .onlyCaptured: 6
      case .stopped: 7
      }
    }
  }

  /// Returns the rows of an event for people.
  package static func summaries(_ event: PlanReport.Event) -> [Summary] {
    var summaries: [Summary] = []
    for row in event.rows {
      if summaries.last?.takes(row) ?? false {
        summaries[summaries.count - 1].append(row)
      } else {
        summaries.append(Summary(row))
      }
    }
    return summaries
  }

  /// Returns the evidence for the status of rows, such as `12 events, last 2026-03-10`.
  package static func text(_ summary: Summary, of event: PlanReport.Event) -> String {
    let rows = summary.rows
    let count = rows.reduce(0) { $0 + $1.events }
    let last = rows.compactMap(\.last).max()
    var parts: [String] = []
    if count > 0 {
      parts.append(counted(count, "event") + (last.flatMap(Timestamp.day).map { ", last \($0)" } ?? ""))
    }
    // The version that most people used is the best evidence.
    let reason = rows.compactMap(\.reason).max { $0.people < $1.people }
    if let reason { parts.append(words(reason, of: event)) }
    switch summary.status {
    case .wrong: parts += faults(rows).map { fault($0, of: count) }
    case .defined: parts.append("emitted by \(NameList.text(event.rules.map(\.text))), no event yet")
    case .planned: parts.append(event.rules.isEmpty ? "no rule and no event yet" : "no event yet")
    case .deprecated where count > 0: parts.append("still sent")
    case .deprecated, .archived: parts.append(count > 0 ? "set in the plan" : "set in the plan, not sent")
    case .live, .missing, .unexpected, .stale: break
    }
    return parts.joined(separator: "; ")
  }

  private static func words(_ reason: PlanReport.Reason, of event: PlanReport.Event) -> String {
    switch reason {
    case .notInPlan:
      return event.rules.isEmpty
        ? "not in the plan" : "not in the plan, emitted by \(NameList.text(event.rules.map(\.text)))"
    case .otherPlatform: return "the plan does not have this platform"
    case .otherVersion: return "the plan does not have this version"
    case .archivedButSent: return "archived in the plan, and still sent"
    case .neverSeen(let people, let since):
      let day = Timestamp.day(since).map { " since \($0)" } ?? ""
      return "no event, though \(counted(people, "person", "people")) used the version\(day)"
    case .onlyCaptured(let capture): return "no event, though \(capture) shows its element"
    case .stopped(let people): return "stopped, though \(counted(people, "person", "people")) used the version recently"
    }
  }

  /// Returns the faults of several rows, combined by property and kind.
  package static func faults(_ rows: [PlanReport.Row]) -> [PlanReport.PropertyFault] {
    struct Key: Hashable {
      let property: UTF8String
      let violation: PlanReport.Violation
    }
    var faults: [PlanReport.PropertyFault] = []
    var places: [Key: Int] = [:]
    for fault in rows.flatMap(\.faults) {
      let key = Key(property: fault.property, violation: fault.violation)
      if let place = places[key] {
        faults[place].count += fault.count
      } else {
        places[key] = faults.count
        faults.append(fault)
      }
    }
    return faults
  }

  /// Returns the fault of a property, such as `price: no number in 3 of 12 (events.ndjson:4)`. Values are never shown.
  package static func fault(_ fault: PlanReport.PropertyFault, of events: Int) -> String {
    let what = fault.violation.text(fault.type, isList: fault.isList)
    return "\(fault.property): \(what) in \(fault.count) of \(events) (\(fault.sample.file):\(fault.sample.line))"
  }

  /// Returns the numbers of events by status, such as `31 live, 2 wrong`, the most important first.
  package static func counts(_ report: PlanReport) -> String {
    let counts = report.counts
    let statuses = PlanReport.Status.allCases.sorted { $0.rank < $1.rank }
    let words = statuses.compactMap { status in counts[status].map { "\($0) \(status.rawValue)" } }
    return words.isEmpty ? "none" : words.joined(separator: ", ")
  }

  /// Returns a summary in three lines: by status, by platform, and the faults of properties.
  package static func summary(_ report: PlanReport) -> [String] {
    let planned = report.events.count { $0.isPlanned }
    var platforms: [PlannedEvent.Platform: (live: Int, all: Int)] = [:]
    for event in report.events where event.isPlanned {
      for (platform, rows) in Dictionary(grouping: event.rows, by: \.platform) {
        guard let platform else { continue }
        platforms[platform, default: (0, 0)].all += 1
        if rows.contains(where: { row in
          // A fault counts however old it is.
          row.status == .live || row.status == .wrong && row.last.map { $0 >= report.staleBefore } ?? true
        }) {
          platforms[platform, default: (0, 0)].live += 1
        }
      }
    }
    let seen = platforms.sorted { $0.key < $1.key }.map { "\($0.key.rawValue) \($0.value.live) of \($0.value.all)" }
    let faults = report.events.flatMap { Self.faults($0.rows) }
    let wrong = faults.reduce(0) { $0 + $1.count }
    return [
      "\(counted(planned, "event")) planned, \(report.events.count - planned) not: \(counts(report))",
      "seen recently: " + (seen.isEmpty ? "nothing on a known platform" : seen.joined(separator: ", ")),
      "\(counted(report.read, "event")) read: "
        + (faults.isEmpty
          ? "all properties as planned"
          : "\(counted(faults.count, "fault")) of properties, \(counted(wrong, "time"))"),
    ]
  }
}

extension PlanReport.Reason {
  /// The people of the version; 0 if the reason does not depend on them.
  fileprivate var people: Int {
    switch self {
    case .neverSeen(let people, _), .stopped(let people): people
    case .notInPlan, .otherPlatform, .otherVersion, .archivedButSent, .onlyCaptured: 0
    }
  }
}

extension PlanReport.Violation {
  /// Returns the violation in words.
  ///
  /// - Parameters:
  ///   - type: The planned type.
  ///   - isList: True if a list is planned.
  ///   - value: The value that was sent, as text; nil if it is not shown.
  func text(_ type: PlannedProperty.ValueType?, isList: Bool, value: String? = nil) -> String {
    let instead = value.map { ", but \($0)" } ?? ""
    let found = value.map { ": \($0)" } ?? ""
    return switch self {
    case .missing: "missing"
    case .wrongType: "no \(type?.rawValue ?? "value")\(instead)"
    case .list: isList ? "no list\(instead)" : "a list\(found)"
    case .value: "not among the values\(found)"
    case .pattern: "does not match the pattern\(found)"
    }
  }
}
