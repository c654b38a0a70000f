#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
