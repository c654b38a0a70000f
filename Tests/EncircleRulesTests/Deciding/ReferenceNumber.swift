/// A JSON number: a sign, digits, and where the point stands before them.
struct ReferenceNumber: Comparable {
  var isNegative: Bool
  // 0.digits · 10^exponent; none for zero.
  var digits: [Int] = []
  var exponent = 0

  init(_ text: String) {
    isNegative = text.hasPrefix("-")
    let parts = text.lowercased().split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    let fraction = mantissa.count > 1 ? mantissa[1] : ""
    digits = (mantissa[0] + fraction).compactMap(\.wholeNumberValue)
    exponent = digits.count - fraction.count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    while digits.first == 0 {
      digits.removeFirst()
      exponent -= 1
    }
    while digits.last == 0 { digits.removeLast() }
    if digits.isEmpty { (isNegative, exponent) = (false, 0) }
  }

  static func < (a: ReferenceNumber, b: ReferenceNumber) -> Bool {
    if a.isNegative != b.isNegative { return a.isNegative }
    if a.isNegative { return a != b && !a.isCloserToZero(than: b) }
    return a.isCloserToZero(than: b)
  }

  private func isCloserToZero(than other: ReferenceNumber) -> Bool {
    if digits.isEmpty || other.digits.isEmpty { return !other.digits.isEmpty }
    return exponent != other.exponent ? exponent < other.exponent : digits.lexicographicallyPrecedes(other.digits)
  }
}
