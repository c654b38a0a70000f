import EncircleText

/// Events that are counted over time: all of them, or those of a rule, a name or an element.
struct SeriesSubject: Hashable, Sendable {
  /// The kinds of subjects. The raw values of the first three are stored.
  enum Kind: Int64, Sendable {
    case all = 0
    /// Those that a rule matches, an include or an exclude rule.
    case rule = 1
    /// Those of a name.
    case event = 2
    /// Those on the element with an event ID.
    case element = 3
  }

  var kind: Kind
  /// The id of the rule, the name of the event, or the event ID in lower-case hexadecimal; empty for all.
  var name: UTF8String

  init(_ kind: Kind, _ name: String = "") {
    self.kind = kind
    self.name = UTF8String(name)
  }

  /// A longer name has no counters, so that what apps send cannot make them large.
  private static let longestName = 200

  /// Whether events of it are counted when they are stored. A name with a zero byte is not: SQLite would cut it there.
  var hasCounters: Bool {
    kind != .element && name.text.utf8.count <= Self.longestName && !name.text.utf8.contains(0)
  }
}
