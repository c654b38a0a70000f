/// Returns a number that is not negative, with zeros in front if it has fewer digits.
///
/// - Parameter radix: The base of the digits; beyond 9, they are capitals.
package func zeroPadded(_ number: some BinaryInteger, to digits: Int, radix: Int = 10) -> String {
  let text = String(number, radix: radix, uppercase: true)
  return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}
