import EncircleText

/// Texts of cells. Characters that XML cannot have are written as `_x0001_`, and a text that looks like that as `_x005F_x0001_`.
enum EscapedText {
  /// Returns a text, escaped for a part.
  static func escaped(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var escaped: [UInt8] = []
    var isChanged = false
    for (i, byte) in bytes.enumerated() {
      if code(in: bytes, at: i) != nil {
        escaped += Array("_x005F_".utf8)
        isChanged = true
      } else if byte < 0x20, byte != 0x09, byte != 0x0A {
        escaped += Array("_x00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16, uppercase: true))_".utf8)
        isChanged = true
      } else if let last = nonCharacter(in: bytes, at: i) {
        escaped += Array("_xFFF\(last)_".utf8)
        isChanged = true
      } else if i < 1 || nonCharacter(in: bytes, at: i - 1) == nil, i < 2 || nonCharacter(in: bytes, at: i - 2) == nil {
        escaped.append(byte)
      }
    }
    return XMLText.escaped(isChanged ? String(decoding: escaped, as: UTF8.self) : text, isAttribute: false)
  }

  /// Returns the text of the bytes in a part.
  static func unescaped(_ bytes: [UInt8]) -> String {
    guard bytes.contains(UInt8(ascii: "_")) else { return String(decoding: bytes, as: UTF8.self) }
    var result: [UInt8] = []
    var i = 0
    while i < bytes.count {
      if let code = code(in: bytes, at: i), let scalar = Unicode.Scalar(code) {
        result += Array(String(Character(scalar)).utf8)
        i += 7
      } else {
        result.append(bytes[i])
        i += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the number in an escape such as `_x0001_` at a place; nil if there is none.
  private static func code(in bytes: [UInt8], at i: Int) -> UInt16? {
    guard bytes[i] == UInt8(ascii: "_"), i + 6 < bytes.count, bytes[i + 1] == UInt8(ascii: "x"),
      bytes[i + 6] == UInt8(ascii: "_")
    else { return nil }
    return Hexadecimal.number(bytes[i + 2..<i + 6]).map { UInt16($0) }
  }

  /// Returns the last hexadecimal digit of U+FFFE or U+FFFF at a place; nil if neither is there.
  private static func nonCharacter(in bytes: [UInt8], at i: Int) -> Character? {
    guard bytes[i] == 0xEF, i + 2 < bytes.count, bytes[i + 1] == 0xBF else { return nil }
    return bytes[i + 2] == 0xBE ? "E" : bytes[i + 2] == 0xBF ? "F" : nil
  }
}
