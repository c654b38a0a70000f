import EncircleIdentity
import EncircleText
import EncircleTree
import Foundation
import GRDB

/// Looks things up in a dictionary file; for one thread.
///
/// ```swift
/// let reader = try DictionaryReader(path: "app.encircle")
/// for element in try reader.elements(withPrefix: "51effcaa") { print(element.identity) }
/// ```
public final class DictionaryReader {
  /// A capture that has been indexed.
  public struct Capture: Hashable, Sendable {
    /// What it is called.
    public let name: String
    /// The app.
    public let app: String?
    /// The version of the app.
    public let appVersion: String?
    /// The number of elements.
    public let elements: Int
    /// The styles that can serve it.
    public let styles: [PathStyleName]
  }

  private let database: DatabaseQueue
  // Names, facts and the way up, as far as they were asked for.
  private var names: [Int: String] = [:]
  private var facts: [Int: PathNode] = [:]
  private var above: [Int: Link] = [:]
  private let captures: [Int: Capture]
  private let lastCapture: Int
  private static let mostLinks = 1 << 20

  private struct Link {
    let above: Int?
    let facts: Int
  }

  /// Opens a dictionary.
  ///
  /// - Throws: Why the file is none or cannot be read.
  public init(path: String) throws(DictionaryError) {
    try FileCheck.check(path)
    (database, captures) = try DictionaryError.translating {
      var configuration = Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(2)
      configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA mmap_size = 1073741824") }
      let database = try DatabaseQueue(path: path, configuration: configuration)
      let captures = try database.read { db in try Self.captures(db) }
      return (database, captures)
    }
    lastCapture = captures.keys.max() ?? 0
  }

  private static func captures(_ db: Database) throws -> [Int: Capture] {
    var captures: [Int: Capture] = [:]
    let cursor = try Row.fetchCursor(db, sql: "SELECT id, name, app, app_version, elements, styles FROM capture")
    while let row = try cursor.next() {
      let bits: Int = try row.value(5)
      let styles = PathStyleName.allCases.enumerated().filter { bits & 1 << $0.offset != 0 }.map(\.element)
      captures[try row.value(0)] = Capture(
        name: try row.value(1), app: row[2], appVersion: row[3], elements: try row.value(4), styles: styles)
    }
    return captures
  }

  /// The captures, in the order in which they were indexed.
  public var allCaptures: [Capture] { captures.sorted { $0.key < $1.key }.map(\.value) }

  /// The number of elements: event IDs, counted again where one was seen on several elements.
  public func count() throws(DictionaryError) -> Int {
    try read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM element") ?? 0 }
  }

  private func read<R>(_ body: (Database) throws -> R) throws(DictionaryError) -> R {
    try DictionaryError.translating { try database.read(body) }
  }

  // MARK: - Look-ups

  /// What is known of an event ID: more than one element if captures have given it to several, none if it is unknown.
  ///
  /// - Complexity: O(log elements + length of the path).
  public func elements(with id: EventID) throws(DictionaryError) -> [KnownElement] {
    try read { db in try elements(db, "event_id = ?", [id.data]) }
  }

  /// The elements whose event ID, or whose id in some other style, begins with these hexadecimal digits.
  ///
  /// - Parameters:
  ///   - digits: Hexadecimal digits of either case, 64 at most; nothing else is looked for.
  ///   - limit: The number of elements after which there is no need for more.
  /// - Returns: The elements, by event ID.
  /// - Complexity: O(log elements) besides the results.
  public func elements(withPrefix digits: String, limit: Int = 16) throws(DictionaryError) -> [KnownElement] {
    guard let (lower, upper) = Self.bounds(digits) else { return [] }
    return try read { db in
      let found = try elements(db, "event_id BETWEEN ? AND ?", [lower, upper], limit: limit)
      if found.count >= limit { return found }
      let others = try elements(
        db, "id IN (SELECT element FROM style_id WHERE digest BETWEEN ? AND ?)", [lower, upper],
        limit: limit - found.count)
      return found + others
    }
  }

  /// The least and the greatest blob that begins with the digits.
  private static func bounds(_ digits: String) -> (Data, Data)? {
    var lower: [UInt8] = []
    var upper: [UInt8] = []
    var high: UInt8?
    for byte in digits.utf8 {
      guard let digit = Character(UnicodeScalar(byte)).hexDigitValue.map({ UInt8($0) }) else { return nil }
      if let first = high {
        lower.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    guard lower.count <= 32 else { return nil }
    upper = lower
    if let high {
      lower.append(high << 4)
      upper.append(high << 4 | 0xF)
    }
    // Longer blobs with the same beginning come later.
    while upper.count < 33 { upper.append(0xFF) }
    return (Data(lower), Data(upper))
  }

  /// Calls `body` with all elements, in the order in which they were found.
  public func forEach(_ body: (KnownElement) throws -> Void) throws(DictionaryError) {
    try read { db in
      let cursor = try Row.fetchCursor(db, sql: "SELECT \(Self.columns) FROM element ORDER BY id")
      while let row = try cursor.next() { try body(try element(row, db)) }
    }
  }

  private static let columns =
    "id, event_id, above, facts, rest, controller, page, type, content, x, y, width, height, seen, sharing"

  private func elements(
    _ db: Database, _ condition: String, _ arguments: StatementArguments, limit: Int = 64
  ) throws -> [KnownElement] {
    let statement = try db.cachedStatement(
      sql: "SELECT \(Self.columns) FROM element WHERE \(condition) ORDER BY event_id, id LIMIT \(limit)")
    let rows = try Row.fetchAll(statement, arguments: arguments)
    return try rows.map { try element($0, db) }
  }

  private func element(_ row: Row, _ db: Database) throws -> KnownElement {
    let bytes: Data = try row.value(1)
    let number: Int = try row.value(0)
    guard let id = bytes.withUnsafeBytes({ EventID(bytes: $0) }) else { throw DictionaryError.damaged("an event ID") }
    let link = Link(above: row[2], facts: try row.value(3))
    remember(link, of: number)
    var chain = [try node(link.facts, db)]
    var current = link.above
    var below = number
    while let number = current {
      // Above is always a smaller number, so a damaged file cannot make this go on for ever.
      guard number < below else { throw DictionaryError.damaged("an element lies in itself") }
      let next = try self.link(of: number, db)
      chain.append(try node(next.facts, db))
      (below, current) = (number, next.above)
    }
    chain.reverse()
    let path = ElementPath(chain.map { PathComponent($0.className, $0.locator) })
    let rest = try name(try row.value(4), db)
    var element = KnownElement(eventID: id, identity: "path(" + path.written(.underscores) + rest, chain: chain)
    func optionalName(_ column: Int) throws -> String? {
      let id: Int? = row[column]
      return try id.map { try name($0, db) }
    }
    element.controller = try optionalName(5)
    element.page = try optionalName(6)
    element.type = try optionalName(7).flatMap { TrackingType(rawValue: $0) }
    element.content = try optionalName(8)
    if let x: Double = row[9], let y: Double = row[10], let width: Double = row[11], let height: Double = row[12],
      [x, y, width, height].allSatisfy(\.isFinite)
    {
      element.frame = Frame(x: x, y: y, width: width, height: height)
    }
    let seen = try captureSet(try row.value(13))
    var versions: Set<String> = []
    var styles: Set<PathStyleName> = []
    for number in seen {
      guard let capture = captures[number] else { throw DictionaryError.damaged("a capture is missing") }
      element.captures.append(capture.name)
      if let version = capture.appVersion { versions.insert(version) }
      styles.formUnion(capture.styles)
    }
    element.appVersions = AppVersions.sorted(versions)
    element.styles = PathStyleName.allCases.filter(styles.contains)
    element.sharing = try row.value(14)
    return element
  }

  // MARK: - Sightings

  /// What statistics ask about an element.
  struct Sighting {
    let eventID: EventID
    let page: UTF8String?
    let isTrackable: Bool
    let captures: CaptureSet
    let sharing: Int
    /// The component of the path.
    let className: String
    let locator: Locator

    /// Parts of a bar that lies over several pages are the same ones, controls in it are not.
    func isSameElement(as other: Sighting) -> Bool {
      isTrackable == other.isTrackable && (page == other.page || !isTrackable) && locator == other.locator
        && UTF8String(className) == UTF8String(other.className)
    }
  }

  /// The captures by their numbers.
  var numberedCaptures: [Int: Capture] { captures }

  /// Calls `body` with all elements, by event ID.
  func forEachSighting(_ body: (Sighting) throws(DictionaryError) -> Void) throws(DictionaryError) {
    try read { db in
      let cursor = try Row.fetchCursor(
        db, sql: "SELECT event_id, page, type, seen, sharing, facts FROM element ORDER BY event_id, id")
      while let row = try cursor.next() {
        let bytes: Data = try row.value(0)
        guard let id = bytes.withUnsafeBytes({ EventID(bytes: $0) }) else {
          throw DictionaryError.damaged("an event ID")
        }
        let seen = try captureSet(try row.value(3))
        let page: Int? = row[1]
        let type: Int? = row[2]
        let node = try node(try row.value(5), db)
        try body(
          Sighting(
            eventID: id, page: try page.map { UTF8String(try name($0, db)) }, isTrackable: type != nil, captures: seen,
            sharing: try row.value(4), className: node.className, locator: node.locator))
      }
    }
  }

  /// The captures that show each page.
  func capturesByPage() throws(DictionaryError) -> [UTF8String?: Set<Int>] {
    var result: [UTF8String?: Set<Int>] = [:]
    try read { db in
      // Elements of a page mostly share their captures.
      let cursor = try Row.fetchCursor(db, sql: "SELECT DISTINCT page, seen FROM element")
      while let row = try cursor.next() {
        let page: Int? = row[0]
        let seen = try captureSet(try row.value(1))
        result[try page.map { UTF8String(try name($0, db)) }, default: []].formUnion(seen.runs.joined())
      }
    }
    return result
  }

  // MARK: - Parts

  /// The captures of an element, none of which is beyond the last: a damaged set could go on for ever.
  private func captureSet(_ bytes: Data) throws -> CaptureSet {
    guard let set = CaptureSet(bytes), set.runs.last?.upperBound ?? 0 <= lastCapture else {
      throw DictionaryError.damaged("the captures of an element")
    }
    return set
  }

  private func remember(_ link: Link, of element: Int) {
    if above.count >= Self.mostLinks { above.removeAll(keepingCapacity: true) }
    above[element] = link
  }

  private func link(of element: Int, _ db: Database) throws -> Link {
    if let link = above[element] { return link }
    let statement = try db.cachedStatement(sql: "SELECT above, facts FROM element WHERE id = ?")
    guard let row = try Row.fetchOne(statement, arguments: [element]) else {
      throw DictionaryError.damaged("an element is missing")
    }
    let link = Link(above: row[0], facts: try row.value(1))
    remember(link, of: element)
    return link
  }

  private func name(_ id: Int, _ db: Database) throws -> String {
    if let name = names[id] { return name }
    let statement = try db.cachedStatement(sql: "SELECT text FROM name WHERE id = ?")
    guard let name = try String.fetchOne(statement, arguments: [id]) else {
      throw DictionaryError.damaged("a name is missing")
    }
    if names.count >= Self.mostLinks { names.removeAll(keepingCapacity: true) }
    names[id] = name
    return name
  }

  private func node(_ id: Int, _ db: Database) throws -> PathNode {
    if let node = facts[id] { return node }
    let statement = try db.cachedStatement(sql: "SELECT class, more FROM facts WHERE id = ?")
    guard let row = try Row.fetchOne(statement, arguments: [id]) else {
      throw DictionaryError.damaged("the facts of an element are missing")
    }
    let known = Facts(className: try row.value(0), more: [UInt8](try row.value(1) as Data))
    guard let node = try known.node({ try name($0, db) }) else {
      throw DictionaryError.damaged("the facts of an element")
    }
    if facts.count >= Self.mostLinks { facts.removeAll(keepingCapacity: true) }
    facts[id] = node
    return node
  }

  // MARK: - In memory

  /// The whole dictionary in memory, as matching asks for it.
  ///
  /// Of elements that share an event ID, the one found first stays.
  ///
  /// - Parameter style: The style of the paths, which selectors are to match. Elements for which it has none are left out.
  /// - Complexity: O(elements), and in other styles than `hubbledata` O(elements × depth).
  public func load(style: PathStyleName = .hubbleData) throws(DictionaryError) -> ElementDictionary {
    var dictionary = ElementDictionary(style: style)
    if style == .hubbleData {
      try loadTree(into: &dictionary)
    } else {
      try read { db in try loadClasses(into: &dictionary, db) }
      try forEach { element in
        if element.styles.contains(style) {
          dictionary.insert(element.eventID, chain: element.chain, page: element.page)
        }
      }
    }
    return dictionary
  }

  private func loadClasses(into dictionary: inout ElementDictionary, _ db: Database) throws {
    let classes = try Row.fetchCursor(
      db,
      sql: "SELECT a.text, b.text FROM class JOIN name a ON a.id = class.name JOIN name b ON b.id = class.superclass")
    while let row = try classes.next() {
      dictionary.insertClass(try row.value(0), superclass: try row.value(1) as String)
    }
    let names = try String.fetchCursor(db, sql: "SELECT text FROM name WHERE id IN (SELECT class FROM facts)")
    while let name = try names.next() { dictionary.insertClass(name, superclass: nil) }
  }

  private func loadTree(into dictionary: inout ElementDictionary) throws(DictionaryError) {
    try read { db in
      var names: [Int: StringID] = [:]
      let nameCursor = try Row.fetchCursor(
        db,
        sql: """
          SELECT id, text FROM name WHERE id IN (SELECT class FROM facts UNION SELECT page FROM element)
          """)
      while let row = try nameCursor.next() { names[try row.value(0)] = dictionary.intern(try row.value(1)) }

      struct Part {
        let className: StringID
        let locator: Locator
      }
      var parts: [Part?] = []
      let factsCursor = try Row.fetchCursor(db, sql: "SELECT id, class, more FROM facts ORDER BY id")
      while let row = try factsCursor.next() {
        let id: Int = try row.value(0)
        let name: Int = try row.value(1)
        guard let className = names[name], id == parts.count || parts.isEmpty && id == 1,
          let locator = Facts(className: name, more: [UInt8](try row.value(2) as Data)).locator
        else { throw DictionaryError.damaged("the facts of an element") }
        // Numbers are given in order, from 1.
        if parts.isEmpty { parts.append(nil) }
        parts.append(Part(className: className, locator: locator))
      }

      try loadClasses(into: &dictionary, db)

      let count = try Int.fetchOne(db, sql: "SELECT max(id) FROM element") ?? 0
      // Numbers are given in order, from 1, so there is no more room to make than there are rows.
      guard count == (try Int.fetchOne(db, sql: "SELECT count(*) FROM element")), count < 1 << 30 else {
        throw DictionaryError.damaged("the number of elements")
      }
      dictionary.reserve(count)
      // By element.
      var nodes = [Int32](repeating: -1, count: count + 1)
      let cursor = try Row.fetchCursor(db, sql: "SELECT id, above, facts, page, event_id FROM element ORDER BY id")
      while let row = try cursor.next() {
        let id: Int = try row.value(0)
        let above: Int? = row[1]
        let facts: Int = try row.value(2)
        guard id > 0, id <= count, above.map({ $0 > 0 && $0 < id && nodes[$0] >= 0 }) ?? true,
          parts.indices.contains(facts),
          let part = parts[facts]
        else { throw DictionaryError.damaged("the place of an element") }
        let node = dictionary.appendNode(
          parent: above.map { nodes[$0] } ?? -1, className: part.className, locator: part.locator)
        nodes[id] = node
        let page: Int? = row[3]
        let eventID = try row.withUnsafeData(atIndex: 4) { bytes in
          bytes.flatMap { $0.withUnsafeBytes { EventID(bytes: $0) } }
        }
        guard let eventID else { throw DictionaryError.damaged("an event ID") }
        dictionary.insert(eventID, node, page: page.flatMap { names[$0] })
      }
    }
  }
}

/// Versions of apps, in their order.
enum AppVersions {
  /// By numbers where there are numbers, so that 5.10 comes after 5.9, else by bytes.
  static func sorted(_ versions: some Sequence<String>) -> [String] {
    versions.sorted { a, b in
      let x = key(a)
      let y = key(b)
      return x.lexicographicallyPrecedes(y) || (x == y && a.utf8.lexicographicallyPrecedes(b.utf8))
    }
  }

  private static func key(_ version: String) -> [Int] {
    version.utf8.split(separator: UInt8(ascii: ".")).map { part in
      part.prefix { $0 >= 0x30 && $0 <= 0x39 }.prefix(15).reduce(0) { $0 * 10 + Int($1 & 0x0F) }
    }
  }
}

extension Row {
  /// The value of a column that is never null in an intact dictionary.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ index: Int) throws -> Value {
    try decode(Value.self, atIndex: index)
  }
}
