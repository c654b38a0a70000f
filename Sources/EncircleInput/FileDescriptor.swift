#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The system calls for files and descriptors.
package enum FileDescriptor {
  static var standardInput: Int32 { STDIN_FILENO }

  /// Opens a file for reading. Opening a named pipe waits for its writer.
  ///
  /// - Parameter shouldStop: Called after each signal; once it returns true, the wait ends.
  /// - Returns: The descriptor; nil if the caller has ended the wait.
  static func openForReading(_ path: String, shouldStop: (@Sendable () -> Bool)?) throws(InputError) -> Int32? {
    // Text past a NUL would not reach the system.
    guard !path.utf8.contains(0) else { throw .noSuchFile }
    var descriptor = open(path, O_RDONLY | O_CLOEXEC)
    while descriptor < 0 && errno == EINTR {
      if let shouldStop, shouldStop() { return nil }
      descriptor = open(path, O_RDONLY | O_CLOEXEC)
    }
    guard descriptor >= 0 else { throw failure(errno) }
    return descriptor
  }

  static func closeFile(_ descriptor: Int32) { close(descriptor) }

  /// Returns whether a path leads to a pipe or a device, which may never end, rather than to a file or a directory.
  package static func isStream(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  /// Returns whether a path leads to a directory.
  package static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  static func isDirectory(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns the number of bytes between the position and the end of a regular file; nil for anything else.
  static func remainingBytes(_ descriptor: Int32) -> Int? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let position = lseek(descriptor, 0, SEEK_CUR)
    return max(0, Int(status.st_size) - max(0, Int(position)))
  }

  /// The result of one attempt to read.
  enum Attempt {
    /// The number of bytes; 0 at the end.
    case bytes(Int)
    /// A signal came first.
    case interrupted
    case failed(InputError)
  }

  /// Reads once. A descriptor that does not block is waited for.
  static func readOnce(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Attempt {
    // Darwin refuses more than 2³¹ − 1 bytes.
    let got = read(descriptor, buffer.baseAddress, min(buffer.count, 1 << 30))
    if got >= 0 { return .bytes(got) }
    switch errno {
    case EINTR: return .interrupted
    case EAGAIN:
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      // The next attempt to read finds out how the wait ended.
      _ = poll(&waiting, 1, -1)
      return .interrupted
    case let code: return .failed(failure(code))
    }
  }

  /// Returns whether reading would have to wait.
  static func wouldWait(_ descriptor: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 0) == 0
  }

  private static func failure(_ code: Int32) -> InputError {
    switch code {
    case ENOENT: .noSuchFile
    case EISDIR: .isDirectory
    default: .unreadable(String(cString: strerror(code)))
    }
  }
}
