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
/// A closed pipe ends the program without an error, as its reader has all that it wants.
final class ResultWriter {
  /// The bytes that are not written yet; append to it, then call ``flushIfLarge()``.
  var buffer: [UInt8] = []
  private let descriptor: Int32
  private let name: String

  /// Writes to standard output.
  init() {
    descriptor = STDOUT_FILENO
    name = "standard output"
    signal(SIGPIPE, SIG_IGN)
    buffer.reserveCapacity(1 << 17)
  }

  /// Writes to a file, which is created or emptied.
  init(path: String) throws {
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    name = path
    guard descriptor >= 0 else {
      printError("\(path): error: cannot be written: \(String(cString: strerror(errno)))")
      throw ExitCode(ExitStatus.inputOutput.rawValue)
    }
  }

  deinit { if descriptor != STDOUT_FILENO { close(descriptor) } }

  func write(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    try flushIfLarge()
  }

  /// Writes bytes, and empties the array but keeps its capacity.
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
    if failure == EPIPE { throw ExitCode(ExitStatus.done.rawValue) }
    printError("encircle: cannot write to \(name): \(String(cString: strerror(failure)))")
    throw ExitCode(ExitStatus.inputOutput.rawValue)
  }

  /// Writes and empties the buffer. On failure returns the system's error, and the bytes that are left stay.
  private func writeBuffer() -> Int32? {
    var start = 0
    defer { buffer.removeSubrange(0..<start) }
    while start < buffer.count {
      let written = buffer.withUnsafeBytes { bytes in
        #if canImport(Darwin)
          Darwin.write(descriptor, bytes.baseAddress! + start, bytes.count - start)
        #elseif canImport(Glibc)
          Glibc.write(descriptor, bytes.baseAddress! + start, bytes.count - start)
        #else
          Musl.write(descriptor, bytes.baseAddress! + start, bytes.count - start)
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
}

/// Writes a line to standard error, with control characters made visible.
func printError(_ line: String) { writeErrors(errorLine(line)) }

/// Returns a line for standard error, with control characters made visible.
func errorLine(_ line: String) -> [UInt8] {
  Array(VisibleText.escaping(line, keepingNewlines: true).utf8) + [UInt8(ascii: "\n")]
}

/// Writes lines to standard error.
func writeErrors(_ lines: [UInt8]) {
  lines.withUnsafeBytes { if !$0.isEmpty { _ = fwrite($0.baseAddress, 1, $0.count, stderr) } }
}

/// The properties of standard output.
enum Terminal {
  /// Whether standard output is a terminal.
  static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether output may be coloured (https://no-color.org).
  static var hasColor: Bool {
    guard isOutput, getenv("NO_COLOR") == nil else { return false }
    return getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
  }

  /// The width for tables, in columns; 120 if standard output is no terminal.
  static var width: Int {
    var size = winsize()
    guard isOutput, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 60 else { return 120 }
    return Int(size.ws_col)
  }
}
