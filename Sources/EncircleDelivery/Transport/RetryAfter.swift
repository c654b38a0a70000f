import EncircleText

/// The value of `Retry-After`: seconds, or an HTTP date.
package enum RetryAfter {
  // Nobody waits longer than this, and such numbers do not overflow.
  private static let longest = 1e9

  /// Returns the number of seconds from now; nil if the field is neither a number nor a date.
  ///
  /// - Parameters:
  ///   - date: The field `Date` of the same answer. An HTTP date is counted from it, because the local clock may be wrong.
  ///   - now: The local clock, in seconds since 1970, for answers without a date.
  package static func seconds(_ field: String, date: String?, now: Double) -> Double? {
    let text = field.trimmingBytes { $0 == 0x20 || $0 == 0x09 }.utf8
    if !text.isEmpty, text.allSatisfy(isDigit) {
      return text.reduce(0) { min($0 * 10 + Double($1 - 0x30), longest) }
    }
    guard let time = HTTPDate.seconds(field) else { return nil }
    let start = date.flatMap { HTTPDate.seconds($0) } ?? now
    return min(max(time - start, 0), longest)
  }
}
