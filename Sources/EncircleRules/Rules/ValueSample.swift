import EncircleIdentity
import EncircleText

/// A share of all values, chosen by a hash. It contains the same values on every machine and in every release, and a data warehouse
/// can compute it as well.
///
/// A value has a bucket from 0 to 999,999: the first four bytes of the SHA-256 of the salt and the value, in UTF-8 one directly
/// after the other, taken as a big-endian number, times 1,000,000, divided by 2³² and rounded down. The value belongs to the sample if
/// its bucket is less than the share in millionths. So a sample of 20 % has all values of one of 10 % with the same salt. A number
/// is hashed as `DecimalNumber` writes it; other values than texts and numbers belong to no sample.
///
/// | salt | value | bucket |
/// | --- | --- | --- |
/// | | `user-1` | 776,405 |
/// | | `用户` | 50,996 |
/// | `spring` | `user-1` | 457,228 |
/// | | 42 | 450,307 |
public struct ValueSample: Hashable, Sendable, CustomStringConvertible {
  /// The number of buckets.
  public static let bucketCount = 1_000_000

  /// The share in millionths, 1 to 1,000,000.
  public let millionths: Int
  /// A prefix that is hashed before the value, so that samples with other salts have other values.
  public let salt: UTF8String

  /// Creates a sample; nil if the share is not from one millionth to all.
  public init?(millionths: Int, salt: UTF8String = "") {
    guard (1...Self.bucketCount).contains(millionths) else { return nil }
    self.millionths = millionths
    self.salt = salt
  }

  /// Parses a share such as `10%` or `0.25%`, with at most four digits behind the point; nil for other texts.
  public static func millionths(parsing text: String) -> Int? {
    guard text.utf8.last == UInt8(ascii: "%"), text.utf8.count <= 16 else { return nil }
    let parts = text.dropLast().splitBytes(at: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count),
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isDigit) })
    else { return nil }
    let fraction = parts.count > 1 ? parts[1] : ""
    guard fraction.utf8.count <= 4, let whole = Int(parts[0]),
      let rest = Int(fraction + String(repeating: "0", count: 4 - fraction.utf8.count)), whole <= 100
    else { return nil }
    let millionths = whole * 10_000 + rest
    return (1...bucketCount).contains(millionths) ? millionths : nil
  }

  /// The share in percent.
  public var percentage: String {
    var fraction = String(millionths % 10_000 + 10_000).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    return "\(millionths / 10_000)\(fraction.isEmpty ? "" : ".\(fraction)")%"
  }

  /// Returns the bucket of a value with a salt, from 0 to 999,999.
  ///
  /// - Complexity: O(length).
  public static func bucket(of value: UnsafeBufferPointer<UInt8>, salt: UTF8String = "") -> Int {
    var bytes: [UInt8] = []
    salt.withUTF8 { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: value)
    let first = bytes.withUnsafeBytes { EventID(identity: $0).leadingBits } >> 32
    return Int((first * UInt64(bucketCount)) >> 32)
  }

  /// Returns whether a value belongs to the sample.
  public func contains(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    Self.bucket(of: value, salt: salt) < millionths
  }

  /// The sample in words.
  public var description: String {
    "is in the sample of \(percentage)" + (salt.text.isEmpty ? "" : " with the salt \"\(salt)\"")
  }
}
