import EncircleEvents
import EncircleIdentity
import EncircleText

/// A key that is the same for all copies of an event that an SDK sent several times. It is made from `_track_id`,
/// `distinct_id`, `time` and `event`, or, for an item, from all of its content.
///
/// The time is the device's, because corrections differ between attempts to send.
public struct EventKey: Hashable, Sendable {
  /// The time by the device's clock, in milliseconds since 1970. It comes first, so that keys of the same time lie together.
  public let time: Int64
  /// 64 bits of a SHA-256 of the rest.
  public let hash: Int64

  /// - Parameter parts: The other parts that identify the event.
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
