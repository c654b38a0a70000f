import EncircleText
import Foundation
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A log of files with one record per line. A record counts as acknowledged once its file is synchronised.
///
/// A file is named `STREAM-TIME-PROCESS-NUMBER.ndjson`. It has the suffix `.part` while more lines may follow; only files
/// without the suffix may be moved away. A file is complete when it has reached its size or age, when the log is closed, or,
/// after a crash, when the next process opens the log.
public final class FileEventLog: EventLog {
  /// The conditions under which a file is complete.
  public struct Rotation: Sendable {
    /// The size in bytes after which a new file is begun; the last line may exceed it.
    public var bytes: Int
    /// The time after which a file is complete, counted from its creation. With 0, each write completes its file.
    public var age: Duration

    /// Creates conditions: by default 128 MiB or five minutes.
    public init(bytes: Int = 128 << 20, age: Duration = .seconds(300)) {
      self.bytes = bytes
      self.age = age
    }
  }

  /// The open files and the parts of their names. Only the queue of the group commit changes this.
  private final class Files: Sendable {
    struct State {
      var open: [LogRecord.Stream: LogFile] = [:]
      var number = 0
      var isClosed = false
    }

    let folder: String
    let rotation: Rotation
    // Processes of several machines may write into one folder.
    let run = String(UInt32.random(in: .min ... .max), radix: 36)
    private let state = Mutex(State())

    init(folder: String, rotation: Rotation) {
      self.folder = folder
      self.rotation = rotation
    }

    /// Writes and synchronises records. On failure it takes back as many of them as possible.
    func write(_ records: some Sequence<LogRecord>) throws(LogError) {
      var lines: [LogRecord.Stream: [UInt8]] = [:]
      for record in records {
        lines[record.stream, default: []] += record.json
        lines[record.stream]!.append(0x0A)
      }
      let failure = state.withLock { state -> LogError? in
        // Nobody would complete another file.
        if state.isClosed { return .refused("the log is closed") }
        do throws(LogError) {
          for (stream, bytes) in lines { try file(of: stream, &state).write(bytes) }
          for stream in lines.keys { try file(of: stream, &state).synchronize() }
          // Acknowledge only when all files are synchronised: the records of a call are acknowledged together or taken back
          // together.
          for (stream, bytes) in lines { state.open[stream]?.acknowledge(bytes.count) }
        } catch {
          for stream in lines.keys {
            guard let file = state.open[stream] else { continue }
            // This file may be full, so the next records go to another one. Records that cannot be taken back stay in it,
            // unacknowledged.
            state.open[stream] = nil
            if file.rollBack() { try? file.complete() }
          }
          return error
        }
        return nil
      }
      if let failure { throw failure }
      completeOld()
    }

    /// Completes all files, and refuses further records.
    func close() {
      state.withLock { state in
        state.isClosed = true
        for file in state.open.values { try? file.complete() }
        state.open = [:]
      }
    }

    /// Completes the files that are due. A failure is not reported, because later writes will fail, too.
    func completeOld() {
      state.withLock { state in
        for (stream, file) in state.open
        where file.length >= rotation.bytes || ContinuousClock.now - file.opened >= rotation.age {
          state.open[stream] = nil
          try? file.complete()
        }
      }
    }

    private func file(of stream: LogRecord.Stream, _ state: inout State) throws(LogError) -> LogFile {
      if let file = state.open[stream] { return file }
      state.number += 1
      let number = zeroPadded(state.number, to: 6)
      let file = try LogFile(
        creating: "\(stream.rawValue)-\(Self.time)-\(getpid())\(run)-\(number)", in: folder)
      state.open[stream] = file
      return file
    }

    private static var time: String {
      Date().formatted(
        .iso8601.year().month().day().time(includingFractionalSeconds: false).timeSeparator(.omitted)
          .dateSeparator(.omitted))
    }
  }

  private let files: Files
  private let commits: GroupCommit<[LogRecord], Void>
  private let upkeep: Task<Void, Never>

  /// Opens a log, and completes the files that killed processes have left.
  ///
  /// - Parameter folder: Created if it is missing.
  public init(folder: String, rotation: Rotation = Rotation()) throws(LogError) {
    do {
      if !folder.isEmpty { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      for name in names where name.endsWithBytes(of: LogFile.openSuffix) { try LogFile.recover(name, in: folder) }
    } catch let error as LogError {
      throw error
    } catch {
      throw .refused("\(folder): \(error.localizedDescription)")
    }
    let files = Files(folder: folder, rotation: rotation)
    self.files = files
    let commits = GroupCommit<[LogRecord], Void>(label: "encircle.log") { batches in
      try files.write(batches.joined())
      return batches.map { _ in }
    }
    self.commits = commits
    // Files must become complete even if no more events arrive.
    upkeep = Task.detached {
      while !Task.isCancelled {
        try? await Task.sleep(for: max(.milliseconds(10), min(.seconds(1), rotation.age)))
        commits.perform { files.completeOld() }
      }
    }
    // A full disk is no reason not to start: requests are refused until there is space.
    try checkAccess()
  }

  deinit { upkeep.cancel() }

  public func append(_ records: [LogRecord]) async throws(LogError) {
    if records.isEmpty { return }
    do {
      try await commits.commit(
        records, events: records.count, bytes: records.reduce(0) { $0 + $1.json.count + 100 })
    } catch is QueueFull {
      throw .full
    } catch let error as LogError {
      throw error
    } catch {
      throw .refused("\(error)")
    }
  }

  public func checkWritable() throws(LogError) {
    try checkAccess()
    if let disk = try? FileManager.default.attributesOfFileSystem(forPath: path), Self.isFull(disk) {
      throw .refused("the disk of \(files.folder) is full")
    }
  }

  private func checkAccess() throws(LogError) {
    guard access(path, W_OK | X_OK) == 0 else {
      throw .refused("\(files.folder) cannot be written to: \(String(cString: strerror(errno)))")
    }
  }

  private var path: String { files.folder.isEmpty ? "." : files.folder }

  /// Returns whether less is free than a batch of events may need. A file system that does not state its size is never
  /// full.
  static func isFull(_ disk: [FileAttributeKey: Any]) -> Bool {
    guard let size = (disk[.systemSize] as? NSNumber)?.int64Value, size > 0,
      let free = (disk[.systemFreeSize] as? NSNumber)?.int64Value
    else { return false }
    return free < 1 << 20
  }

  public func close() async {
    upkeep.cancel()
    commits.finish()
    files.close()
  }
}
