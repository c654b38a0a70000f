import ArgumentParser

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Buffered output to standard output or a file, for one thread.
///
/// A closed pipe is no error, because its reader needs no more output. The rest is dropped, and the command goes on, because its
/// files and its exit status still count; a command whose output may be endless ends instead.
final class ResultWriter {
  /// The bytes that are not written yet. Append to it, then call ``flushIfLarge()``.
  var buffer: [UInt8] = []
  private let descriptor: Int32
  private let name: String
  private let endsIfClosed: Bool

  /// Writes to standard output.
  ///
  /// - Parameter endsIfClosed: True if a closed pipe ends the command, with status 0.
  init(endsIfClosed: Bool = false) {
    descriptor = STDOUT_FILENO
    name = "standard output"
    self.endsIfClosed = endsIfClosed
    signal(SIGPIPE, SIG_IGN)
    buffer.reserveCapacity(1 << 17)
  }

  /// Writes to a file, which is created or emptied.
  init(_ file: OutputFile) throws {
    let path = file.path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    name = path
    endsIfClosed = true
    guard descriptor >= 0 else {
      throw ExitStatus.inputOutput.failure("\(path): error: cannot be written: \(String(cString: strerror(errno)))")
    }
  }

  deinit { if descriptor != STDOUT_FILENO { close(descriptor) } }

  /// Writes a whole text to standard output.
  static func print(_ text: String) throws {
    let output = ResultWriter()
    try output.write(text)
    try output.flush()
  }

  func write(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    try flushIfLarge()
  }

  /// Writes bytes and empties the array, which keeps its capacity.
  func write(_ bytes: inout [UInt8]) throws {
    try flush()
    if bytes.isEmpty { return }
    swap(&buffer, &bytes)
    defer { swap(&buffer, &bytes) }
    try flush()
  }

  func flushIfLarge() throws {
    if buffer.count >= 1 << 16 { try flush() }
  }

  func flush() throws {
    guard let failure = writeBuffer() else { return }
    if failure == EPIPE {
      if endsIfClosed { throw ExitCode(ExitStatus.done.rawValue) }
      return buffer.removeAll(keepingCapacity: true)
    }
    throw ExitStatus.inputOutput.failure("encircle: cannot write to \(name): \(String(cString: strerror(failure)))")
  }

  /// Writes and empties the buffer. On failure, returns the system's error and keeps the unwritten bytes.
  private func writeBuffer() -> Int32? {
    var start = 0
    defer { buffer.removeSubrange(0..<start) }
    while start < buffer.count {
      StopSignal.beginWrite()
      defer { StopSignal.endWrite() }
      let count = countOfNextWrite(buffer[start...])
      let written = buffer.withUnsafeBytes { bytes in
        #if canImport(Darwin)
          Darwin.write(descriptor, bytes.baseAddress! + start, count)
        #elseif canImport(Glibc)
          Glibc.write(descriptor, bytes.baseAddress! + start, count)
        #else
          Musl.write(descriptor, bytes.baseAddress! + start, count)
        #endif
      }
      if written < 0 {
        if errno == EINTR { continue }
        return errno
      }
      start += written
    }
    return nil
  }

  // MARK: - Whole lines

  private static let pageSize = 4_096
  // F_GETPIPE_SZ of Linux, which Swift does not import.
  private static let getPipeSize: Int32 = 1_032

  /// Returns the number of bytes to write next. The output then consists of whole lines even if the program is ended while the
  /// pipe is full.
  ///
  /// A write to a full pipe may stop in the middle, unless it has at most `PIPE_BUF` bytes: then it waits for room for all of
  /// them. A longer line may be cut.
  private func countOfNextWrite(_ bytes: ArraySlice<UInt8>) -> Int {
    guard bytes.count > Self.pageSize, let room = pipeRoom.map({ max($0, Self.pageSize) }), bytes.count > room else {
      return bytes.count
    }
    let lines = bytes.prefix(room)
    return lines.lastIndex(of: 0x0A).map { $0 + 1 - bytes.startIndex } ?? room
  }

  /// The number of bytes that the pipe accepts at once; nil if it is unknown, as for a file.
  private var pipeRoom: Int? {
    #if os(Linux)
      let size = fcntl(descriptor, Self.getPipeSize)
      var unread: Int32 = 0
      guard size > 0, ioctl(descriptor, UInt(FIONREAD), &unread) == 0 else { return nil }
      // The first and the last used pages may hold few bytes.
      return Int(size) - Int(unread) - 2 * Self.pageSize
    #else
      return nil
    #endif
  }
}
