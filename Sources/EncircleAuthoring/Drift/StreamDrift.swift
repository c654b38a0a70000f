import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Finds the rules that a release has broken from events alone: how many users each rule selects in each version of the app on each
/// platform, and which new elements look like the elements of a rule that fell to zero.
///
/// ```swift
/// var drift = StreamDrift(matcher)
/// while let record = try reader.next() { if case .event = record { drift.add(eventOf: reader) } }
/// for change in drift.finish().changes where change.isZero { print(change.rule, change.successors) }
/// ```
public struct StreamDrift: ~Copyable {
  /// Bounds the memory that a stream takes. Versions, users and elements beyond them count in ``Report/beyondLimits``.
  public struct Limits: Sendable {
    /// The versions of the app, of all platforms together.
    public var versions = 200
    /// The pairs of a rule and one of its users, in all versions.
    public var users = 4_000_000
    /// The distinct elements in events.
    public var elements = 200_000
    /// The successors that are reported of a rule, the most likely ones.
    public var successors = 3

    public init() {}
  }

  /// The number of users in question, of all users of a version.
  public struct Share: Hashable, Sendable {
    public let users: Int
    public let of: Int

    public var value: Double { of == 0 ? 0 : Double(users) / Double(of) }
  }

  /// The events and the share of users that a rule selects in a version.
  public struct Rate: Hashable, Sendable {
    public let version: String
    public let events: Int
    public let share: Share
    /// Nil if the events do not state a platform.
    public var platform: PlannedEvent.Platform?
  }

  /// An element that occurs in the events of a version, but not in the events of the version before.
  public struct Successor: Hashable, Sendable {
    public let path: String?
    /// GrowingIO's list of indexes, or the selector of a web page in Sensors' events; they distinguish elements with the same path.
    public let pathIndexes: String?
    public let eventID: EventID?
    public let page: String?
    public let content: String?
    public let share: Share
    /// The features that it shares with the elements that the rule selected: `page`, `text`, `type`, `position`, `share of users`.
    public let evidence: [String]
    /// The estimated probability, from 0 to 1, that it is the successor rather than another candidate or none.
    public let confidence: Double
    /// The element as events describe it, and the most similar element that the rule selected before.
    let element: Element
    let of: Element
  }

  /// A rule whose share of users differs between a version and the one before of the same platform by more than chance explains.
  public struct Change: Sendable {
    public let rule: UTF8String
    public let before: Rate
    public let now: Rate
    /// The probability of such a difference by chance, by Fisher's exact test, times the number of tests (Bonferroni), at most 1.
    public let probability: Double
    /// The likeliest first; only for a rule that fell to zero.
    public let successors: [Successor]

    /// This is true if the rule selects nothing in the version.
    public var isZero: Bool { now.events == 0 }
  }

  /// The result.
  public struct Report: Sendable {
    /// For each rule with events, in the order of their ids, its rates by platform and version, the oldest version first.
    public internal(set) var rates: [(rule: UTF8String, rates: [Rate])] = []
    /// The rules that fell to zero first, then by probability.
    public internal(set) var changes: [Change] = []
    /// The number of events without a valid version.
    public internal(set) var unknown = 0
    /// The number of times that a version, a user or an element of an event was beyond the limits.
    public internal(set) var beyondLimits = 0
  }

  /// A difference is reported if its probability by chance is lower than this.
  public static let significance = 0.01

  /// An element as events describe it.
  struct Element: Hashable, Sendable {
    let path: UTF8String?
    let eventID: EventID?
    let page: UTF8String?
    let content: UTF8String?
    let type: UTF8String?
    let position: UTF8String?
    var pathIndexes: UTF8String?
    /// The ``Decider/styleNumber`` of the events.
    var style: Int?
  }

  private var decider: Decider
  private var tally: StreamTally

  /// Creates a comparison of the versions of an app.
  ///
  /// - Complexity: O(rules).
  public init(_ matcher: Matcher, limits: Limits = Limits()) {
    decider = Decider(matcher)
    tally = StreamTally(limits)
  }

  /// The projection of the matcher, which makes a reader fastest.
  public var projection: EventProjection { decider.matcher.projection }

  /// Adds the event that a reader has returned last.
  ///
  /// - Precondition: The reader has returned an event last, not a rejection or nil.
  public mutating func add(eventOf reader: borrowing EventReader) {
    if let decided = decider.decided(eventOf: reader) { add(decided) }
  }

  mutating func add(_ event: AnalyticsEvent) { add(decider.decided(event)) }

  private mutating func add(_ decided: DecidedEvent) {
    tally.add(decided, decider.fieldPlaces, style: decider.styleNumber)
  }

  /// Returns the result.
  ///
  /// - Complexity: O(rules × versions × √users + versions × elements), and for each rule that fell to zero O(elements of its pages).
  public func finish() -> Report { tally.report() }

  /// The features that an element of a new version may share with a lost element of a rule.
  enum Evidence: String {
    case text, type, position
    case share = "share of users"

    /// The weight by which successors are ordered.
    var weight: Int {
      switch self {
      case .text: 4
      case .type, .position: 1
      case .share: 2
      }
    }

    /// The factor for the odds that the element is the successor.
    var odds: Double {
      switch self {
      case .text: 8
      case .type, .position: 1.5
      case .share: 3
      }
    }

    /// The odds that an element that has appeared on the page is the successor, before anything else is known of it.
    static let priorOdds = 0.25
  }
}
