import EncircleEvents
import EncircleIdentity
import EncircleText

/// Says whether two events are the same one, sent twice: by `_track_id`, `distinct_id`, `time` and `event`; of items by all
/// that they say.
///
/// The time is the one that the device said, as corrections differ from one attempt to send to the next.
public struct EventKey: Hashable, Sendable {
  /// The time, in milliseconds since 1970 by the device's clock. It comes first, so that keys of one time lie together.
  public let time: Int64
  /// 64 bits of a SHA-256 of the rest.
  public let hash: Int64

  /// - Parameter parts: What else makes the event what it is.
  init(time: Int64, parts: [ArraySlice<UInt8>]) {
    self.time = time
    var bytes: [UInt8] = []
    for part in parts {
      withUnsafeBytes(of: UInt64(part.count).littleEndian) { bytes.append(contentsOf: $0) }
      bytes.append(contentsOf: part)
    }
    hash = Int64(bitPattern: bytes.withUnsafeBytes { EventID(identity: $0) }.leadingBits)
  }
}
