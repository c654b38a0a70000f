import EncircleCollect
import EncircleEvents

private let limit = 1 << 20
private let now: Int64 = 1_800_000_000_000

private func plan(_ redacted: [String]) -> CollectPlan {
  func places(_ texts: String...) -> [PropertyReference] { texts.compactMap { PropertyReference(parsing: $0) } }
  return CollectPlan(
    places: [
      .event: places("/event"), .distinctID: places("/distinct_id"), .page: places("$screen_name"),
      .appVersion: places("$app_version"),
    ], redacted: redacted.compactMap { PropertyReference(parsing: $0) })
}

private let plain = CollectReader(plan([]))
private let redacting = CollectReader(plan(["a", "/b/0", "/distinct_id"]))

/// Reads a body, also as a query, and checks that what is kept of it is JSON without what is redacted.
public func collect(_ input: [UInt8]) -> CInt {
  for query in [nil, String(decoding: input, as: UTF8.self)] {
    guard let json = try? CollectBody.json(of: query == nil ? input : [], query: query, limit: limit) else { continue }
    precondition(json.count <= limit)
    let batch = plain.read(json, receivedAt: now)
    let redacted = redacting.read(json, receivedAt: now)
    precondition(batch.events.count == redacted.events.count && batch.rejected == redacted.rejected)
    for (event, other) in zip(batch.events, redacted.events) {
      precondition((try? AnalyticsEvent(json: event.kept)) != nil, "what is kept is no event")
      precondition(!event.kept.contains(0x0A), "what is kept is not one line")
      precondition(event.key == other.key && event.time == other.time)
      guard let kept = try? AnalyticsEvent(json: other.kept) else {
        preconditionFailure("what is redacted is no event")
      }
      precondition(kept.members["distinct_id"] == nil)
    }
  }
  return 0
}
