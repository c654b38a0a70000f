import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree

/// Finds which of the elements that people use have rules, from captures and events.
///
/// ```swift
/// var coverage = ScreenCoverage(ruleSet)
/// coverage.add(screen, name: "home.xml")
/// while let record = try reader.next() { if case .event = record { coverage.add(eventOf: reader) } }
/// for element in coverage.finish().open { print(element.taps.open, element.selector) }
/// ```
///
/// A tap counts as the rules decide its event: excluded if an exclude rule or an excluded page is about it, else taken if an
/// include rule matches. An element of a capture counts as the rules decide the event of a tap on it, ignoring the dates to which
/// rules are limited. If each rule is for some apps, events and captures of other apps do not count.
public struct ScreenCoverage: ~Copyable {
  private var decider: Decider
  private var elementDecider: Decider
  private var setAside: Decider
  private let hasSetAside: Bool
  private let ruleSet: RuleSet
  private let files: CoverageFiles
  private let fieldPlaces: FieldPlaces
  private let apps: RuleApps
  private var readers: [PathStyleName: ElementKindReader] = [:]
  // Finds elements of captures without their pages, for styles whose events replace the page's class by an alias.
  private var capturedKinds: [ElementKind: ElementKind] = [:]
  // Finds elements of captures whose events have no path.
  private var pathlessKinds: [PathlessTap: ElementKind] = [:]
  private var people = PersonHashes()
  private var tally: CoverageTally

  /// Compiles the rules.
  ///
  /// - Parameters:
  ///   - dictionary: The elements that events name by event ID alone.
  ///   - files: The elements that are set aside and so need no rule.
  /// - Complexity: O(size of the rules).
  public init(
    _ ruleSet: RuleSet, dictionary: ElementDictionary = ElementDictionary(), setAside files: CoverageFiles = .init()
  ) {
    self.ruleSet = ruleSet
    self.files = files
    decider = Decider(Matcher(ruleSet, dictionary: dictionary))
    elementDecider = Decider(Matcher(ruleSet.atAnyTime, dictionary: dictionary))
    setAside = Decider(Matcher(files.ruleSet, dictionary: dictionary))
    hasSetAside = !files.reasons.isEmpty
    fieldPlaces = FieldPlaces(ruleSet)
    apps = ruleSet.apps
    tally = CoverageTally()
  }

  /// The projection of the matcher, which makes a reader fastest.
  public var projection: EventProjection { decider.matcher.projection }

  /// Adds the tracked elements of a capture. If the capture lacks something that the style of its rules needs, it does not count,
  /// and the missing requirement is returned. Otherwise the result is nil, even for a capture of another app, which does not
  /// count either.
  ///
  /// - Complexity: O(elements × depth), plus the decision of one event for each tracked element.
  @discardableResult
  public mutating func add(_ screen: IdentifiedTree, name: String) -> PathStyleRequirement? {
    guard apps.mayInclude(screen.tree.header.app) else {
      tally.noteCapture(isSkipped: true)
      return nil
    }
    let settings = SelectionSettings(ruleSet.part(for: screen))
    let style = settings.style(for: screen)
    if let unmet = style.style.unmetRequirement(for: screen) {
      tally.noteCapture(isSkipped: true)
      return unmet
    }
    tally.noteCapture(isSkipped: false)
    let identified = settings.identified(screen)
    let androidIDs = style == .hubbleDataAndroid ? identified.androidIDs() : [:]
    for found in decided(identified, settings) {
      if !style.eventShape.namesPages, capturedKinds[found.kind.onAnyPage] == nil {
        capturedKinds[found.kind.onAnyPage] = found.kind
      }
      tally.add(
        found.kind, found.outcome,
        ids: [identified.eventID(of: found.element)] + (androidIDs[found.element].map { [$0] } ?? []),
        type: found.type.rawValue, text: found.text,
        title: identified.pageTitle(of: found.element, in: style),
        at: .init(capture: name, element: found.element.index))
    }
    return nil
  }

  /// A tracked element of a capture, and the decision about a tap on it.
  struct DecidedElement {
    let element: ElementID
    let type: TrackingType
    let kind: ElementKind
    let outcome: CoverageTally.Outcome
    /// Its text; nil if people may have typed it.
    let text: String?
  }

  /// Returns the tracked elements of a capture in pre-order.
  ///
  /// - Parameters:
  ///   - screen: A capture that the style of the settings can serve, identified with these settings.
  ///   - settings: The settings of the rules.
  /// - Complexity: O(elements × depth), plus the decision of one event for each tracked element.
  mutating func decided(_ screen: IdentifiedTree, _ settings: SelectionSettings) -> [DecidedElement] {
    let style = settings.style(for: screen)
    let events = ElementEvents(of: screen, style: style, fields: settings.fields)
    var found: [DecidedElement] = []
    for element in screen.tree.elements {
      guard let type = events.trackingType(of: element) else { continue }
      let event = events.event(of: element)
      let decision = elementDecider.decide(event)
      let read = withReader(style, settings.fields) { $0.kind(of: event) }?.kind
      var kind =
        read
        ?? ElementKind(
          page: screen.page(of: element, in: style).map { UTF8String($0) },
          selector: UTF8String(screen.eventID(of: element).description), distinction: [])
      if read == nil, let tap = PathlessTap(event, style, settings.fields), pathlessKinds[tap] == nil {
        pathlessKinds[tap] = kind
      }
      if style == .hubbleData { kind = kind.inAnyRow(of: element, in: screen) }
      found.append(
        DecidedElement(
          element: element, type: type, kind: kind, outcome: outcome(decision, event),
          text: screen.holdsTypedText(element) ? nil : events.content(of: element)))
    }
    return found
  }

  /// Adds the event that a reader has returned last. One that names no element is only counted.
  ///
  /// - Precondition: The reader has returned an event last, not a rejection or nil. All captures have been added.
  public mutating func add(eventOf reader: borrowing EventReader) {
    if let decided = decider.decided(eventOf: reader) { add(decided) }
  }

  mutating func add(_ event: AnalyticsEvent) { add(decider.decided(event)) }

  private mutating func add(_ decided: DecidedEvent) {
    let (event, decision) = (decided.event, decided.decision)
    let style = fieldPlaces.style(of: event)
    let fields = readers[style]?.fields ?? fieldPlaces.fields(of: style)
    func text(_ field: EventFields.Field) -> UTF8String? { event.text(field, fields).map { UTF8String($0) } }
    guard apps.mayInclude(event.text(.app, fields)) else { return tally.addOther() }
    let outcome = outcome(decision, event)
    let number: Int?
    var mayBeTyped = false
    if let id = decision.eventID, let known = tally.capturedNumber(of: id, on: text(.page)) {
      number = known
    } else if let (kind, isInput) = withReader(style, fields, { $0.kind(of: event) }) {
      let captured = style.eventShape.namesPages ? nil : capturedKinds[kind.onAnyPage]
      number = tally.number(of: captured ?? kind)
      mayBeTyped = isInput
    } else if let id = decision.eventID {
      number = tally.number(of: id, page: text(.page))
    } else if let tap = PathlessTap(event, style, fields), let kind = pathlessKinds[tap] {
      number = tally.number(of: kind)
    } else {
      return tally.addOther()
    }
    guard let number else { return }
    tally.add(
      1, on: number, outcome, person: people.number(of: event.value(of: .distinctID, fields)),
      version: text(.appVersion))
    tally.describe(number, type: text(.type), text: mayBeTyped ? nil : text(.content))
  }

  private mutating func withReader<R>(
    _ style: PathStyleName, _ fields: EventFields, _ body: (inout ElementKindReader) -> R
  ) -> R {
    var reader =
      if let known = readers.removeValue(forKey: style) { known } else {
        ElementKindReader(style, fields, decider.matcher.hierarchy(of: style))
      }
    defer { readers[style] = reader }
    return body(&reader)
  }

  private mutating func outcome(_ decision: Decision, _ event: AnalyticsEvent) -> CoverageTally.Outcome {
    if !decision.pages.isEmpty { return .excludedPage }
    if !decision.excludedBy.isEmpty { return .excluded }
    if !decision.rules.isEmpty { return .taken }
    guard hasSetAside, let reason = setAside.decide(event).rules.first else { return .open }
    return .setAside(reason: reason)
  }

  /// Returns the elements so far, to which taps can be added.
  package consuming func elements() -> CoverageTally { tally }

  /// Returns the result.
  ///
  /// - Complexity: O(*n* log *n*), *n* kinds of elements.
  public consuming func finish() -> CoverageReport { tally.finish(reasons: files.reasons.mapValues(\.text)) }
}

/// The facts about the element in an event of Sensors for Android without a path, such as the event of a toolbar's item.
private struct PathlessTap: Hashable {
  let page, type, content, resourceID: UTF8String?

  /// Returns nil for an event of another style, and for one with neither text nor resource id.
  init?(_ event: AnalyticsEvent, _ style: PathStyleName, _ fields: EventFields) {
    guard style == .sensorsAndroid else { return nil }
    func text(_ field: EventFields.Field) -> UTF8String? { event.text(field, fields).map { UTF8String($0) } }
    page = text(.page)
    type = text(.type)
    content = text(.content)
    if case .string(let id)? = event.value(at: .property("$element_id")) {
      resourceID = UTF8String(id)
    } else {
      resourceID = nil
    }
    if content == nil, resourceID == nil { return nil }
  }
}
