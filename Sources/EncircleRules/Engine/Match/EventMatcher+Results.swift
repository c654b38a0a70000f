import EncircleEvents
import EncircleIdentity
import EncircleText

/// Details about the event matched last.
extension EventMatcher {
  // Inlined, as Swift copies a matcher for a getter that it calls.

  /// The numbers of the rules that match, in ascending order; valid until the next event.
  @inline(__always) var matchedRules: UnsafeBufferPointer<UInt32> {
    if let styles { return styles.pointee.matchedRules }
    guard matchesAreCached, let entry else { return matched.all }
    return UnsafeBufferPointer(start: ElementCache.lists(of: entry), count: Int(entry.pointee.matchedCount))
  }

  /// The numbers of the excluded pages that the event is on, in the order of the rule set.
  @inline(__always) var matchedPages: [Int] {
    if let styles { return styles.pointee.current.pointee.matchedPages }
    guard let entry else { return [] }
    let start = ElementCache.lists(of: entry) + Int(entry.pointee.matchedCount + 2 * entry.pointee.openCount)
    return (0..<Int(entry.pointee.pageCount)).map { Int(start[$0]) }
  }

  /// Returns how the element was found.
  ///
  /// - Parameter event: The event that was matched last; it may have moved in memory since.
  mutating func resolution(of event: UnsafePointer<ProjectedEvent>) -> Decision.Resolution {
    if let styles { return styles.pointee.current.pointee.resolution(of: event) }
    guard let entry else { return .none }
    if !isPrefiltered { return entry.pointee.resolution }
    input.pointee.resume(event)
    input.pointee.resolve()
    return input.pointee.resolution
  }

  /// Returns the event ID of the event at the matcher's own place, which has just been matched.
  mutating func eventIDOfOwnEvent() -> EventID? { eventID(of: UnsafePointer(ownEvent)) }

  /// Returns the event ID. Once it has been computed, the cache keeps it.
  ///
  /// - Parameter event: The event that was matched last, wherever it lies now.
  mutating func eventID(of event: UnsafePointer<ProjectedEvent>) -> EventID? {
    if let styles { return styles.pointee.current.pointee.eventID(of: event) }
    guard let entry else { return nil }
    if entry.pointee.eventID == ElementCache.Header.noEventID { return nil }
    if let known = cache.eventID(entry) { return known }
    if isPrefiltered { prefilterState.noteVainRejection() }
    input.pointee.resume(event)
    input.pointee.resolve()
    let id = input.pointee.eventID()
    cache.setEventID(entry, id)
    return id
  }

  // MARK: - For properties

  /// Returns the value of the event that was matched last at a place of the projection; nil if it has none, and null for a list
  /// or an object.
  ///
  /// - Parameter event: The event that was matched last, wherever it lies now.
  mutating func value(_ number: Int, of event: UnsafePointer<ProjectedEvent>) -> Scalar? {
    if let styles { return styles.pointee.current.pointee.value(number, of: event) }
    input.pointee.resume(event)
    if usesKnownTexts { input.pointee.addKnownTexts() }
    defer { if usesKnownTexts { input.pointee.withdrawKnownTexts() } }
    let value = input.pointee[number]
    func text() -> String { String(decoding: value.bytes, as: UTF8.self) }
    return switch value.kind {
    case .missing: nil
    case .null, .composite: .null
    case .true: .bool(true)
    case .false: .bool(false)
    case .number: DecimalNumber(value.bytes).map { .number($0) } ?? .null
    case .string: .string(UTF8String(text()))
    }
  }

  /// Returns the page of the event matched last, its element's path in each reading, and the readings for looking it up in captures.
  ///
  /// - Complexity: O(length of the path).
  mutating func pageAndReadings(
    of event: UnsafePointer<ProjectedEvent>
  ) -> (page: UTF8String?, paths: [ElementPath], known: [ElementPath]) {
    if let styles { return styles.pointee.current.pointee.pageAndReadings(of: event) }
    input.pointee.resume(event)
    input.pointee.resolve()
    let page = input.pointee.page
    return (
      page.kind == .string ? UTF8String(String(decoding: page.bytes, as: UTF8.self)) : nil, input.pointee.readings,
      input.pointee.knownReadings
    )
  }

  // MARK: - For tolerance

  /// Returns the page in the event that was matched last; missing if only the element may determine it, nil if events of the style
  /// name no pages.
  ///
  /// - Parameter event: The event that was matched last, wherever it lies now.
  @inline(__always) mutating func ownPage(of event: UnsafePointer<ProjectedEvent>) -> ProjectedValue? {
    if let styles { return styles.pointee.current.pointee.ownPage(of: event) }
    guard namesPages else { return nil }
    input.pointee.resume(event)
    return input.pointee.page
  }

  /// Returns the page and the element of the event that was matched last; nil if its element is unknown. In styles that name no
  /// pages, the result has no page.
  ///
  /// - Complexity: O(length of the path).
  mutating func place(of event: UnsafePointer<ProjectedEvent>) -> ElementPlace? {
    if let styles { return styles.pointee.current.pointee.place(of: event) }
    let (named, paths, _) = pageAndReadings(of: event)
    let page = namesPages ? named : nil
    return paths.first.map { ElementPlace(page: page, path: $0) }
  }
}
