import EncircleText

/// Numbers as Java writes them.
enum JavaNumber {
  /// Writes a number as Java's `Float.toString` does: with at least one digit after the point, and with an exponent if it is
  /// less than a thousandth or at least ten million.
  static func float(_ text: String?) -> String {
    let value = text.flatMap { Float($0) } ?? 0
    guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity" }
    let size = abs(value)
    guard size == 0 || size >= 1e-3 && size < 1e7 else {
      // Swift writes the same digits, the shortest ones, but another form of exponent.
      var digits = value.description
      if digits.utf8.contains(UInt8(ascii: "e")) {
        let parts = digits.splitBytes(at: "e")
        let mantissa = parts[0].contains(".") ? String(parts[0]) : parts[0] + ".0"
        return mantissa + "E" + parts[1].drop { $0 == "+" }
      }
      let sign = digits.beginsWithBytes(of: "-") ? "-" : ""
      if !sign.isEmpty { digits.removeFirst() }
      let whole = digits.prefix { $0 != "." }
      var fraction = String(whole.dropFirst() + digits.drop { $0 != "." }.dropFirst())
      while fraction.endsWithBytes(of: "0") { fraction.removeLast() }
      if whole == "0" {
        // Below a thousandth, the exponent is the place of the first digit.
        let zeros = fraction.prefix { $0 == "0" }.count
        let rest = fraction.dropFirst(zeros)
        return "\(sign)\(rest.prefix(1)).\(rest.count > 1 ? rest.dropFirst() : "0")E-\(zeros + 1)"
      }
      return "\(sign)\(whole.prefix(1)).\(fraction.isEmpty ? "0" : fraction)E\(whole.count - 1)"
    }
    return value.description
  }

  /// Writes a whole number, dropping the fraction.
  static func int(_ text: String?) -> String {
    guard let value = text.flatMap({ Double($0) }), let whole = Int(exactly: value.rounded(.towardZero)) else {
      return "0"
    }
    return String(whole)
  }
}
