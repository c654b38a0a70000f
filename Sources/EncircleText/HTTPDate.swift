/// Dates as the header fields of HTTP have them (RFC 9110, section 5.6.7).
package enum HTTPDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ].map { Array($0.utf8) }
  private static let separators = Array(" \t,-:".utf8)

  /// Returns the seconds since 1970; nil if the text is not a date in one of the three forms that HTTP has.
  package static func seconds(_ field: String) -> Double? {
    let text = Array(field.trimmingBytes { $0 == 0x20 || $0 == 0x09 }.utf8)
    // Sun, 06 Nov 1994 08:49:37 GMT · Sunday, 06-Nov-94 08:49:37 GMT · Sun Nov  6 08:49:37 1994
    guard text.count <= 64 else { return nil }
    let parts = text.split { separators.contains($0) }.map(Array.init)
    guard parts.count == 7 || parts.count == 8 else { return nil }
    let isOld = parts.count == 7
    guard isOld || parts[7].map(lowercased) == Array("gmt".utf8) else { return nil }
    let clock = isOld ? parts[3...5] : parts[4...6]
    guard let day = number(parts[isOld ? 2 : 1], digits: 1...2),
      let month = months.firstIndex(of: parts[isOld ? 1 : 2].map(lowercased)),
      let year = year(parts[isOld ? 6 : 3]), (1...31).contains(day)
    else { return nil }
    let numbers = clock.compactMap { number($0, digits: 2...2) }
    // A minute can have a sixtieth second.
    guard numbers.count == 3, numbers[0] < 24, numbers[1] < 60, numbers[2] <= 60 else { return nil }
    let days = Timestamp.days(year, Int64(month) + 1, day)
    return Double(days * 86400 + numbers[0] * 3600 + numbers[1] * 60 + numbers[2])
  }

  private static func year(_ text: [UInt8]) -> Int64? {
    // Two-digit years from 70 on are in the twentieth century.
    if let year = number(text, digits: 2...2) { return year + (year < 70 ? 2000 : 1900) }
    return number(text, digits: 4...4)
  }

  private static func number(_ text: [UInt8], digits: ClosedRange<Int>) -> Int64? {
    guard digits.contains(text.count), text.allSatisfy(isDigit) else { return nil }
    return text.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }
}
