import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// The element of an event, as the event describes it, and the style of the description.
///
/// ```swift
/// let subject = EventSubject(try AnalyticsEvent(json: line))
/// for suggestion in EventSuggester(subject).suggestions() { print(suggestion.selector) }
/// ```
public struct EventSubject: Sendable {
  /// The event.
  public let event: AnalyticsEvent
  /// The style of the event's path.
  public let style: PathStyleName
  /// The event's name; nil if it has none.
  public let name: String?
  /// The page that the event names, or else the one in its path.
  public let page: String?
  /// The app.
  public let app: String?
  /// The text of the element.
  public let content: String?
  /// The type of the element.
  public let type: String?
  /// The event ID that the event carries.
  public let eventID: EventID?
  /// The path, in its most probable reading; nil if the event has none that the style can read.
  public let path: ElementPath?
  /// The path as the event has it.
  public let writtenPath: String?

  let fields: EventFields

  /// Reads the element from an event.
  ///
  /// - Parameter style: The style of the path; nil to detect it from the path.
  /// - Complexity: O(size of the event); for an ambiguous path see ``ElementPath/init(parsing:notation:vocabulary:)``.
  public init(_ event: AnalyticsEvent, style: PathStyleName? = nil) {
    self.event = event
    let style = style ?? Self.style(of: event)
    self.style = style
    let fields = EventFields(style: style)
    self.fields = fields
    func text(_ field: EventFields.Field) -> String? { event.text(field, fields) }
    name = text(.event)
    app = text(.app).flatMap { $0.isEmpty ? nil : $0 }
    content = text(.content)
    type = text(.type)
    eventID =
      fields.places(of: .eventID).lazy.compactMap { place -> EventID? in
        guard case .string(let text)? = event.value(at: place) else { return nil }
        return EventID(hexadecimal: text)
      }.first
    writtenPath = text(.path)
    let readings = Self.readings(of: event, style, fields)
    path = readings.flatMap { Self.likeliest($0.graph) }
    let page = event.value(of: .page, fields) == nil ? readings?.page : text(.page)
    self.page = page.flatMap { $0.isEmpty ? nil : $0 }
  }

  func text(_ field: EventFields.Field) -> String? { event.text(field, fields) }

  /// The value that names the element in an event without a path from Sensors for Android: its resource id or, for an item of a
  /// menu or dialog, its text; nil for other events.
  package var namingValue: Suggestion.Evidence? {
    guard style == .sensorsAndroid, writtenPath == nil else { return nil }
    if case .string(let id)? = event.value(at: .property("$element_id")), DeveloperID.isName(id) {
      return .developerID(UTF8String(id))
    }
    guard let type, type.hasSameBytes(as: "MenuItem") || type.hasSameBytes(as: "Dialog"), let content, !content.isEmpty
    else { return nil }
    return .content(UTF8String(content))
  }

  // MARK: - Paths

  /// Returns the style that the path of an event looks like.
  static func style(of event: AnalyticsEvent) -> PathStyleName {
    for style in [PathStyleName.postHog, .growingIO, .lede] {
      let own = style.eventShape.ownPlaces[.path] ?? []
      guard own.contains(where: { event.value(at: $0) != nil }) else { continue }
      if style == .postHog, isOfPage(event.text(.path, EventFields(style: .postHog))) { return .postHogWeb }
      return style == .growingIO && isAndroid(event) ? .growingIOAndroid : style
    }
    guard let path = event.text(.path, EventFields()) else {
      // Sensors' SDK for Android sends no path for some elements, such as items of toolbars.
      let isOfElement = event.value(at: .property("$element_type")) != nil
      let hasID = event.text(.eventID, EventFields(style: .sensorsAndroid)) != nil
      return isOfElement && !hasID && isAndroid(event) ? .sensorsAndroid : .hubbleData
    }
    let bytes = path.utf8
    if isOfPage(path) || event.value(at: .property("$element_selector")) != nil && !isAndroid(event) {
      return .sensorsWeb
    }
    // Each of these begins or divides paths in its own way, even if the path has another SDK's name.
    if bytes.first == UInt8(ascii: "/"), !bytes.contains(UInt8(ascii: "[")) { return .growingIO }
    if path.containsBytes(of: "attr__") || (bytes.contains(UInt8(ascii: ";")) && !hasLocator(bytes[...])) {
      return .postHog
    }
    if path.containsBytes(of: " & ") { return .lede }
    guard let bracket = bytes.firstIndex(of: UInt8(ascii: "[")) else {
      // A locator of hubbledata has parentheses. A locator of Sensors has brackets, which only the root view lacks; it may be the
      // whole path.
      let isSensors = bytes.contains(UInt8(ascii: "/")) || isClassName(bytes)
      return isSensors && !hasLocator(bytes[...]) ? .sensors : .hubbleData
    }
    if hasLocator(bytes[..<bracket]) { return .hubbleData }
    if bytes[..<bracket].contains(UInt8(ascii: ":")) { return .hubbleDataAndroid }
    if isAndroid(event) { return .sensorsAndroid }
    // Two consecutive places are the section and the row of a cell. Only exact paths number segments and tabs, too.
    let hasExactPlace = ["][", "/UISegment[", "/UITabBarButton["].contains { path.containsBytes(of: $0) }
    return hasExactPlace && !path.containsBytes(of: "[-]") ? .sensorsExact : .sensors
  }

  /// Returns whether a path belongs to a web page, which only its styles read.
  private static func isOfPage(_ path: String?) -> Bool {
    guard var path else { return false }
    return path.withUTF8 { StyleText.isPagePath($0) }
  }

  /// Returns whether a text is a plain class name.
  private static func isClassName(_ bytes: String.UTF8View) -> Bool {
    guard let first = bytes.first, isUpperCase(first) else { return false }
    return bytes.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: ".") }
  }

  /// Returns whether an event declares that it is from Android.
  private static func isAndroid(_ event: AnalyticsEvent) -> Bool {
    ["$lib", "$os", "/platform"].compactMap { PropertyReference(parsing: $0) }.contains { place in
      guard case .string(let text)? = event.value(at: place) else { return false }
      return text.hasSameBytes(as: "Android")
    }
  }

  /// Returns whether a text contains a locator of hubbledata. Names of Swift classes have parentheses, too, as in
  /// `(unknown context at $1c2).Foo`.
  private static func hasLocator(_ bytes: Substring.UTF8View) -> Bool {
    var rest = bytes
    while let start = rest.firstIndex(of: UInt8(ascii: "(")) {
      rest = rest[rest.index(after: start)...]
      guard let first = rest.first else { return false }
      if isDigit(first) || first == UInt8(ascii: ")") { return true }
      let field = rest.prefix { (0x61...0x7A).contains($0) }
      if rest.dropFirst(field.count).first == UInt8(ascii: ":"),
        ElementSelector.Field(rawValue: String(Substring(field))) != nil
      {
        return true
      }
    }
    return false
  }

  /// Returns the most probable reading of an event's path; nil if it has none that the style can read.
  ///
  /// - Parameter fields: The places of the path, and of what belongs to it.
  static func path(of event: AnalyticsEvent, _ style: PathStyleName, _ fields: EventFields) -> ElementPath? {
    readings(of: event, style, fields).flatMap { likeliest($0.graph) }
  }

  /// Returns the path of an event as ``path(of:_:_:)``, but with any row in the lists of Android.
  ///
  /// - Parameters:
  ///   - fields: The places of the path, and of what belongs to it.
  ///   - lists: The classes that are known, which say where an index on Android is a row.
  static func pathInAnyRow(
    of event: AnalyticsEvent, _ style: PathStyleName, _ fields: EventFields, lists: ClassHierarchy
  ) -> ElementPath? {
    readings(of: event, style, fields, lists: lists).flatMap { likeliest($0.graph) }
  }

  /// - Parameter lists: The classes that are known, to read paths of Android with any row; nil to read them as they are.
  private static func readings(
    of event: AnalyticsEvent, _ style: PathStyleName, _ fields: EventFields, lists: ClassHierarchy? = nil
  ) -> PathReadings? {
    guard let path = event.text(.path, fields) else { return nil }
    var text = Array(path.utf8)
    if style == .hubbleData, let clean = text.withUnsafeBufferPointer({ RuntimeSubclass.pathWithoutObservations($0) }) {
      text = clean
    }
    let indexes = event.text(.pathIndexes, fields).map { Array($0.utf8) }
    let position: [UInt8]? =
      switch event.value(of: .position, fields) {
      case .string(let text): Array(text.utf8)
      case .number(let number): Array(number.description.utf8)
      default: nil
      }
    return text.withUnsafeBufferPointer { text in
      withBytes(indexes) { indexes in
        withBytes(position) { position in
          guard let lists, style.isAndroid else {
            return try? style.style.readings(of: text, indexes: indexes, position: position)
          }
          return try? style.style.readings(of: text, indexes: indexes, hierarchy: lists, inAnyRow: true)
        }
      }
    }
  }

  /// Returns the reading with the fewest names that nothing knows.
  private static func likeliest(_ graph: PathGraph) -> ElementPath? {
    func unknown(_ path: ElementPath) -> Int {
      path.components.count { !ClassHierarchy.builtIn.contains($0.className) }
    }
    return graph.readings(limit: ElementPath.maximumCandidates).min { unknown($0) < unknown($1) }
  }

  private static func withBytes<R>(_ bytes: [UInt8]?, _ body: (UnsafeBufferPointer<UInt8>?) -> R) -> R {
    guard let bytes else { return body(nil) }
    return bytes.withUnsafeBufferPointer { body($0) }
  }
}

extension AnalyticsEvent {
  /// Returns the text of a field: the first value that the event has for it, if that is a text. A page is returned as captures and
  /// rules name it.
  func text(_ field: EventFields.Field, _ fields: EventFields) -> String? {
    guard case .string(let text)? = value(of: field, fields) else { return nil }
    return field == .page ? fields.style.page(ofEvent: text) : text
  }
}
