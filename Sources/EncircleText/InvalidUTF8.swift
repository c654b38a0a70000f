extension UnsafeBufferPointer<UInt8> {
  /// The offset of the first byte that is not valid UTF-8, or nil if all are.
  ///
  /// - Complexity: O(bytes).
  package var firstInvalidUTF8: Int? {
    if String(validating: self, as: UTF8.self) != nil { return nil }
    var parser = Unicode.UTF8.ForwardParser()
    var bytes = makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &bytes) {
      case .valid(let scalar): offset += scalar.count
      case .error, .emptyInput: return offset
      }
    }
  }
}

extension Diagnostic {
  /// Creates a diagnostic for a text that is not UTF-8, at its first byte that shows it.
  ///
  /// - Complexity: O(bytes).
  package init(notUTF8 bytes: [UInt8], file: String) {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      self.init("the text is UTF-16: save it as UTF-8", file: file, at: SourceLocation(line: 1, column: 1))
    } else {
      let place = bytes.withUnsafeBufferPointer { SourceLocation(of: $0.firstInvalidUTF8 ?? 0, in: $0) }
      self.init("the text is not valid UTF-8: save it as UTF-8", file: file, at: place)
    }
  }
}
