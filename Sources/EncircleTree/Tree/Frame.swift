/// The place of a view, in its superview's coordinates; points on iOS, pixels on Android.
///
/// All four numbers are finite.
public struct Frame: Hashable, Sendable {
  /// The left edge.
  public var x: Double
  /// The top edge.
  public var y: Double
  /// The width; may be negative, as captures have it.
  public var width: Double
  /// The height; may be negative, as captures have it.
  public var height: Double

  /// Creates a frame.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}
