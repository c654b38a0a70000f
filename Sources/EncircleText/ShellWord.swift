extension String {
  /// The text as one word of a shell's command line: in single quotes, unless it has only bytes that usual paths have.
  package var shellWord: String {
    let isPlain = !utf8.isEmpty && utf8.allSatisfy { isLetter($0) || isDigit($0) || "/._-".utf8.contains($0) }
    return isPlain ? self : "'" + replacingBytes(of: "'", with: #"'\''"#) + "'"
  }
}
