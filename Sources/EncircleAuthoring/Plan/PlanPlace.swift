/// The place of an event's element in a capture.
public struct PlanPlace: Sendable {
  /// The title of its page, its kind, its text and its row.
  public let title: String?
  public let type: String?
  public let text: String?
  public let position: String?
}
