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

  /// The largest number of components of a path.
  public static let maximumDepth = 1_024

  static let tooDeep = DictionaryError.damaged("an element is nested deeper than \(maximumDepth) levels")

  // The path of the file, without symbolic links to other folders, which `path` may have.
  private let path: String
  private var database: DatabaseQueue
  private let steps = StepLimit()
  // The file that is open, as it was when it was opened.
  private var state: FileState
  // Whether a look-up or a scan is under way; those within it stay in its file.
  private var isReading = false
  /// The number of times that the file was opened.
  private(set) var generation = 0
  // Caches of names, of nodes by the id of their facts, and of links by element.
  private var names: [Int: String] = [:]
  private var facts: [Int: PathNode] = [:]
  private var above: [Int: Link] = [:]
  private(set) var captures: [Int: Capture]
  private var lastCapture: Int
  // The number of entries after which a cache is emptied.
  private static let mostLinks = 1 << 20
  // How often a look-up is tried in a file that changes meanwhile.
  private static let mostAttempts = 5

  private struct Link {
    let above: Int?
    let facts: Int
  }

  /// Opens a dictionary.
  ///
  /// If the file is replaced later, the next look-up is one in the new file.
  ///
  /// - Throws: A ``DictionaryError`` if the file is no dictionary or cannot be read.
  public init(path: String) throws(DictionaryError) {
    self.path = path
    (state, database, captures) = try Self.open(path, steps)
    lastCapture = captures.count
  }

  private static func open(
    _ path: String, _ steps: StepLimit
  ) throws(DictionaryError) -> (FileState, DatabaseQueue, [Int: Capture]) {
    for _ in 0..<mostAttempts {
      guard let state = FileState(path: path) else { throw .noSuchFile }
      let opened = Result { () throws(DictionaryError) in
        try FileCheck.check(path)
        return try open(path, state, steps)
      }
      // What was checked must be what was opened.
      guard FileState(path: path) == state else { continue }
      let (database, captures) = try opened.get()
      return (state, database, captures)
    }
    throw .changed
  }

  private static func open(
    _ path: String, _ state: FileState, _ steps: StepLimit
  ) throws(DictionaryError) -> (DatabaseQueue, [Int: Capture]) {
    try DictionaryError.translating {
      steps.allow(HostileFile.maximumSteps(fileSize: state.size))
      var configuration = Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(2)
      configuration.prepareDatabase { db in
        try HostileFile.secure(db)
        steps.install(in: db)
      }
      let database = try DatabaseQueue(path: FileCheck.resolved(path), configuration: configuration)
      let captures = try database.read { db in
        try HostileFile.checkSchema(db)
        return try Self.captures(db)
      }
      return (database, captures)
    }
  }

  private static func captures(_ db: Database) throws -> [Int: Capture] {
    var captures: [Int: Capture] = [:]
    let cursor = try Row.fetchCursor(
      db, sql: "SELECT id, name, app, app_version, elements, styles FROM capture ORDER BY id")
    while let row = try cursor.next() {
      let bits = try row.integer(5)
      let styles = PathStyleName.allCases.enumerated().filter { bits & 1 << $0.offset != 0 }.map(\.element)
      // The numbers are consecutive, from 1. Otherwise sets of them could be almost endless.
      guard try row.integer(0) == captures.count + 1 else { throw DictionaryError.damaged("the number of a capture") }
      captures[captures.count + 1] = Capture(
        name: try row.text(1), app: try row.optionalText(2), appVersion: try row.optionalText(3),
        elements: try row.rowNumber(4), styles: styles)
    }
    return captures
  }

  /// The captures, in the order in which they were indexed.
  public var allCaptures: [Capture] { captures.sorted { $0.key < $1.key }.map(\.value) }

  /// Returns the number of elements. Several of them may have the same event ID.
  public func count() throws(DictionaryError) -> Int {
    // With a condition, as a plain count is one step without an end if pages lie in each other.
    try scan { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM element WHERE id > 0") ?? 0 }
  }

  // MARK: - Files that change

  /// Opens the file at the path, unless it is the one that is open, and has not been changed.
  private func reopenIfChanged() throws(DictionaryError) {
    guard FileState(path: path) != state else { return }
    let opened = try Self.open(path, steps)
    try? database.close()
    (state, database, captures) = opened
    lastCapture = captures.count
    generation += 1
    names.removeAll()
    facts.removeAll()
    above.removeAll()
  }

  /// Returns a number that is another one once the file has been replaced: what was read before it is then out of date.
  package func currentGeneration() throws(DictionaryError) -> Int {
    if !isReading { try reopenIfChanged() }
    return generation
  }

  /// Runs a look-up, which takes few steps, in the file that is at the path now.
  private func lookUp<R>(_ body: (Database) throws -> R) throws(DictionaryError) -> R {
    if isReading { return try read(body) }
    for _ in 0..<Self.mostAttempts {
      try reopenIfChanged()
      steps.allow(HostileFile.lookUpSteps)
      let result = Result { () throws(DictionaryError) in try read(body) }
      // An answer from a file that was changed meanwhile says nothing.
      if FileState(path: path) == state { return try result.get() }
    }
    throw .changed
  }

  /// Runs `body`, which may read the whole file, in the file that is at the path now.
  ///
  /// Another file may take its place meanwhile, as the old one stays what it is for as long as it is open.
  func scan<R>(_ body: (Database) throws -> R) throws(DictionaryError) -> R {
    if isReading { return try read(body) }
    try reopenIfChanged()
    steps.allow(HostileFile.maximumSteps(fileSize: state.size))
    let result = Result { () throws(DictionaryError) in try read(body) }
    if let now = FileState(path: path), now.identity == state.identity, now != state { throw .changed }
    return try result.get()
  }

  /// Runs `body` in the open file, also while something else is being read from it.
  private func read<R>(_ body: (Database) throws -> R) throws(DictionaryError) -> R {
    let wasReading = isReading
    isReading = true
    defer { isReading = wasReading }
    return try DictionaryError.translating {
      try wasReading ? database.unsafeReentrantRead(body) : database.read(body)
    }
  }

  // MARK: - Look-ups

  /// Returns the elements with an event ID: none if it is unknown, several if captures have it on different elements.
  ///
  /// - Complexity: O(log elements + length of the path).
  public func elements(with id: EventID) throws(DictionaryError) -> [KnownElement] {
    try lookUp { db in try elements(db, "event_id = ?", [id.data]) }
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
    return try lookUp { db in
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
      guard let digit = Hexadecimal.value(of: byte).map({ UInt8($0) }) else { return nil }
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
    try scan { db in try forEach(db, body) }
  }

  func forEach(_ db: Database, _ body: (KnownElement) throws -> Void) throws {
    let cursor = try Row.fetchCursor(db, sql: "SELECT \(Self.columns) FROM element ORDER BY id")
    while let row = try cursor.next() { try body(try element(row, db)) }
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
    let number = try row.rowNumber(0)
    guard let id = try row.bytes(1).withUnsafeBytes({ EventID(bytes: $0) }) else {
      throw DictionaryError.damaged("an event ID")
    }
    let link = Link(above: try row.optionalRowNumber(2), facts: try row.rowNumber(3))
    remember(link, of: number)
    let chain = try chain(link, of: number, db)
    let path = ElementPath(chain.map { PathComponent($0.className, $0.locator) })
    let rest = try name(try row.rowNumber(4), db)
    var element = KnownElement(eventID: id, identity: "path(" + path.written(.underscores) + rest, chain: chain)
    func optionalName(_ column: Int) throws -> String? {
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
    let seen = try captureSet(try row.bytes(13))
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
    element.sharing = try row.rowNumber(14)
    return element
  }

  /// Returns the nodes from the window down to an element.
  private func chain(_ link: Link, of element: Int, _ db: Database) throws -> [PathNode] {
    var chain = [try node(link.facts, db)]
    var length = chain[0].className.utf8.count
    var current = link.above
    var below = element
    while let number = current {
      // The element above always has a smaller number. Checking that ends the loop even if the file is damaged.
      guard number < below else { throw DictionaryError.damaged("an element lies in itself") }
      guard chain.count < Self.maximumDepth else { throw Self.tooDeep }
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

  /// Decodes the captures of an element. No number may exceed that of the last capture, as the runs of a damaged set
  /// could be almost endless.
  func captureSet(_ bytes: [UInt8]) throws -> CaptureSet {
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
    let link = Link(above: try row.optionalRowNumber(0), facts: try row.rowNumber(1))
    remember(link, of: element)
    return link
  }

  func name(_ id: Int, _ db: Database) throws -> String {
    if let name = names[id] { return name }
    let statement = try db.cachedStatement(sql: "SELECT text FROM name WHERE id = ?")
    guard let row = try Row.fetchOne(statement, arguments: [id]) else {
      throw DictionaryError.damaged("a name is missing")
    }
    let name = try row.text(0)
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
    let known = Facts(className: try row.rowNumber(0), more: try row.bytes(1))
    guard let node = try known.node({ try name($0, db) }) else {
      throw DictionaryError.damaged("the facts of an element")
    }
    if facts.count >= Self.mostLinks { facts.removeAll(keepingCapacity: true) }
    facts[id] = node
    return node
  }
}
