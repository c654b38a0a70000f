/// The rectangle of a view in its superview's coordinates, in points on iOS and in pixels on Android.
///
/// All four numbers are finite.
public struct Frame: Hashable, Sendable {
  public var x: Double
  public var y: Double
  /// The width. Captures contain negative ones, too.
  public var width: Double
  /// The height. Captures contain negative ones, too.
  public var height: Double

  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// This is true if none of the four numbers is infinite or NaN.
  package var isFinite: Bool { x.isFinite && y.isFinite && width.isFinite && height.isFinite }
}
