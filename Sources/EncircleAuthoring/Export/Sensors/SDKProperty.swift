import EncircleEvents
import EncircleRules
import EncircleText

/// A property that the Sensors SDK reads off another element of the screen when it sends an event; in a list, of the same row.
struct SDKProperty: Hashable {
  var name: String
  var isNumber: Bool
  /// A regular expression in ICU's syntax; the value is its whole first match. It is never empty, because the SDK drops
  /// properties with an empty one.
  var expression: String
  var path: String
  var position: String?

  /// Returns the property as `iOS.conf` has it.
  func value(screen: String) -> EventValue {
    var object: EventObject = [
      "name": .string(name), "type": .string(isNumber ? "NUMBER" : "STRING"), "regular": .string(expression),
      "element_path": .string(path), "screen_name": .string(screen), "h5": .bool(false),
    ]
    if let position { object["element_position"] = .string(position) }
    return .object(object)
  }

  /// Returns whether the SDK takes a name: Latin letters, digits, `_` and `$`, not beginning with a digit.
  static func isName(_ name: UTF8String) -> Bool {
    let bytes = Array(name.text.utf8)
    guard let first = bytes.first, bytes.count <= 100, !isDigit(first) else { return false }
    return bytes.allSatisfy { isLetter($0) || isDigit($0) || "_$".utf8.contains($0) }
  }

  /// Returns an expression of RE2 in ICU's syntax, with the same matches; nil if that is not certain.
  ///
  /// `\d`, `\w` and `\s` match ASCII in RE2 and all of Unicode in ICU, so they are spelt out. Syntax that only one of them
  /// has is refused.
  ///
  /// - Complexity: O(length).
  static func expression(_ expression: RegularExpression?) -> String? {
    guard let expression else { return "[\\s\\S]+" }
    guard !expression.foldsCase else { return nil }
    let classes: [UInt8: (inside: String?, outside: String)] = [
      UInt8(ascii: "d"): ("0-9", "[0-9]"), UInt8(ascii: "w"): ("0-9A-Za-z_", "[0-9A-Za-z_]"),
      UInt8(ascii: "s"): ("\\t\\n\\f\\r ", "[\\t\\n\\f\\r ]"), UInt8(ascii: "D"): (nil, "[^0-9]"),
      UInt8(ascii: "W"): (nil, "[^0-9A-Za-z_]"), UInt8(ascii: "S"): (nil, "[^\\t\\n\\f\\r ]"),
    ]
    let bytes = Array(expression.description.utf8)
    var result: [UInt8] = []
    var isInClass = false
    var isRepeating = false
    var i = 0
    while i < bytes.count {
      let byte = bytes[i]
      let next = i + 1 < bytes.count ? bytes[i + 1] : nil
      switch byte {
      case UInt8(ascii: "\\"):
        guard let next else { return nil }
        if let known = classes[next] {
          guard let text = isInClass ? known.inside : known.outside else { return nil }
          result += Array(text.utf8)
        } else if isDigit(next) || isLetter(next) {
          // Boundaries, classes of Unicode, characters by number: only these few mean the same everywhere.
          guard [UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "r"), UInt8(ascii: "f")].contains(next) else {
            return nil
          }
          result += [byte, next]
        } else {
          result += [byte, next]
        }
        i += 2
        continue
      case UInt8(ascii: "["):
        // In ICU, a bracket within a set opens a nested set, so the expression is refused.
        if isInClass { return nil }
        isInClass = true
        result.append(byte)
        if next == UInt8(ascii: "^") {
          result.append(UInt8(ascii: "^"))
          i += 1
        }
        // RE2 takes a closing bracket in first place literally.
        if i + 1 < bytes.count, bytes[i + 1] == UInt8(ascii: "]") { return nil }
      case UInt8(ascii: "]"):
        guard isInClass else { return nil }
        isInClass = false
        result.append(byte)
      case UInt8(ascii: "&") where isInClass && next == byte: return nil
      case UInt8(ascii: "-") where isInClass && next == byte: return nil
      case UInt8(ascii: "("):
        // Only non-capturing groups without flags mean the same in both.
        if !isInClass, next == UInt8(ascii: "?") {
          guard i + 2 < bytes.count, bytes[i + 2] == UInt8(ascii: ":") else { return nil }
        }
        result.append(byte)
      case UInt8(ascii: "{"), UInt8(ascii: "}"):
        // A brace that bounds no repetition is an error in ICU.
        if !isInClass {
          guard byte == UInt8(ascii: "{") ? isRepetition(bytes, i) : isRepeating else { return nil }
          isRepeating = byte == UInt8(ascii: "{")
        }
        result.append(byte)
      // In RE2, `$` matches only at the end of the text; in ICU, also before a last line break.
      case UInt8(ascii: "$") where !isInClass: result += Array("\\z".utf8)
      // In RE2, `.` matches anything but LF; in ICU, anything but a line break.
      case UInt8(ascii: ".") where !isInClass: result += Array("[^\\n]".utf8)
      // Possessive repetitions of ICU cannot occur here, because RE2 has refused them.
      default: result.append(byte)
      }
      i += 1
    }
    return isInClass ? nil : String(decoding: result, as: UTF8.self)
  }

  private static func isRepetition(_ bytes: [UInt8], _ start: Int) -> Bool {
    guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "}")), end > start + 1 else { return false }
    return bytes[(start + 1)..<end].allSatisfy { isDigit($0) || $0 == UInt8(ascii: ",") }
      && bytes[start + 1] != UInt8(ascii: ",")
  }
}
