import Foundation
import GRDB

/// What a service keeps, in two SQLite files of one directory: `encircle.sqlite` for what people make, and
/// `events.sqlite` for what apps send. Events have a file of their own, as SQLite has one writer a file: the stream of
/// events does not make an author wait, and its size does not slow what is not about events.
///
/// Both are in WAL mode and synchronised fully: what has been acknowledged outlives the process and the machine.
public final class Store: Sendable {
  /// Captures, screenshots, rule sets with their history, tokens, settings, the audit log.
  public let library: DatabasePool
  /// Events, their decisions, rejects.
  public let events: DatabasePool

  /// Opens the directory's files, making or updating them as necessary.
  ///
  /// - Throws: ``StoreError`` when the directory cannot be made or another process has it, else `DatabaseError`.
  public init(directory: String) throws {
    try Self.make(directory)
    self.directory = directory
    lock = try DirectoryLock(directory: directory)
    library = try Self.pool(directory + "/encircle.sqlite")
    events = try Self.pool(directory + "/events.sqlite")
    try Self.update(library, Self.libraryMigrator, directory)
    try Self.update(events, Self.eventsMigrator, directory)
  }

  /// Brings a file to the form that this version knows.
  ///
  /// - Throws: ``StoreError`` when a later version has used it: what it has changed there is not known here.
  private static func update(_ pool: DatabasePool, _ migrator: DatabaseMigrator, _ directory: String) throws {
    guard try !pool.read(migrator.hasBeenSuperseded) else { throw StoreError.later(directory: directory) }
    try migrator.migrate(pool)
  }

  /// Opens the file with what people make although another process may have the directory, such as the service itself;
  /// SQLite looks after the order of what both write.
  ///
  /// - Parameter isMade: Whether to make what is missing.
  package static func libraryBesideService(directory: String, isMade: Bool) throws -> DatabasePool {
    if isMade {
      try make(directory)
    } else if !FileManager.default.fileExists(atPath: directory + "/encircle.sqlite") {
      throw StoreError.missing(directory: directory)
    }
    let library = try pool(directory + "/encircle.sqlite")
    try update(library, libraryMigrator, directory)
    return library
  }

  /// Fails when nothing can be written, as on a full disk.
  ///
  /// An empty transaction writes nothing, and one page may find room where a batch of events does not; so the room that
  /// is left is asked for, too.
  public func checkWritable() throws {
    let attributes = try FileManager.default.attributesOfFileSystem(forPath: directory)
    if let free = (attributes[.systemFreeSize] as? NSNumber)?.int64Value, free < 1 << 20 {
      throw DatabaseError(resultCode: .SQLITE_FULL)
    }
    for pool in [library, events] {
      try pool.writeWithoutTransaction { database in
        try database.execute(sql: "BEGIN IMMEDIATE; ROLLBACK")
      }
    }
  }

  /// Closes both files, after the work on them that is under way.
  public func close() throws {
    try library.close()
    try events.close()
  }

  private let directory: String
  private let lock: DirectoryLock

  private static func make(_ directory: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError.unusable(directory: directory, reason: "\(error.localizedDescription)")
    }
  }

  private static func pool(_ path: String) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.maximumReaderCount = 8
    configuration.prepareDatabase { database in
      try database.execute(
        sql: "PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF; "
          + "PRAGMA journal_size_limit = 16777216")
    }
    return try DatabasePool(path: path, configuration: configuration)
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

  public var description: String {
    switch self {
    case .unusable(let directory, let reason): "\(directory): cannot be used: \(reason)"
    case .inUse(let directory): "\(directory): another process uses this directory"
    case .missing(let directory): "\(directory): there is no directory of a service here"
    case .later(let directory): "\(directory): a later version of encircle has used this directory: start that one"
    }
  }
}
