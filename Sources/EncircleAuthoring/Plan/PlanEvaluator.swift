import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Derives the status of each event, platform and version from the counts.
struct PlanEvaluator {
  private let plan: TrackingPlan
  private let tally: PlanTally
  private let thresholds: PlanThresholds
  private let now: Int64
  // The numbers of the releases in which an event was seen, by the number of the event.
  private var seen: [Int: [Int]] = [:]
  // The releases in use, sorted by people, most first. An event may be missing only in these.
  private var used: [Int] = []
  private static let maximumUsed = 100

  /// Returns the time some days before another one, in milliseconds since 1970; `Int64.min` if it would be too early for that
  /// type.
  static func moment(_ days: Int, before now: Int64) -> Int64 {
    let (length, isTooLong) = Int64(days).multipliedReportingOverflow(by: 86_400_000)
    if isTooLong { return .min }
    let (moment, isTooEarly) = now.subtractingReportingOverflow(length)
    return isTooEarly ? .min : moment
  }

  init(_ plan: TrackingPlan, _ tally: PlanTally, _ thresholds: PlanThresholds, now: Int64) {
    (self.plan, self.tally, self.thresholds, self.now) = (plan, tally, thresholds, now)
    for key in tally.rows.keys { seen[key.event, default: []].append(key.release) }
    let stale = days(thresholds.staleDays)
    let candidates = tally.releases.indices.filter { i in
      let facts = tally.releases[i].facts
      return facts.peopleCount > 0 && facts.last.map { $0 >= stale } ?? false
    }
    let people = { (i: Int) in tally.releases[i].facts.peopleCount }
    used = Array(candidates.sorted { (people($1), $0) < (people($0), $1) }.prefix(Self.maximumUsed))
  }

  func report() -> PlanReport {
    var report = PlanReport()
    (report.read, report.others, report.beyondLimits) = (tally.read, tally.others, tally.beyondLimits)
    report.now = now
    report.staleBefore = days(thresholds.staleDays)
    for (number, entry) in plan.entries.enumerated() {
      // A rule that is not in force emits nothing.
      if !entry.isPlanned, !entry.isEmitted, seen[number] == nil { continue }
      report.events.append(event(number, entry.event, entry, rows(number, entry)))
    }
    // Without a plan, no event that code sends is unexpected.
    guard plan.hasPlan else { return report }
    let names = tally.names.enumerated().sorted { $0.element < $1.element }
    for (number, name) in names {
      let rows = rows(plan.entries.count + number, nil)
      if rows.isEmpty { continue }
      report.events.append(event(plan.entries.count + number, name, nil, rows))
    }
    return report
  }

  /// Returns the report of an event, whether or not the plan has it.
  private func event(_ number: Int, _ name: UTF8String, _ entry: TrackingPlan.Entry?, _ rows: [PlanReport.Row])
    -> PlanReport.Event
  {
    var event = PlanReport.Event(
      event: name, name: entry?.name, owner: entry?.owner, isPlanned: entry?.isPlanned ?? false,
      rules: entry?.rules.filter(\.isEnabled).map(\.id) ?? [],
      origin: entry?.planned.map { .init(file: $0.file, location: $0.location) }, rows: rows)
    if let recent = tally.recent[number] {
      (event.recentEvents, event.recentPeople) = (recent.events, recent.people.count)
    }
    return event
  }

  // MARK: - Rows

  private func rows(_ number: Int, _ entry: TrackingPlan.Entry?) -> [PlanReport.Row] {
    var rows = (seen[number] ?? []).map { row(number, entry, $0) }
    if let planned = entry?.planned, planned.status == nil { rows += missing(number, planned) }
    let covered = Set(rows.map(\.platform))
    let platforms = entry?.planned?.platforms ?? []
    for platform in platforms where !covered.contains(platform) { rows.append(unseen(entry, platform)) }
    if rows.isEmpty, entry != nil { rows.append(unseen(entry, nil)) }
    return rows.sorted(by: Self.isBefore)
  }

  /// Returns the row for a version in which an event was seen.
  private func row(_ number: Int, _ entry: TrackingPlan.Entry?, _ release: Int) -> PlanReport.Row {
    let counted = tally.rows[.init(event: number, release: release)] ?? .init()
    let (place, facts) = tally.releases[release]
    let (status, reason) = judge(entry, counted, place, facts)
    var row = PlanReport.Row(
      platform: place.platform, version: place.version?.text, status: status, reason: reason)
    (row.events, row.first, row.last) = (counted.events, counted.first, counted.last)
    let properties = entry?.planned?.properties ?? []
    row.faults = counted.faults.sorted {
      ($0.key.property, $0.key.violation.rawValue) < ($1.key.property, $1.key.violation.rawValue)
    }
    .map { fault, found in
      let property = properties[fault.property]
      return .init(
        property: property.property, violation: fault.violation, type: property.type, isList: property.isList,
        count: found.count, sample: found.sample)
    }
    return row
  }

  private func judge(
    _ entry: TrackingPlan.Entry?, _ counted: PlanTally.Row, _ place: PlanCounts.Release, _ facts: PlanTally.ReleaseFacts
  ) -> (PlanReport.Status, PlanReport.Reason?) {
    let isRecent = counted.last.map { $0 >= days(thresholds.liveDays) } ?? true
    guard let planned = entry?.planned else { return plan.hasPlan ? (.unexpected, .notInPlan) : (age(counted), nil) }
    switch planned.status {
    case .archived: return isRecent ? (.unexpected, .archivedButSent) : (.archived, nil)
    case .deprecated: return (.deprecated, nil)
    case .planned, nil: break
    }
    if let platform = place.platform, !planned.platforms.isEmpty, !planned.platforms.contains(platform) {
      return (.unexpected, .otherPlatform)
    }
    if !planned.isPlanned(in: place.version?.text) { return (.unexpected, .otherVersion) }
    if !counted.faults.isEmpty { return (.wrong, nil) }
    // Enough people have used the version recently, but the event has stopped.
    if !isRecent, facts.recentPeopleCount >= max(1, thresholds.missingPeople) {
      return (.missing, .stopped(people: facts.recentPeopleCount))
    }
    return (age(counted), nil)
  }

  /// Returns `stale` if the event was not seen for a long time, else `live`.
  private func age(_ counted: PlanTally.Row) -> PlanReport.Status {
    counted.last.map { $0 < days(thresholds.staleDays) } ?? false ? .stale : .live
  }

  /// Returns rows for the versions that are in use and should have sent the event, but did not.
  private func missing(_ number: Int, _ planned: PlannedEvent) -> [PlanReport.Row] {
    let seen = Set(seen[number] ?? [])
    var platforms = Set(planned.platforms.map { Optional($0) })
    // If the plan names no platforms, the platforms on which the event was seen count; if there are none, all platforms.
    if platforms.isEmpty { platforms = Set(seen.map { tally.releases[$0].release.platform }) }
    // An event without a platform may be from any.
    let unplaced = Set(seen.map { tally.releases[$0].release }.filter { $0.platform == nil }.map(\.version))
    var rows: [PlanReport.Row] = []
    for release in used where !seen.contains(release) {
      let (place, facts) = tally.releases[release]
      if unplaced.contains(place.version) { continue }
      guard platforms.isEmpty || platforms.contains(place.platform), planned.isPlanned(in: place.version?.text),
        let reason = outAndSilent(facts, number)
      else { continue }
      rows.append(.init(platform: place.platform, version: place.version?.text, status: .missing, reason: reason))
    }
    return rows
  }

  /// Returns the reason to expect the event in a version that lacks it; nil if too few people have used the version, or not for
  /// long enough.
  private func outAndSilent(_ facts: PlanTally.ReleaseFacts, _ number: Int) -> PlanReport.Reason? {
    if let capture = facts.captures[number] { return .onlyCaptured(capture: capture) }
    guard let first = facts.first, first <= days(thresholds.missingAfterDays),
      facts.peopleCount >= thresholds.missingPeople
    else { return nil }
    return .neverSeen(people: facts.peopleCount, since: first)
  }

  /// Returns the row for a platform on which an event was not seen.
  private func unseen(_ entry: TrackingPlan.Entry?, _ platform: PlannedEvent.Platform?) -> PlanReport.Row {
    let status: PlanReport.Status
    var reason: PlanReport.Reason?
    switch entry?.planned?.status {
    case .archived: status = .archived
    case .deprecated: status = .deprecated
    case .planned: status = .planned
    case nil:
      let isEmitted = entry?.isEmitted ?? false
      if isEmitted, plan.hasPlan, entry?.planned == nil {
        (status, reason) = (.unexpected, .notInPlan)
      } else {
        status = isEmitted ? .defined : .planned
      }
    }
    return .init(platform: platform, version: nil, status: status, reason: reason)
  }

  private func days(_ count: Int) -> Int64 { Self.moment(count, before: now) }

  private static func isBefore(_ a: PlanReport.Row, _ b: PlanReport.Row) -> Bool {
    if a.platform != b.platform {
      guard let x = a.platform else { return false }
      return b.platform.map { x < $0 } ?? true
    }
    guard let x = a.version else { return b.version != nil }
    guard let y = b.version else { return false }
    return VersionNumber.areInOrder(x, y)
  }
}
