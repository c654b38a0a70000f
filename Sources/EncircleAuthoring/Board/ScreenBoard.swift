import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree

/// Makes the board of an app's screens: each with numbered rings around the elements that rules select, and the events that it can cause.
///
/// ```swift
/// var board = ScreenBoard(ruleSet)
/// board.add(screen, name: "home.xml", screenshot: nil)
/// while let record = try reader.next() { if case .event = record { board.add(eventOf: reader) } }
/// print(BoardHTML.text(board.finish(), title: "Shop"))
/// ```
public struct ScreenBoard: ~Copyable {
  private let ruleSet: RuleSet
  private var decider: Decider
  private var elementDecider: Decider
  private let fieldPlaces: FieldPlaces
  private let apps: RuleApps
  private let plan: TrackingPlan
  private var people = PersonHashes()
  private var readers: [PathStyleName: ElementKindReader] = [:]
  // Maps elements of captures to the pages of their screens, for styles whose events replace the page's class by an alias.
  private var capturedPages: [ElementKind: UTF8String] = [:]
  private var tally: BoardTally

  /// The maximum number of rings of one event on one screen: further ones in a long list would add no information.
  private static let maximumRings = 40
  private static let maximumTexts = 3

  /// Compiles the rules.
  ///
  /// - Parameters:
  ///   - plan: The plan beside the rules.
  ///   - dictionary: The elements that events name by event ID alone.
  /// - Complexity: O(size of the rules).
  public init(_ ruleSet: RuleSet, plan: TrackingPlan? = nil, dictionary: ElementDictionary = ElementDictionary()) {
    self.ruleSet = ruleSet
    decider = Decider(Matcher(ruleSet, dictionary: dictionary))
    elementDecider = Decider(Matcher(ruleSet.atAnyTime, dictionary: dictionary))
    fieldPlaces = FieldPlaces(ruleSet)
    apps = ruleSet.apps
    self.plan = plan ?? TrackingPlan(ruleSet, PlanFiles())
    tally = BoardTally(self.plan)
  }

  /// The projection of the matcher, which makes a reader fastest.
  public var projection: EventProjection { decider.matcher.projection }

  /// Adds a capture. If the capture lacks something that the style of its rules needs, it is not shown, and the missing
  /// requirement is returned. Otherwise the result is nil, even for a capture of another app, which is not shown either.
  ///
  /// - Parameters:
  ///   - name: The name of the capture.
  ///   - screenshot: A picture of the screen.
  ///   - isDrawn: True if a drawing of the frames takes the place of a missing picture.
  /// - Complexity: O(elements × depth), plus the decision of one event for each tracked element.
  @discardableResult
  package mutating func add(
    _ screen: IdentifiedTree, name: String, screenshot: Screenshot?, isDrawn: Bool = true
  ) -> PathStyleRequirement? {
    guard apps.mayInclude(screen.tree.header.app) else {
      tally.noteLeftOut()
      return nil
    }
    let settings = SelectionSettings(ruleSet.part(for: screen))
    let style = settings.style(for: screen)
    if let unmet = style.style.unmetRequirement(for: screen) {
      tally.noteLeftOut()
      return unmet
    }
    let screen = settings.identified(screen)
    let events = ElementEvents(of: screen, style: style, fields: settings.fields)
    let elements = ScreenElements(of: screen)
    let size = ScreenSize(of: screen.tree)
    let visible = size.map { VisibleFrames(of: elements, width: $0.width, height: $0.height) }
    var pages: [UTF8String: (count: Int, title: String?)] = [:]
    var found: [UTF8String: (frames: [Frame], texts: [UTF8String], pages: Set<UTF8String>)] = [:]
    var order: [UTF8String] = []
    var kinds: [ElementKind] = []
    for element in screen.tree.elements where events.trackingType(of: element) != nil {
      if let page = screen.page(of: element, in: style) {
        let title = pages[UTF8String(page)]?.title ?? screen.pageTitle(of: element, in: style)
        pages[UTF8String(page), default: (0, nil)].count += 1
        pages[UTF8String(page)]?.title = title
      }
      guard !elements.hidden[element.index] else { continue }
      let tap = events.event(of: element)
      let decision = elementDecider.decide(tap)
      if !style.eventShape.namesPages, let kind = kind(of: tap, style, settings.fields) { kinds.append(kind.onAnyPage) }
      for event in decision.emit where plan.entry(of: event) != nil {
        if found[event] == nil { order.append(event) }
        var own = found[event] ?? ([], [], [])
        if style.eventShape.namesPages, let page = tap.text(.page, settings.fields), !page.isEmpty {
          own.pages.insert(UTF8String(page))
        }
        if let frame = visible?[element], own.frames.count < Self.maximumRings { own.frames.append(frame) }
        if own.texts.count < Self.maximumTexts, !screen.holdsTypedText(element), let text = events.content(of: element),
          !text.isEmpty, !own.texts.contains(UTF8String(text))
        {
          own.texts.append(UTF8String(text))
        }
        found[event] = own
      }
    }
    // The page of a screen with child pages is the page of most of its elements.
    let page = pages.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
    if let page { for kind in kinds where capturedPages[kind] == nil { capturedPages[kind] = page.key } }
    // The elements are sorted from top to bottom, as people read.
    let places = found.mapValues { $0.frames.map { ($0.y, $0.x) }.min { $0 < $1 } ?? (.infinity, 0) }
    let sorted = order.enumerated().sorted { a, b in
      let (x, y) = (places[a.element] ?? (.infinity, 0), places[b.element] ?? (.infinity, 0))
      return x == y ? a.offset < b.offset : x < y
    }.map(\.element)
    tally.add(
      BoardTally.Screen(
        name: name, version: screen.tree.header.appVersion ?? "", page: page?.key, title: page?.value.title,
        picture: isDrawn || screenshot != nil ? Self.picture(of: elements, size, screenshot) : nil,
        events: sorted.map { event in
          let own = found[event] ?? ([], [], [])
          return (event, own.frames, own.texts, own.pages)
        }))
    return nil
  }

  /// Returns the picture of a capture: its screenshot, or else a drawing of its frames and texts.
  ///
  /// - Complexity: O(elements).
  package static func picture(of screen: IdentifiedTree, _ screenshot: Screenshot?) -> BoardReport.Picture {
    picture(of: ScreenElements(of: screen), ScreenSize(of: screen.tree), screenshot)
  }

  private static func picture(
    of elements: ScreenElements, _ size: ScreenSize?, _ screenshot: Screenshot?
  ) -> BoardReport.Picture {
    if let size, let screenshot {
      return .init(width: size.width, height: size.height, screenshot: screenshot, drawing: "")
    }
    let wireframe = Wireframe(of: elements, withTexts: true)
    return .init(width: wireframe.width, height: wireframe.height, screenshot: nil, drawing: wireframe.shapes)
  }

  /// Adds the event that a reader has returned last; events come in the order of time.
  ///
  /// - Precondition: The reader has returned an event last, not a rejection or nil.
  public mutating func add(eventOf reader: borrowing EventReader) {
    if let decided = decider.decided(eventOf: reader) { add(decided) }
  }

  mutating func add(_ event: AnalyticsEvent) { add(decider.decided(event)) }

  /// Adds an event that was decided by the same rules.
  package mutating func add(_ decided: DecidedEvent) {
    let (event, decision) = (decided.event, decided.decision)
    tally.noteEvent()
    let style = fieldPlaces.style(of: event)
    let fields = fieldPlaces.fields(of: style)
    guard apps.mayInclude(event.text(.app, fields)) else { return }
    guard let page = page(of: event, style, fields) else { return }
    tally.addVisit(page, by: people.number(of: event.value(of: .distinctID, fields)))
    for event in decision.emit where plan.entry(of: event) != nil { tally.add(event, on: page, 1) }
  }

  /// Returns the page that an event names or, where that is an alias, the page of the screen that shows its element in a capture.
  private mutating func page(of event: AnalyticsEvent, _ style: PathStyleName, _ fields: EventFields) -> UTF8String? {
    let own = event.text(.page, fields).flatMap { $0.isEmpty ? nil : UTF8String($0) }
    if style.eventShape.namesPages { return own }
    return kind(of: event, style, fields).flatMap { capturedPages[$0.onAnyPage] } ?? own
  }

  private mutating func kind(of event: AnalyticsEvent, _ style: PathStyleName, _ fields: EventFields) -> ElementKind? {
    let hierarchy = decider.matcher.hierarchy(of: style)
    return readers[style, default: ElementKindReader(style, fields, hierarchy)].kind(of: event)?.kind
  }

  // MARK: - Result

  /// Returns the results of captures, to which counters can be added.
  package consuming func screens() -> BoardTally { tally }

  /// Returns the board.
  ///
  /// - Parameter status: The status of the plan.
  /// - Complexity: O(*n* log *n*), *n* pages and events.
  public consuming func finish(_ status: PlanReport? = nil) -> BoardReport { tally.finish(status) }
}
