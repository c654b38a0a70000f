import Foundation
import GRDB

/// Backups of a service's directory, and restoring them.
///
/// A backup is a directory with both databases at one point in time, without write-ahead logs.
package enum ServiceBackup {
  /// The progress of a copy.
  package struct Progress: Sendable {
    package enum Step: String, Sendable { case copying, checking }

    package let step: Step
    /// The name of the database's file.
    package let file: String
    /// The completed share, from 0 to 1; nil if it is unknown.
    package let share: Double?
  }

  /// The files of a backup, for programs that archive it.
  package static var files: [String] { Store.files }

  // A step copies 8 MiB, so that reports show progress.
  private static let pagesPerStep: CInt = 2_048
  private static let maximumAttempts = 20

  /// Copies both databases of a directory, even while a service uses it, and reads the copies back.
  ///
  /// In the meantime the service continues, and its write-ahead logs grow.
  ///
  /// - Parameters:
  ///   - directory: The directory of the service.
  ///   - folder: The backup: a directory that is empty or does not exist. After an error it contains nothing.
  /// - Returns: The size of the backup in bytes.
  /// - Throws: ``StoreError``, or the `DatabaseError` of a failed read or write.
  /// - Complexity: O(size of the databases).
  package static func make(
    of directory: String, to folder: String, report: (Progress) -> Void = { _ in }
  ) throws -> Int {
    try Store.requireLibrary(in: directory)
    try DirectoryState(directory: directory).check(files: Store.files)
    return try filling(folder) {
      try copy(directory, to: folder, report)
      try check(folder, report)
      let copies = DirectoryState(directory: folder)
      return Store.files.reduce(0) { $0 + (copies.size($1) ?? 0) }
    }
  }

  /// Creates a service's directory from a backup, after checking the backup.
  ///
  /// - Parameters:
  ///   - folder: The backup.
  ///   - directory: A directory that is empty or does not exist. The files get their names when all of them are complete; after
  ///     an error it contains nothing.
  /// - Throws: ``StoreError``, or the error of a failed read or write.
  /// - Complexity: O(size of the databases).
  package static func restore(
    from folder: String, to directory: String, report: (Progress) -> Void = { _ in }
  ) throws {
    try Store.requireLibrary(in: folder)
    try DirectoryState(directory: folder).check(files: Store.files)
    try check(folder, report)
    try filling(directory) {
      for name in Store.files {
        report(Progress(step: .copying, file: name, share: nil))
        // A copy of a service's directory has its latest changes in the write-ahead logs.
        try reading(folder + "/" + name) { source in
          try source.read { try copy($0, name, to: directory + "/" + name + partSuffix, report) }
        }
      }
      for name in Store.files {
        try FileManager.default.moveItem(atPath: directory + "/" + name + partSuffix, toPath: directory + "/" + name)
      }
      try DirectoryState(directory: directory).write(.closed)
    }
  }

  // MARK: - Copying

  private static func copy(_ directory: String, to folder: String, _ report: (Progress) -> Void) throws {
    let paths = Store.files.map { directory + "/" + $0 }
    // The first connection to a damaged database fails.
    for path in paths { try StoreError.reportingDamage(of: path) { try reading(path) { _ in } } }
    // A separate connection sees the changes of others even while `library` is in a transaction.
    let isCopied = try reading(paths[0]) { library in
      try reading(paths[1]) { events in
        try reading(paths[0]) { watch in
          try (0..<maximumAttempts).contains { _ in try copy(library, events, watch, directory, to: folder, report) }
        }
      }
    }
    guard isCopied else { throw StoreError.unusable(directory: directory, reason: "it changes all the time") }
  }

  /// Copies both databases if they are in their state at one point in time.
  ///
  /// - Returns: True if they were copied; otherwise, they had changed in the meantime.
  private static func copy(
    _ library: DatabaseQueue, _ events: DatabaseQueue, _ watch: DatabaseQueue, _ directory: String, to folder: String,
    _ report: (Progress) -> Void
  ) throws -> Bool {
    try library.read { library in
      let version = try version(watch)
      // From its first statement on, a transaction reads the database in its current state.
      try Store.checkOrigin(of: library, Store.migrators[0], directory)
      return try events.read { events in
        try Store.checkOrigin(of: events, Store.migrators[1], directory)
        // If no transaction came in between, both are in their state at the time when the second of them was opened.
        guard try Self.version(watch) == version else { return false }
        try copy(library, Store.files[0], to: folder + "/" + Store.files[0], report)
        try copy(events, Store.files[1], to: folder + "/" + Store.files[1], report)
        return true
      }
    }
  }

  /// Returns a number that changes with each transaction of other connections.
  private static func version(_ database: DatabaseQueue) throws -> Int {
    try database.inDatabase { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
  }

  private static func copy(
    _ source: Database, _ name: String, to path: String, _ report: (Progress) -> Void
  ) throws {
    let copy = try DatabaseQueue(path: path)
    defer { try? copy.close() }
    // The database has been created, and nothing is in it yet.
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    try withoutActuallyEscaping(report) { report in
      try copy.inDatabase { copy in
        try source.backup(to: copy, pagesPerStep: pagesPerStep) { progress in
          let share = Double(progress.completedPageCount) / Double(max(1, progress.totalPageCount))
          report(Progress(step: .copying, file: name, share: share))
        }
        // The backup has no log, so that it is complete in one file.
        try copy.execute(sql: "PRAGMA journal_mode = DELETE")
      }
    }
    try copy.close()
  }

  // MARK: - Checking

  /// Reads a backup completely.
  private static func check(_ folder: String, _ report: (Progress) -> Void) throws {
    for (name, migrator) in zip(Store.files, Store.migrators) {
      report(Progress(step: .checking, file: name, share: nil))
      let path = folder + "/" + name
      guard FileManager.default.fileExists(atPath: path) else {
        throw StoreError.damaged(file: path, reason: "the backup has no such file")
      }
      // A complete backup has no journal.
      guard !FileManager.default.fileExists(atPath: path + "-journal") else {
        throw StoreError.damaged(file: path, reason: "the backup was interrupted before it was complete")
      }
      let problem: String? = try StoreError.reportingDamage(of: path) {
        try reading(path) { database -> String? in
          if try lacksLog(database, name, folder) {
            return
              "it is of a service, without its write-ahead log, which may have the latest changes; if the service had "
              + "been stopped, `encircle serve --data` can use the directory as it is"
          }
          let isEmpty = try database.read { database in
            try Store.checkOrigin(of: database, migrator, folder)
            return try migrator.appliedIdentifiers(database).isEmpty
          }
          if isEmpty { return "it is empty" }
          return try Store.damage(in: database, within: .never)
        }
      }
      if let problem { throw StoreError.damaged(file: path, reason: problem) }
    }
  }

  /// Returns whether a database is a copy from a service's directory without the log, which may have its latest changes. The state
  /// of a directory that was copied as a whole says whether it needs one.
  private static func lacksLog(_ database: DatabaseQueue, _ name: String, _ folder: String) throws -> Bool {
    let directory = DirectoryState(directory: folder)
    guard directory.read() == nil, (directory.size(name + "-wal") ?? 0) == 0 else { return false }
    return try database.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal"
  }

  // MARK: - Files

  /// Returns the result of `body` for a database that a service may use at the same time.
  ///
  /// The database is closed when this returns or throws, so that no connection outlives the check or the copy for which it
  /// was opened.
  static func reading<Value>(_ path: String, _ body: (DatabaseQueue) throws -> Value) throws -> Value {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA trusted_schema = OFF") }
    let database = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? database.close() }
    return try body(database)
  }

  private static let partSuffix = ".part"

  /// Fills a directory that is empty or does not exist. After an error it is as before.
  private static func filling<Value>(_ directory: String, _ body: () throws -> Value) throws -> Value {
    let isNew = try makeEmpty(directory)
    do {
      return try body()
    } catch {
      for name in Store.files + Store.files.map({ $0 + partSuffix }) {
        try? FileManager.default.removeItem(atPath: directory + "/" + name)
      }
      if isNew { try? FileManager.default.removeItem(atPath: directory) }
      // SQLite has no message of its own for a copy.
      guard StoreError.isOutOfSpace(error) else { throw error }
      throw StoreError.unusable(directory: directory, reason: "the disk is full")
    }
  }

  /// Makes sure that the directory exists and is empty.
  ///
  /// - Returns: True if the directory did not exist before.
  private static func makeEmpty(_ directory: String) throws -> Bool {
    if let names = try? FileManager.default.contentsOfDirectory(atPath: directory) {
      guard names.isEmpty else { throw StoreError.notEmpty(directory: directory) }
      return false
    }
    try Store.make(directory)
    return true
  }
}
