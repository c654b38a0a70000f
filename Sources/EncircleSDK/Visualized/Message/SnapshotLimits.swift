/// The limits for reading one message of an app.
public struct SnapshotLimits: Sendable {
  /// The largest message, in bytes. If the screen has changed, the message contains its picture.
  public var messageBytes = 32 << 20
  /// The largest payload of a message after decompression, in bytes.
  public var payloadBytes = 30 << 20
  /// The deepest nesting of arrays and objects in JSON.
  public var depth = 128
  /// The maximum number of values and member names in a payload. Reading takes 16 bytes for each.
  public var values = 6_000_000
  /// The maximum number of views and controllers of a screen.
  public var objects = 30_000
  /// The deepest nesting of views.
  public var levels = 400
  /// The longest text in bytes: the content of an element, a title, a path. A longer content is cut off; any other longer text
  /// counts as missing.
  public var textBytes = 8 << 10
  /// The largest picture, in bytes.
  public var screenshotBytes = 20 << 20
  /// The largest picture, in pixels.
  public var screenshotPixels = 12_000_000
  /// The maximum number of events in a message, and their maximum total size in bytes. Further events are ignored.
  public var events = 500
  public var eventBytes = 1 << 20

  public init() {}
}
