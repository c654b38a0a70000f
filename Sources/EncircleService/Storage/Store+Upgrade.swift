import Foundation
import GRDB
import GRDBSQLite

/// The progress of upgrading a file of an earlier version.
struct UpgradeProgress: Sendable, CustomStringConvertible {
  var file: String
  /// The number of the current step, from 1; its name; and the number of steps.
  var step: Int
  var name: String
  var steps: Int
  /// The number of bytes that the step has read from the file so far; a step may read some of them more than once.
  var bytesRead = 0
  var fileBytes: Int
  /// The time since the step began.
  var seconds = 0

  var description: String {
    let size = "\(fileBytes >> 20) MB"
    let begin = "\(file) of an earlier version: step \(step) of \(steps), \(name)"
    return seconds == 0
      ? "\(begin); the file has \(size)" : "\(begin): \(seconds) s, read \(bytesRead >> 20) MB of \(size)"
  }
}

/// Reports the progress of upgrading the files, at each step and every few seconds within a step.
struct UpgradeReporter: Sendable {
  /// The time between two reports of one step.
  var interval = Duration.seconds(5)
  /// The number of instructions that SQLite executes between two readings of the clock.
  var instructions: Int32 = 1_000_000
  var report: @Sendable (UpgradeProgress) -> Void
}

extension Store {
  /// Upgrades a file to the schema of this version, each step in one transaction.
  ///
  /// - Parameter reporter: Receives the steps for a file of an earlier version; a new file has none.
  /// - Throws: ``StoreError`` if a later version, with another schema, has used the file.
  static func update(
    _ pool: DatabasePool, _ migrator: DatabaseMigrator, _ directory: String, _ reporter: UpgradeReporter? = nil
  ) throws {
    let applied = try pool.read { database in
      try checkOrigin(of: database, migrator, directory)
      return try migrator.appliedIdentifiers(database)
    }
    let steps = migrator.migrations.filter { !applied.contains($0) }
    guard let reporter, !applied.isEmpty, !steps.isEmpty else { return try migrator.migrate(pool) }
    let size = (try? FileManager.default.attributesOfItem(atPath: pool.path)[.size] as? NSNumber)?.intValue ?? 0
    let file = URL(fileURLWithPath: pool.path).lastPathComponent
    let watch = UpgradeWatch(
      UpgradeProgress(file: file, step: 0, name: "", steps: steps.count, fileBytes: size), reporter)
    // The handler of the watch must not outlive it.
    defer { pool.writeWithoutTransaction { $0.followWork() } }
    try UpgradeWatch.$current.withValue(watch) { try migrator.migrate(pool) }
  }
}

extension DatabaseMigrator {
  /// Registers a migration, and reports its beginning.
  mutating func registerStep(_ name: String, migrate: @escaping @Sendable (Database) throws -> Void) {
    registerMigration(name) { database in
      try UpgradeWatch.current?.begin(name, database)
      try migrate(database)
    }
  }
}

/// Follows the steps of a file on the connection that executes them, in one thread.
private final class UpgradeWatch: @unchecked Sendable {
  /// The watch of the file that this thread upgrades.
  @TaskLocal static var current: UpgradeWatch?

  private var progress: UpgradeProgress
  private let reporter: UpgradeReporter
  private var start = ContinuousClock.now
  private var last = ContinuousClock.now
  private var connection: OpaquePointer?
  private var missesBefore = 0
  private var pageBytes = 4_096

  init(_ progress: UpgradeProgress, _ reporter: UpgradeReporter) {
    self.progress = progress
    self.reporter = reporter
  }

  func begin(_ name: String, _ database: Database) throws {
    progress.step += 1
    progress.name = name
    (progress.seconds, progress.bytesRead) = (0, 0)
    reporter.report(progress)
    (start, last) = (.now, .now)
    pageBytes = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? pageBytes
    connection = database.sqliteConnection
    missesBefore = misses
    sqlite3_progress_handler(
      database.sqliteConnection, reporter.instructions,
      { context in
        context.map { Unmanaged<UpgradeWatch>.fromOpaque($0).takeUnretainedValue().look() }
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Reports the progress at intervals. SQLite calls this in the thread of the step.
  private func look() {
    let now = ContinuousClock.now
    guard now - last >= reporter.interval else { return }
    last = now
    progress.seconds = max(1, Int((now - start) / .seconds(1)))
    progress.bytesRead = (misses - missesBefore) * pageBytes
    reporter.report(progress)
  }

  /// The number of pages that the connection has read from the file and its log.
  private var misses: Int {
    var (current, highest): (Int32, Int32) = (0, 0)
    sqlite3_db_status(connection, SQLITE_DBSTATUS_CACHE_MISS, &current, &highest, 0)
    return Int(current)
  }
}
