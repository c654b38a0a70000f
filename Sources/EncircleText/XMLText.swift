/// Texts in XML.
package enum XMLText {
  /// Escapes a text for XML 1.0. Characters that XML cannot have, not even as references, become U+FFFD.
  package static func escaped(_ text: String, isAttribute: Bool = true) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
      // In attributes other white space would be read as spaces.
      case "\n" where !isAttribute: result.append(scalar)
      case "\n", "\t", "\r": result.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
      case _ where scalar.value > 0x7E && VisibleText.isUnsafe(scalar) && !(0xFFF0...0xFFFF).contains(scalar.value):
        result.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
      default:
        let isForbidden = scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF
        result.append(isForbidden ? "\u{FFFD}" : scalar)
      }
    }
    return String(result)
  }
}
