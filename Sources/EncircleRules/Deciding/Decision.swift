import EncircleIdentity
import EncircleText

/// What the rules say about one event.
public struct Decision: Hashable, Sendable {
  /// How the event's element was found.
  public enum Resolution: String, Hashable, Sendable, BitwiseCopyable {
    /// The event names no element.
    case none
    /// By the event's path.
    case path
    /// By the event ID, through the dictionary.
    case dictionary
    /// By the event's path, which has several readings.
    case ambiguous
    /// Not at all: an event ID that the dictionary does not know, or a path that cannot be read.
    case unresolved
  }

  /// The event ID that the event carries or that its path gives.
  public var eventID: EventID?
  /// Whether the event is selected.
  public var isSelected = false
  /// Ids of the include rules that match, also when the event is excluded; in byte order, unique.
  public var rules: [UTF8String] = []
  /// Ids of the exclude rules that match; in byte order, unique.
  public var excludedBy: [UTF8String] = []
  /// The excluded pages that the event is on; in byte order, unique.
  public var pages: [UTF8String] = []
  /// The names under which the event is selected; empty unless it is; in byte order, unique.
  public var emit: [UTF8String] = []
  /// How the element was found.
  public var resolution = Resolution.none

  /// A decision that selects nothing.
  public init() {}
}
