import EncircleText
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file of lines that is being written: `NAME.ndjson.part`, which becomes `NAME.ndjson` when it is complete.
///
/// A process locks the file while writing, so that others can recognise a file that a killed process has left.
final class LogFile {
  static let suffix = ".ndjson"
  static let openSuffix = ".ndjson.part"

  let opened: ContinuousClock.Instant
  /// The number of acknowledged bytes.
  private(set) var length: Int
  private let folder: String
  private let name: String
  private let descriptor: Int32
  private var isOpen = true

  /// Creates a file, and returns when its name is on disk.
  ///
  /// - Parameter name: The name without suffix, which no other file may have.
  init(creating name: String, in folder: String) throws(LogError) {
    self.folder = folder
    self.name = name
    opened = .now
    length = 0
    descriptor = open(
      FilePath.joining(folder, name + Self.openSuffix), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND, 0o644)
    guard descriptor >= 0 else { throw Self.error("cannot create a file in \(folder)") }
    guard WriteLock.take(descriptor) else {
      // Nothing has been lost: another process that has just started is removing the empty file.
      close(descriptor)
      isOpen = false
      throw .refused("\(name) was taken by another process")
    }
    do throws(LogError) { try Self.synchronize(folder: folder) } catch {
      unlink(FilePath.joining(folder, name + Self.openSuffix))
      close(descriptor)
      isOpen = false
      throw error
    }
  }

  deinit { if isOpen { close(descriptor) } }

  /// Appends bytes, which ``synchronize()`` puts on disk.
  func write(_ bytes: [UInt8]) throws(LogError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.error("\(name) cannot be written") }
      rest = rest.dropFirst(count)
    }
  }

  /// Puts the written bytes on disk.
  func synchronize() throws(LogError) {
    guard fsync(descriptor) == 0 else { throw Self.error("\(name) cannot be synchronised") }
    // Nobody would find the content of a file without a name.
    guard !WriteLock.isRemoved(descriptor) else { throw .refused("\(name) has been removed") }
  }

  /// Counts written bytes as acknowledged.
  func acknowledge(_ added: Int) { length += added }

  /// Removes unacknowledged bytes; false if the file cannot be written to any more.
  func rollBack() -> Bool { ftruncate(descriptor, off_t(length)) == 0 && !WriteLock.isRemoved(descriptor) }

  /// Gives the file its final name, or removes it if it is empty.
  func complete() throws(LogError) {
    guard isOpen else { return }
    isOpen = false
    defer { close(descriptor) }
    try Self.complete(name, in: folder, isEmpty: length == 0)
  }

  private static func complete(_ name: String, in folder: String, isEmpty: Bool) throws(LogError) {
    let path = FilePath.joining(folder, name)
    let status = isEmpty ? unlink(path + openSuffix) : rename(path + openSuffix, path + suffix)
    guard status == 0 else { throw error("\(name) cannot be renamed") }
    try synchronize(folder: folder)
  }

  /// Completes a file that a killed process has left. A partial line at its end was never acknowledged, and is cut off.
  ///
  /// - Parameter file: Its name with suffix.
  static func recover(_ file: String, in folder: String) throws(LogError) {
    let path = FilePath.joining(folder, file)
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      // Another process has completed the file in the meantime.
      if errno == ENOENT { return }
      throw error("\(file) cannot be opened")
    }
    defer { close(descriptor) }
    // Another process is writing or completing the file.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    // Another process has completed the file between these calls.
    guard access(path, F_OK) == 0 else { return }
    let end = try endOfLines(descriptor, size: Int(status.st_size), file)
    guard ftruncate(descriptor, off_t(end)) == 0, fsync(descriptor) == 0 else {
      throw error("\(file) cannot be repaired")
    }
    try complete(String(file.dropLast(openSuffix.count)), in: folder, isEmpty: end == 0)
  }

  /// Returns the offset behind the last line feed.
  private static func endOfLines(_ descriptor: Int32, size: Int, _ file: String) throws(LogError) -> Int {
    var end = size
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while end > 0 {
      let start = max(0, end - block.count)
      let count = pread(descriptor, &block, end - start, off_t(start))
      guard count == end - start else { throw error("\(file) cannot be read") }
      if let last = block[..<count].lastIndex(of: 0x0A) { return start + last + 1 }
      end = start
    }
    return 0
  }

  /// Puts the names of files on disk.
  private static func synchronize(folder: String) throws(LogError) {
    let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw error("\(folder) cannot be opened") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw error("\(folder) cannot be synchronised") }
  }

  private static func error(_ what: String) -> LogError { .refused("\(what): \(String(cString: strerror(errno)))") }
}
