import EncircleEvents
import EncircleText

/// Chooses numbers that represent all others in comparisons with some constants.
enum NumberPoints {
  /// Returns the constants, and a number between each two neighbours, below all and above all.
  ///
  /// Between neighbours the number is the lower one with a digit appended far behind the point: 5.0001 between 5 and 7.
  static func around(_ constants: [DecimalNumber]) -> [DecimalNumber] {
    var result: Set<DecimalNumber> = [0, 1, -1]
    let texts = constants.map { Array($0.description.utf8) }
    let length = texts.map(\.count).max() ?? 0
    let more = Array(repeating: UInt8(ascii: "0"), count: length + 2) + [UInt8(ascii: "1")]
    for (constant, text) in zip(constants, texts) {
      result.insert(constant)
      guard constant != 0 else { continue }
      let exponent = text.firstIndex(of: UInt8(ascii: "e")) ?? text.endIndex
      var digits = Array(text[..<exponent])
      if !digits.contains(UInt8(ascii: ".")) { digits.append(UInt8(ascii: ".")) }
      func insert(_ text: [UInt8]) {
        if let number = text.withUnsafeBufferPointer({ DecimalNumber($0) }) { result.insert(number) }
      }
      // Inserts a number a little farther from zero, and one much nearer.
      insert(digits + more + text[exponent...])
      if exponent == text.endIndex {
        insert(text + Array("e-1".utf8))
      } else if let power = Int(String(decoding: text[(exponent + 1)...], as: UTF8.self)) {
        insert(text[..<exponent] + Array("e\(power - 1)".utf8))
      }
    }
    let lengths = result.map { (length: $0.description.utf8.count, number: $0) }
    return lengths.sorted { ($0.length, $0.number) < ($1.length, $1.number) }.map(\.number)
  }
}
