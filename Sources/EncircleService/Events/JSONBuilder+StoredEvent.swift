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
