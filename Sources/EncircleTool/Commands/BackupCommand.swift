#if Service
  import ArgumentParser
  import EncircleService
  import Foundation

  /// `encircle backup`
  struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "backup",
      abstract: "Copy the directory of a service, also while the service runs.",
      discussion: """
        Both databases are copied as they are at one point in time, and the copies are read back from their first page to \
        their last. The service keeps running meanwhile. `encircle restore` makes a directory of a backup.

        Exit status 65 if a database is damaged, 66 if there is none, 74 if something cannot be read or written.
        """)

    @OptionGroup var directory: ServiceDirectoryOption

    @Option(
      help: ArgumentHelp(
        "The backup: a directory that is empty or does not exist, or - for a tar archive on standard output.",
        valueName: "dir"), completion: .directory)
    var to: String

    func run() throws {
      try ServiceDirectoryOption.reporting("\(directory.data): no backup was made") {
        guard to == "-" else {
          let size = try copy(to: to)
          return try ResultWriter.print("\(to): \(size) bytes, read back without an error\n")
        }
        try Archive.inTemporaryFolder { folder in
          let backup = folder + "/backup"
          _ = try copy(to: backup)
          try Archive.write(backup, ServiceBackup.files)
        }
      }
    }

    private func copy(to folder: String) throws -> Int {
      let progress = Progress()
      defer { progress?.end() }
      return try ServiceBackup.make(of: directory.data, to: folder) { progress?.report($0.text) }
    }
  }

  /// `encircle restore`
  struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "restore",
      abstract: "Make the directory of a service from a backup.",
      discussion: """
        The backup is read from its first page to its last before anything is written. The directory must be empty, or \
        not exist: nothing is overwritten.

        Exit status 65 if the backup is damaged, 66 if there is none, 74 if something cannot be read or written.
        """)

    @Option(
      help: ArgumentHelp(
        "A backup that `encircle backup` made, or - for its tar archive on standard input.", valueName: "dir"),
      completion: .directory)
    var from: String

    @OptionGroup var directory: ServiceDirectoryOption

    func run() throws {
      try ServiceDirectoryOption.reporting("\(directory.data): nothing was restored") {
        guard from == "-" else {
          var isDirectory: ObjCBool = true
          if FileManager.default.fileExists(atPath: from, isDirectory: &isDirectory), !isDirectory.boolValue {
            throw ExitStatus.noInput.failure(
              "error: \(from): is a file: an archive is read from standard input, by --from - < \(from)")
          }
          return try restore(from)
        }
        try Archive.inTemporaryFolder { folder in
          try Archive.read(to: folder, ServiceBackup.files)
          try restore(folder)
        }
      }
    }

    private func restore(_ folder: String) throws {
      let progress = Progress()
      try ServiceBackup.restore(from: folder, to: directory.data) { progress?.report($0.text) }
      progress?.end()
      try ResultWriter.print("\(directory.data): restored; start the service with --data \(directory.data)\n")
    }
  }

  extension ServiceBackup.Progress {
    fileprivate var text: String {
      "\(step.rawValue) \(file)" + (share.map { " \(Int($0 * 100)) %" } ?? "")
    }
  }

  /// Tar archives on standard input and output, by the system's `tar`.
  private enum Archive {
    struct Failure: Error, CustomStringConvertible {
      let description: String
    }

    static func inTemporaryFolder(_ body: (String) throws -> Void) throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString)")
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      defer { try? FileManager.default.removeItem(at: folder) }
      try body(folder.path)
    }

    static func write(_ folder: String, _ files: [String]) throws {
      let result = try tar(["-C", folder, "-cf", "-"] + files)
      guard result.status == 0 else { throw Failure(description: "tar ended with status \(result.status)") }
    }

    /// Extracts only these files from the archive.
    ///
    /// - Throws: ``StoreError/damaged(file:reason:)`` for an archive that is incomplete, is none, or lacks one of the files.
    static func read(to folder: String, _ files: [String]) throws {
      let result = try tar(["-C", folder, "--no-same-owner", "-xf", "-"] + files)
      guard result.status != 0 else { return }
      // The status is the same for a damaged archive and a full disk. Only messages about the system have the system's text.
      let isOfSystem =
        result.status > 125 || systemErrors.contains { result.messages.contains(String(cString: strerror($0))) }
      let reason = "tar ended with status \(result.status)"
      throw isOfSystem ? Failure(description: reason) : StoreError.damaged(file: "standard input", reason: reason)
    }

    private static let systemErrors = [ENOSPC, EDQUOT, EFBIG, EIO, EACCES, EPERM, EROFS, EISDIR, EBADF, ENOMEM]

    private static func tar(_ arguments: [String]) throws -> (status: Int32, messages: String) {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["LC_ALL=C", "tar"] + arguments
      let errors = Pipe()
      process.standardError = errors
      try process.run()
      let messages = errors.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      FileHandle.standardError.write(messages)
      // As in a shell, the status of a process that a signal ended is above 128.
      let signal: Int32 = process.terminationReason == .uncaughtSignal ? 128 : 0
      return (signal + process.terminationStatus, String(decoding: messages, as: UTF8.self))
    }
  }
#endif
