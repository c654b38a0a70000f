import EncircleIdentity
import EncircleText
import EncircleTree
import Foundation
import GRDB

/// Creates a dictionary file, or adds captures to an existing one.
///
/// The writer changes a copy of the file, which replaces the dictionary at the end. Until then, readers see the old dictionary; it
/// also remains if the process is killed.
///
/// ```swift
/// let writer = try DictionaryWriter(path: "app.encircle")
/// try writer.add(screen, capture: "home.xml")
/// try writer.finish()
/// ```
public final class DictionaryWriter {
  /// The result of adding a capture.
  public struct Addition: Sendable {
    /// This is true if the same capture was already in the dictionary, so that nothing was added.
    public var isKnown = false
    /// The number of elements in the capture.
    public var elements = 0
    /// The number of elements that were not in the dictionary.
    public var newElements = 0
    /// The event IDs that belonged to another element before, at most ``DictionaryWriter/maximumConflicts`` of them.
    public var conflicts: [EventID] = []
    /// The number of all such event IDs.
    public var conflictCount = 0
  }

  /// The largest number of conflicts that an ``Addition`` names.
  public static let maximumConflicts = 10

  private let scratch: ScratchFile
  private var database: DatabaseQueue?
  private let steps = StepLimit()
  // The number of steps for reading all of the older file.
  private let maximumSteps: Int

  private var names: [UTF8String: Int] = [:]
  private var facts: [Facts: Int] = [:]
  // The components of hubbledata paths, by the id of their facts.
  private var components: [Int: PathPart] = [:]
  private var classes: Set<Int> = []
  private var lastElement = 0
  private var lastCapture = 0
  // This is true if the file may contain elements that are not among `rows`.
  private var hasOlderRows = false
  private var rows: [PendingRow] = []
  // Finds rows in the file.
  private var rowsByEventID: Query?
  // Adds a name to the file.
  private var nameInsertion: Query?
  // The first row with each event ID. Its `next` leads to the others.
  private var rowByEventID: [EventID: Int] = [:]
  // For event IDs of many elements, the rows by the contents that distinguish them. Comparing such rows one by one would take
  // quadratic time.
  private var sharedRows: [EventID: [PendingRow.Content: Int]] = [:]
  // The number of rows that are compared one by one.
  private static let maximumComparisons = 16
  // The number of rows that are collected before they are written to the file.
  private let batchSize: Int

  /// Opens a dictionary to add captures, or creates it if the file does not exist.
  ///
  /// - Throws: A ``DictionaryError`` if the file is not a dictionary, or one that is newer, read-only or in use.
  public convenience init(path: String) throws(DictionaryError) { try self.init(path: path, batchSize: 200_000) }

  init(path: String, batchSize: Int) throws(DictionaryError) {
    self.batchSize = batchSize
    let path = FileCheck.resolved(path)
    let isUpdate = try FileCheck.exists(path)
    if isUpdate {
      try FileCheck.check(path)
      if FileCheck.isReadOnly(path) { throw .readOnly }
      try Self.checkUnlocked(path)
    }
    maximumSteps = HostileFile.maximumSteps(fileSize: FileState(path: path)?.size ?? 0)
    let scratch = try ScratchFile(for: path)
    self.scratch = scratch
    steps.allow(maximumSteps)
    do {
      database = try DictionaryError.translating {
        if isUpdate {
          try scratch.copyContent(of: path)
          // Somebody may have changed the file since it was checked.
          try FileCheck.check(scratch.path)
        }
        return try Self.openDatabase(scratch.path, isUpdate: isUpdate, steps)
      }
      try DictionaryError.translating { try load() }
    } catch {
      abandon()
      throw error
    }
  }

  deinit { abandon() }

  /// Closes and removes the new file, unless it has already replaced the dictionary.
  private func abandon() {
    try? closeDatabase()
    database = nil
    scratch.remove()
  }

  private func closeDatabase() throws {
    // A connection with statements cannot be closed.
    rowsByEventID = nil
    nameInsertion = nil
    try database?.close()
  }

  private static func checkUnlocked(_ path: String) throws(DictionaryError) {
    try DictionaryError.translating {
      var configuration = Configuration()
      configuration.busyMode = .timeout(1)
      configuration.prepareDatabase { db in try HostileFile.secure(db) }
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.inTransaction(.immediate) { _ in .rollback }
      try queue.close()
    }
  }

  private static func openDatabase(
    _ path: String, isUpdate: Bool, _ steps: StepLimit
  ) throws -> DatabaseQueue {
    var configuration = Configuration()
    // The whole work is one transaction. It needs no journal, because nobody else sees the file before it is complete.
    configuration.allowsUnsafeTransactions = true
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { db in
      try HostileFile.secure(db)
      steps.install(in: db)
      try db.execute(
        sql: """
          PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
          PRAGMA cache_size = -131072; PRAGMA temp_store = MEMORY
          """)
    }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    if isUpdate { try queue.inDatabase { db in try HostileFile.checkSchema(db) } }
    try Schema.migrator.migrate(queue)
    try queue.inDatabase { db in
      try db.execute(sql: "PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(Schema.version)")
      try db.execute(sql: "BEGIN")
    }
    return queue
  }

  private func load() throws {
    guard let database else { return }
    try database.inDatabase { db in
      try Query(db, "SELECT id, text FROM name").forEachRow { names[UTF8String(try $0.text(1))] = try $0.rowNumber(0) }
      try Query(db, "SELECT id, class, more FROM facts").forEachRow { row in
        let known = Facts(className: try row.rowNumber(1), more: try row.bytes(2))
        let id = try row.rowNumber(0)
        facts[known] = id
        components[id] = PathPart(known)
      }
      classes = try Int.fetchSet(db, sql: "SELECT name FROM class")
      lastElement = try Int.fetchOne(db, sql: "SELECT max(id) FROM element") ?? 0
      lastCapture = try Int.fetchOne(db, sql: "SELECT max(id) FROM capture") ?? 0
      guard (0..<1 << 32).contains(lastElement), (0..<1 << 32).contains(lastCapture) else {
        throw DictionaryError.damaged("a number is out of range")
      }
      hasOlderRows = lastElement > 0
    }
  }

  // MARK: - Captures

  /// Adds the elements of a capture, unless the same capture has been added before.
  ///
  /// - Parameter name: The name of the capture, such as its file name.
  /// - Complexity: O(elements × length of paths).
  @discardableResult
  public func add(_ screen: IdentifiedTree, capture name: String) throws(DictionaryError) -> Addition {
    try add(PreparedCapture(screen), name: name)
  }

  /// Adds the elements of a capture, unless the same capture has been added before.
  ///
  /// - Parameter name: The name of the capture, such as its file name.
  /// - Complexity: O(elements).
  @discardableResult
  public func add(_ capture: PreparedCapture, name: String) throws(DictionaryError) -> Addition {
    guard let database else { throw .system("the dictionary has been written already") }
    let count = capture.screen.tree.count
    // Each element, and each row of the batch, takes a few hundred steps to write; the limit is far above that.
    steps.allow(maximumSteps + (count + rows.count) * 10_000)
    return try DictionaryError.translating {
      try database.inDatabase { db in
        var addition = try add(capture, name, db)
        if rows.count >= batchSize { try flush(db) }
        addition.elements = count
        return addition
      }
    }
  }

  private func add(_ capture: PreparedCapture, _ name: String, _ db: Database) throws -> Addition {
    var addition = Addition()
    let (screen, contents, chains) = (capture.screen, capture.contents, capture.chains)
    let known = try db.cachedStatement(sql: "SELECT id FROM capture WHERE digest = ?")
    if try Int.fetchOne(known, arguments: [capture.digest]) != nil {
      addition.isKnown = true
      return addition
    }
    try addRow(of: capture, name, db)
    try addClasses(of: screen, db)

    let digesting = capture.styles.filter(\.hasOwnIDs)
    var chain = AncestorStack<PathNode>()
    // The ids of the rows of the elements so far.
    var rowIDs: [Int] = []
    rowIDs.reserveCapacity(screen.tree.count)
    // The ids of the capture's facts, by their numbers in the capture.
    var factsIDs: [Int] = []
    var identityEnd: [UInt8] = []
    for (element, eventID) in zip(screen.tree.elements, capture.eventIDs) {
      chain.removeNonAncestors(of: element)
      let node = chains.node(of: element)
      chain.push(node, for: element, of: screen.tree)
      guard chain.values.count <= DictionaryReader.maximumDepth else {
        throw DictionaryError.system("an element is nested deeper than \(DictionaryReader.maximumDepth) levels")
      }
      let above = screen.tree.parent(of: element).map { rowIDs[$0.index] }
      let factsNumber = capture.factsNumbers[element.index]
      if factsNumber == factsIDs.count { factsIDs.append(try id(of: Facts(node, { try id(of: $0, db) }), db)) }
      let factsID = factsIDs[factsNumber]
      let page = try screen.page(of: element).map { try id(of: $0, db) }
      let type = try screen.trackingType(of: element).map { try id(of: $0.rawValue, db) }

      let first = try firstRow(of: eventID, db)
      let content = PendingRow.Content(above: above, facts: factsID, page: page, type: type)
      var row = find(content, eventID, first)
      if row < 0 {
        row = rows.count
        lastElement += 1
        addition.newElements += 1
        identityEnd.removeAll(keepingCapacity: true)
        screen.writeIdentityEnd(of: element, to: &identityEnd)
        var pending = PendingRow(
          id: lastElement, eventID: eventID, content: content)
        pending.new = NewRow(
          rest: try id(of: String(decoding: identityEnd, as: UTF8.self), db),
          controller: try screen.controller(of: element).map { try id(of: $0, db) },
          // The dictionary stores only the own content of a container or another element that is not tracked, because the
          // elements inside it have their own rows with their texts.
          content: try (type == nil ? contents.ownContent(of: element) : contents.content(of: element)).map {
            try id(of: $0, db)
          },
          frame: screen.tree.frame(of: element), digests: digesting.compactMap { $0.digest(ofPathOf: chain.values) })
        if first >= 0 {
          if isConflict(pending, with: rows[first]) {
            addition.conflictCount += 1
            if addition.conflicts.count < Self.maximumConflicts { addition.conflicts.append(eventID) }
          }
          pending.next = rows[first].next
          rows[first].next = row
        } else {
          rowByEventID[eventID] = row
        }
        rows.append(pending)
        sharedRows[eventID]?[content] = row
      }
      rows[row].insertCapture(lastCapture)
      rows[first < 0 ? row : first].count(in: lastCapture)
      rowIDs.append(rows[row].id)
    }
    return addition
  }

  /// Adds the row of a capture, which gets the next number.
  private func addRow(of capture: PreparedCapture, _ name: String, _ db: Database) throws {
    let tree = capture.screen.tree
    lastCapture += 1
    try db.cachedStatement(
      sql: """
        INSERT INTO capture (id, digest, name, app, app_version, os, os_version, captured_at, elements, styles)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(
      arguments: [
        lastCapture, capture.digest, name, tree.header.app, tree.header.appVersion, tree.header.os,
        tree.header.osVersion, tree.header.capturedAt, tree.count, Self.bits(of: capture.styles),
      ])
  }

  /// Returns the row of an element among the rows with its event ID, which start at `first`; -1 if it has none.
  private func find(_ content: PendingRow.Content, _ eventID: EventID, _ first: Int) -> Int {
    if let shared = sharedRows[eventID] { return shared[content] ?? -1 }
    var row = first
    for _ in 0..<Self.maximumComparisons {
      if row < 0 || rows[row].content == content { return row }
      row = rows[row].next
    }
    var shared: [PendingRow.Content: Int] = [:]
    row = first
    while row >= 0 {
      // Of equal rows, which only a damaged file has, the first counts.
      if shared[rows[row].content] == nil { shared[rows[row].content] = row }
      row = rows[row].next
    }
    sharedRows[eventID] = shared
    return shared[content] ?? -1
  }

  /// Returns whether two elements with one event ID are different ones. Otherwise they are one element that has moved among its
  /// siblings, or that is in a bar over several pages.
  private func isConflict(_ a: PendingRow, with b: PendingRow) -> Bool {
    let (a, b) = (a.content, b.content)
    if a.type != nil || b.type != nil, a.page != b.page || a.type != b.type { return true }
    return a.facts != b.facts && components[a.facts] != components[b.facts]
  }

  private func addClasses(of screen: IdentifiedTree, _ db: Database) throws {
    var pairs: [(String, String)] = []
    screen.forEachNamedSuperclass { name, superclass in
      pairs.append((name, superclass))
      return true
    }
    for (name, superclass) in pairs {
      let name = try id(of: name, db)
      guard classes.insert(name).inserted else { continue }
      try db.cachedStatement(sql: "INSERT INTO class (name, superclass) VALUES (?, ?)")
        .execute(arguments: [name, try id(of: superclass, db)])
    }
  }

  static func bits(of styles: [PathStyleName]) -> Int {
    PathStyleName.allCases.enumerated().reduce(0) { $0 | (styles.contains($1.element) ? 1 << $1.offset : 0) }
  }

  // MARK: - Numbers of names, facts and rows

  private func id(of name: String, _ db: Database) throws -> Int {
    if let id = names[UTF8String(name)] { return id }
    let id = names.count + 1
    let insertion = try nameInsertion ?? Query(db, "INSERT INTO name (id, text) VALUES (?, ?)")
    nameInsertion = insertion
    try insertion.run([.number(id), .text(name)])
    names[UTF8String(name)] = id
    return id
  }

  private func id(of facts: Facts, _ db: Database) throws -> Int {
    if let id = self.facts[facts] { return id }
    let id = self.facts.count + 1
    try db.cachedStatement(sql: "INSERT INTO facts (id, class, more) VALUES (?, ?, ?)")
      .execute(arguments: [id, facts.className, Data(facts.more)])
    self.facts[facts] = id
    components[id] = PathPart(facts)
    return id
  }

  /// Returns the first row with an event ID, fetching rows that are only in the file; -1 if there is none.
  private func firstRow(of eventID: EventID, _ db: Database) throws -> Int {
    if let row = rowByEventID[eventID] { return row }
    guard hasOlderRows else { return -1 }
    let query =
      try rowsByEventID
      ?? Query(db, "SELECT id, above, facts, page, type, seen, sharing FROM element WHERE event_id = ? ORDER BY id")
    rowsByEventID = query
    var first = -1
    var last = -1
    try query.forEachRow([.bytes(eventID.bytes)]) { row in
      var pending = PendingRow(
        id: try row.rowNumber(0), eventID: eventID,
        content: PendingRow.Content(
          above: try row.optionalRowNumber(1), facts: try row.rowNumber(2), page: try row.optionalRowNumber(3),
          type: try row.optionalRowNumber(4)))
      guard let seen = CaptureSet(try row.bytes(5)), seen.runs.last?.upperBound ?? 0 <= lastCapture else {
        throw DictionaryError.damaged("the captures of an element")
      }
      pending.seen = seen
      pending.sharing = try row.rowNumber(6)
      rows.append(pending)
      if last >= 0 { rows[last].next = rows.count - 1 } else { first = rows.count - 1 }
      last = rows.count - 1
    }
    if first >= 0 { rowByEventID[eventID] = first }
    return first
  }

  // MARK: - Writing

  private func flush(_ db: Database) throws {
    let insert = try Query(
      db,
      """
      INSERT INTO element
      (id, event_id, above, facts, rest, controller, page, type, content, x, y, width, height, seen, sharing)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    let update = try Query(db, "UPDATE element SET seen = ?, sharing = ? WHERE id = ?")
    let insertID = try Query(db, "INSERT OR IGNORE INTO style_id (digest, element) VALUES (?, ?)")
    for row in rows {
      guard row.hasChanged else { continue }
      guard let new = row.new else {
        try update.run([.bytes(row.seen.bytes), .number(row.sharing), .number(row.id)])
        continue
      }
      let (content, frame) = (row.content, new.frame)
      try insert.run([
        .number(row.id), .bytes(row.eventID.bytes), .optional(content.above), .number(content.facts), .number(new.rest),
        .optional(new.controller), .optional(content.page), .optional(content.type), .optional(new.content),
        Self.value(frame?.x), Self.value(frame?.y), Self.value(frame?.width), Self.value(frame?.height),
        .bytes(row.seen.bytes), .number(row.sharing),
      ])
      for digest in new.digests { try insertID.run([.bytes(digest), .number(row.id)]) }
    }
    hasOlderRows = true
    rows.removeAll(keepingCapacity: true)
    rowByEventID.removeAll(keepingCapacity: true)
    sharedRows.removeAll()
  }

  // SQLite stores whole numbers in fewer bytes.
  private static func value(_ number: Double?) -> Query.Value {
    guard let number else { return .null }
    return Int(exactly: number).map { .number($0) } ?? .real(number)
  }

  /// Completes the new dictionary and replaces the old one with it.
  public func finish() throws(DictionaryError) {
    guard let database else { return }
    steps.allow(maximumSteps + rows.count * 10_000)
    try DictionaryError.translating {
      try database.inDatabase { db in
        try flush(db)
        try db.execute(sql: "COMMIT")
      }
      try closeDatabase()
    }
    try scratch.replaceTarget()
    self.database = nil
  }
}

extension EventID {
  /// The 32 bytes, as they are stored in columns.
  var data: Data { Data(bytes) }
}
