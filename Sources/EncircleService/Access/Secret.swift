import EncircleIdentity
import EncircleText
import Foundation

/// 256 random bits as text; only their hash is stored.
///
/// A fast hash is enough, because 256 random bits cannot be guessed.
struct Secret: Sendable {
  let text: String

  /// - Parameter prefix: The beginning of the text.
  init(prefix: String = "") {
    text = prefix + Self.randomText(bytes: 32)
  }

  /// Returns random bytes as Base64 in the URL alphabet, which needs no escapes.
  static func randomText(bytes count: Int) -> String {
    // The system's generator is cryptographically secure on all platforms.
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    let letters = Data(bytes).base64EncodedString()
    return letters.replacingBytes(of: "+", with: "-").replacingBytes(of: "/", with: "_").replacingBytes(
      of: "=", with: "")
  }

  var hash: [UInt8] { Self.hash(of: text) }

  /// Returns the SHA-256 of a text.
  static func hash(of text: String) -> [UInt8] {
    EventID(identity: text).bytes
  }

  /// Returns whether two hashes are the same, in constant time.
  static func areSame(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for (x, y) in zip(a, b) { difference |= x ^ y }
    return difference == 0
  }
}
