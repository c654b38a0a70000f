import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText

/// Decides rows by one version of the rules.
final class RowDecider {
  private let matcher: Matcher
  private var decider: Decider
  private let columns: [EventColumn]
  private let template: EventTemplate
  // The templates of the rules' styles, by the numbers of the styles; nil for a style that uses the first template.
  private let otherTemplates: [EventTemplate?]
  // The reason why no row can be decided; nil if rows can be.
  private let styleProblem: String?
  private let wholeEvent: Int?
  private let jsonProperties: Int?
  private var json: [UInt8] = []
  private var tape = JSONTape()
  /// The decision on the last row.
  private(set) var record: DecisionRecord
  /// The answers written for earlier rows.
  let answers = KnownAnswers()

  /// - Parameter cacheLimit: The maximum memory for the cache of elements, in bytes.
  init(_ matcher: Matcher, _ columns: [EventColumn], cacheLimit: Int = Decider.defaultCacheLimit) {
    self.matcher = matcher
    record = DecisionRecord(for: matcher)
    decider = Decider(matcher, cacheLimit: cacheLimit)
    self.columns = columns
    let styles = matcher.stylesAndFields
    let templates = styles.map { EventTemplate(columns, fields: $0.1) }
    // A path in PostHog's place would make any row one of PostHog.
    let first = templates[styles.firstIndex { !Self.isPostHog($0.0) } ?? 0]
    template = first
    otherTemplates = templates.map { $0 == first ? nil : $0 }
    styleProblem = columns.contains(.event) ? nil : Self.styleProblem(of: styles.map { $0.0 })
    wholeEvent = columns.firstIndex(of: .event)
    jsonProperties = columns.firstIndex(of: .propertiesJSON)
  }

  /// Decides a row; ``record`` then has the decision. Returns the reason if it is not an event; else nil.
  ///
  /// - Complexity: As for ``Decider/decide(json:)-(UnsafeBufferPointer<UInt8>)``.
  func decide(_ row: inout EventRow) -> String? {
    if let wholeEvent {
      do throws(Rejection) {
        try decide(row.text(wholeEvent) ?? UnsafeBufferPointer(start: nil, count: 0))
        return nil
      } catch {
        return error.description
      }
    }
    if let jsonProperties, let problem = openProperties(&row, jsonProperties) { return problem }
    if let styleProblem { return styleProblem }
    do throws(Rejection) {
      try decide(row, by: template)
      // The same values determine the style in both, so the second decision also uses the rules for that style.
      if let style = decider.styleNumber, style < otherTemplates.count, let other = otherTemplates[style] {
        try decide(row, by: other)
      }
      return nil
    } catch {
      return problem(error.reason, in: row)
    }
  }

  /// Says why the columns of a row make no event. It names the column, as nobody sees the text of that event.
  private func problem(_ reason: Rejection.Reason, in row: borrowing EventRow) -> String {
    guard case .json = reason else { return reason.message }
    for (number, column) in columns.enumerated() {
      if let text = row.text(number), String(validating: text, as: UTF8.self) == nil {
        return "\(column.name): \(reason.message)"
      }
    }
    let properties = columns.first { $0 == .properties || $0 == .propertiesJSON }
    return (properties.map { "\($0.name): " } ?? "") + reason.message
  }

  private func decide(_ row: borrowing EventRow, by template: EventTemplate) throws(Rejection) {
    template.write(row, to: &json)
    try json.withUnsafeBufferPointer { bytes in
      Result { () throws(Rejection) in try decide(bytes) }
    }.get()
  }

  /// Returns the reason why columns cannot distinguish the styles of the rules; nil if they can. The place of the name identifies
  /// events of Lede and GrowingIO, and the place of the path identifies PostHog's events of web pages.
  private static func styleProblem(of styles: [PathStyleName]) -> String? {
    let haveOneEventPlace = Set(styles.map { $0.eventShape.places[.event]?.first }).count == 1
    if haveOneEventPlace, !styles.contains(.postHogWeb) || styles.allSatisfy(isPostHog) { return nil }
    let names = styles.map(\.rawValue).joined(separator: ", ")
    return "the rules are in the styles \(names), which only whole events distinguish: pass them as the column json"
  }

  private static func isPostHog(_ style: PathStyleName) -> Bool { style == .postHog || style == .postHogWeb }

  private func decide(_ bytes: UnsafeBufferPointer<UInt8>) throws(Rejection) {
    try record.decide(message: bytes, &decider, matcher)
  }

  /// Removes the braces of an object, so that its members can follow others; returns the problem, if any.
  private func openProperties(_ row: inout EventRow, _ column: Int) -> String? {
    guard let text = row.text(column), !text.isEmpty else {
      row.set(column, nil)
      return nil
    }
    do throws(JSONError) {
      try tape.parse(text)
    } catch {
      return "properties_json: \(error.kind.message), at byte \(error.offset + 1)"
    }
    // Engines write a missing object as the word null, too.
    guard tape[0].kind != .null else {
      row.set(column, nil)
      return nil
    }
    guard tape[0].kind == .object else { return "properties_json: \(JSONError.Kind.notAnObject.message)" }
    let range = tape[0].range
    row.set(column, tape[0].next == 1 ? nil : text.part(range.lowerBound + 1..<range.upperBound - 1))
    return nil
  }

  // MARK: - The decision on the last row

  /// Calls `body` with the ids of the include rules that match, in byte order.
  func forEachRule(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    for rule in record.rules where !matcher.isExclude(Int(rule)) { body(matcher.idBytes(ofRule: Int(rule))) }
  }

  /// Calls `body` with the ids of the exclude rules that match, in byte order.
  func forEachExclude(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    for rule in record.rules where matcher.isExclude(Int(rule)) { body(matcher.idBytes(ofRule: Int(rule))) }
  }

  /// The excluded pages that the event is on, in byte order.
  var pages: [UTF8String] { record.pages.isEmpty ? [] : matcher.excludedPageNames(record.pages) }
}
