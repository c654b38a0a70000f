import EncircleIdentity
import EncircleRules
import EncircleText

/// Counts the decisions of rules about elements and taps on them, kind by kind.
package struct CoverageTally: Sendable {
  /// The decision about a tap.
  enum Outcome {
    case taken, open, excluded, excludedPage
    case setAside(reason: UTF8String)
  }

  private struct Entry {
    let kind: ElementKind
    var type: UTF8String?
    var text: UTF8String?
    var place: CoverageReport.Place?
    /// The decisions about its elements in captures.
    var elements = CoverageReport.Counts()
    var taps = CoverageReport.Counts()
    /// Nil where they are not known.
    var people: Int?
    var versions: [UTF8String] = []
    var reason: UTF8String?

    init(_ kind: ElementKind) { self.kind = kind }
  }

  /// Bounds the memory that a stream takes.
  package struct Limits: Sendable {
    package var kinds = 200_000
    /// The bytes of their pages, selectors and texts.
    package var bytes = 256 << 20
    /// Pairs of an element and a person.
    package var people = 4_000_000
    /// Versions of one element.
    package var versions = 50

    package init() {}
  }

  private struct ElementOnPage: Hashable {
    let id: EventID
    let page: UTF8String?
  }

  private struct Person: Hashable {
    let entry: Int32
    let person: UInt64
  }

  private let limits: Limits
  private var entries: [Entry] = []
  private var byteCount = 0
  private var numbers: [ElementKind: Int] = [:]
  private var numbersByID: [EventID: Int] = [:]
  // Items of bars share event IDs between pages.
  private var numbersByPage: [ElementOnPage: Int] = [:]
  private var titles: [UTF8String?: UTF8String] = [:]
  private var capturedPages: Set<UTF8String?> = []
  private var people: Set<Person> = []
  private var report = CoverageReport()

  package init(limits: Limits = Limits()) { self.limits = limits }

  // MARK: - Captures

  mutating func noteCapture(isSkipped: Bool) {
    if isSkipped { report.skippedCaptures += 1 } else { report.captures += 1 }
  }

  /// Adds an element of a capture.
  ///
  /// - Parameter ids: The event IDs that events may have for it.
  mutating func add(
    _ kind: ElementKind, _ outcome: Outcome, ids: [EventID], type: String?, text: String?, title: String?,
    at place: CoverageReport.Place
  ) {
    guard let number = number(of: kind) else { return }
    for id in ids {
      numbersByID[id] = number
      numbersByPage[ElementOnPage(id: id, page: kind.page)] = number
    }
    capturedPages.insert(kind.page)
    if let title, !title.isEmpty, titles[kind.page] == nil { titles[kind.page] = UTF8String(title) }
    entries[number].elements.add(outcome, 1)
    if case .setAside(let reason) = outcome, entries[number].reason == nil { entries[number].reason = reason }
    guard entries[number].place == nil else { return }
    entries[number].place = place
    // The facts from a capture replace the facts from events.
    entries[number].type = type.map { UTF8String($0) }
    entries[number].text = text.flatMap { Self.kept(UTF8String($0)) }
  }

  // MARK: - Taps

  /// Returns the number of the kind that captures have for an event ID: of the kind on this page, if they show the element
  /// there.
  func capturedNumber(of id: EventID, on page: UTF8String?) -> Int? {
    numbersByPage[ElementOnPage(id: id, page: page)] ?? numbersByID[id]
  }

  /// Returns the number of a kind, which is added if it is new; nil for a kind beyond the limits, which is counted in
  /// `report.beyondLimits`.
  mutating func number(of kind: ElementKind) -> Int? {
    if let known = numbers[kind] { return known }
    guard entries.count < limits.kinds, byteCount + kind.byteCount <= limits.bytes else {
      report.beyondLimits += 1
      return nil
    }
    byteCount += kind.byteCount
    numbers[kind] = entries.count
    entries.append(Entry(kind))
    return entries.count - 1
  }

  /// Returns the number of an element that is known only by its event ID and its page.
  mutating func number(of id: EventID, page: UTF8String?) -> Int? {
    number(of: ElementKind(page: page, selector: UTF8String(id.description), distinction: []))
  }

  /// Adds taps on elements of a kind.
  ///
  /// - Parameters:
  ///   - person: A hash of who caused them.
  ///   - version: The version of the app.
  mutating func add(
    _ taps: Int, on number: Int, _ outcome: Outcome, person: UInt64? = nil, version: UTF8String? = nil
  ) {
    entries[number].taps.add(outcome, taps)
    if case .setAside(let reason) = outcome, entries[number].reason == nil { entries[number].reason = reason }
    guard case .open = outcome else { return }
    note(version, number)
    guard let person else { return }
    let pair = Person(entry: Int32(number), person: person)
    guard !people.contains(pair) else { return }
    guard people.count < limits.people else {
      report.beyondLimits += 1
      return
    }
    people.insert(pair)
    entries[number].people = (entries[number].people ?? 0) + 1
  }

  private mutating func note(_ version: UTF8String?, _ number: Int) {
    guard let version = Self.kept(version), entries[number].versions.count < limits.versions,
      !entries[number].versions.contains(version)
    else { return }
    entries[number].versions.append(version)
  }

  /// Adds the facts from an event about an element that no capture shows.
  mutating func describe(_ number: Int, type: UTF8String?, text: UTF8String?) {
    guard entries[number].place == nil, entries[number].type == nil, entries[number].text == nil else { return }
    entries[number].type = Self.kept(type)
    entries[number].text = Self.kept(text)
  }

  /// Returns a text; nil if it is empty or too long for people to read.
  private static func kept(_ text: UTF8String?) -> UTF8String? {
    text.flatMap { (1...longestText).contains($0.text.utf8.count) ? $0 : nil }
  }

  private static let longestText = 1_000

  /// Counts an event that names no element.
  mutating func addOther() { report.others += 1 }

  // MARK: - Counters

  /// Adds taps that were decided when they arrived. If captures show the element, the taps count as the rules decide it now;
  /// otherwise, and if rules take only part of its taps, they count as they were decided. Excluded taps stay excluded, because
  /// captures do not show the effect of an exclude rule about versions or people.
  ///
  /// - Returns: The number of the kind; nil for one beyond the limits.
  @discardableResult package mutating func add(
    _ decided: CoverageReport.Counts, id: EventID, page: String?
  ) -> Int? {
    let page = page.map { UTF8String($0) }
    guard let number = capturedNumber(of: id, on: page) ?? self.number(of: id, page: page) else { return nil }
    var taps = decided
    let others = decided.taken + decided.open
    (taps.taken, taps.open) = (0, 0)
    switch decidedState(number) {
    // The stored decisions have the number of taps that a rule took.
    case nil, .partly: taps = decided
    case .taken: taps.taken = others
    case .open: taps.open = others
    case .setAside: taps.setAside = others
    case .excluded: (taps.excluded, taps.excludedPage) = (decided.total, 0)
    case .excludedPage: (taps.excluded, taps.excludedPage) = (0, decided.total)
    }
    entries[number].taps += taps
    return number
  }

  /// Returns the decision about the elements of a kind in captures; nil if no capture shows one.
  private func decidedState(_ number: Int) -> CoverageReport.State? {
    let elements = entries[number].elements
    return elements.total == 0 ? nil : elements.state(elements)
  }

  /// Returns the numbers of the kinds with the most taps that no rule takes. The value of a kind is true if only the taps count
  /// that no rule selected on arrival, and false if all its taps count.
  ///
  /// - Complexity: O(*n* log *n*), *n* kinds.
  package func mostTapped(_ count: Int) -> [Int: Bool] {
    let open = entries.indices.filter { entries[$0].taps.open > 0 }
    let most = open.sorted { (entries[$0].taps.open, $1) > (entries[$1].taps.open, $0) }.prefix(count)
    return Dictionary(uniqueKeysWithValues: most.map { ($0, decidedState($0) != .open) })
  }

  /// Sets the number of people who caused the taps without a rule on elements of a kind, and the versions of the app.
  package mutating func set(people count: Int, versions: some Sequence<UTF8String>, of number: Int) {
    // The counters are of whole days, so they may include people from before the time that is asked for.
    entries[number].people = min(count, entries[number].taps.open)
    for version in versions { note(version, number) }
  }

  // MARK: - Result

  /// Returns the result.
  ///
  /// - Parameter reasons: The reasons why elements are set aside.
  /// - Complexity: O(*n* log *n*), *n* kinds of elements.
  package func finish(reasons: [UTF8String: String]) -> CoverageReport {
    var result = report
    var screens: [UTF8String?: CoverageReport.Screen] = [:]
    for entry in entries {
      let state = entry.elements.state(entry.taps)
      var elements = CoverageReport.Counts()
      switch state {
      case .taken, .partly: elements.taken = 1
      case .open: elements.open = 1
      case .setAside: elements.setAside = 1
      case .excluded: elements.excluded = 1
      case .excludedPage: elements.excludedPage = 1
      }
      let page = entry.kind.page
      var screen = screens[page] ?? CoverageReport.Screen(page: page?.text)
      screen.totals.taps += entry.taps
      screen.totals.elements += elements
      screens[page] = screen
      result.totals.taps += entry.taps
      result.totals.elements += elements
      if state == .open || state == .partly { result.open.append(element(entry, state, reasons)) }
      if state == .setAside { result.setAside.append(element(entry, state, reasons)) }
    }
    for (page, var screen) in screens {
      screen.title = titles[page]?.text
      screen.isCaptured = capturedPages.contains(page)
      result.screens.append(screen)
    }
    func isBefore(_ a: String?, _ b: String?) -> Bool { UTF8String(a ?? "") < UTF8String(b ?? "") }
    result.screens.sort { a, b in
      let (x, y) = (a.totals.taps.total, b.totals.taps.total)
      return x != y ? x > y : isBefore(a.page, b.page)
    }
    func sort(_ elements: inout [CoverageReport.Element], by taps: KeyPath<CoverageReport.Counts, Int>) {
      elements.sort { a, b in
        let (x, y) = (a.taps[keyPath: taps], b.taps[keyPath: taps])
        if x != y { return x > y }
        if (a.people ?? 0) != (b.people ?? 0) { return (a.people ?? 0) > (b.people ?? 0) }
        if !sameText(a.page, b.page) { return isBefore(a.page, b.page) }
        return isBefore(a.selector, b.selector) || sameText(a.selector, b.selector) && isBefore(a.text, b.text)
      }
    }
    sort(&result.open, by: \.open)
    sort(&result.setAside, by: \.setAside)
    return result
  }

  private func element(
    _ entry: Entry, _ state: CoverageReport.State, _ reasons: [UTF8String: String]
  ) -> CoverageReport.Element {
    CoverageReport.Element(
      page: entry.kind.page?.text, selector: entry.kind.selector.text, state: state, type: entry.type?.text,
      text: entry.text?.text, taps: entry.taps, people: entry.people ?? (entry.taps.open == 0 ? 0 : nil),
      versions: entry.versions.map(\.text).sorted(by: VersionNumber.areInOrder), place: entry.place,
      reason: entry.reason.flatMap { reasons[$0] })
  }
}

extension CoverageReport.Counts {
  mutating func add(_ outcome: CoverageTally.Outcome, _ count: Int) {
    switch outcome {
    case .taken: taken += count
    case .open: open += count
    case .setAside: setAside += count
    case .excluded: excluded += count
    case .excludedPage: excludedPage += count
    }
  }

  /// Derives the state of an element from the decisions about its places in captures and about taps on it.
  func state(_ taps: CoverageReport.Counts) -> CoverageReport.State {
    if taken + taps.taken > 0 { return open + taps.open > 0 ? .partly : .taken }
    // An element that is open in one row, or was tapped before it was set aside, is open.
    if open + taps.open > 0 { return .open }
    if setAside + taps.setAside > 0 { return .setAside }
    if excluded + taps.excluded > 0 { return .excluded }
    return excludedPage + taps.excludedPage > 0 ? .excludedPage : .open
  }
}
