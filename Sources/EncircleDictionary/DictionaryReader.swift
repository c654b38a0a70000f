import EncircleIdentity
import EncircleText
import EncircleTree
import Foundation
import GRDB

/// Finds elements in a dictionary file. A reader is for one thread at a time.
///
/// ```swift
/// let reader = try DictionaryReader(path: "app.encircle")
/// for element in try reader.elements(withPrefix: "51effcaa") { print(element.identity) }
/// ```
public final class DictionaryReader {
  /// A capture in the dictionary.
  public struct Capture: Hashable, Sendable {
    public let name: String
    public let app: String?
    public let appVersion: String?
    /// The number of elements.
    public let elements: Int
    /// The styles that can serve the capture.
    public let styles: [PathStyleName]
  }

  private let database: DatabaseQueue
  // Caches of names, of nodes by the id of their facts, and of links by element.
  private var names: [Int: String] = [:]
  private var facts: [Int: PathNode] = [:]
  private var above: [Int: Link] = [:]
  let captures: [Int: Capture]
  private let lastCapture: Int
  // The number of entries after which a cache is emptied.
  private static let mostLinks = 1 << 20

  private struct Link {
    let above: Int?
    let facts: Int
  }

  /// Opens a dictionary.
  ///
  /// - Throws: A ``DictionaryError`` if the file is no dictionary or cannot be read.
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

  /// Returns the number of elements. Several of them may have the same event ID.
  public func count() throws(DictionaryError) -> Int {
    try read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM element") ?? 0 }
  }

  func read<R>(_ body: (Database) throws -> R) throws(DictionaryError) -> R {
    try DictionaryError.translating { try database.read(body) }
  }

  // MARK: - Look-ups

  /// Returns the elements with an event ID: none if it is unknown, several if captures have it on different elements.
  ///
  /// - Complexity: O(log elements + length of the path).
  public func elements(with id: EventID) throws(DictionaryError) -> [KnownElement] {
    try read { db in try elements(db, "event_id = ?", [id.data]) }
  }

  /// Returns the elements whose event ID, or whose id in another style, begins with some hexadecimal digits.
  ///
  /// - Parameters:
  ///   - digits: At most 64 hexadecimal digits of either case. For any other text the result is empty.
  ///   - limit: The largest number of elements to return.
  /// - Returns: The elements, ordered by event ID.
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

  /// Returns the least and the greatest blob that begin with the digits.
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
    // A blob that is continued comes after its beginning, so the greatest one is longer than any digest.
    while upper.count < 33 { upper.append(0xFF) }
    return (Data(lower), Data(upper))
  }

  /// Calls `body` with all elements, in the order in which they were added.
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
      // The element above always has a smaller number. Checking that ends the loop even if the file is damaged.
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

  // MARK: - Rows

  /// Decodes the captures of an element. No number may exceed that of the last capture, as the runs of a damaged set
  /// could be almost endless.
  func captureSet(_ bytes: Data) throws -> CaptureSet {
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

  func name(_ id: Int, _ db: Database) throws -> String {
    if let name = names[id] { return name }
    let statement = try db.cachedStatement(sql: "SELECT text FROM name WHERE id = ?")
    guard let name = try String.fetchOne(statement, arguments: [id]) else {
      throw DictionaryError.damaged("a name is missing")
    }
    if names.count >= Self.mostLinks { names.removeAll(keepingCapacity: true) }
    names[id] = name
    return name
  }

  func node(_ id: Int, _ db: Database) throws -> PathNode {
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
}

extension Row {
  /// Returns the value of a column, and throws if it is null, which it never is in an intact dictionary.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ index: Int) throws -> Value {
    try decode(Value.self, atIndex: index)
  }
}
