import EncircleEvents
import Foundation

extension Decimal: EventValueConvertible {
  /// A number with all digits; null if it is not a number.
  public var eventValue: EventValue { DecimalNumber(description).map { .number($0) } ?? .null }
}

extension Date: EventValueConvertible {
  /// The milliseconds since 1970, as events have them, rounded; null for a date beyond all numbers.
  public var eventValue: EventValue {
    DecimalNumber((timeIntervalSince1970 * 1000).rounded()).map { .number($0) } ?? .null
  }
}

extension URL: EventValueConvertible {
  /// The text.
  public var eventValue: EventValue { .string(absoluteString) }
}

extension Data: EventValueConvertible {
  /// The bytes in Base64.
  public var eventValue: EventValue { .string(base64EncodedString()) }
}
