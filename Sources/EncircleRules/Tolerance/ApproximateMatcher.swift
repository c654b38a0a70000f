import EncircleEvents
import EncircleIdentity
import EncircleText

/// Finds the rule that would probably select an event that no rule is about.
///
/// The matcher looks up the event's page and path in the table. If there is a successor, it decides the event again in the form
/// that the old version of the app would have sent, with the path, page and texts of the old element. So all other conditions of
/// rules, and exclude rules, apply as usual.
final class ApproximateMatcher {
  private let table: ToleranceTable
  private let matcher: Matcher
  private var trial: EventMatcher
  private var event: ProjectedEvent
  // Elements known not to be in the table, by the digest of their element properties.
  private var unknown: Set<DigestKey> = []

  private static let maximumUnknown = 8_192

  /// A digest as a key.
  private struct DigestKey: Hashable {
    let digest: EventDigest

    init(_ digest: EventDigest) { self.digest = digest }

    func hash(into hasher: inout Hasher) { hasher.combine(digest.first.low) }
  }

  init(_ matcher: Matcher, _ table: ToleranceTable) {
    self.table = table
    self.matcher = matcher
    trial = EventMatcher(matcher, cacheLimit: 1 << 20)
    event = ProjectedEvent(matcher.projection)
  }

  /// Returns the rule that would probably select an event, or nil.
  ///
  /// - Parameters:
  ///   - event: The event that `engine` has matched last; no rule may be about it.
  /// - Complexity: O(1) for pages without successors; else O(length of the path), once for each element.
  func approximation(of event: UnsafePointer<ProjectedEvent>, _ engine: inout EventMatcher) -> Approximation? {
    if let page = engine.ownPage(of: event), !table.mayHave(page: page) { return nil }
    let digest = event.pointee.keyDigest.map { DigestKey($0) }
    if let digest, unknown.contains(digest) { return nil }
    guard let place = engine.place(of: event) else { return nil }
    let numbers = table.numbers(at: place)
    guard !numbers.isEmpty else {
      if let digest {
        if unknown.count >= Self.maximumUnknown { unknown.removeAll(keepingCapacity: true) }
        unknown.insert(digest)
      }
      return nil
    }
    return best(numbers, event, place)
  }

  private func best(_ numbers: [Int], _ event: UnsafePointer<ProjectedEvent>, _ place: ElementPlace) -> Approximation? {
    let part = matcher.part(for: event.pointee)
    let named = part.fields.value(of: .appVersion, event.pointee)
    let version = named.kind == .string ? VersionNumber(parsing: named.bytes) : nil
    var found: [SuccessorElement] = []
    for number in numbers {
      let successor = table.successors[number]
      guard successor.mayBe(of: version), selects(successor, event, place, part) else { continue }
      found.append(successor)
    }
    found.sort { a, b in a.confidence != b.confidence ? a.confidence > b.confidence : a.rule < b.rule }
    guard let first = found.first else { return nil }
    var others: [UTF8String] = []
    for other in found.dropFirst() where other.rule != first.rule && !others.contains(other.rule) {
      others.append(other.rule)
    }
    return Approximation(
      rule: first.rule, confidence: first.confidence, reasons: first.reasons, others: others)
  }

  /// Returns whether the rule selects the event as the old version would have sent it.
  private func selects(
    _ successor: SuccessorElement, _ original: UnsafePointer<ProjectedEvent>, _ place: ElementPlace, _ part: Matcher
  ) -> Bool {
    guard let replacements = replacements(successor, original, place, part) else { return false }
    event.load(original.pointee, replacing: replacements)
    return withUnsafePointer(to: event) { event in
      guard trial.match(event) else { return false }
      return trial.matchedRules.contains { matcher.ruleID(Int($0)) == successor.rule }
    }
  }

  /// Returns the values that the event would have had in the old version, by the numbers of places; nil if they cannot be derived.
  ///
  /// - Parameter part: The matcher for the style of the event.
  private func replacements(
    _ successor: SuccessorElement, _ original: UnsafePointer<ProjectedEvent>, _ place: ElementPlace, _ part: Matcher
  ) -> [Int: [UInt8]?]? {
    let (places, fields, style) = (part.fieldPlaces, part.fields, part.style)
    var result: [Int: [UInt8]?] = [:]
    func text(_ field: EventFields.Field, _ event: AnalyticsEvent) -> String? {
      if case .string(let text)? = event.value(of: field, places) { text } else { nil }
    }
    func put(_ field: EventFields.Field, _ text: String?) {
      for number in fields[field] { result.updateValue(nil, forKey: number) }
      if let text { result.updateValue(Array(text.utf8), forKey: fields[field][0]) }
    }
    let rows = place.rows
    let isSameRow = rows == successor.now.rows
    var path = text(.path, successor.eventBefore)
    if !isSameRow, ![.sensors, .sensorsAndroid, .growingIO, .growingIOAndroid].contains(style) {
      // In other styles the rows are part of the path.
      guard successor.before.rows.count == rows.count else { return nil }
      let other = successor.before.path(withRows: rows)
      path = style == .hubbleData ? other.written(.slashes) : path.flatMap { Self.text($0, style, withRowsOf: other) }
      if path == nil { return nil }
    }
    put(.path, path)
    put(.pathIndexes, text(.pathIndexes, successor.eventBefore))
    // In another row, the old event ID does not apply; without one, the ID is computed from the path.
    put(.eventID, isSameRow || path == nil ? text(.eventID, successor.eventBefore) : nil)
    if successor.before.page != successor.now.page || fields.value(of: .page, original.pointee).kind == .missing {
      put(.page, text(.page, successor.eventBefore) ?? successor.before.page?.text)
    }
    for field in [EventFields.Field.content, .title, .type, .actions, .alertTitle, .alertMessage] {
      let own = fields.value(of: field, original.pointee)
      guard let now = text(field, successor.eventNow), own.kind == .string, now.utf8.elementsEqual(own.bytes) else {
        continue
      }
      let before = text(field, successor.eventBefore)
      if before.map({ !$0.hasSameBytes(as: now) }) ?? true { put(field, before) }
    }
    return result
  }

  /// Returns a path text in a style with the rows of another path of the same element; nil if the two paths do not fit.
  private static func text(_ text: String, _ style: PathStyleName, withRowsOf path: ElementPath) -> String? {
    guard var styled = try? style.style.read(text)[0], styled.components.count == path.components.count else {
      return nil
    }
    for (i, component) in path.components.enumerated() where component.isCell {
      guard case .cell = styled.components[i].place else { return nil }
      styled.components[i].place = StyledComponent.Place(component.locator)
    }
    return styled.written
  }
}
