import EncircleEvents
import EncircleIdentity
import EncircleText
import EncircleTree

/// The event that is being matched: its values, and its element, which is resolved on first use.
///
/// All parts of an ``EventMatcher`` hold a pointer to the same input, so none of them passes event, element and matcher along.
/// All methods and properties are mutating or inlined. For any other, Swift would copy the whole structure, and would need up
/// to a second to compile it.
struct MatchInput: ~Copyable {
  private let matcher: Matcher
  private let fields: FieldTable
  private var event: UnsafePointer<ProjectedEvent>

  // The state of the element. Everything below applies to the current event only if `isResolved` is true.
  private var isResolved = false
  private(set) var resolution = Decision.Resolution.none
  /// The text of the path if the scanner can read it, as nearly always; otherwise the readings are in ``graph``.
  private(set) var plainPath: ProjectedValue?
  private(set) var graph: PathGraph?
  private var scanner = PathScanner()
  // The path with the app's own class names, if the event's path has classes that key-value observing has made.
  private var cleanPath = GrowingBuffer<UInt8>()
  // The event ID that the event carries.
  private var ownEventID: EventID?
  // The page that the dictionary or the path gives, for events that name none.
  private var knownPage = GrowingBuffer<UInt8>()
  private var hasKnownPage = false
  // The path of the event's web page without escapes. Applies to the current event only if `hasDecodedPage` is true.
  private var decodedPage = GrowingBuffer<UInt8>()
  private var hasDecodedPage = false
  // Scratch for identity strings.
  private var identity: [UInt8] = []
  // The texts that the dictionary supplies for an event, and the places where they were inserted.
  private var knownTexts = GrowingBuffer<UInt8>()
  private var knownPlaces = GrowingBuffer<Int>()
  private var textsWithin: TextsWithin
  // The lists of ``textsWithin`` that the event has at the moment.
  private var knownLists: [FrozenArray<UInt8>] = []
  /// This is true if an event had the path of a web page, which no style of apps reads.
  private(set) var hasMetPagePath = false

  /// Creates an input that stands for an event without values until ``begin(_:)`` is called.
  init(_ matcher: Matcher, _ empty: UnsafePointer<ProjectedEvent>) {
    self.matcher = matcher
    fields = matcher.fields
    textsWithin = TextsWithin(matcher)
    event = empty
  }

  /// Switches to another event, which must not move in memory while it is matched.
  @inline(__always) mutating func begin(_ event: UnsafePointer<ProjectedEvent>) {
    self.event = event
    isResolved = false
    hasDecodedPage = false
  }

  /// Goes on with the event that was matched last, which may lie elsewhere now.
  @inline(__always) mutating func resume(_ event: UnsafePointer<ProjectedEvent>) { self.event = event }

  // MARK: - Values from the dictionary

  /// Adds texts from the dictionary to an event that names its element only by the event ID. Each is added where rules test it,
  /// unless the event has a value there. The texts stay until ``withdrawKnownTexts()``.
  ///
  /// - Complexity: O(length of the texts).
  mutating func addKnownTexts() {
    guard value(of: .path).kind == .missing, let id = carriedEventID, let number = matcher.dictionary.number(of: id),
      let texts = matcher.dictionary.texts(ofElement: number)
    else { return }
    let names = matcher.dictionary.names
    let values: [(EventFields.Field, StringID?)] = [
      (.content, texts.content), (.actions, texts.actions), (.alertTitle, texts.alertTitle),
      (.alertMessage, texts.alertMessage),
    ]
    // Copies all texts first, because they move when the buffer grows.
    var ends: [(place: Int, range: Range<Int>)] = []
    for case (let field, let text?) in values where value(of: field).kind == .missing {
      let start = knownTexts.count
      names.withBytes(of: text) { knownTexts.append(contentsOf: $0) }
      ends.append((fields[field][0], start..<knownTexts.count))
    }
    for (place, range) in ends {
      event.pointee.insert(knownTexts[range], at: place)
      knownPlaces.append(place)
    }
  }

  /// Adds the texts around the event's element, as captures have them, as lists where rules test them. The lists stay until
  /// ``withdrawKnownTexts()``. This resolves the element.
  ///
  /// - Complexity: O(1) for a cached element, else O(elements of the page) for each place.
  mutating func addTextsWithin() {
    guard !textsWithin.places.isEmpty else { return }
    resolve()
    let page = page
    guard page.kind == .string else { return }
    let paths = knownReadings
    guard !paths.isEmpty else { return }
    let name = UTF8String(String(decoding: page.bytes, as: UTF8.self))
    for (i, place) in textsWithin.places.enumerated() {
      guard let list = textsWithin.list(i, page: name, paths) else { continue }
      event.pointee.insert(list: list.all, at: place.number)
      knownLists.append(list)
      knownPlaces.append(place.number)
    }
  }

  /// Removes the texts that were added to the event.
  mutating func withdrawKnownTexts() {
    for i in 0..<knownPlaces.count { event.pointee.removeValue(at: knownPlaces[i]) }
    knownPlaces.removeAll()
    knownTexts.removeAll()
    if !knownLists.isEmpty { knownLists.removeAll(keepingCapacity: true) }
  }

  /// The event ID that the event carries.
  private var carriedEventID: EventID? {
    mutating get {
      for number in fields[.eventID] where event.pointee[number].kind == .string {
        if let id = EventID(hexadecimal: event.pointee[number].bytes) { return id }
      }
      return nil
    }
  }

  // MARK: - Values

  /// The value at the place with that number in the matcher's projection.
  @inline(__always) subscript(number: Int) -> ProjectedValue { event.pointee[number] }

  /// Returns the first value of a field that the event has; missing if it has none.
  @inline(__always) func value(of field: EventFields.Field) -> ProjectedValue {
    fields.value(of: field, event.pointee)
  }

  /// The values at all places, for indexes that read many of them.
  @inline(__always) var values: UnsafePointer<ProjectedEvent> { event }

  /// Returns whether the event has a value in some place of a field.
  @inline(__always) mutating func hasValue(of field: EventFields.Field) -> Bool {
    for number in fields[field] where event.pointee[number].kind != .missing { return true }
    return false
  }

  /// Returns whether the event is from an app, or does not name its app; nil means any app.
  mutating func mayBe(of app: UTF8String?) -> Bool {
    guard let app else { return true }
    let value = value(of: .app)
    return value.kind != .string || app.text.utf8.elementsEqual(value.bytes)
  }

  /// The event's own page; if it has none and the element is resolved, the page from the dictionary or the path. Valid until the
  /// next event.
  @inline(__always) var page: ProjectedValue {
    mutating get {
      let own = value(of: .page)
      if matcher.settings.style.isWeb, own.kind == .string { return pagePath(own) }
      // GrowingIO's SDKs write a slash before the class, which captures and exclusions do not have.
      if matcher.settings.style.hasIndexList, own.kind == .string, own.bytes.first == UInt8(ascii: "/") {
        return ProjectedValue(string: own.bytes.part(1..<own.bytes.count))
      }
      if own.kind == .string, RuntimeSubclass.isObservation(own.bytes) { return Self.withoutObservation(own) }
      guard own.kind == .missing, isResolved, hasKnownPage else { return own }
      return ProjectedValue(string: knownPage.all)
    }
  }

  /// Returns the path of a web page's address without escapes, as captures and rules have it.
  private mutating func pagePath(_ address: ProjectedValue) -> ProjectedValue {
    let path = address.bytes.part(WebAddress.pathRange(address.bytes))
    guard path.contains(UInt8(ascii: "%")) else { return ProjectedValue(string: path) }
    if !hasDecodedPage {
      decodedPage.removeAll()
      var text = WebAddress.decoded(String(decoding: path, as: UTF8.self))
      text.withUTF8 { decodedPage.append(contentsOf: $0) }
      hasDecodedPage = true
    }
    return ProjectedValue(string: decodedPage.all)
  }

  private static func withoutObservation(_ page: ProjectedValue) -> ProjectedValue {
    let range = RuntimeSubclass.writtenClass(in: page.bytes)
    return ProjectedValue(string: UnsafeBufferPointer(rebasing: page.bytes[range]))
  }

  /// Returns whether an excluded page applies to the event: the event is on this page or on one of its subclasses.
  mutating func isOnPage(_ excluded: ExcludedPage, _ classes: borrowing ClassTable) -> Bool {
    let page = page
    guard page.kind == .string, mayBe(of: excluded.app), excluded.scope == .all || isPageView else { return false }
    if classes.isClass(page.bytes, kindOf: excluded.name) { return true }
    // An event on the page `Activity|Fragment` is on both.
    guard matcher.settings.style == .sensorsAndroid, let bar = page.bytes.firstIndex(of: UInt8(ascii: "|")) else {
      return false
    }
    return classes.isClass(page.bytes.part(0..<bar), kindOf: excluded.name)
      || classes.isClass(page.bytes.part(bar + 1..<page.bytes.count), kindOf: excluded.name)
  }

  private var isPageView: Bool {
    mutating get {
      let name = value(of: .event)
      return name.kind == .string
        && ExcludedPage.pageViewEvents.contains { $0.withUTF8 { sameBytes($0, name.bytes) } }
    }
  }

  // MARK: - The element

  /// The components of the plain path, if there is one.
  var components: UnsafeBufferPointer<ScannedComponent> { scanner.components.all }

  /// Resolves the element, unless that has been done.
  ///
  /// - Complexity: O(length of the path), also where it is ambiguous, times the number of lengths of known class names.
  mutating func resolve() {
    if isResolved { return }
    isResolved = true
    plainPath = nil
    graph = nil
    cleanPath.removeAll()
    hasKnownPage = false
    resolution = .none
    ownEventID = carriedEventID
    var path = value(of: .path)
    // If the path is missing, the selector is enough.
    if path.kind != .string, matcher.settings.style == .sensorsWeb { path = value(of: .pathIndexes) }
    if path.kind == .string { read(path) }
    guard let ownEventID else { return }
    guard plainPath == nil, graph == nil else {
      // The path takes precedence over the dictionary, but if it does not name the page, the dictionary may.
      if !hasKnownPage, value(of: .page).kind == .missing, let page = matcher.dictionary[ownEventID]?.page {
        setPage(page)
      }
      return
    }
    guard let known = matcher.dictionary.resolved(ownEventID) else {
      resolution = .unresolved
      return
    }
    graph = known.graph
    resolution = .dictionary
    if let page = known.page { setPage(page) }
  }

  /// Returns whether a component of the path that was scanned is of a class that key-value observing has made.
  private mutating func hasObservation(in path: UnsafeBufferPointer<UInt8>) -> Bool {
    guard scanner.mayHaveObservation else { return false }
    for component in components where RuntimeSubclass.isObservation(component.name(in: path)) { return true }
    return false
  }

  private mutating func setPage(_ page: String) {
    knownPage.removeAll()
    var text = page
    text.withUTF8 { knownPage.append(contentsOf: $0) }
    hasKnownPage = true
  }

  private mutating func read(_ path: ProjectedValue) {
    guard path.bytes.count <= ElementPath.maximumLength else {
      resolution = .unresolved
      return
    }
    var path = path
    if matcher.settings.style == .hubbleData {
      var isPlain = scanner.scan(path.bytes)
      if !isPlain || hasObservation(in: path.bytes), let clean = RuntimeSubclass.pathWithoutObservations(path.bytes) {
        clean.withUnsafeBufferPointer { cleanPath.append(contentsOf: $0) }
        path = ProjectedValue(string: cleanPath.all)
        isPlain = scanner.scan(path.bytes)
      }
      if isPlain {
        plainPath = path
        resolution = .path
        return
      }
    }
    let indexes = value(of: .pathIndexes)
    let position = value(of: .position)
    do throws(PathStyleError) {
      let readings = try matcher.settings.style.style.readings(
        of: path.bytes, indexes: indexes.kind == .string ? indexes.bytes : nil,
        position: position.kind == .string || position.kind == .number ? position.bytes : nil,
        properties: fields.webProperties.isEmpty ? nil : webProperties,
        vocabulary: matcher.vocabulary,
        hierarchy: matcher.hierarchy)
      graph = readings.graph
      resolution = readings.isAmbiguous ? .ambiguous : .path
      if let page = readings.page { setPage(page) }
    } catch {
      resolution = .unresolved
      if error.kind == .webPath { hasMetPagePath = true }
    }
  }

  /// The properties in which an event of style `sensors-web` describes its element besides the path.
  private var webProperties: WebProperties {
    mutating get {
      var properties = WebProperties()
      for (i, number) in fields.webProperties.enumerated() where event.pointee[number].kind == .string {
        properties.set(i, event.pointee[number].bytes)
      }
      return properties
    }
  }

  /// The first readings of the resolved path, for looking it up in captures. In Android styles, captures know only one of the forms
  /// of a component.
  var knownReadings: [ElementPath] {
    mutating get {
      guard matcher.settings.style.isAndroid, let path = graph?.plain else { return readings }
      return [path]
    }
  }

  /// The first readings of the resolved path.
  var readings: [ElementPath] {
    mutating get {
      guard let plainPath else { return graph?.readings(limit: ElementPath.maximumCandidates) ?? [] }
      return [
        ElementPath(
          components.map { component in
            let name = String(decoding: component.name(in: plainPath.bytes), as: UTF8.self)
            return PathComponent(name, component.numbers.locator)
          })
      ]
    }
  }

  // MARK: - The event ID

  /// Returns the event ID that the event carries or, if it carries none, the ID of its path, page, actions, message and title.
  /// Returns nil if there is no path either, or if the style is not one of HubbleData's. The element must be resolved.
  ///
  /// All readings of an ambiguous path are written alike, so it has one event ID as well.
  mutating func eventID() -> EventID? {
    if let ownEventID { return ownEventID }
    guard resolution == .path || resolution == .ambiguous else { return nil }
    switch matcher.settings.style {
    case .hubbleData: break
    // HubbleData's SDK for Android hashes the path as it is sent.
    case .hubbleDataAndroid: return EventID(identity: UnsafeRawBufferPointer(value(of: .path).bytes))
    default: return nil
    }
    var parts = IdentityString(path: "")
    parts.message = text(value(of: .alertMessage))
    parts.title = text(value(of: .alertTitle))
    let actions = value(of: .actions)
    let names = text(actions) ?? Self.joinedTexts(of: actions)
    parts.actions = names.utf8.split { $0 == UInt8(ascii: ",") || isWhiteSpace($0) }.map { String(Substring($0)) }
    if parts.actions.isEmpty {
      let isAlert = parts.message != nil || parts.title != nil
      parts.controller = isAlert ? "UIAlertController" : text(page)
      if !isAlert, identityHasTitle { parts.screenTitle = text(value(of: .title)) }
    }
    identity.removeAll(keepingCapacity: true)
    let path = cleanPath.count > 0 ? cleanPath.all : value(of: .path).bytes
    if path.contains(UInt8(ascii: "/")) {
      pathWithUnderscores(path).withUnsafeBufferPointer { parts.write(path: $0, to: &identity) }
    } else {
      parts.write(path: path, to: &identity)
    }
    return identity.withUnsafeBytes { EventID(identity: $0) }
  }

  /// This is true if the identity contains the title of the event's page.
  private var identityHasTitle: Bool {
    mutating get {
      let page = page
      guard page.kind == .string else { return false }
      let app = value(of: .app)
      let hierarchy = matcher.hierarchy
      return matcher.settings.identity.hasTitle(app: app.kind == .string ? app.bytes : nil) { base in
        base.withUTF8 { sameBytes(page.bytes, $0) || hierarchy.isClass(page.bytes, kindOf: $0) }
      }
    }
  }

  private func text(_ value: ProjectedValue) -> String? {
    value.kind == .string ? String(decoding: value.bytes, as: UTF8.self) : nil
  }

  /// Returns the texts in a list, with commas between them; empty for any other value.
  private static func joinedTexts(of list: ProjectedValue) -> String {
    guard list.kind == .composite, case .list(let items)? = try? EventValue(json: list.bytes) else { return "" }
    let texts = items.compactMap { if case .string(let text) = $0 { text } else { nil } }
    return texts.joined(separator: ",")
  }

  /// Writes a path that has slashes as identity strings have it.
  private mutating func pathWithUnderscores(_ path: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    if let reading = graph?.readings(limit: 1).first { return Array(reading.written(.underscores).utf8) }
    var written: [UInt8] = []
    written.reserveCapacity(path.count)
    for i in 0..<components.count {
      if i > 0 { written.append(UInt8(ascii: "_")) }
      written.append(contentsOf: components[i].name(in: path))
      components[i].numbers.locator.write(to: &written)
    }
    return written
  }
}
