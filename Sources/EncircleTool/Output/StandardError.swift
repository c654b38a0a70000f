import EncircleText

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Writes a line to standard error. Control characters, invisible characters and line breaks in it are escaped.
func printError(_ line: String) { writeErrors(errorLine(line)) }

/// Writes several lines to standard error, likewise escaped except for tabs and the line breaks between them.
///
/// Escape untrusted parts of the text, such as names of files, before the call: they could add lines.
func printErrors(_ lines: String) {
  writeErrors(Array(VisibleText.escaping(lines, keepingNewlines: true, keepingTabs: true).utf8) + [UInt8(ascii: "\n")])
}

/// Writes diagnostics to standard error, likewise escaped, with coloured severities.
func printDiagnostics(_ lines: String, isColored: Bool) {
  guard isColored else { return printErrors(lines) }
  let escaped = VisibleText.escaping(lines, keepingNewlines: true, keepingTabs: true)
  writeErrors(Array(Color.paintSeverities(in: escaped).utf8) + [UInt8(ascii: "\n")])
}

/// Returns a line for standard error, escaping all characters that a terminal would obey or hide.
func errorLine(_ line: String) -> [UInt8] { Array(VisibleText.escaping(line).utf8) + [UInt8(ascii: "\n")] }

/// Writes lines to standard error.
func writeErrors(_ lines: [UInt8]) {
  if lines.isEmpty { return }
  Progress.pausing {
    lines.withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, stderr) }
  }
}
