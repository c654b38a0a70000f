import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

extension EventSubject {
  /// The ways to find an element of a capture for an event.
  public enum Match: String, Hashable, Sendable {
    /// The elements have the event's ID.
    case eventID
    /// The elements have the event's path and page; the event's ID is another one or missing.
    case path
    /// The elements have the event's path and page, apart from the rows of lists: the capture shows other rows, or does
    /// not have them. In the style `posthog`, the titles and states in the path are ignored instead, because they change.
    case kind
  }

  /// Returns the elements of a capture that an event denotes, in pre-order: the elements with its event ID, else with its path on
  /// its page in the row of its position, else with that path in any row or, in the style `posthog`, with other texts. In the
  /// styles of GrowingIO the page does not count, because the app chooses its name.
  ///
  /// - Returns: Nil if there is no such element. An event with neither an event ID nor a path denotes none.
  /// - Complexity: O(total length of the paths).
  public func elements(in screen: IdentifiedTree) -> (elements: [ElementID], match: Match)? {
    elements(in: screen, onAnyPage: false)
  }

  /// Returns the elements that an event denotes if its page does not count, as ``elements(in:)`` does.
  package func elements(onAnyPageOf screen: IdentifiedTree) -> (elements: [ElementID], match: Match)? {
    elements(in: screen, onAnyPage: true)
  }

  private func elements(in screen: IdentifiedTree, onAnyPage: Bool) -> (elements: [ElementID], match: Match)? {
    if let eventID {
      let found = screen.elements(withEventID: { $0 == eventID })
      if !found.isEmpty { return (found, .eventID) }
    }
    guard let path, style.style.unmetRequirement(for: screen) == nil else { return nil }
    let events = ElementEvents(of: screen, style: style, fields: fields)
    let wanted = Self.pathText(of: event, fields)
    let wantedShape = wanted.filter { !isDigit($0) }
    let hasTexts = style == .postHog
    let lists: ClassHierarchy = style.isAndroid ? ClassHierarchy(of: screen, in: style) : .builtIn
    func kind(_ path: ElementPath, of event: AnalyticsEvent) -> ElementPath? {
      if hasTexts { return Self.withoutTexts(path) }
      guard style.isAndroid else { return path.withoutRows(.all) }
      let open = Self.pathInAnyRow(of: event, style, fields, lists: lists)
      return open.flatMap { $0.withoutRows(.all) ?? $0 }
    }
    let wantedKind = kind(path, of: event)
    // An app may give a page any name in the events of some styles.
    let page = style.eventShape.namesPages && !onAnyPage ? page : nil
    var same: [ElementID] = []
    var exact: [ElementID] = []
    var alike: [ElementID] = []
    for element in screen.tree.elements {
      guard page == nil || sameText(screen.page(of: element, in: style), page) else { continue }
      // A cell whose row the capture lacks may also be named by its index, as in a path that 'resolve' lists.
      let sent = events.sentEvents(of: element)
      let other = sent.first { Self.pathText(of: $0, fields) == wanted } ?? sent[0]
      let text = Self.pathText(of: other, fields)
      guard hasTexts || text.filter({ !isDigit($0) }) == wantedShape, isSameItem(element, screen) else { continue }
      let otherPath = Self.path(of: other, style, fields)
      if text == wanted { same.append(element) }
      // A path may leave out the row of its last list, which the position gives.
      if text == wanted, otherPath == path { exact.append(element) }
      if let wantedKind, let otherPath, kind(otherPath, of: other) == wantedKind { alike.append(element) }
    }
    if !exact.isEmpty { return (exact, .path) }
    if !same.isEmpty { return (same, alike.isEmpty || event.value(of: .position, fields) == nil ? .path : .kind) }
    return alike.isEmpty ? nil : (alike, .kind)
  }

  /// Returns a path without the titles and states that PostHog writes; the labels that developers give stay.
  private static func withoutTexts(_ path: ElementPath) -> ElementPath {
    var path = path
    for i in path.components.indices {
      path.components[i].texts = path.components[i].texts.flatMap { ComponentTexts(text: nil, id: $0.id) }
    }
    return path
  }

  /// Returns the path of an event as it is written, with `_` for `/`, which separate components alike in `hubbledata`.
  private static func pathText(of event: AnalyticsEvent, _ fields: EventFields) -> [UInt8] {
    var text: [UInt8] = []
    for byte in (event.text(.path, fields) ?? "").utf8 where byte != UInt8(ascii: "'") {
      text.append(byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte)
    }
    if let indexes = event.text(.pathIndexes, fields) { text += [UInt8(ascii: "&")] + Array(indexes.utf8) }
    return text
  }

  /// Returns whether an element has the actions and the alert's texts that the event has, if both have some.
  private func isSameItem(_ element: ElementID, _ screen: IdentifiedTree) -> Bool {
    if let actions = text(.actions), let own = screen.sentActions(of: element), own != UTF8String(actions) {
      return false
    }
    guard let alert = screen.alertTexts(of: element) else { return true }
    if let title = text(.alertTitle), !sameText(alert.title, title) { return false }
    if let message = text(.alertMessage), !sameText(alert.message, message) { return false }
    return true
  }
}
