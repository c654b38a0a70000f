import EncircleEvents
import EncircleIdentity
import EncircleText

/// The element of one event: its event ID, its path in all readings, its page.
struct ResolvedElement: ~Copyable {
  /// Whether this is about the present event.
  var isResolved = false
  private(set) var resolution = Decision.Resolution.none
  /// The path's text, if it has one reading only, as nearly all have; else the readings.
  private(set) var plainPath: ProjectedValue?
  private var scanner = PathScanner()
  private(set) var paths: [ElementPath] = []
  /// The components of the plain path, if there is one.
  var components: UnsafeBufferPointer<ScannedComponent> { scanner.components.all }
  /// The event ID that the event carries.
  private(set) var ownEventID: EventID?
  // The page that the dictionary or the path knows, for events that name none.
  private var knownPage = GrowingBuffer<UInt8>()
  private var hasKnownPage = false
  private var identity: [UInt8] = []

  /// Reads the element of an event, unless that has been done.
  mutating func resolve(_ event: borrowing ProjectedEvent, _ matcher: borrowing Matcher) {
    if isResolved { return }
    isResolved = true
    plainPath = nil
    paths.removeAll()
    hasKnownPage = false
    resolution = .none
    ownEventID = nil
    for number in matcher.fields[.eventID] where event[number].kind == .string {
      ownEventID = EventID(hexadecimal: event[number].bytes)
      if ownEventID != nil { break }
    }
    let path = matcher.fields.value(of: .path, event)
    if path.kind == .string { read(path, event, matcher) }
    guard plainPath == nil, paths.isEmpty, let ownEventID else { return }
    guard let known = matcher.dictionary[ownEventID] else {
      resolution = .unresolved
      return
    }
    paths = [known.path]
    resolution = .dictionary
    if let page = known.page { setPage(page) }
  }

  private mutating func setPage(_ page: String) {
    knownPage.removeAll()
    var text = page
    text.withUTF8 { knownPage.append(contentsOf: $0) }
    hasKnownPage = true
  }

  private mutating func read(
    _ path: ProjectedValue, _ event: borrowing ProjectedEvent, _ matcher: borrowing Matcher
  ) {
    guard matcher.settings.style == .hubbleData else { return readStyled(path, event, matcher) }
    if scanner.scan(path.bytes) {
      plainPath = path
      resolution = .path
      return
    }
    do throws(PathError) {
      let text = String(decoding: path.bytes, as: UTF8.self)
      paths = [try ElementPath(parsing: text, vocabulary: matcher.vocabulary)]
      resolution = .path
    } catch {
      guard case .ambiguous(let candidates, _) = error, !candidates.isEmpty else {
        resolution = .unresolved
        return
      }
      paths = candidates
      resolution = .ambiguous
    }
  }

  /// Reads a path that is written in another SDK's style.
  private mutating func readStyled(
    _ path: ProjectedValue, _ event: borrowing ProjectedEvent, _ matcher: borrowing Matcher
  ) {
    let indexes = matcher.fields.value(of: .pathIndexes, event)
    do throws(PathStyleError) {
      let readings = try matcher.settings.style.style.readings(
        of: path.bytes, indexes: indexes.kind == .string ? indexes.bytes : nil, vocabulary: matcher.vocabulary,
        hierarchy: matcher.hierarchy)
      paths = readings.paths
      resolution = readings.isAmbiguous ? .ambiguous : .path
      if let page = readings.page { setPage(page) }
    } catch {
      resolution = .unresolved
    }
  }

  /// The page: the event's or else the dictionary's or the path's; valid until the next event.
  @inline(__always)
  func page(_ event: borrowing ProjectedEvent, _ matcher: borrowing Matcher) -> ProjectedValue {
    let own = matcher.fields.value(of: .page, event)
    guard own.kind == .missing, isResolved, hasKnownPage else { return own }
    return ProjectedValue(string: knownPage.all)
  }

  /// Whether the event is on an excluded page.
  func isPage(
    kindOf excluded: ExcludedPage, _ event: borrowing ProjectedEvent, _ matcher: borrowing Matcher,
    _ classes: inout ClassTable
  ) -> Bool {
    let page = page(event, matcher)
    guard page.kind == .string, matcher.isApp(excluded.app, event) else { return false }
    let number = classes.number(page.bytes)
    return classes.isClass(number, kindOf: classes.number(excluded.name))
  }

  /// The event ID that the event carries or that path, page, actions, message and title give. All readings of a path are
  /// written alike.
  mutating func eventID(_ event: borrowing ProjectedEvent, _ matcher: borrowing Matcher) -> EventID? {
    if let ownEventID { return ownEventID }
    guard resolution == .path || resolution == .ambiguous else { return nil }
    switch matcher.settings.style {
    case .hubbleData: break
    // The SDK hashes the path as it is sent.
    case .hubbleDataAndroid:
      return EventID(identity: UnsafeRawBufferPointer(matcher.fields.value(of: .path, event).bytes))
    default: return nil
    }
    func text(_ field: EventFields.Field) -> String? {
      let value = matcher.fields.value(of: field, event)
      return value.kind == .string ? String(decoding: value.bytes, as: UTF8.self) : nil
    }
    var parts = IdentityString(path: "")
    if let actions = text(.actions) {
      parts.actions = actions.utf8.split { $0 == UInt8(ascii: ",") || isWhiteSpace($0) }.map { String(Substring($0)) }
    } else {
      parts.message = text(.alertMessage)
      parts.title = text(.alertTitle)
      let isAlert = parts.message != nil || parts.title != nil
      parts.controller = isAlert ? "UIAlertController" : text(.page)
    }
    identity.removeAll(keepingCapacity: true)
    let path = matcher.fields.value(of: .path, event).bytes
    if path.contains(UInt8(ascii: "/")) {
      var written: [UInt8] = []
      if let reading = paths.first {
        written = Array(reading.written(.underscores).utf8)
      } else {
        for i in 0..<components.count {
          if i > 0 { written.append(UInt8(ascii: "_")) }
          written.append(contentsOf: components[i].name(in: path))
          components[i].numbers.locator.write(to: &written)
        }
      }
      written.withUnsafeBufferPointer { parts.write(path: $0, to: &identity) }
    } else {
      parts.write(path: path, to: &identity)
    }
    return identity.withUnsafeBytes { EventID(identity: $0) }
  }

  /// The readings of the path.
  var readings: [ElementPath] {
    guard let plainPath else { return paths }
    return [
      ElementPath(
        components.map { component in
          let name = String(decoding: component.name(in: plainPath.bytes), as: UTF8.self)
          return PathComponent(name, component.numbers.locator)
        })
    ]
  }
}

extension Matcher {
  /// Whether an event is, or may be, one of an app; nil is any.
  func isApp(_ app: UTF8String?, _ event: borrowing ProjectedEvent) -> Bool {
    guard let app else { return true }
    let value = fields.value(of: .app, event)
    return value.kind != .string || app.text.utf8.elementsEqual(value.bytes)
  }
}
