/// A text that is compared and hashed by its UTF-8 bytes.
///
/// `String` compares by canonical equivalence, so that a composed and a decomposed "é" are equal; identities differ.
///
/// ```swift
/// let row: UTF8String = "row \(7)"
/// ```
public struct UTF8String: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByStringInterpolation {
  /// The text.
  public let text: String

  /// Wraps a text.
  public init(_ text: String) { self.text = text }

  /// Wraps a literal, also an interpolated one.
  public init(stringLiteral text: String) { self.text = text }

  public var description: String { text }

  public static func == (a: UTF8String, b: UTF8String) -> Bool {
    a.withUTF8 { a in b.withUTF8 { b in sameBytes(a, b) } }
  }

  /// Orders by bytes.
  public static func < (a: UTF8String, b: UTF8String) -> Bool {
    a.withUTF8 { a in b.withUTF8 { b in a.lexicographicallyPrecedes(b) } }
  }

  public func hash(into hasher: inout Hasher) {
    withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// Calls `body` with the bytes; the buffer is valid during the call only.
  @inlinable package func withUTF8<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    if let result = text.utf8.withContiguousStorageIfAvailable(body) { return result }
    var copy = text
    return copy.withUTF8(body)
  }

  /// The memory of a text's value, as two words.
  @usableFromInline package typealias StorageBits = (UInt64, UInt64)

  /// The bits of the text's value.
  ///
  /// If two values exist at the same time and have the same bits, their texts are equal. Equal texts may have different bits.
  @inlinable package var storageBits: StorageBits {
    var bits: StorageBits = (0, 0)
    withUnsafeBytes(of: text) { source in
      withUnsafeMutableBytes(of: &bits) { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: source.prefix(16))) }
    }
    return bits
  }
}
