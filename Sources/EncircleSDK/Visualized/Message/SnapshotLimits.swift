/// What one message of an app may cost to read.
public struct SnapshotLimits: Sendable {
  /// The bytes of a message. When the screen has changed, the message holds its picture.
  public var messageBytes = 32 << 20
  /// The bytes of a message's payload, decompressed.
  public var payloadBytes = 30 << 20
  /// Levels of arrays and objects in JSON.
  public var depth = 128
  /// The values and names of members in a payload. Reading takes 16 bytes for each.
  public var values = 6_000_000
  /// The views and controllers of a screen.
  public var objects = 30_000
  /// Levels of views.
  public var levels = 400
  /// The bytes of a text: the content of an element, a title, a path. A longer content is cut off; any other text that is
  /// longer counts as missing.
  public var textBytes = 8 << 10
  /// The bytes of a picture.
  public var screenshotBytes = 20 << 20
  /// The pixels of a picture.
  public var screenshotPixels = 12_000_000
  /// The events that a message reports, and their bytes. Further ones are ignored.
  public var events = 500
  public var eventBytes = 1 << 20

  public init() {}
}
