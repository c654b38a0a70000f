import EncircleIdentity
import EncircleTree

/// What questions about selectors and rules are answered from, kept from request to request.
final class Analysis: Sendable {
  let captures: CaptureLibrary
  let ruleSets: RuleSetLibrary
  let events: EventLibrary
  /// What a request may take of a processor; work that can be done in part takes a share of it.
  let workTime: Duration
  let taps: TapIndex
  let counts: ClauseCounts

  init(captures: CaptureLibrary, ruleSets: RuleSetLibrary, events: EventLibrary, workTime: Duration) {
    self.captures = captures
    self.ruleSets = ruleSets
    self.events = events
    self.workTime = workTime
    taps = TapIndex(captures)
    counts = ClauseCounts(events, time: workTime * 0.1)
  }

  /// The capture that a request names.
  ///
  /// - Throws: ``ServiceError`` with 404 if it is not stored.
  func screen(_ id: String) throws -> StoredScreen {
    guard let screen = try captures.screen(id) else {
      throw ServiceError(.notFound, code: "no-capture", message: "No capture has the ID that the request names.")
    }
    return screen
  }

  /// The element that a request names, and the one around it that an SDK tracks.
  ///
  /// - Parameter exactly: Whether it is the element itself that counts, tracked or not.
  func element(_ body: JSONBody, _ settings: RuleSettings, exactly: Bool = false) throws -> (
    screen: StoredScreen, identified: IdentifiedTree, element: ElementID, isTracked: Bool
  ) {
    let screen = try self.screen(try body.required("capture").text)
    let identified = settings.identified(screen)
    let count = identified.tree.count
    guard count > 0 else { throw try body.required("element").error("The capture has no elements.") }
    let number = try body.required("element").number(in: 0...count - 1)
    let style = settings.ruleSet.style
    if let lack = style.style.lack(of: identified) {
      throw try body.required("capture").error(
        "Style \(style.rawValue) cannot serve this capture: \(lack).", code: "style-lacks")
    }
    let found = ElementID(number)
    if exactly { return (screen, identified, found, identified.trackingType(of: found, in: style) != nil) }
    let tracked = identified.trackedElement(around: found, in: style)
    return (screen, identified, tracked ?? found, tracked != nil)
  }
}
