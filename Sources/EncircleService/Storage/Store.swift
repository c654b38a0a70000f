import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// What a service keeps, in two SQLite files of one directory: `encircle.sqlite` for what people make, and
/// `events.sqlite` for what apps send. Events have a file of their own, as SQLite has one writer a file: the stream of
/// events does not make an author wait, and its size does not slow what is not about events.
///
/// Both are in WAL mode and synchronised fully: what has been acknowledged outlives the process and the machine.
final class Store: Sendable {
  /// Captures, screenshots, rule sets with their history, tokens, settings, the audit log.
  let library: DatabasePool
  /// Events, their decisions, rejects.
  let events: DatabasePool

  /// Opens the directory's files, making or updating them as necessary.
  ///
  /// - Parameter upgrade: Receives how far the upgrade of files of an earlier version is.
  /// - Throws: ``StoreError`` when the directory cannot be made or another process has it, else `DatabaseError`.
  init(directory: String, upgrade: UpgradeReporter? = nil) throws {
    try Self.make(directory)
    self.directory = directory
    state = DirectoryState(directory: directory)
    // Nothing is put into the directory of another application, not even a lock.
    let isUsed = state.read() != nil
    if !isUsed { try Self.checkOrigins(directory) }
    lock = try DirectoryLock(directory: directory)
    try state.check(files: Self.files)
    // A used directory must wait for this until here: to read a database, SQLite makes an empty log where one is missing.
    if isUsed { try Self.checkOrigins(directory) }
    library = try Self.pool(directory, Self.files[0])
    events = try Self.pool(directory, Self.files[1])
    try Self.update(library, Self.libraryMigrator, directory, upgrade)
    try Self.update(events, Self.eventsMigrator, directory, upgrade)
    damage = try Self.damage(in: library) ?? Self.damage(in: events)
    // From here on, an empty file has lost its content.
    try checkpoint(.truncate)
    try state.write(.open)
  }

  /// The files of the databases.
  static let files = ["encircle.sqlite", "events.sqlite"]

  /// What makes and updates the schemas of the files, in their order.
  static var migrators: [DatabaseMigrator] { [libraryMigrator, eventsMigrator] }

  /// Refuses a file that another application, or a later version of this one, has made.
  ///
  /// - Throws: ``StoreError``.
  static func checkOrigin(of database: Database, _ migrator: DatabaseMigrator, _ directory: String) throws {
    guard try !migrator.hasBeenSuperseded(database) else { throw StoreError.later(directory: directory) }
    let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master WHERE type = 'table'") ?? 0
    if tables > 0, try migrator.appliedIdentifiers(database).isEmpty {
      throw StoreError.foreign(directory: directory)
    }
  }

  /// Refuses the databases of a directory that another application, or a later version of this one, has made, before a connection
  /// that writes changes them.
  ///
  /// - Throws: ``StoreError``.
  private static func checkOrigins(_ directory: String) throws {
    for (file, migrator) in zip(files, migrators) {
      let path = directory + "/" + file
      guard FileManager.default.fileExists(atPath: path) else { continue }
      do {
        try ServiceBackup.readOnly(path).read { try checkOrigin(of: $0, migrator, directory) }
      } catch is DatabaseError {
        // The connection that writes meets the same error, or cures its cause, such as a journal that a crash has left.
      }
    }
  }

  /// Opens the file with what people make although another process may have the directory, such as the service itself.
  /// SQLite puts the writes of both in order.
  ///
  /// - Parameter isMade: Whether to make what is missing.
  static func libraryBesideService(directory: String, isMade: Bool) throws -> DatabasePool {
    if isMade {
      try make(directory)
    } else {
      try requireLibrary(in: directory)
    }
    try checkOrigins(directory)
    let library = try pool(directory, files[0])
    try update(library, libraryMigrator, directory)
    // The events file is made, too, so that the directory can be checked and copied before the first start of a service.
    if isMade, DirectoryState(directory: directory).read() == nil {
      let events = try pool(directory, files[1])
      try update(events, eventsMigrator, directory)
      try events.close()
    }
    return library
  }

  /// Fails if a directory is not that of a service, or if this user may not read it: in one that it may not enter, it sees no file.
  static func requireLibrary(in directory: String) throws {
    guard access(directory + "/" + files[0], R_OK) != 0 else { return }
    throw errno == EACCES ? StoreError.barred(directory: directory, code: errno) : .missing(directory: directory)
  }

  /// Fails when nothing can be written, as on a full disk.
  ///
  /// It writes a file of its own, because a transaction would wait for other transactions. One page may still fit where a
  /// batch of events does not, so the free space is checked, too.
  func checkWritable() throws {
    if let damage { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: damage) }
    if let free = try Self.freeSpace(in: directory), free < 1 << 20 {
      throw DatabaseError(resultCode: .SQLITE_FULL)
    }
    let probe = directory + "/probe"
    defer { unlink(probe) }
    do {
      try Data(count: 4_096).write(to: URL(fileURLWithPath: probe))
    } catch CocoaError.fileWriteOutOfSpace {
      throw DatabaseError(resultCode: .SQLITE_FULL)
    } catch {
      throw DatabaseError(resultCode: .SQLITE_READONLY, message: error.localizedDescription)
    }
  }

  /// The bytes that can be written to the directory's disk; nil if the system does not say.
  static func freeSpace(in directory: String) throws -> Int64? {
    let attributes = try FileManager.default.attributesOfFileSystem(forPath: directory)
    return (attributes[.systemFreeSize] as? NSNumber)?.int64Value
  }

  /// Moves what the write-ahead logs hold into the files and empties the logs, as far as no reader is in the way.
  ///
  /// SQLite itself does this only when a log has a certain size, so a quiet service would keep its data in the log for ever.
  ///
  /// - Parameter kind: `.passive` while others read and write, which waits for nobody.
  func checkpoint(_ kind: Database.CheckpointMode) throws {
    for pool in [library, events] {
      do {
        try pool.writeWithoutTransaction { database in _ = try database.checkpoint(kind) }
      } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
        // A reader still needs the log; the next checkpoint moves the rest.
      }
    }
  }

  /// Closes both files, after the work on them that is under way; their logs are empty then.
  func close() throws {
    guard isClosed.exchange(true, ordering: .relaxed) == false else { return }
    try checkpoint(.truncate)
    try library.close()
    try events.close()
    try state.write(.closed)
  }

  // The pools delete the logs when they end, also those of a service that could not start.
  deinit { try? close() }

  private let directory: String
  private let lock: DirectoryLock
  private let state: DirectoryState
  private let isClosed = Atomic(false)
  /// What was found to be damaged at the start.
  private let damage: String?

  /// Looks for damage, for a few seconds at most. Damage in the rest of a large file shows when that part is read.
  ///
  /// - Parameter time: How long it may take; with `.never` all pages are read, and all indexes compared with their tables.
  static func damage(
    in file: some DatabaseReader, within time: DispatchTimeInterval = .seconds(3)
  ) throws -> String? {
    do {
      let check = time == .never ? "PRAGMA integrity_check(1)" : "PRAGMA quick_check(1)"
      let found = try file.read { database in
        // Only this connection is interrupted: an idle one would keep the interruption for its next checkpoint, and the service
        // would not start.
        nonisolated(unsafe) let connection = database.sqliteConnection
        let queue = DispatchQueue(label: "check")
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { sqlite3_interrupt(connection) }
        timer.schedule(deadline: .now() + time)
        timer.resume()
        defer {
          timer.cancel()
          queue.sync {}  // Whatever the timer has begun is over.
        }
        return try String.fetchOne(database, sql: check) ?? "ok"
      }
      return found == "ok" ? nil : found
    } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
      return nil
    } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
      return error.message ?? "\(error)"
    }
  }

  static func make(_ directory: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError.unusable(directory: directory, reason: "\(error.localizedDescription)")
    }
  }

  private static func pool(_ directory: String, _ name: String) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.maximumReaderCount = 8
    configuration.prepareDatabase { database in
      try database.execute(
        sql: "PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF; PRAGMA journal_size_limit = 16777216")
      database.followWork()
    }
    let path = directory + "/" + name
    // SQLite only says that it cannot open the file.
    if access(path, R_OK | W_OK) != 0, errno != ENOENT { throw StoreError.barred(directory: directory, code: errno) }
    let pool = try DatabasePool(path: path, configuration: configuration)
    // This cannot be set in `prepareDatabase`, because the pool sets NORMAL after that, with which a power cut could lose
    // changes that were acknowledged.
    let synchronous = try pool.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON")
      return try Int.fetchOne(database, sql: "PRAGMA synchronous")
    }
    guard synchronous == 2 else {
      throw StoreError.unusable(directory: directory, reason: "SQLite does not synchronise \(name) with the disk")
    }
    for file in [path, path + "-wal", path + "-shm"] { chmod(file, 0o600) }
    return pool
  }

  private static var libraryMigrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    registerCaptures(in: &migrator)
    registerRuleSets(in: &migrator)
    registerAccess(in: &migrator)
    return migrator
  }

  private static var eventsMigrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    registerEvents(in: &migrator)
    return migrator
  }
}

/// Why a directory cannot be used.
public enum StoreError: Error, CustomStringConvertible {
  /// It cannot be made, read or written.
  case unusable(directory: String, reason: String)
  /// Another process uses it.
  case inUse(directory: String)
  /// A service has never used it.
  case missing(directory: String)
  /// A later version has used it.
  case later(directory: String)
  /// A database in it is of another application.
  case foreign(directory: String)
  /// It is not empty, and would be overwritten.
  case notEmpty(directory: String)
  /// A file of it is damaged.
  case damaged(file: String, reason: String)
  /// It has been used before, and its content is gone.
  case lost(directory: String, file: String, reason: String)

  /// Returns the error for a file of the directory that cannot be opened.
  ///
  /// - Parameter code: The system's error; `EACCES` if the file belongs to another user, such as root.
  static func barred(directory: String, code: Int32) -> StoreError {
    let cure = code == EACCES ? "; `encircle doctor --data \(directory)` says whose it is, and what to do" : ""
    return .unusable(directory: directory, reason: String(cString: strerror(code)) + cure)
  }

  public var description: String {
    switch self {
    case .unusable(let directory, let reason): "\(directory): cannot be used: \(reason)"
    case .inUse(let directory): "\(directory): another process uses this directory"
    case .missing(let directory): "\(directory): there is no directory of a service here"
    case .lost(let directory, let file, let reason):
      """
      \(directory)/\(file): \(reason). Restore the directory from a backup, with all files whose names begin with \(file); \
      or delete \(directory)/\(DirectoryState.file) to go on with what is left
      """
    case .later(let directory): "\(directory): a later version of encircle has used this directory: start that one"
    case .foreign(let directory):
      "\(directory): another application has made the database in this directory: name another directory"
    case .notEmpty(let directory): "\(directory): this directory is not empty: name one that is, or that does not exist"
    case .damaged(let file, let reason): "\(file): is damaged: \(reason)"
    }
  }
}
