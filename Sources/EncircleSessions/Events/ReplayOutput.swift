/// What a model gives for one signal.
public struct ReplayOutput: Sendable {
  /// The records, in their order.
  public private(set) var records: [ReplayRecord] = []
  /// Why there are events, and why there are none; empty unless reasons are asked for.
  public private(set) var reasons: [ReplayReason] = []
  /// Whether reasons are asked for.
  public let explains: Bool

  /// Creates an output without any records.
  public init(explains: Bool = false) { self.explains = explains }

  /// Removes all records and reasons.
  public mutating func removeAll() {
    records.removeAll(keepingCapacity: true)
    reasons.removeAll(keepingCapacity: true)
  }

  /// Adds a record.
  public mutating func append(_ record: ReplayRecord) { records.append(record) }

  /// Says why there is an event, or none.
  public mutating func explain(
    _ rule: String, _ text: @autoclosure () -> String, event: String? = nil, isSent: Bool = false
  ) {
    guard explains else { return }
    reasons.append(ReplayReason(rule: rule, text: text(), event: event, isSent: isSent))
  }

  /// Says that there is no event, because docs/articles.md describes none for the model.
  mutating func explainUndescribed(_ rule: String, _ what: @autoclosure () -> String) {
    explain("\(rule).undescribed", "The article behind this model describes no \(what()); see docs/articles.md.")
  }
}
