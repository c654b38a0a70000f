/// How much of a capture is read before it is refused.
public struct CaptureLimits: Hashable, Sendable {
  /// Bytes of a capture, after decompression.
  public var bytes = 256 << 20
  /// Elements of a capture.
  public var elements = 2_000_000
  /// Levels of nesting.
  public var depth = 1_000
  /// Attributes of one element.
  public var attributes = 256
  /// Bytes of one attribute.
  public var attributeBytes = 1 << 20

  /// The default limits.
  public init() {}
}
