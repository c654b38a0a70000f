/// Finds the first number in a text written for people, such as `¥1,299.00` or `满200减20`.
///
///     number = [ "-" ] digits *( "," 3digit ) [ "." digits ]
///
/// Comma-separated groups of three digits are one number if the first group has at most three digits and no digit follows the
/// last. Only ASCII digits count.
enum NumberInText {
  /// Returns the number as JSON writes numbers; nil if the text has none.
  ///
  /// - Complexity: O(length).
  static func first(in text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    func isDigit(_ place: Int) -> Bool { place < text.count && text[place] >= 0x30 && text[place] <= 0x39 }
    guard let start = text.indices.first(where: isDigit) else { return nil }
    var number: [UInt8] = []
    if start > 0, text[start - 1] == UInt8(ascii: "-") { number.append(UInt8(ascii: "-")) }
    var digits: [UInt8] = []
    var place = start
    while isDigit(place) {
      digits.append(text[place])
      place += 1
    }
    if digits.count <= 3 {
      func hasGroup(_ place: Int) -> Bool {
        place < text.count && text[place] == UInt8(ascii: ",") && isDigit(place + 1) && isDigit(place + 2)
          && isDigit(place + 3) && !isDigit(place + 4)
      }
      while hasGroup(place) {
        digits += text[place + 1...place + 3]
        place += 4
      }
    }
    // JSON does not allow leading zeros.
    let zeros = digits.prefix { $0 == 0x30 }.count
    number += digits.dropFirst(min(zeros, digits.count - 1))
    if place < text.count, text[place] == UInt8(ascii: "."), isDigit(place + 1) {
      number.append(UInt8(ascii: "."))
      place += 1
      while isDigit(place) {
        number.append(text[place])
        place += 1
      }
    }
    return number
  }
}
