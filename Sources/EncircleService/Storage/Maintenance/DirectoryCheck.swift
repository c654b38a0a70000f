import EncircleText
import Foundation
import GRDB

/// The findings of `encircle doctor` about the directory of a service, whether or not the service runs.
package struct DirectoryCheck: Sendable {
  /// The severity of a finding: `error` if the service does not start or answers wrongly, `warning` if it soon may.
  package enum Severity: String, Sendable {
    case ok, note, warning, error
  }

  /// The result of one check.
  package struct Finding: Sendable {
    package let severity: Severity
    /// A stable name of the check, such as `integrity`.
    package let code: String
    package let message: String
    /// The recommended action; nil if there is nothing to do.
    package let cure: String?
  }

  /// The findings, in the order of the checks, with one for each check that was possible.
  package private(set) var findings: [Finding] = []

  private let directory: String
  private let now: Date

  // With less free space than this, the service will soon answer 503.
  private static let minimumSpace: Int64 = 1 << 30
  // This is twice the size at which SQLite moves the log of events into the file, so a reader must be in the way.
  private static let largestLog = 64 << 20
  private static let expiryDays = 14.0

  /// Checks a directory.
  ///
  /// - Parameters:
  ///   - directory: The directory of the service.
  ///   - readsAll: True if the databases are read completely, which takes minutes for gigabytes.
  /// - Complexity: O(size of the databases) with `readsAll`, otherwise O(1), except for a quick check of at most three seconds.
  package init(directory: String, readsAll: Bool, now: Date = Date()) {
    self.directory = directory
    self.now = now
    let state = DirectoryState(directory: directory)
    guard state.size(Store.files[0]) != nil || state.read() != nil else {
      // In a directory that this user may not enter, no file is visible.
      if FileManager.default.fileExists(atPath: directory), !Self.canUse(directory) {
        checkPermissions()
        return
      }
      add(
        .error, "directory", "there is no directory of a service at \(directory)",
        "name the directory with --data, or start `encircle serve`, which makes it")
      return
    }
    checkPermissions()
    let isRunning = checkLock()
    checkState(isRunning)
    checkSpace()
    checkLogs()
    guard checkDatabases(readsAll) else { return }
    checkClock()
    checkTokens()
  }

  /// The severity of the worst finding.
  package var severity: Severity {
    let order: [Severity] = [.error, .warning, .note]
    return order.first { severity in findings.contains { $0.severity == severity } } ?? .ok
  }

  private mutating func add(_ severity: Severity, _ code: String, _ message: String, _ cure: String? = nil) {
    findings.append(Finding(severity: severity, code: code, message: message, cure: cure))
  }

  // MARK: - The directory

  private mutating func checkPermissions() {
    let names = Store.files.flatMap { [$0, $0 + "-wal", $0 + "-shm"] } + [DirectoryLock.file, DirectoryState.file]
    let barred = ([directory] + names.map { directory + "/" + $0 }).filter { path in
      FileManager.default.fileExists(atPath: path) && !Self.canUse(path)
    }
    let open = ([directory] + Store.files.map { directory + "/" + $0 }).filter { Self.mode(of: $0) & 0o077 != 0 }
    for path in barred {
      let mode = String(format: "%03lo", Self.mode(of: path))
      add(
        .error, "permissions",
        "this user cannot read and write \(path), which belongs to \(Self.owner(of: path)) and has the mode \(mode)",
        "run the service, and this command, as the user whose directory it is; all of it must belong to that user: "
          + "`chown -R USER \(directory.shellWord)`, `chmod -R u+rwX \(directory.shellWord)`")
    }
    guard barred.isEmpty else { return }
    // Root may use these files, but the user of the service may not.
    let owner = Self.owner(of: directory)
    let strange = names.map { directory + "/" + $0 }.filter { path in
      FileManager.default.fileExists(atPath: path) && Self.owner(of: path) != owner
    }
    if !strange.isEmpty {
      let paths = strange.joined(separator: " ")
      add(
        .warning, "permissions",
        "\(directory) belongs to \(owner), and \(paths) to another user: a service of \(owner) cannot use them",
        "chown -R \(owner) \(directory.shellWord)")
    } else if !open.isEmpty {
      let paths = open.joined(separator: " ")
      let words = open.map(\.shellWord).joined(separator: " ")
      add(.warning, "permissions", "other users can read \(paths)", "chmod go= \(words)")
    } else {
      add(.ok, "permissions", "only this user can read and write the files")
    }
  }

  /// Returns whether this user may read and write a file, and enter it if it is a directory.
  private static func canUse(_ path: String) -> Bool {
    let files = FileManager.default
    var isDirectory: ObjCBool = false
    _ = files.fileExists(atPath: path, isDirectory: &isDirectory)
    return files.isReadableFile(atPath: path) && files.isWritableFile(atPath: path)
      && (!isDirectory.boolValue || files.isExecutableFile(atPath: path))
  }

  private static func owner(of path: String) -> String {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    let owner: Any = attributes?[.ownerAccountName] ?? attributes?[.ownerAccountID] ?? "another user"
    return "\(owner)"
  }

  private static func mode(of path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
  }

  /// Returns whether a service uses the directory, and reports it.
  private mutating func checkLock() -> Bool {
    do {
      // Without the file, no service runs. Taking the lock would create the file. If root created it, the service's user could
      // not open it.
      if FileManager.default.fileExists(atPath: directory + "/" + DirectoryLock.file) {
        _ = try DirectoryLock(directory: directory)
      }
      add(.ok, "running", "no service uses the directory")
      return false
    } catch StoreError.inUse {
      add(.ok, "running", "a service uses the directory")
      return true
    } catch {
      add(
        .error, "running",
        "\(directory)/\(DirectoryLock.file) cannot be opened, so nobody knows if a service uses the directory",
        "see that this user can write to the directory")
      return false
    }
  }

  private mutating func checkState(_ isRunning: Bool) {
    do {
      let state = DirectoryState(directory: directory)
      try state.check(files: Store.files)
      if isRunning || state.read() != .open {
        add(.ok, "files", "the databases and their logs are complete")
      } else {
        add(.note, "files", "the service was not stopped in order; its next start takes what the logs hold")
      }
    } catch {
      add(.error, "files", "\(error)", "restore the last backup with `encircle restore`")
    }
  }

  private mutating func checkSpace() {
    guard let free = try? Store.freeSpace(in: directory) else { return }
    let size = ByteCountFormatter.string(fromByteCount: free, countStyle: .decimal)
    let text = free == 0 ? "no space is free" : "\(size) are free"
    if free < Self.minimumSpace {
      add(
        .warning, "space", text,
        "free some space, or keep fewer events: `retention` in the configuration; without space the service answers 503"
      )
    } else {
      add(.ok, "space", text)
    }
  }

  private mutating func checkLogs() {
    for file in Store.files {
      guard let size = DirectoryState(directory: directory).size(file + "-wal"), size > Self.largestLog else {
        continue
      }
      add(
        .warning, "log-size", "\(file)-wal has \(size) bytes",
        "a program reads \(file) for a long time, such as a backup or sqlite3: the log shrinks when it ends")
    }
  }

  // MARK: - The databases

  /// Returns whether the databases can be read, and reports their problems.
  private mutating func checkDatabases(_ readsAll: Bool) -> Bool {
    var isReadable = true
    let state = DirectoryState(directory: directory)
    // With a state, a missing file is a finding of `checkState`.
    for (file, migrator) in zip(Store.files, Store.migrators) where state.size(file) != nil || state.read() == nil {
      let path = directory + "/" + file
      do {
        let problem = try ServiceBackup.reading(path) { database in
          try database.read { try Store.checkOrigin(of: $0, migrator, directory) }
          if try !database.read(migrator.hasCompletedMigrations) {
            add(
              .note, "version", "\(file) is of an earlier version; the next start brings it up to date",
              "make a backup before: `encircle backup`")
          }
          return try Store.damage(in: database, within: readsAll ? .never : .seconds(3))
        }
        if let problem {
          add(.error, "integrity", "\(file): \(problem)", "restore the last backup with `encircle restore`")
          isReadable = false
        } else {
          add(
            .ok, "integrity", "\(file) has no damage that \(readsAll ? "a check of all pages" : "a quick check") finds")
        }
      } catch let error as StoreError {
        add(.error, "version", "\(error)", "start the version that made it, or name another directory")
        isReadable = false
      } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
        add(.error, "integrity", "\(file): \(error)", "restore the last backup with `encircle restore`")
        isReadable = false
      } catch {
        // The file itself may be intact.
        add(
          .error, "integrity", "\(file) cannot be checked: \(error)",
          "see that the disk has space, and that this user can read and write \(path)")
        isReadable = false
      }
    }
    return isReadable
  }

  private mutating func checkClock() {
    let newest = try? ServiceBackup.reading(directory + "/" + Store.files[1]) { events in
      try events.read { try Int64.fetchOne($0, sql: "SELECT received FROM event ORDER BY id DESC LIMIT 1") }
    }
    guard let newest = newest ?? nil else { return }
    let ahead = Double(newest) / 1_000 - now.timeIntervalSince1970
    if ahead > 300 {
      add(
        .warning, "clock", "the last event came \(Int(ahead)) seconds after now: the clock has been set back",
        "see that the clock is right (timedatectl); counts by hour are wrong until it is")
    } else {
      add(.ok, "clock", "no event came later than now")
    }
  }

  private mutating func checkTokens() {
    guard
      let tokens = try? ServiceBackup.reading(
        directory + "/" + Store.files[0], { library in try library.read { try TokenStore.tokens($0) } })
    else { return }
    if tokens.isEmpty {
      add(.note, "tokens", "there are no tokens: only this machine can reach the service")
      return
    }
    var isFine = true
    for token in tokens {
      guard let end = token.expiresAt else { continue }
      let days = end.timeIntervalSince(now) / 86_400
      guard days < Self.expiryDays else { continue }
      isFine = false
      let data = "--data \(directory.shellWord)"
      // Apps have the key already, and cannot be given another one.
      let cure =
        if let project = token.project {
          "its key is in apps, so make the same key a token again: "
            + "`encircle token remove \(token.name.shellWord) \(data)`, `encircle token add \(token.name.shellWord) "
            + "--role collect --key KEY --project \(project.shellWord) \(data)`"
        } else {
          "make another: `encircle token add \("\(token.name) 2".shellWord) --role \(token.role) \(data)`, "
            + "give it to whoever uses this one, and remove it"
        }
      let state = days <= 0 ? "has ended" : "ends in \(counted(Int(days.rounded(.up)), "day"))"
      add(.warning, "tokens", "the token '\(token.name)' \(state)", cure)
    }
    if !tokens.contains(where: { $0.role == Role.publish.rawValue && !$0.isExpired(at: now) }) {
      isFine = false
      add(
        .error, "tokens", "no token has the role publish: nobody can change settings and tokens over HTTP",
        "encircle token add NAME --role publish --data \(directory.shellWord)")
    }
    if isFine { add(.ok, "tokens", "no token ends within \(Int(Self.expiryDays)) days") }
  }
}
