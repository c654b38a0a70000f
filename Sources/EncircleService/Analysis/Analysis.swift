import EncircleAuthoring
import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleTree

/// The data from which questions about selectors and rules are answered, cached between requests.
final class Analysis: Sendable {
  let captures: CaptureLibrary
  let ruleSets: RuleSetLibrary
  let events: EventLibrary
  /// The processor time that a request may use; work that can be done in part uses a share of it.
  let workTime: Duration
  let counts: ClauseCounts
  /// The elements that are already circled.
  let circled: CircledRules
  let checks = KnownChecks()
  private let liveScreens: LiveScreens
  private let index: ScreenIndex

  init(
    captures: CaptureLibrary, ruleSets: RuleSetLibrary, events: EventLibrary, live: LiveScreens, workTime: Duration
  ) {
    liveScreens = live
    self.captures = captures
    self.ruleSets = ruleSets
    self.events = events
    self.workTime = workTime
    index = ScreenIndex(captures)
    counts = ClauseCounts(events, time: workTime * 0.1)
    circled = CircledRules(ruleSets: ruleSets, captures: captures)
  }

  /// Returns the events of all elements of the stored captures.
  ///
  /// - Throws: ``ServiceError`` when the request has used up its budget.
  func snapshot(_ settings: SelectionSettings) throws -> ScreenIndex.Snapshot {
    try index.snapshot(settings, check: WorkBudget.check)
  }

  /// Returns the same snapshot, with the screen of a running app added if the request is about one.
  func snapshot(_ settings: SelectionSettings, with screen: StoredScreen?) throws -> ScreenIndex.Snapshot {
    let stored = try snapshot(settings)
    guard let screen, LiveScreens.isLive(screen.id) else { return stored }
    return stored.adding(CaptureLibrary.capture(screen), settings)
  }

  /// Returns the elements of all stored captures that rules select.
  ///
  /// - Throws: ``ServiceError`` when the request has used up its budget.
  func search(
    _ rules: [SelectionRule], _ settings: SelectionSettings, _ snapshot: ScreenIndex.Snapshot
  ) throws -> ScreenSearch {
    try ScreenSearch(rules, settings, snapshot, check: WorkBudget.check)
  }

  /// Returns the capture, or the screen of a running app, that a request names.
  ///
  /// - Throws: ``ServiceError`` with 404 if it is not stored.
  func screen(_ id: String) throws -> StoredScreen {
    let screen =
      try LiveScreens.isLive(id) ? liveScreens.screen(id, orCopyIn: captures) : captures.screen(id)
    guard let screen else {
      throw ServiceError(.notFound, code: "no-capture", message: "No capture has the ID that the request names.")
    }
    return screen
  }

  /// An element that a request names.
  struct NamedElement {
    let screen: StoredScreen
    /// The capture with identities according to the rule set.
    let identified: IdentifiedTree
    let element: ElementID
    /// This is true if an SDK tracks the element.
    let isTracked: Bool
  }

  /// Returns the element that a request names or, if no SDK tracks it, the nearest tracked element around it. If there is none,
  /// the named element is returned.
  ///
  /// - Parameter exactly: True to return the named element itself even if no SDK tracks it.
  func element(_ body: JSONBody, _ settings: SelectionSettings, exactly: Bool = false) throws -> NamedElement {
    let screen = try self.screen(try body.required("capture").text)
    let identified = settings.identified(screen.identified)
    let count = identified.tree.count
    guard count > 0 else { throw try body.required("element").error("The capture has no elements.") }
    let number = try body.required("element").number(in: 0...count - 1)
    let style = settings.style(for: identified)
    if let unmet = style.style.unmetRequirement(for: identified) {
      throw try body.required("capture").error(
        "Style \(style.rawValue) cannot serve this capture: \(unmet).", code: "style-lacks")
    }
    let named = ElementID(number)
    let element = exactly ? named : identified.trackedElement(around: named, in: style) ?? named
    let type = ElementEvents.trackingType(of: element, in: identified, style: style)
    return NamedElement(screen: screen, identified: identified, element: element, isTracked: type != nil)
  }

  // MARK: - Settings

  /// The rules with which a request is answered.
  struct Context {
    var ruleSet: RuleSet
    /// The rule set's name, with the version or the draft's revision.
    var name: String
    /// The style that proposed clauses must name, as the rule set has several; nil if it has one.
    var clauseStyle: PathStyleName?
    var settings: SelectionSettings { SelectionSettings(ruleSet) }
  }

  /// Returns the settings with which a request is answered. They come from the rule set that it names, or from `default`. With
  /// `draft`, they come from the draft, if it exists and has no errors; with `style`, they are for events of that style.
  ///
  /// - Throws: ``ServiceError`` with 404 for an unknown rule set, 422 for an unknown style.
  func settings(_ body: JSONBody) throws -> SelectionSettings { try context(body).settings }

  /// Returns the same settings, with the rules.
  func context(_ body: JSONBody) throws -> Context {
    let named = try body.member("ruleset")?.text
    let name = named ?? "default"
    let published = try ruleSets.published(name)
    if named != nil, published == nil { throw Analysis.noRuleSet() }
    var ruleSet = published?.ruleSet ?? RuleSet()
    var source = "\(name) version \(published?.version ?? 0)"
    if try body.member("draft")?.flag ?? false, let draft = try ruleSets.compiledDraft(of: name) {
      ruleSet = draft.rules.ruleSet
      source = draft.rules.key
    }
    var clauseStyle: PathStyleName?
    // If the rules have several styles, only the rules that decide events of the requested style, or of the capture, count.
    if let style = try body.member("style")?.style, ruleSet.otherStyles.contains(style) || style == ruleSet.style {
      clauseStyle = ruleSet.otherStyles.isEmpty ? nil : style
      ruleSet = ruleSet.part(of: style)
    } else if try body.member("style") == nil, !ruleSet.otherStyles.isEmpty,
      let capture = try body.member("capture"), let screen = try? self.screen(try capture.text)
    {
      clauseStyle = ruleSet.clauseStyle(for: screen.identified)
      ruleSet = ruleSet.part(for: screen.identified)
    } else if let style = try body.member("style")?.style {
      ruleSet.otherStyles = []
      ruleSet.style = style
      ruleSet.fields = EventFields(style: style)
    }
    return Context(ruleSet: ruleSet, name: source, clauseStyle: clauseStyle)
  }

  static func noRuleSet() -> ServiceError {
    ServiceError(.notFound, code: "no-ruleset", message: "No rule set has the name that the request gives.")
  }
}

extension RuleSet {
  /// Returns the style that a clause about a capture's elements must name, as the rules have several; nil if they have one.
  func clauseStyle(for screen: IdentifiedTree) -> PathStyleName? {
    otherStyles.isEmpty ? nil : screen.eventStyle(among: styles)
  }

  /// Returns the style in which rules see a capture, if it is for another platform, so that they select none of its events;
  /// else nil.
  func foreignStyle(for screen: IdentifiedTree) -> PathStyleName? {
    let style = SelectionSettings(part(for: screen)).style(for: screen)
    return screen.isOnPlatform(of: style) ? nil : style
  }
}

extension EventObject {
  /// Returns the clause of a rule with the style that it is in; nil names none.
  func naming(_ style: PathStyleName?) -> EventObject {
    guard let style else { return self }
    var clause = self
    clause.members.insert(Member(name: "style", value: .string(style.rawValue)), at: 0)
    return clause
  }

  /// Returns the clause of a rule without a style that it names.
  func omitting(_ style: PathStyleName?) -> EventObject {
    guard let style else { return self }
    var clause = self
    clause.members.removeAll { $0 == Member(name: "style", value: .string(style.rawValue)) }
    return clause
  }
}

extension CaptureLibrary: ScreenStore {
  func captureIDs() throws -> [String] { try records(CaptureTable.Filter()).records.map(\.id) }

  func capture(_ id: String) throws -> StoredCapture? { try screen(id).map(Self.capture) }

  func forEachCapture(_ body: (StoredCapture) throws -> Bool) throws {
    try forEachScreen { try body(Self.capture($0)) }
  }

  static func capture(_ screen: StoredScreen) -> StoredCapture {
    StoredCapture(id: screen.id, name: screen.name, appVersion: screen.appVersion, screen: screen.identified)
  }
}
