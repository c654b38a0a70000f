import EncircleText
import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// The data of a service, in two SQLite files of one directory: `encircle.sqlite` for data that people create, and
/// `events.sqlite` for data that apps send. Events have a separate file because SQLite allows one writer per file: the stream
/// of events does not block an author, and its size does not slow anything else.
///
/// Both are in WAL mode and fully synchronised: acknowledged data survives crashes of the process and of the machine.
final class Store: Sendable {
  /// Captures, screenshots, rule sets with their history, tokens, settings, the audit log.
  let library: DatabasePool
  /// Events, their decisions, rejects.
  let events: DatabasePool

  /// Opens the directory's files, and creates or upgrades them if necessary.
  ///
  /// - Parameter upgrade: Receives the progress of upgrading files of an earlier version.
  /// - Throws: ``StoreError`` if the directory cannot be created or another process uses it, otherwise `DatabaseError`.
  init(directory: String, upgrade: UpgradeReporter? = nil) throws {
    try Self.make(directory)
    // SQLite only reports that it cannot write the database.
    guard access(directory, W_OK | X_OK) == 0 else { throw StoreError.barred(directory: directory, code: errno) }
    self.directory = directory
    state = DirectoryState(directory: directory)
    // Nothing is put into another application's directory, not even a lock.
    let isUsed = state.read() != nil
    if !isUsed { try Self.checkOrigins(directory) }
    lock = try DirectoryLock(directory: directory)
    try state.check(files: Self.files)
    // In a used directory, the databases are read only now: if a log is missing, SQLite creates an empty one as soon as it
    // reads a database.
    if isUsed { try Self.checkOrigins(directory) }
    library = try Self.pool(directory, Self.files[0])
    events = try Self.pool(directory, Self.files[1])
    try Self.update(library, Self.libraryMigrator, directory, upgrade)
    try Self.update(events, Self.eventsMigrator, directory, upgrade)
    damage = try Self.damage(in: library) ?? Self.damage(in: events)
    // If a file is empty after this, it has lost its content.
    try checkpoint(.truncate)
    try state.write(.open)
  }

  /// The names of the database files.
  static let files = ["encircle.sqlite", "events.sqlite"]

  /// The migrators that create and upgrade the schemas of the files, in order.
  static var migrators: [DatabaseMigrator] { [libraryMigrator, eventsMigrator] }

  /// Refuses a file of another application, or of a later version of this one.
  ///
  /// - Throws: ``StoreError``.
  static func checkOrigin(of database: Database, _ migrator: DatabaseMigrator, _ directory: String) throws {
    guard try !migrator.hasBeenSuperseded(database) else { throw StoreError.later(directory: directory) }
    let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master WHERE type = 'table'") ?? 0
    if tables > 0, try migrator.appliedIdentifiers(database).isEmpty {
      throw StoreError.foreign(directory: directory)
    }
  }

  /// Refuses databases of another application, or of a later version of this one, before a writing connection changes them.
  ///
  /// - Throws: ``StoreError``.
  private static func checkOrigins(_ directory: String) throws {
    for (file, migrator) in zip(files, migrators) {
      let path = directory + "/" + file
      guard FileManager.default.fileExists(atPath: path) else { continue }
      do {
        try ServiceBackup.reading(path) { database in
          try database.read { try checkOrigin(of: $0, migrator, directory) }
        }
      } catch is DatabaseError {
        // The writing connection meets the same error, or removes its cause, such as a journal that a crash has left.
      }
    }
  }

  /// Opens the file for people's data even if another process, such as the service itself, uses the directory. SQLite
  /// serialises the writes of both.
  ///
  /// A file of an earlier version stays as it is: only the start of a service brings it up to date, because an older service may
  /// use the directory, and could not start again.
  ///
  /// - Parameter isMade: True to create missing files.
  static func libraryBesideService(directory: String, isMade: Bool) throws -> DatabasePool {
    if isMade {
      try make(directory)
    } else {
      try requireLibrary(in: directory)
    }
    try checkOrigins(directory)
    let library = try pool(directory, files[0])
    let isEmpty = try library.read { try libraryMigrator.appliedIdentifiers($0).isEmpty }
    if isEmpty { try update(library, libraryMigrator, directory) }
    // The events file is also created, so that the directory can be checked and copied before the first start of a service.
    if isEmpty, isMade, DirectoryState(directory: directory).read() == nil {
      let events = try pool(directory, files[1])
      try update(events, eventsMigrator, directory)
      try events.close()
    }
    return library
  }

  /// Refuses to change the file for people's data if it is of an earlier version.
  ///
  /// - Throws: ``StoreError``.
  static func requireCurrentLibrary(_ database: Database, _ path: String) throws {
    guard try libraryMigrator.hasCompletedMigrations(database) else {
      throw StoreError.earlier(directory: URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }
  }

  /// Throws an error if a directory does not belong to a service, or if this user may not read it. In a directory that the user
  /// may not enter, no file is visible, so the system's error distinguishes the two.
  static func requireLibrary(in directory: String) throws {
    guard access(directory + "/" + files[0], R_OK) != 0 else { return }
    throw errno == EACCES ? StoreError.barred(directory: directory, code: errno) : .missing(directory: directory)
  }

  /// Throws an error if nothing can be written, as on a full disk.
  ///
  /// It writes a separate file, because a transaction would wait for other transactions. One page may still fit where a batch
  /// of events does not, so the free space is checked, too.
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

  /// Returns the number of bytes that can be written to the directory's disk; nil if the system does not report it.
  static func freeSpace(in directory: String) throws -> Int64? {
    let attributes = try FileManager.default.attributesOfFileSystem(forPath: directory)
    return (attributes[.systemFreeSize] as? NSNumber)?.int64Value
  }

  /// Moves the content of the write-ahead logs into the files and empties the logs, unless readers still need them.
  ///
  /// SQLite itself does this only when a log has reached a certain size. The data of a quiet service would stay in the log for
  /// ever.
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

  /// Closes both files after pending work on them; their logs are empty then.
  func close() throws {
    guard isClosed.exchange(true, ordering: .relaxed) == false else { return }
    try checkpoint(.truncate)
    try library.close()
    try events.close()
    try state.write(.closed)
  }

  // The pools delete the logs when they close, even if the service could not start.
  deinit { try? close() }

  private let directory: String
  private let lock: DirectoryLock
  private let state: DirectoryState
  private let isClosed = Atomic(false)
  /// The damage that was found at the start.
  private let damage: String?

  /// Looks for damage, for a few seconds at most. Damage in the rest of a large file appears when that part is read.
  ///
  /// - Parameter time: The maximum duration; with `.never`, all pages are read, and all indexes are compared with their tables.
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
      if found == "ok" { return nil }
      // A line that begins with asterisks only names the database, which is always the same.
      return found.splitBytes(at: "\n").filter { !$0.beginsWithBytes(of: "***") }.joined(separator: "; ")
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
    // SQLite only reports that it cannot open the file.
    if access(path, R_OK | W_OK) != 0, errno != ENOENT { throw StoreError.barred(directory: directory, code: errno) }
    let pool = try StoreError.reportingDamage(of: path, cure: "; restore the last backup with `encircle restore`") {
      try DatabasePool(path: path, configuration: configuration)
    }
    // This cannot be set in `prepareDatabase`, because the pool sets NORMAL afterwards. With NORMAL, a power cut could lose
    // acknowledged changes.
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
