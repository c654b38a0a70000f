import EncircleText

/// A filter of events, all of whose conditions must be met.
struct EventFilter: Sendable {
  /// The id of a matching rule, either an include or an exclude rule.
  var rule: String?
  /// The page, as events are stored with it or as they were sent with it.
  var page: String?
  var distinctID: String?
  var event: String?
  /// The event ID of the element, 32 bytes.
  var element: [UInt8]?
  var isSelected: Bool?
  /// The project; events sent without a project belong to `default`.
  var project: String?

  /// The project of events sent without one.
  static let defaultProject = "default"
  /// The beginning of the range of times under which events are counted, in milliseconds since 1970, inclusive.
  var from: Int64?
  /// The end of the range, in milliseconds since 1970, exclusive.
  var to: Int64?

  /// Returns whether an event passes the filter.
  func matches(_ event: StoredEvent) -> Bool {
    let row = event.row
    if let isSelected, row.decision.isSelected != isSelected { return false }
    if let rule, !(row.decision.rules + row.decision.excludedBy).contains(where: { sameText($0, rule) }) {
      return false
    }
    if let page, !sameText(row.page, page), !sameText(row.page, EventRow.page(ofEvent: page)) { return false }
    if let distinctID, !sameText(row.distinctID, distinctID) { return false }
    if let name = self.event, !sameText(row.event, name) { return false }
    if let project, !sameText(row.project ?? Self.defaultProject, project) { return false }
    if let element, row.element != element { return false }
    if let from, event.at < from { return false }
    if let to, event.at >= to { return false }
    return true
  }
}
