/// Returns a number with a noun: `1 rule`, `2 rules`.
///
/// - Parameter plural: The noun for other numbers than 1; with an `s` by default.
package func counted(_ number: some BinaryInteger, _ noun: String, _ plural: String? = nil) -> String {
  "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
}
