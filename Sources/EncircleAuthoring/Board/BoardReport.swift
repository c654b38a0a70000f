import EncircleTree

/// The screens of an app, in the order of visits, with the events that each can cause.
public struct BoardReport: Sendable {
  /// One screen.
  public struct Sheet: Sendable {
    /// The number of the sheet, from 1.
    public internal(set) var number = 0
    /// The page, as events name it; nil if the capture does not have it.
    public let page: String?
    /// The page's title, where captures show one.
    public let title: String?
    /// The name of the capture; nil for a page that only events name.
    public internal(set) var capture: String?
    package internal(set) var picture: Picture?
    public internal(set) var rings: [Ring]
    public internal(set) var rows: [Row]
    /// The number of people who have come to the page according to the events; nil if unknown.
    public let people: Int?
  }

  /// A picture of a screen with rings.
  package struct Picture: Sendable {
    /// In the units of the capture's frames.
    package let width: Double
    package let height: Double
    /// A picture of the screen; if it is nil, ``drawing`` is shown instead.
    package let screenshot: Screenshot?
    /// Shapes of SVG.
    package let drawing: String
  }

  /// An element that a rule selects.
  public struct Ring: Sendable {
    /// The number of its row.
    public let number: Int
    /// In the units of the capture's frames.
    public let frame: Frame
  }

  /// An event that a screen can cause.
  public struct Row: Sendable {
    /// The number in the event's rings; nil if no visible element causes the event, as for a view of the page.
    public let number: Int?
    /// The name under which rules select it.
    public let event: String
    /// The rules, in their order.
    public let rules: [String]
    /// The display name from a rule or the plan.
    public let name: String?
    public let summary: String?
    /// The action that causes the event: the words of the plan, else the texts of its elements, else the clause of its rule. It has no text
    /// that people may have typed.
    public let trigger: String?
    public let owner: String?
    public let tags: [String]
    /// The properties that rules give it, then the others that are planned.
    public let properties: [String]
    /// The event's status in the plan; nil without a plan.
    public let status: PlanReport.Status?
    /// The number of times it happened on the page according to the events.
    public let count: Int
  }

  public internal(set) var sheets: [Sheet] = []
  /// This is true if the board was made with events; if not, all counts are 0.
  public internal(set) var hasEvents = false
  /// This is false if some events are not counted by page, so that counts are lower bounds.
  package internal(set) var countsAreComplete = true
  /// The number of captures that are not shown: captures of other apps, captures that the style of the rules cannot serve, and
  /// captures that add no event to the other captures of their page.
  public internal(set) var leftOut = 0
  /// The number of times that a page or a person was not recorded because a limit was reached.
  public internal(set) var beyondLimits = 0

  /// Renames the captures of the sheets, and sets their pictures.
  ///
  /// - Parameter found: Returns the display name of a capture and its picture; nil leaves the sheet unchanged.
  package mutating func show(_ found: (String) throws -> (name: String, picture: Picture?)?) rethrows {
    for i in sheets.indices {
      guard let known = try sheets[i].capture.flatMap(found) else { continue }
      (sheets[i].capture, sheets[i].picture) = (known.name, known.picture)
    }
  }
}
