import EncircleIdentity
import Foundation

/// The SHA-256 of bytes, which identifies captures and pictures.
struct SHA256Digest: Sendable {
  // `EventID` computes the SHA-256 of any bytes.
  private let digest: EventID

  /// - Complexity: O(bytes).
  init(of bytes: [UInt8]) { digest = bytes.withUnsafeBytes { EventID(identity: $0) } }

  /// The first 16 hexadecimal digits.
  var id: String { String(digest.description.prefix(16)) }

  /// All 32 bytes.
  var bytes: Data {
    Data(digest.bytes)
  }
}
