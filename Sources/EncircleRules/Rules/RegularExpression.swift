import CRE2

/// A regular expression in RE2's syntax, matched in time linear in the text, whatever the expression.
public final class RegularExpression: @unchecked Sendable, CustomStringConvertible {
  /// The reason why a text is not an expression, as RE2 gives it.
  public struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// RE2's message.
    public let message: String

    /// The problem in words.
    public var description: String { "in the regular expression (RE2 syntax): \(message)" }
  }

  // This is @unchecked because RE2 documents that several threads may match with an expression, which never changes.
  private let expression: OpaquePointer
  /// The expression as it was written.
  public let description: String
  /// This is true if case is ignored.
  public let foldsCase: Bool

  /// The longest expression, in bytes.
  public static let maximumLength = 1 << 16

  /// The number of instructions that the expression was compiled to. It measures the time and memory that compiling took.
  package var size: Int { encircle_re2_size(expression) }

  /// Compiles an expression.
  ///
  /// - Throws: A ``SyntaxError``, also for an expression of more than ``maximumLength`` bytes.
  /// - Complexity: O(length × repetitions), up to the size that RE2 allows.
  public init(_ pattern: String, foldsCase: Bool = false) throws(SyntaxError) {
    guard pattern.utf8.count <= Self.maximumLength else {
      throw SyntaxError(message: "an expression is at most \(Self.maximumLength) bytes long")
    }
    description = pattern
    self.foldsCase = foldsCase
    var text = pattern
    expression = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { encircle_re2_compile($0.baseAddress, $0.count, foldsCase) }
    }
    if let message = encircle_re2_error(expression) { throw SyntaxError(message: String(cString: message)) }
  }

  deinit { encircle_re2_free(expression) }

  /// Returns the text of an expression that matches just this text.
  package static func quoting(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if "\\.+*?()|[]{}^$".utf8.contains(byte) { bytes.append(UInt8(ascii: "\\")) }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns whether the expression matches anywhere in a UTF-8 text.
  ///
  /// - Complexity: O(length).
  public func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.withMemoryRebound(to: CChar.self) { encircle_re2_matches(expression, $0.baseAddress, $0.count) }
  }

  /// Returns the leftmost match in a text, or nil. If several begin there, returns the one that Perl would find.
  ///
  /// - Complexity: O(length).
  public func firstMatch(in text: String) -> String? {
    var text = text
    return text.withUTF8 { bytes -> String? in
      bytes.withMemoryRebound(to: CChar.self) { chars -> String? in
        var start = 0
        var length = 0
        guard encircle_re2_find(expression, chars.baseAddress, chars.count, &start, &length) else { return nil }
        return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<start + length]), as: UTF8.self)
      }
    }
  }
}
