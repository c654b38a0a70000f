import EncircleText

/// The coverage of an app by rules: for each screen and in total, the share of taps and of tracked elements that some
/// include rule takes, and the elements without a rule.
public struct CoverageReport: Sendable {
  /// The decisions of rules about taps or elements.
  public struct Counts: Hashable, Sendable {
    /// The number that some include rule takes.
    public var taken = 0
    /// The number that no rule is about.
    public var open = 0
    /// The number that people have set aside with a reason.
    public var setAside = 0
    /// The number that an exclude rule is about.
    public var excluded = 0
    /// The number on excluded pages.
    public var excludedPage = 0

    public init() {}

    /// All of them.
    public var total: Int { taken + open + setAside + excluded + excludedPage }

    /// The share, from 0 to 1, that rules take, leaving out excluded taps or elements and those set aside; nil if nothing remains.
    public var share: Double? { taken + open == 0 ? nil : Double(taken) / Double(taken + open) }

    static func += (a: inout Counts, b: Counts) {
      a.taken += b.taken
      a.open += b.open
      a.setAside += b.setAside
      a.excluded += b.excluded
      a.excludedPage += b.excludedPage
    }
  }

  /// The taps and the elements of a screen.
  public struct Totals: Hashable, Sendable {
    public var taps = Counts()
    /// Each kind of element counts once.
    public var elements = Counts()
  }

  /// A screen.
  public struct Screen: Sendable {
    /// The page; nil for elements without one.
    public let page: String?
    /// The title of the page in the captures.
    public internal(set) var title: String?
    public internal(set) var totals = Totals()
    /// This is true if some capture shows the page.
    public internal(set) var isCaptured = false
  }

  /// A place where an element is seen.
  public struct Place: Hashable, Sendable {
    /// The name of the capture.
    public let capture: String
    /// The number of the element in pre-order.
    public let element: Int
  }

  /// The state of an element.
  public enum State: String, Sendable, CaseIterable {
    /// An include rule takes it.
    case taken
    /// An include rule takes some of its taps, such as taps in the first row.
    case partly
    /// No rule is about it.
    case open
    case setAside = "set_aside"
    case excluded
    case excludedPage = "excluded_page"
  }

  /// An element; the elements at its place in other rows of a list count as the same.
  public struct Element: Sendable {
    public let page: String?
    /// A selector that matches it in any row, in the notation of paths or, on a web page, of CSS; the event ID for an element known
    /// by nothing else.
    public let selector: String
    public let state: State
    /// Its type, such as `buttonEvent`; from events if no capture shows the element.
    public let type: String?
    /// Its text in the first row; nil if people may have typed it.
    public let text: String?
    public let taps: Counts
    /// The people who tapped it without a rule; nil if they are not known.
    public let people: Int?
    /// The versions of the app in which they did, oldest first.
    public let versions: [String]
    /// The first place where a capture shows it.
    public let place: Place?
    /// The reason why it is set aside.
    public let reason: String?
  }

  public internal(set) var totals = Totals()
  /// The screens with the most taps first; equal ones by page.
  public internal(set) var screens: [Screen] = []
  /// The elements without a rule, and elements whose taps rules take only in part, sorted by taps without a rule, most first.
  public internal(set) var open: [Element] = []
  /// The elements that are set aside.
  public internal(set) var setAside: [Element] = []
  /// The number of events that name no element or belong to an app without rules.
  public internal(set) var others = 0
  /// The number of times that an element or a person was not recorded because a limit was reached.
  public internal(set) var beyondLimits = 0
  /// The number of captures that count, and of captures that do not, because the style of the rules cannot serve them or they
  /// show an app without rules.
  public internal(set) var captures = 0
  public internal(set) var skippedCaptures = 0

  /// This is true if events were counted, so that the share of taps is meaningful.
  public var hasTaps: Bool { totals.taps.total > 0 }
}
