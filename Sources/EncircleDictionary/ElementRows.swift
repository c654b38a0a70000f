import EncircleIdentity
import EncircleText
import EncircleTree
import GRDB

/// Reads elements from the rows of one dictionary file, and caches values that many elements share.
final class ElementRows {
  // The statements of look-ups.
  private var statements: LookupStatements?
  // Caches of names by their id, of nodes by the id of their facts, and of links by element. Most elements share one of a few
  // sets of captures, so the values from captures are cached by the set.
  private var names: [Int: String] = [:]
  private var facts: [Int: PathNode] = [:]
  private var above: [Int: Link] = [:]
  private var occurrences: [[UInt8]: CaptureSummary] = [:]
  // The number of captures in `occurrences`.
  private var occurrenceCount = 0
  let captures: [Int: DictionaryReader.Capture]
  // The number of entries at which a cache is emptied.
  private static let maximumLinks = 1 << 20

  static let tooDeep = DictionaryError.damaged(
    "an element is nested deeper than \(DictionaryReader.maximumDepth) levels")

  private struct Link {
    let above: Int?
    let facts: Int
  }

  /// The properties of the captures that contain an element.
  private struct CaptureSummary {
    var names: [String] = []
    var versions: [String] = []
    var styles: [PathStyleName] = []
  }

  /// The statements of look-ups.
  private struct LookupStatements {
    let byEventID: Query
    let byEventIDs: Query
    let byStyleIDs: Query
    let link: Query
    let name: Query
    let facts: Query

    init(_ db: Database) throws {
      func elements(where condition: String) throws -> Query {
        try Query(
          db, "SELECT \(ElementRows.columns) FROM element WHERE \(condition) ORDER BY event_id, id LIMIT ?")
      }
      byEventID = try elements(where: "event_id = ?")
      byEventIDs = try elements(where: "event_id BETWEEN ? AND ?")
      byStyleIDs = try elements(where: "id IN (SELECT element FROM style_id WHERE digest BETWEEN ? AND ?)")
      link = try Query(db, "SELECT above, facts FROM element WHERE id = ?")
      name = try Query(db, "SELECT text FROM name WHERE id = ?")
      facts = try Query(db, "SELECT class, more FROM facts WHERE id = ?")
    }
  }

  init(_ captures: [Int: DictionaryReader.Capture]) { self.captures = captures }

  // MARK: - Elements

  func elements(with id: EventID, _ db: Database) throws -> [KnownElement] {
    try elements(statements(db).byEventID, [.bytes(id.bytes), .number(DictionaryReader.maximumElements)], db)
  }

  /// Returns the elements whose event ID lies between two blobs.
  func elements(withIDsFrom lower: [UInt8], to upper: [UInt8], limit: Int, _ db: Database) throws -> [KnownElement] {
    try elements(statements(db).byEventIDs, [.bytes(lower), .bytes(upper), .number(limit)], db)
  }

  /// Returns the elements whose ids in another style lie between two blobs.
  func elements(
    withStyleIDsFrom lower: [UInt8], to upper: [UInt8], limit: Int, _ db: Database
  ) throws -> [KnownElement] {
    try elements(statements(db).byStyleIDs, [.bytes(lower), .bytes(upper), .number(limit)], db)
  }

  /// Calls `body` with all elements, in the order in which they were added.
  func forEach(_ db: Database, _ body: (KnownElement) throws -> Void) throws {
    let query = try Query(db, "SELECT \(Self.columns) FROM element ORDER BY id")
    try query.forEachRow { try body(try element($0, db)) }
  }

  private static let columns =
    "id, event_id, above, facts, rest, controller, page, type, content, x, y, width, height, seen, sharing"

  private func statements(_ db: Database) throws -> LookupStatements {
    if let statements { return statements }
    let made = try LookupStatements(db)
    statements = made
    return made
  }

  private func elements(_ query: Query, _ values: [Query.Value], _ db: Database) throws -> [KnownElement] {
    var elements: [KnownElement] = []
    try query.forEachRow(values) { elements.append(try element($0, db)) }
    return elements
  }

  private func element(_ row: Columns, _ db: Database) throws -> KnownElement {
    let number = try row.rowNumber(0)
    let id = try row.eventID(1)
    let link = Link(above: try row.optionalRowNumber(2), facts: try row.rowNumber(3))
    remember(link, of: number)
    let chain = try chain(link, of: number, db)
    var identity = Array("path(".utf8)
    _ = HubbleDataStyle().write(pathOf: chain, to: &identity)
    identity.append(contentsOf: try name(try row.rowNumber(4), db).utf8)
    var element = KnownElement(eventID: id, identity: String(decoding: identity, as: UTF8.self), chain: chain)
    func optionalName(_ column: CInt) throws -> String? {
      try row.optionalRowNumber(column).map { try name($0, db) }
    }
    element.controller = try optionalName(5)
    element.page = try optionalName(6)
    element.type = try optionalName(7).flatMap { TrackingType(rawValue: $0) }
    element.content = try optionalName(8)
    if let x = try row.optionalNumber(9), let y = try row.optionalNumber(10), let width = try row.optionalNumber(11),
      let height = try row.optionalNumber(12), [x, y, width, height].allSatisfy(\.isFinite)
    {
      element.frame = Frame(x: x, y: y, width: width, height: height)
    }
    let summary = try captureSummary(try row.bytes(13))
    element.captures = summary.names
    element.appVersions = summary.versions
    element.styles = summary.styles
    element.sharing = try row.rowNumber(14)
    return element
  }

  private func captureSummary(_ seen: [UInt8]) throws -> CaptureSummary {
    if let known = occurrences[seen] { return known }
    var summary = CaptureSummary()
    var versions: Set<UTF8String> = []
    var styles: Set<PathStyleName> = []
    for number in try captureSet(seen) {
      guard let capture = captures[number] else { throw DictionaryError.damaged("a capture is missing") }
      summary.names.append(capture.name)
      if let version = capture.appVersion { versions.insert(UTF8String(version)) }
      styles.formUnion(capture.styles)
    }
    summary.versions = versions.map(\.text).sorted(by: VersionNumber.areInOrder)
    summary.styles = PathStyleName.allCases.filter(styles.contains)
    if occurrenceCount >= Self.maximumLinks {
      occurrences.removeAll()
      occurrenceCount = 0
    }
    occurrences[seen] = summary
    occurrenceCount += summary.names.count
    return summary
  }

  /// Returns the nodes from the window down to an element.
  private func chain(_ link: Link, of element: Int, _ db: Database) throws -> [PathNode] {
    var chain = [try node(link.facts, db)]
    var length = chain[0].className.utf8.count
    var current = link.above
    var below = element
    while let number = current {
      // The element above always has a smaller number. Checking that ends the loop even if the file is damaged.
      guard number < below else { throw DictionaryError.damaged("an element contains itself") }
      guard chain.count < DictionaryReader.maximumDepth else { throw Self.tooDeep }
      let next = try self.link(of: number, db)
      let node = try node(next.facts, db)
      length += node.className.utf8.count
      guard length <= ElementPath.maximumLength else {
        throw DictionaryError.damaged("a path is longer than \(ElementPath.maximumLength) bytes")
      }
      chain.append(node)
      (below, current) = (number, next.above)
    }
    chain.reverse()
    return chain
  }

  // MARK: - Rows

  /// Decodes the captures of an element. No number may exceed the number of the last capture, because the runs of a damaged set
  /// could be almost endless.
  func captureSet(_ bytes: [UInt8]) throws -> CaptureSet {
    guard let set = CaptureSet(bytes), set.runs.last?.upperBound ?? 0 <= captures.count else {
      throw DictionaryError.damaged("the captures of an element")
    }
    return set
  }

  private func remember(_ link: Link, of element: Int) {
    if above.count >= Self.maximumLinks { above.removeAll(keepingCapacity: true) }
    above[element] = link
  }

  private func link(of element: Int, _ db: Database) throws -> Link {
    if let link = above[element] { return link }
    let found = try statements(db).link.firstRow(.number(element)) { row in
      Link(above: try row.optionalRowNumber(0), facts: try row.rowNumber(1))
    }
    guard let link = found else { throw DictionaryError.damaged("an element is missing") }
    remember(link, of: element)
    return link
  }

  func name(_ id: Int, _ db: Database) throws -> String {
    if let name = names[id] { return name }
    guard let name = try statements(db).name.firstRow(.number(id), body: { try $0.text(0) }) else {
      throw DictionaryError.damaged("a name is missing")
    }
    if names.count >= Self.maximumLinks { names.removeAll(keepingCapacity: true) }
    names[id] = name
    return name
  }

  func node(_ id: Int, _ db: Database) throws -> PathNode {
    if let node = facts[id] { return node }
    let found = try statements(db).facts.firstRow(.number(id)) { row in
      Facts(className: try row.rowNumber(0), more: try row.bytes(1))
    }
    guard let known = found else { throw DictionaryError.damaged("the facts of an element are missing") }
    guard let node = try known.node({ try name($0, db) }) else {
      throw DictionaryError.damaged("the facts of an element")
    }
    if facts.count >= Self.maximumLinks { facts.removeAll(keepingCapacity: true) }
    facts[id] = node
    return node
  }
}
