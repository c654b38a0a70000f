import EncircleText

extension ElementSelector {
  /// The selector in CSS notation.
  var cssText: String {
    var text = ""
    var separator = ""
    for step in steps {
      guard step != .recursiveWildcard else {
        separator = " "
        continue
      }
      text += separator + step.cssText
      separator = " > "
    }
    return text
  }
}

extension ElementSelector.Step {
  fileprivate var cssText: String {
    guard case .component(let pattern, let locator) = self else { return " " }
    var tests: [ElementSelector.PageTest] = []
    if case .conditions(let own)? = locator { tests = own }
    let conditions = tests.map(\.description).joined()
    return switch pattern {
    case .any: conditions.isEmpty ? "*" : conditions
    case .name(let name), .glob(let name), .kindOf(let name): CSSText.name(name) + conditions
    }
  }
}

extension ElementSelector.PageTest: CustomStringConvertible {
  /// The test in CSS notation.
  public var description: String {
    switch self {
    case .id(let id): "#" + CSSText.name(id)
    case .hasClass(let name): "." + CSSText.name(name)
    case .hasAttribute(let name): "[\(CSSText.name(name))]"
    case .attribute(let name, let value): "[\(CSSText.name(name))=\(CSSText.quoted(value))]"
    case .nthOfType(let number): ":nth-of-type(\(number))"
    case .nthChild(let number): ":nth-child(\(number))"
    }
  }

  /// A key that sorts tests in the usual order of CSS: the ID first, then classes, attributes and numbers. Different tests have
  /// different keys.
  package var key: UTF8String {
    switch self {
    case .id(let id): "0\(id)"
    case .hasClass(let name): "1\(name)"
    case .hasAttribute(let name): "2\(name)"
    case .attribute(let name, let value): "3\(name)=\(value)"
    case .nthOfType(let number): "4\(number)"
    case .nthChild(let number): "5\(number)"
    }
  }
}

/// Names and values as CSS writes them.
enum CSSText {
  /// Returns whether a byte may stand in a name as it is.
  static func isNameByte(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "_")
  }

  /// Returns a name with `\` in front of characters that would end it.
  static func name(_ name: UTF8String) -> String {
    var bytes: [UInt8] = []
    let text = Array(name.text.utf8)
    for (i, byte) in text.enumerated() {
      let isDigit = (0x30...0x39).contains(byte)
      // A digit at the beginning, or after a hyphen there, is escaped by its number, as are control characters.
      let isByNumber = isDigit && (i == 0 || (i == 1 && text[0] == UInt8(ascii: "-"))) || byte < 0x20 || byte == 0x7F
      if isByNumber {
        bytes += Array("\\\(String(byte, radix: 16)) ".utf8)
      } else if isNameByte(byte), !(text.count == 1 && byte == UInt8(ascii: "-")) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "\\"), byte]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a value between quotes.
  static func quoted(_ value: UTF8String) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    for byte in value.text.utf8 {
      if byte < 0x20 || byte == 0x7F {
        bytes += Array("\\\(String(byte, radix: 16)) ".utf8)
      } else {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
        bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
    return String(decoding: bytes, as: UTF8.self)
  }
}
