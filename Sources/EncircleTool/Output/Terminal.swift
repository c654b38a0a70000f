#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The properties of standard output, or of standard error if the name says so.
enum Terminal {
  /// This is true if standard output is a terminal.
  static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }

  /// This is true if the user can be asked, because standard input and standard error are terminals.
  static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// This is true if output may be coloured (https://no-color.org).
  static var hasColor: Bool {
    guard isOutput, getenv("NO_COLOR") == nil else { return false }
    return getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
  }

  /// This is true if output to standard error may be coloured.
  static var errorsHaveColor: Bool { canEraseErrors && getenv("NO_COLOR") == nil }

  /// This is true if standard error is a terminal on which a line can be erased.
  static var canEraseErrors: Bool {
    guard isatty(STDERR_FILENO) == 1 else { return false }
    return getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
  }

  /// The width of the terminal of standard error, in columns; 80 if it is unknown.
  static var errorWidth: Int {
    var size = winsize()
    return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  // Lines are padded to the width.
  private static let maximumWidth = 10_000

  /// The width for tables, in columns: `COLUMNS`, else the width of the terminal, else 120.
  static var width: Int {
    if let columns = getenv("COLUMNS").flatMap({ Int(String(cString: $0)) }), columns > 0 {
      return min(columns, maximumWidth)
    }
    var size = winsize()
    guard isOutput, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 120 }
    return Int(size.ws_col)
  }
}
