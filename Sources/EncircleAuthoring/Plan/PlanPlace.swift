/// Where a capture shows the element of an event.
public struct PlanPlace: Sendable {
  /// The title of its page, what it is, what it says, and its row.
  public let title: String?
  public let type: String?
  public let text: String?
  public let position: String?
}
