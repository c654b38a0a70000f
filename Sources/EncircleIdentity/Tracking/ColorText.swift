import EncircleText

/// Colours as text.
package enum ColorText {
  /// Converts `#RRGGBB` or `#RRGGBBAA` to `rgba(r, g, b, alpha)`, with alpha from 0 to 1; nil for other texts.
  package static func rgba(_ text: String) -> String? {
    let digits = text.utf8.dropFirst().compactMap { Hexadecimal.value(of: $0) }
    guard text.utf8.first == UInt8(ascii: "#"), digits.count == text.utf8.count - 1, [6, 8].contains(digits.count)
    else { return nil }
    let parts = stride(from: 0, to: digits.count, by: 2).map { (place: Int) -> UInt32 in
      digits[place] * 16 + digits[place + 1]
    }
    let alpha = parts.count == 4 ? (Double(parts[3]) / 255 * 1000).rounded() / 1000 : 1
    var bytes = Array("rgba(\(parts[0]), \(parts[1]), \(parts[2]), ".utf8)
    JSONText.append(alpha, to: &bytes)
    return String(decoding: bytes, as: UTF8.self) + ")"
  }
}
