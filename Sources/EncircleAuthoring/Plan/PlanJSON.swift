import EncircleText

/// Writes the status of a plan for programs: one object.
package enum PlanJSON {
  package static func text(_ report: PlanReport) -> String {
    var json = JSONBuilder()
    json.object { append(report, nil, to: &$0) }
    return json.line
  }

  /// - Parameter plan: Adds the planned facts of each event.
  package static func append(_ report: PlanReport, _ plan: TrackingPlan?, to json: inout JSONBuilder) {
    let counts = report.counts
    json.object("counts") {
      for status in PlanReport.Status.allCases { $0.member(status.rawValue, counts[status] ?? 0) }
    }
    json.array("events", report.events) { event, json in
      json.object {
        $0.member("event", event.event.text)
        $0.member("name", event.name)
        $0.member("owner", event.owner)
        $0.member("planned", event.isPlanned)
        $0.member("rules", event.rules.map(\.text))
        $0.member("file", event.origin?.file)
        $0.member("line", event.origin?.location.line)
        $0.member("status", event.status.rawValue)
        if let entry = plan?.entry(of: event.event) { append(entry, to: &$0) }
        $0.array("rows", event.rows) { append($0, of: event, to: &$1) }
      }
    }
    json.member("read_events", report.read)
    json.member("other_events", report.others)
    json.member("beyond_limits", report.beyondLimits)
    json.member("now", Int(report.now))
  }

  private static func append(_ entry: TrackingPlan.Entry, to json: inout JSONBuilder) {
    json.member("description", entry.summary)
    json.member("trigger", entry.planned?.trigger ?? PlanTrigger.text(entry, .en))
    json.member("category", entry.planned?.category)
    json.member("tracking", entry.planned?.tracking?.rawValue)
    json.member("platforms", entry.planned?.platforms.map(\.rawValue) ?? [])
    json.member("since", entry.planned?.since)
    json.member("until", entry.planned?.until)
    json.member("properties", entry.planned?.properties.map(\.property.text) ?? [])
  }

  private static func append(_ row: PlanReport.Row, of event: PlanReport.Event, to json: inout JSONBuilder) {
    json.object {
      $0.member("platform", row.platform?.rawValue)
      $0.member("version", row.version)
      $0.member("status", row.status.rawValue)
      $0.member("events", row.events)
      $0.member("first", row.first.map { Int($0) })
      $0.member("last", row.last.map { Int($0) })
      $0.array("faults", row.faults) { fault, json in
        json.object {
          $0.member("property", fault.property.text)
          $0.member("violation", fault.violation.rawValue)
          $0.member("count", fault.count)
          $0.member("file", fault.sample.file)
          $0.member("line", fault.sample.line)
        }
      }
      for summary in PlanEvidence.summaries(.init(of: event, row)) {
        $0.member("evidence", PlanEvidence.text(summary, of: event))
      }
    }
  }
}

extension PlanReport.Event {
  /// Creates the report of an event with only one of its rows.
  fileprivate init(of event: PlanReport.Event, _ row: PlanReport.Row) {
    self.init(
      event: event.event, name: event.name, owner: event.owner, isPlanned: event.isPlanned, rules: event.rules,
      origin: event.origin, rows: [row])
  }
}
