/// A text that is compared and hashed by its UTF-8 bytes.
///
/// `String` compares by canonical equivalence, so that a composed and a decomposed "é" are equal; identities differ.
public struct Name: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The text.
  public let text: String

  /// Wraps a text.
  public init(_ text: String) { self.text = text }

  /// Wraps a text.
  public init(stringLiteral text: String) { self.text = text }

  /// The text.
  public var description: String { text }

  /// Equal bytes.
  public static func == (a: Name, b: Name) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

  /// Byte order.
  public static func < (a: Name, b: Name) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
