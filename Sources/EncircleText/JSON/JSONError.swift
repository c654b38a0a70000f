/// The reason why a text is not JSON as RFC 8259 defines it, with the place.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of problem.
  public enum Kind: Hashable, Sendable {
    /// The text ends before the value is complete, or has no value.
    case unexpectedEnd
    /// Something else where a value must begin.
    case expectedValue
    /// Something else where a member's name must begin.
    case expectedKey
    /// Something else where the name of a member has ended.
    case expectedColon
    /// Something else where an array's element has ended.
    case expectedCommaOrBracket
    /// Something else where an object's member has ended.
    case expectedCommaOrBrace
    /// A word that is not `null`, `true` or `false`.
    case unknownWord
    /// A number in a form that JSON does not have, such as `01`, `+1`, `.5` or `1.`.
    case badNumber
    /// A backslash before something that it cannot escape, or `\u` without four hexadecimal digits.
    case badEscape
    /// A control character, such as a line break or a tab, inside a string.
    case controlCharacter
    /// Bytes that are not UTF-8.
    case badUTF8
    /// More text after the value.
    case trailingText
    /// Arrays and objects nested deeper than the limit.
    case tooDeep(limit: Int)
    /// A text longer than a parser can address, in bytes.
    case tooLong(limit: Int)
    /// More values and names of members than the limit.
    case tooManyValues(limit: Int)
    /// A value that is not an object where one is required.
    case notAnObject
  }

  /// The kind of problem.
  public var kind: Kind
  /// The number of bytes in front of the problem.
  public var offset: Int

  /// Creates an error.
  public init(_ kind: Kind, at offset: Int) {
    self.kind = kind
    self.offset = offset
  }

  /// The problem in words, with its offset.
  public var description: String { "\(kind.message) (byte \(offset))" }
}

extension JSONError.Kind {
  /// The problem in words. It never quotes the text, which may contain something that somebody typed.
  public var message: String {
    switch self {
    case .unexpectedEnd: "ends before the value is complete"
    case .expectedValue: "expected a value"
    case .expectedKey: "expected a member's name in quotes"
    case .expectedColon: "expected ':' after the member's name"
    case .expectedCommaOrBracket: "expected ',' or ']' after the element"
    case .expectedCommaOrBrace: "expected ',' or '}' after the member"
    case .unknownWord: "unknown word: expected null, true or false"
    case .badNumber: "malformed number"
    case .badEscape: "malformed escape sequence in a string"
    case .controlCharacter: "control character in a string"
    case .badUTF8: "not valid UTF-8"
    case .trailingText: "unexpected text after the value"
    case .tooDeep(let limit): "nested deeper than \(limit) levels"
    case .tooLong(let limit): "longer than \(limit) bytes"
    case .tooManyValues(let limit): "more than \(limit) values and names"
    case .notAnObject: "expected an object"
    }
  }
}
