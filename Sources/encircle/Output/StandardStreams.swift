import ArgumentParser

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Buffered output of results; everything else goes to standard error.
///
/// A closed pipe ends the program quietly, as its reader has all that it wants.
struct ResultWriter: ~Copyable {
  /// What has not been written yet; append to it, then call ``flushIfLarge()``.
  var buffer: [UInt8] = []

  init() {
    signal(SIGPIPE, SIG_IGN)
    buffer.reserveCapacity(1 << 17)
  }

  mutating func write(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    try flushIfLarge()
  }

  mutating func flushIfLarge() throws {
    if buffer.count >= 1 << 16 { try flush() }
  }

  mutating func flush() throws {
    var start = 0
    while start < buffer.count {
      let written = buffer.withUnsafeBytes { bytes in
        #if canImport(Darwin)
          Darwin.write(STDOUT_FILENO, bytes.baseAddress! + start, bytes.count - start)
        #elseif canImport(Glibc)
          Glibc.write(STDOUT_FILENO, bytes.baseAddress! + start, bytes.count - start)
        #else
          Musl.write(STDOUT_FILENO, bytes.baseAddress! + start, bytes.count - start)
        #endif
      }
      if written < 0 {
        if errno == EINTR { continue }
        if errno == EPIPE { throw ExitCode(0) }
        printError("encircle: cannot write to standard output: \(String(cString: strerror(errno)))")
        throw ExitCode(ExitStatus.inputOutput.rawValue)
      }
      start += written
    }
    buffer.removeAll(keepingCapacity: true)
  }
}

/// Writes a line to standard error; control characters of foreign texts are made visible.
func printError(_ line: String) {
  var bytes = Array(VisibleText.escaping(line, keepingNewlines: true).utf8)
  bytes.append(UInt8(ascii: "\n"))
  bytes.withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, stderr) }
}

/// What is known about standard output.
enum Terminal {
  /// Whether results go to a terminal.
  static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether results may be coloured (https://no-color.org).
  static var hasColor: Bool {
    guard isOutput, getenv("NO_COLOR") == nil else { return false }
    return getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
  }

  /// The width for tables, in columns; 120 where there is no terminal.
  static var width: Int {
    var size = winsize()
    guard isOutput, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 60 else { return 120 }
    return Int(size.ws_col)
  }
}
