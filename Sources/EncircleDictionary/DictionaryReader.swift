import EncircleIdentity
import EncircleText
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

  // The path that was given. It may contain symbolic links, so each opening follows them again.
  private let path: String
  private var database: DatabaseQueue
  private let steps = StepLimit()
  // The state of the open file when it was opened.
  private var state: FileState
  // This is true if a look-up or a scan is in progress; nested ones read the same file.
  private var isReading = false
  /// The number of times that the file was opened.
  package private(set) var generation = 0
  // The rows of the open file.
  private(set) var rows: ElementRows
  // The number of attempts to open or read a file that changes meanwhile.
  private static let maximumAttempts = 5

  /// Opens a dictionary.
  ///
  /// If the file is replaced later, the next look-up uses the new file.
  ///
  /// - Throws: A ``DictionaryError`` if the file is not a dictionary or cannot be read.
  public init(path: String) throws(DictionaryError) {
    self.path = path
    let captures: [Int: Capture]
    (state, database, captures) = try Self.open(path, steps)
    rows = ElementRows(captures)
  }

  private static func open(
    _ path: String, _ steps: StepLimit
  ) throws(DictionaryError) -> (FileState, DatabaseQueue, [Int: Capture]) {
    for _ in 0..<maximumAttempts {
      guard let state = FileState(path: path) else { throw .noSuchFile }
      let opened = Result { () throws(DictionaryError) in
        try FileCheck.check(path)
        return try open(path, state, steps)
      }
      // The file may have been replaced between its check and its opening.
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
        // In KiB. Look-ups read from all over the file.
        try db.execute(sql: "PRAGMA cache_size = -16384")
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
    let query = try Query(db, "SELECT id, name, app, app_version, elements, styles FROM capture ORDER BY id")
    try query.forEachRow { row in
      let bits = try row.integer(5)
      let styles = PathStyleName.allCases.enumerated().filter { bits & 1 << $0.offset != 0 }.map(\.element)
      // The numbers must be consecutive and start at 1. With any other numbers, sets of them could be almost endless.
      guard try row.integer(0) == captures.count + 1 else { throw DictionaryError.damaged("the number of a capture") }
      captures[captures.count + 1] = Capture(
        name: try row.text(1), app: try row.optionalText(2), appVersion: try row.optionalText(3),
        elements: try row.rowNumber(4), styles: styles)
    }
    return captures
  }

  /// The captures, in the order in which they were indexed.
  public var allCaptures: [Capture] { rows.captures.sorted { $0.key < $1.key }.map(\.value) }

  /// Returns the number of elements. Several of them may have the same event ID.
  public func count() throws(DictionaryError) -> Int {
    // The condition is needed: SQLite counts all rows in a single step, which would never end if pages of a damaged file
    // contain each other.
    try scan { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM element WHERE id > 0") ?? 0 }
  }

  // MARK: - Files that change

  /// Opens the file at the path again if it has been replaced or changed.
  private func reopenIfChanged() throws(DictionaryError) {
    guard FileState(path: path) != state else { return }
    let opened = try Self.open(path, steps)
    // The old rows hold statements, and a connection cannot be closed while it has any.
    rows = ElementRows(opened.2)
    try? database.close()
    (state, database, _) = opened
    generation += 1
  }

  /// Returns a number that changes when the file is replaced: values read before are then out of date.
  package func currentGeneration() throws(DictionaryError) -> Int {
    if !isReading { try reopenIfChanged() }
    return generation
  }

  /// Runs a look-up, which takes few steps, in the file that is at the path now.
  private func lookUp<R>(_ body: (Database) throws -> R) throws(DictionaryError) -> R {
    if isReading { return try read(body) }
    for _ in 0..<Self.maximumAttempts {
      try reopenIfChanged()
      steps.allow(HostileFile.lookUpSteps)
      let result = Result { () throws(DictionaryError) in try read(body) }
      // An answer from a file that was changed meanwhile is meaningless.
      if FileState(path: path) == state { return try result.get() }
    }
    throw .changed
  }

  /// Runs `body`, which may read the whole file, in the file that is at the path now.
  ///
  /// Another file may replace it meanwhile, because the old one stays intact while it is open.
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

  /// The maximum number of elements with one event ID that ``elements(with:)-(EventID)`` returns.
  package static let maximumElements = 64

  /// Returns the elements with an event ID: empty if it is unknown; several if captures have it on different elements.
  ///
  /// - Complexity: O(log elements + length of the path).
  public func elements(with id: EventID) throws(DictionaryError) -> [KnownElement] {
    try lookUp { db in try rows.elements(with: id, db) }
  }

  /// Returns the elements with each of several event IDs; event IDs that are unknown are missing.
  ///
  /// This is faster than separate look-ups, because one transaction reads all elements.
  ///
  /// - Complexity: O(log elements + length of the path) for each.
  public func elements(with ids: [EventID]) throws(DictionaryError) -> [EventID: [KnownElement]] {
    let isOnItsOwn = !isReading
    return try lookUp { db in
      var found: [EventID: [KnownElement]] = [:]
      for id in ids where found[id] == nil {
        // Each look-up may take as many steps as if it were the only one.
        if isOnItsOwn { steps.allow(HostileFile.lookUpSteps) }
        let elements = try rows.elements(with: id, db)
        if !elements.isEmpty { found[id] = elements }
      }
      return found
    }
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
      let found = try rows.elements(withIDsFrom: lower, to: upper, limit: limit, db)
      if found.count >= limit { return found }
      return found + (try rows.elements(withStyleIDsFrom: lower, to: upper, limit: limit - found.count, db))
    }
  }

  /// Returns the least and the greatest blob that begin with the digits.
  private static func bounds(_ digits: String) -> ([UInt8], [UInt8])? {
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
    // A blob sorts before its own continuations, so the upper bound must be longer than any digest.
    while upper.count < 33 { upper.append(0xFF) }
    return (lower, upper)
  }

  /// Calls `body` with all elements, in the order in which they were added.
  ///
  /// - Throws: A ``DictionaryError``. An error of `body` ends the reading and becomes ``DictionaryError/system(_:)`` with its
  ///   description.
  public func forEach(_ body: (KnownElement) throws -> Void) throws(DictionaryError) {
    try scan { db in try forEach(db, body) }
  }

  func forEach(_ db: Database, _ body: (KnownElement) throws -> Void) throws {
    try rows.forEach(db, body)
  }
}
