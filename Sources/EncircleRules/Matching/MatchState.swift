import EncircleEvents
import EncircleIdentity
import EncircleTree

/// What changes while a matcher matches: made once for each thread, and used again for every event.
public struct MatchState {
  // The classes of the rules, and those that events have named since.
  var classes: ClassTable
  private(set) var values: EventValues
  /// The numbers of the rules that match; without order, unique.
  private(set) var matches: [Int] = []
  // By rule: the round in which it was decided last.
  private var decidedIn: [UInt32]
  private var round: UInt32 = 0

  // The element of the event.
  private(set) var eventID: EventID?
  private(set) var resolution = Decision.Resolution.none
  private(set) var elements = CandidateElements()
  private(set) var candidates: [RuleIndex.Entry] = []
  private var identityBytes: [UInt8] = []
  // The page that the dictionary knows, for events that name none.
  private var dictionaryPage: EventValues.Value = .missing
  private(set) var pageClass: ClassNumber?

  // Classes that events name are remembered up to this number, as hostile ones could go on for ever.
  private static let mostClasses = 1 << 20

  /// Creates a state for a matcher.
  public init(for matcher: Matcher) {
    classes = matcher.classes
    // One more, for the page that the dictionary knows.
    values = EventValues(count: matcher.properties.count + 1)
    decidedIn = Array(repeating: 0, count: matcher.rules.count)
  }

  // MARK: - Values

  mutating func load(_ event: Event, _ matcher: Matcher) {
    values.removeAll()
    // Of two containers, the first that has a property counts.
    let containers = ["properties", "attributes"].compactMap { name -> EventObject? in
      if case .object(let object)? = event.members[name] { object } else { nil }
    }
    for (number, reference) in matcher.properties.references.enumerated() {
      let value: EventValue? =
        switch reference {
        case .property(let name): containers.lazy.compactMap { $0[name.text] }.first
        case .pointer(let pointer): Self.value(at: pointer, in: event)
        }
      guard let value else { continue }
      switch value {
      case .null: values.set(number, .null)
      case .bool(let flag): values.set(number, .bool(flag))
      case .number(let decimal): values.setNumber(number, decimal.description.utf8)
      case .string(let text): values.setString(number) { $0.append(contentsOf: text.utf8) }
      case .list, .object: values.set(number, .composite)
      }
    }
  }

  private static func value(at pointer: JSONPointer, in event: Event) -> EventValue? {
    var value = EventValue.object(event.members)
    for step in pointer.steps {
      switch value {
      case .object(let object):
        guard let member = object[String(decoding: step.name, as: UTF8.self)] else { return nil }
        value = member
      case .list(let elements):
        guard let position = step.position, position < elements.count else { return nil }
        value = elements[position]
      default: return nil
      }
    }
    return value
  }

  mutating func load(_ tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>, _ matcher: Matcher) {
    values.removeAll()
    let table = matcher.properties
    var scratch: [UInt8] = []
    func setMembers(of object: Int, _ keys: StringTable, _ numbers: [PropertyNumber], _ state: inout MatchState) {
      let end = Int(tape[object].next)
      var key = object + 1
      while key < end {
        if let found = Self.find(key, keys, tape, text, &scratch) { state.set(numbers[found], key + 1, tape, text) }
        key = Int(tape[key + 1].next)
      }
    }
    guard tape.count > 0, tape[0].kind == .object else { return }
    setMembers(of: 0, table.rootKeys, table.numberOfRootKey, &self)
    // Of two containers, the one read later counts.
    for container: StaticString in ["attributes", "properties"] {
      guard let object = tape.member(container, of: 0, in: text), tape[object].kind == .object else { continue }
      setMembers(of: object, table.keys, table.numberOfKey, &self)
    }
    for (pointer, number) in table.deepPointers {
      if let value = tape.find(pointer, in: text) { set(number, value, tape, text) }
    }
  }

  private static func find(
    _ key: Int, _ table: StringTable, _ tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>,
    _ scratch: inout [UInt8]
  ) -> Int? {
    let node = tape[key]
    guard node.hasEscapes else {
      return table.find(text.part(node.range)).map { Int($0.rawValue) }
    }
    scratch.removeAll(keepingCapacity: true)
    tape.appendString(key, in: text, to: &scratch)
    return scratch.withUnsafeBufferPointer { table.find($0).map { Int($0.rawValue) } }
  }

  private mutating func set(
    _ number: PropertyNumber, _ index: Int, _ tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>
  ) {
    let node = tape[index]
    switch node.kind {
    case .null: values.set(number, .null)
    case .true: values.set(number, .bool(true))
    case .false: values.set(number, .bool(false))
    case .number: values.setNumber(number, text.part(node.range))
    case .string: values.setString(number) { tape.appendString(index, in: text, to: &$0) }
    case .array, .object: values.set(number, .composite)
    }
  }

  /// The value of a field: the first of its places that the event has.
  func value(of field: EventFields.Field, _ matcher: Matcher) -> EventValues.Value {
    matcher.fields.firstValue(of: field, in: values)
  }

  /// The page: the event's or else the dictionary's.
  func pageValue(_ matcher: Matcher) -> EventValues.Value {
    let own = value(of: .page, matcher)
    if case .missing = own { return dictionaryPage }
    return own
  }

  func text(of field: EventFields.Field, _ matcher: Matcher) -> String? {
    guard case .string(let range) = value(of: field, matcher) else { return nil }
    return values.string(range)
  }

  /// The event's time in milliseconds since 1970.
  func time(_ matcher: Matcher) -> DecimalNumber? {
    guard case .number(let range) = value(of: .time, matcher) else { return nil }
    return values.decimal(range)
  }

  /// Whether the event is, or may be, one of an app; nil is any.
  func isApp(_ app: Name?, _ matcher: Matcher) -> Bool {
    guard let app, case .string(let range) = value(of: .app, matcher) else { return true }
    return values.withString(range) { app.text.utf8.elementsEqual($0) }
  }

  // MARK: - Element

  mutating func resolveElement(_ matcher: Matcher) {
    if classes.count > matcher.classes.count + Self.mostClasses { classes = matcher.classes }
    elements.removeAll()
    dictionaryPage = .missing
    pageClass = nil
    resolution = .none
    eventID = ownEventID(matcher)

    if case .string(let range) = value(of: .path, matcher) {
      readPath(range, matcher)
      if eventID == nil { eventID = eventIDOfPath(range, matcher) }
    }
    if elements.ends.isEmpty, let eventID {
      if let entry = matcher.dictionary[eventID] {
        add(entry.path)
        resolution = .dictionary
        if let page = entry.page {
          let number = matcher.properties.count
          values.setString(number) { $0.append(contentsOf: page.utf8) }
          dictionaryPage = values[number]
        }
      } else {
        resolution = .unresolved
      }
    }
    if case .string(let range) = pageValue(matcher) {
      pageClass = values.bytes.withUnsafeBufferPointer { classes.number($0.part(range)) }
    }
  }

  private func ownEventID(_ matcher: Matcher) -> EventID? {
    for number in matcher.fields[.eventID] {
      guard case .string(let range) = values[number] else { continue }
      if let id = values.withString(range, { EventID(hexadecimal: $0) }) { return id }
    }
    return nil
  }

  private mutating func readPath(_ range: Range<Int>, _ matcher: Matcher) {
    let isRead = values.bytes.withUnsafeBufferPointer { bytes in
      PathScanner.scan(bytes.part(range)) { name, locator in
        elements.append(classes.number(name), locator)
      }
    }
    if isRead {
      elements.endPath()
      resolution = .path
      return
    }
    elements.removeAll()
    do throws(PathError) {
      add(try ElementPath(parsing: values.string(range), vocabulary: matcher.vocabulary))
      resolution = .path
    } catch {
      guard case .ambiguous(let candidates, _) = error, !candidates.isEmpty else {
        resolution = .unresolved
        return
      }
      for candidate in candidates { add(candidate) }
      resolution = .ambiguous
    }
  }

  private mutating func add(_ path: ElementPath) {
    for component in path.components {
      elements.append(classes.number(Name(component.className)), component.locator)
    }
    elements.endPath()
  }

  /// The event ID that path, page, actions, message and title give. All readings of a path are written alike.
  private mutating func eventIDOfPath(_ range: Range<Int>, _ matcher: Matcher) -> EventID? {
    guard !elements.ends.isEmpty else { return nil }
    var identity = IdentityString(path: "")
    if let actions = text(of: .actions, matcher) {
      identity.actions = actions.utf8.split { $0 == UInt8(ascii: ",") || isWhiteSpace($0) }.map {
        String(Substring($0))
      }
    } else {
      identity.message = text(of: .alertMessage, matcher)
      identity.title = text(of: .alertTitle, matcher)
      let isAlert = identity.message != nil || identity.title != nil
      identity.controller = isAlert ? "UIAlertController" : text(of: .page, matcher)
    }
    identityBytes.removeAll(keepingCapacity: true)
    let isWritten = values.withString(range) { path in
      guard !path.contains(UInt8(ascii: "/")) else { return false }
      identity.write(path: path, to: &identityBytes)
      return true
    }
    if !isWritten {
      var path: [UInt8] = []
      for i in 0..<elements.ends[0] {
        if i > 0 { path.append(UInt8(ascii: "_")) }
        classes.withBytes(of: elements.classes[i]) { path.append(contentsOf: $0) }
        elements.locators[i].write(to: &path)
      }
      path.withUnsafeBufferPointer { identity.write(path: $0, to: &identityBytes) }
    }
    return identityBytes.withUnsafeBytes { EventID(identity: $0) }
  }

  /// The readings of the path.
  var paths: [ElementPath] {
    var start = 0
    return elements.ends.map { end in
      defer { start = end }
      return ElementPath(
        (start..<end).map { i in
          let name = classes.withBytes(of: elements.classes[i]) { String(decoding: $0, as: UTF8.self) }
          return PathComponent(name, elements.locators[i])
        })
    }
  }

  // MARK: - Rules

  /// Finds the candidates of the event whose element has been resolved.
  mutating func beginMatching(_ matcher: Matcher) {
    candidates.removeAll(keepingCapacity: true)
    values.bytes.withUnsafeBufferPointer { bytes in
      func text(_ value: EventValues.Value) -> UnsafeBufferPointer<UInt8>? {
        if case .string(let range) = value { bytes.part(range) } else { nil }
      }
      matcher.index.appendCandidates(
        eventID: eventID, page: text(pageValue(matcher)), event: text(value(of: .event, matcher)), paths: elements,
        classes, to: &candidates)
    }
    matches.removeAll(keepingCapacity: true)
    round &+= 1
    if round == 0 {
      for i in decidedIn.indices { decidedIn[i] = 0 }
      round = 1
    }
  }

  func isUndecided(_ rule: Int) -> Bool { decidedIn[rule] != round }

  mutating func decide(_ rule: Int, isMatch: Bool) {
    decidedIn[rule] = round
    if isMatch { matches.append(rule) }
  }
}
