import EncircleText

/// Splits grouped events, as GrowingIO's generations 2 and 3 send them: one message with a list `e` of taps.
///
/// A message is untrusted: members beside a long list would be copied for each of its items. So the total members and bytes of a
/// message's events are bounded, and items beyond the bounds are dropped.
public enum GroupedEvents {
  /// The maximum number of events that are made of one message.
  public static let maximumCount = 10_000
  /// The maximum number of members beside the list that are copied into all events of one message together.
  public static let maximumMembers = 1_000_000
  /// The maximum size of all events of one message, as JSON, in bytes.
  package static let maximumSize = 64 << 20

  /// An event that was an item of a list.
  package struct Item {
    /// Its number in the list, from 1.
    package let number: Int
    package let event: AnalyticsEvent
  }

  /// Returns the events of a message: one for each item of `e`, with the members beside the list. A message without such a list is
  /// returned unchanged.
  ///
  /// A member of an item takes precedence over a member of the message with the same name.
  ///
  /// - Complexity: O(items × members of the message), at most ``maximumMembers``, and O(bytes of the events), at most 64 MiB plus the
  ///   bytes of one event.
  public static func events(of message: AnalyticsEvent) -> [AnalyticsEvent] {
    events(of: message, sizeLimit: maximumSize)
  }

  /// Returns the events of a message with another limit for the bytes of all of them.
  static func events(of message: AnalyticsEvent, sizeLimit: Int) -> [AnalyticsEvent] {
    guard let items = items(of: message) else { return [message] }
    // No event is longer than its message. If as many messages as there are items would fit, the events need not be measured.
    if items.count * message.json.count <= sizeLimit { return items.map(\.event) }
    var size = 0
    var events: [AnalyticsEvent] = []
    for item in items {
      size += item.event.json.count
      guard size <= sizeLimit else { break }
      events.append(item.event)
    }
    return events
  }

  /// Returns the number of items in a message, with those that are left out; nil if the message does not group events.
  package static func itemCount(of message: AnalyticsEvent) -> Int? { list(of: message)?.count }

  /// Returns the list of a message; nil if the message does not group events.
  private static func list(of message: AnalyticsEvent) -> [EventValue]? {
    guard case .list(let items)? = message.members["e"],
      items.contains(where: { if case .object = $0 { true } else { false } })
    else { return nil }
    return items
  }

  /// Returns the items of a message; nil if the message does not group events.
  package static func items(of message: AnalyticsEvent) -> [Item]? {
    guard let items = list(of: message) else { return nil }
    let outer = message.members.members.filter { !$0.name.hasSameBytes(as: "e") }
    let most = min(maximumCount, max(1, maximumMembers / max(1, outer.count)))
    return items.prefix(most).enumerated().compactMap { index, item in
      guard case .object(let own) = item else { return nil }
      let names = Set(own.members.map { UTF8String($0.name) })
      let rest = outer.filter { !names.contains(UTF8String($0.name)) }
      return Item(number: index + 1, event: AnalyticsEvent(EventObject(rest + own.members)))
    }
  }
}
