import EncircleTree

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

  /// The largest number of values and names of members in JSON. Reading takes 16 bytes for each.
  public var jsonValues = 32_000_000

  /// The greatest total length, in bytes, of the class names from a window down to an element. There is a limit because the
  /// path of each element contains all of them.
  public var pathBytes = 32 << 10
  /// The greatest length of a controller's class, a title or a message, in bytes: the identity of each element in a page or
  /// an alert has them.
  public var identityTextBytes = 64 << 10

  /// The limit on the total size of all identities beyond the first 16 MiB, in bytes for each byte of the capture. Without it, a
  /// small capture could produce a very long list.
  public var identityBytesPerByte = 100

  public init() {}
}

extension ViewTree.Builder {
  /// Returns the limit that paths or identities have exceeded so far; nil if they are within all limits.
  ///
  /// - Parameter bytes: The size of the capture.
  package func passedLimit(of limits: CaptureLimits, bytes: Int) -> CaptureError.Kind? {
    if openNameBytes > limits.pathBytes { return .pathTooLong(limit: limits.pathBytes) }
    if longestSharedText > limits.identityTextBytes { return .identityTextTooLong(limit: limits.identityTextBytes) }
    let maximumPerByte = (Int.max - 16 << 20) / max(1, bytes)
    let limit = 16 << 20 + bytes * min(limits.identityBytesPerByte, maximumPerByte)
    return identityBytes > limit ? .identitiesTooLong(limit: limit) : nil
  }
}
