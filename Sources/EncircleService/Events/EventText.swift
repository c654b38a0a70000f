import EncircleText

extension JSONBuilder {
  /// Writes the members of a stored event.
  mutating func members(of event: StoredEvent) {
    let row = event.row
    member("id", event.id)
    member("received_at", EventText.time(row.received))
    member("time", EventText.time(row.time))
    member("event", orNull: row.event)
    member("page", orNull: row.page)
    member("distinct_id", orNull: row.distinctID)
    member("app_version", orNull: row.appVersion)
    member("project", row.project ?? EventFilter.defaultProject)
    member("event_id", orNull: row.element.map(Hexadecimal.text))
    members(of: row.decision)
    if let properties = row.properties { member("properties", json: Array(properties.utf8)) }
    member("event_json", json: row.json)
  }

  /// Writes the members of the rules' decision on an event.
  mutating func members(of decision: StoredDecision) {
    member("selected", decision.isSelected)
    member("rules", decision.rules)
    member("excluded_by", decision.excludedBy)
    member("emit", decision.emit)
  }
}

/// The times of events in answers.
enum EventText {
  /// The times that can be written: the years 1 to 9999.
  static let times: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  /// ISO 8601 with milliseconds, in UTC. A time before the year 1 or after 9999 becomes the nearest one in between.
  static func time(_ milliseconds: Int64) -> String {
    let clamped = min(max(milliseconds, times.lowerBound), times.upperBound)
    // Foundation has dates of the Julian calendar before 1582, but ISO 8601 and those who read the answers have not.
    return Timestamp.text(clamped) ?? ""
  }
}
