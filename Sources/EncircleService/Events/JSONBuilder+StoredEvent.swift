import EncircleText

extension JSONBuilder {
  /// Writes the members of a stored event.
  mutating func members(of event: StoredEvent) {
    let row = event.row
    member("id", event.id)
    member("received_at", EventText.time(row.received))
    member("time", EventText.time(row.time))
    nullable("event", row.event)
    nullable("page", row.page)
    nullable("distinct_id", row.distinctID)
    nullable("app_version", row.appVersion)
    member("project", row.project ?? EventFilter.defaultProject)
    nullable("event_id", row.element.map(Hexadecimal.text))
    members(of: row.decision)
    if let properties = row.properties { member("properties", json: properties.utf8) }
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
