import EncircleText

/// A set of events that is counted over time: all events, or the events of a rule, a name or an element.
struct SeriesSubject: Hashable, Sendable {
  /// The kinds of subjects. The raw values of the first three are stored.
  enum Kind: Int64, Sendable {
    case all = 0
    /// The events that an include or exclude rule matches.
    case rule = 1
    /// The events with a name.
    case event = 2
    /// The events on the element with an event ID.
    case element = 3
  }

  var kind: Kind
  /// The id of the rule, the name of the event, or the event ID in lower-case hexadecimal; empty for all events.
  var name: UTF8String

  init(_ kind: Kind, _ name: String = "") {
    self.kind = kind
    self.name = UTF8String(name)
  }

  /// This is true if events of the subject are counted when they are stored. A name with a zero byte is not counted, because
  /// SQLite would cut it there.
  var hasCounters: Bool {
    kind != .element && name.text.utf8.count <= EventCounts.nameLimit && !name.text.utf8.contains(0)
  }
}
