import EncircleText

/// A piece of an input that is not an event.
public struct Rejection: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason why a piece is not an event.
  public enum Reason: Hashable, Sendable {
    /// Not JSON, or another JSON value than an object.
    case json(JSONError.Kind)
    /// A line, or a value over several lines, of more bytes than the reader's limit.
    case tooLong(limit: Int)
    /// An object whose indentation places it inside a broken one, so that it is hardly a separate event.
    case insideBrokenValue
    /// The input was stopped, or failed, before the piece was complete.
    case interrupted

    /// The problem in words; the input is never quoted.
    public var message: String {
      switch self {
      case .json(let kind): kind.message
      case .tooLong(let limit): "longer than the limit of \(limit) bytes"
      case .insideBrokenValue: "is part of a broken value that begins on an earlier line"
      case .interrupted: "the input was interrupted here"
      }
    }
  }

  /// The line where the piece begins, from 1.
  public var line: Int
  /// The place of the problem.
  public var location: SourceLocation
  /// The problem.
  public var reason: Reason
  /// The piece as it was in the input, without white space around it; only its first 1,000 bytes when it is too long.
  ///
  /// Empty when an array that the input began is never closed: that is reported, but there is nothing to show.
  public var bytes: [UInt8]
  /// The number of bytes of the piece; more than ``bytes`` when it is too long.
  public var byteCount: Int

  /// `line:column: reason`
  public var description: String { "\(location): \(reason.message)" }
}
