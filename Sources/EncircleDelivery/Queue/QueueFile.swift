import EncircleEvents
import EncircleInput
import Foundation
import GRDB

/// The SQLite file of a queue.
///
/// `events` holds the waiting events; their ids ascend and are never reused. `totals` has one row. It changes in the same
/// transactions as the events, so opening a queue counts nothing.
enum QueueFile {
  /// "Encq" in ASCII
  private static let applicationID = 0x456E_6371
  private static let version = 1

  /// Opens the file, or creates it.
  ///
  /// - Throws: ``DeliveryError/damaged(_:)`` if the file must be set aside.
  static func open(_ path: String, durability: Durability, pageLimit: Int?) throws(DeliveryError) -> DatabaseQueue {
    guard !path.isEmpty, !path.utf8.contains(0), !FileDescriptor.isDirectory(path) else { throw .badPath }
    // SQLite would open a read-only file, then fail at the first event.
    if FileManager.default.fileExists(atPath: path), access(path, W_OK) != 0 { throw .damaged("the file is read-only") }
    // Without the file, SQLite would delete the log, which may contain events.
    if size(path) ?? 0 < smallestFile, size(path + "-wal") ?? 0 > 0 {
      throw .damaged("its log is there, but not the file")
    }
    return try DeliveryError.translating {
      var configuration = Configuration()
      configuration.busyMode = .timeout(1)
      configuration.label = "EncircleDelivery"
      // Exclusive locking must be set before GRDB reads the file. Otherwise the log needs shared memory, and a file on a full
      // disk could not be opened.
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
      let database = try DatabaseQueue(path: path, configuration: configuration)
      do {
        try database.writeWithoutTransaction { db in try prepare(db, durability, pageLimit) }
      } catch {
        try? database.close()
        throw error
      }
      return database
    }
  }

  // A file with fewer bytes than SQLite's smallest page has no header.
  private static let smallestFile: off_t = 512

  /// Returns the length of a file, or nil if the file does not exist.
  private static func size(_ path: String) -> off_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_size : nil
  }

  private static func prepare(_ db: Database, _ durability: Durability, _ pageLimit: Int?) throws {
    // The lock is exclusive before the log is opened, so a second process is refused and the log needs no shared memory.
    try db.execute(
      sql: """
        PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 0; PRAGMA cell_size_check = ON;
        PRAGMA locking_mode = EXCLUSIVE; PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL
        """)
    let application = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    let tables = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM sqlite_master") ?? 0
    if application != applicationID, application != 0 || tables > 0 { throw DeliveryError.otherDatabase }
    if application == applicationID, found > version { throw DeliveryError.newerVersion(found: found, known: version) }
    _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
    let synchronous = durability == .powerLoss ? "FULL" : "NORMAL"
    try db.execute(
      sql: """
        PRAGMA synchronous = \(synchronous); PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;
        PRAGMA journal_size_limit = 4194304; PRAGMA cache_size = -4096; PRAGMA temp_store = MEMORY
        """)
    guard try Int.fetchOne(db, sql: "PRAGMA synchronous") == (durability == .powerLoss ? 2 : 1) else {
      throw DeliveryError.damaged("SQLite does not synchronise the file with the disk")
    }
    // For tests: simulates a full disk.
    if let pageLimit { _ = try Int.fetchOne(db, sql: "PRAGMA max_page_count = \(pageLimit)") }
    try db.inTransaction(.immediate) {
      if application == 0 { try create(db) }
      return .commit
    }
    try check(db)
  }

  private static func create(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE events (id INTEGER PRIMARY KEY AUTOINCREMENT, lane INTEGER NOT NULL, event BLOB NOT NULL);
        CREATE INDEX instant ON events (id) WHERE lane = 0;
        CREATE TABLE rejected (id INTEGER PRIMARY KEY, lane INTEGER NOT NULL, status INTEGER NOT NULL, event BLOB NOT NULL);
        CREATE TABLE totals (id INTEGER PRIMARY KEY CHECK (id = 1), waiting INTEGER NOT NULL, bytes INTEGER NOT NULL,
          delivered INTEGER NOT NULL, rejected INTEGER NOT NULL, dropped INTEGER NOT NULL, lost INTEGER NOT NULL);
        INSERT INTO totals VALUES (1, 0, 0, 0, 0, 0, 0);
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(version)
        """)
  }

  /// Checks that the tables exist, and that the file has no triggers or views, which could run statements of their own.
  private static func check(_ db: Database) throws {
    let others = try Int.fetchOne(
      db,
      sql: """
        SELECT COUNT(*) FROM sqlite_master WHERE type IN ('trigger', 'view') OR sql LIKE '%VIRTUAL%' OR sql LIKE '%GENERATED%'
        """)
    guard others == 0 else { throw DeliveryError.damaged("it has a view or trigger") }
    let counts = try self.counts(db)
    let rowCheck = try Row.fetchOne(db, sql: "SELECT id, lane, event FROM events ORDER BY id LIMIT 1")
    _ = try Row.fetchOne(db, sql: "SELECT id, lane, status, event FROM rejected LIMIT 1")
    guard (rowCheck == nil) == (counts.waiting == 0) else {
      throw DeliveryError.damaged("its totals contradict its events")
    }
    let ids = try Optional<Int64>.fetchAll(
      db, sql: "SELECT MAX(id) FROM events UNION ALL SELECT MAX(seq) FROM sqlite_sequence")
    guard ids.allSatisfy({ ($0 ?? 0) >= 0 && ($0 ?? 0) <= maximumEvents }) else {
      throw DeliveryError.damaged("its numbers for events are used up")
    }
  }

  // No queue holds more events than this, and sums of such numbers do not overflow.
  private static let maximumEvents: Int64 = 1 << 53

  /// Checks that totals are plausible.
  static func check(_ counts: QueueCounts) throws {
    let all = [counts.waiting, counts.bytes, counts.delivered, counts.rejected, counts.dropped, counts.lost]
    guard all.allSatisfy({ $0 >= 0 && $0 <= maximumEvents }) else {
      throw DeliveryError.damaged("its totals contradict its events")
    }
  }

  /// Returns the totals.
  static func counts(_ db: Database) throws -> QueueCounts {
    let row = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT waiting, bytes, delivered, rejected, dropped, lost FROM totals WHERE id = 1"))
    guard let row else { throw DeliveryError.damaged("it has no totals") }
    var counts = QueueCounts()
    counts.waiting = try row.decode(atIndex: 0)
    counts.bytes = try row.decode(atIndex: 1)
    counts.delivered = try row.decode(atIndex: 2)
    counts.rejected = try row.decode(atIndex: 3)
    counts.dropped = try row.decode(atIndex: 4)
    counts.lost = try row.decode(atIndex: 5)
    try check(counts)
    return counts
  }

  /// Writes the totals.
  static func save(_ counts: QueueCounts, _ db: Database) throws {
    try db.cachedStatement(
      sql: "UPDATE totals SET waiting = ?, bytes = ?, delivered = ?, rejected = ?, dropped = ?, lost = ? WHERE id = 1"
    ).execute(arguments: [
      counts.waiting, counts.bytes, counts.delivered, counts.rejected, counts.dropped, counts.lost,
    ])
  }

  /// Renames a damaged file and its log to `path.damaged-1`, or to the first free name of this form. The file may be missing.
  ///
  /// - Returns: The new path of the file, or nil if it could not be renamed.
  static func setAside(_ path: String) -> String? {
    for number in 1...10_000 {
      let other = "\(path).damaged-\(number)"
      let isFree = ["", "-wal", "-journal", "-shm"].allSatisfy { !exists(other + $0) }
      guard isFree else { continue }
      // The log goes first: a database must never stand beside another database's log.
      for suffix in ["-wal", "-journal", "-shm"] where exists(path + suffix) {
        guard rename(path + suffix, other + suffix) == 0 else { return nil }
      }
      return !exists(path) || rename(path, other) == 0 ? other : nil
    }
    return nil
  }

  private static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }
}
