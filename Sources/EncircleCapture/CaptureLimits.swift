/// The limits beyond which a capture is refused.
public struct CaptureLimits: Hashable, Sendable {
  /// The largest size of a capture in bytes, after decompression.
  public var bytes = 256 << 20
  /// The largest number of elements.
  public var elements = 2_000_000
  /// The deepest nesting of elements.
  public var depth = 1_000
  /// The largest number of attributes of one element.
  public var attributes = 256
  /// The greatest length of an attribute's value, in bytes.
  public var attributeBytes = 1 << 20

  public init() {}
}
