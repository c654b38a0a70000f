/// The verdicts of sa-sdk-ios on the name of an event, a property or an identity.
enum SensorsName {
  case valid
  /// Nil or empty.
  case empty
  /// A reserved word, or characters that names cannot have.
  case invalid
  /// More than 100 UTF-16 code units; the SDK reports that, but uses the name nevertheless.
  case tooLong

  /// This is true if a property or an identity with this name is kept.
  var isKept: Bool { self == .valid || self == .tooLong }

  private static let maximumLength = 100
  private static let reserved = [
    "distinct_id", "original_id", "time", "properties", "id", "first_id", "second_id", "users", "events", "event",
    "user_id", "date", "datetime",
  ]
  private static let reservedBeginnings = ["user_tag", "user_group"]

  init(_ name: String?) {
    guard let name, !name.utf8.isEmpty else {
      self = .empty
      return
    }
    let folded = Self.folded(name)
    let isReserved =
      Self.reserved.contains { folded.elementsEqual($0.unicodeScalars) }
      || Self.reservedBeginnings.contains { folded.starts(with: $0.unicodeScalars) }
    if isReserved || !Self.hasCharactersOfName(folded) {
      self = .invalid
    } else {
      self = name.utf16.count > Self.maximumLength ? .tooLong : .valid
    }
  }

  /// Returns the name as the SDK's regular expression matches it: without case, and without a line end at its end.
  private static func folded(_ name: String) -> [Unicode.Scalar] {
    var result = name.unicodeScalars.map { scalar -> Unicode.Scalar in
      switch scalar {
      case "A"..."Z": Unicode.Scalar(UInt8(scalar.value) | 0x20)
      // The letters beyond ASCII that equal 's' and 'k' if case is ignored.
      case "\u{17F}": "s"
      case "\u{212A}": "k"
      default: scalar
      }
    }
    switch result.last {
    case "\n":
      result.removeLast()
      if result.last == "\r" { result.removeLast() }
    case "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}": result.removeLast()
    default: break
    }
    return result
  }

  private static func hasCharactersOfName(_ folded: [Unicode.Scalar]) -> Bool {
    guard let first = folded.first, !isDigit(first) else { return false }
    return folded.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "_", "$": true
      default: isDigit(scalar)
      }
    }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII ? ("0"..."9").contains(scalar) : scalar.properties.generalCategory == .decimalNumber
  }
}
