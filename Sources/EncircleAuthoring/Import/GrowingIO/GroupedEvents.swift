import EncircleEvents
import EncircleText

/// Takes grouped events apart, as GrowingIO's generations 2 and 3 send them: one message with a list `e` of taps.
public enum GroupedEvents {
  /// The most events that are made of one message.
  public static let maximumCount = 10_000

  /// Returns the events of a message: one for each item of `e`, with what stands beside the list; the message itself if it has no such list.
  ///
  /// What an item says counts before what the message says.
  ///
  /// - Complexity: O(items × members of the message).
  public static func events(of message: AnalyticsEvent) -> [AnalyticsEvent] {
    guard case .list(let items)? = message.members["e"], !items.isEmpty else { return [message] }
    let outer = message.members.members.filter { !$0.name.hasSameBytes(as: "e") }
    return items.prefix(maximumCount).compactMap { item in
      guard case .object(let own) = item else { return nil }
      let rest = outer.filter { own[$0.name] == nil }
      return AnalyticsEvent(EventObject(rest + own.members))
    }
  }
}
