/// The records and reasons that a model produces for one signal.
public struct ReplayOutput: Sendable {
  /// The records, in chronological order.
  public private(set) var records: [ReplayRecord] = []
  /// The reasons why events were or were not sent; empty unless reasons are requested.
  public private(set) var reasons: [ReplayReason] = []
  /// This is true if reasons are requested.
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

  /// Adds the reason why an event was or was not sent.
  public mutating func explain(
    _ rule: String, _ text: @autoclosure () -> String, event: String? = nil, isSent: Bool = false
  ) {
    guard explains else { return }
    reasons.append(ReplayReason(rule: rule, text: text(), event: event, isSent: isSent))
  }

  /// Adds the reason that docs/articles.md mentions no event or call of this kind for the SDK of the model.
  mutating func explainUndescribed(_ rule: String, _ what: @autoclosure () -> String) {
    explain("\(rule).undescribed", "The statements on this SDK in docs/articles.md mention no \(what()).")
  }
}
