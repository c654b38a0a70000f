import EncircleEvents
import EncircleText

/// The validation that sa-sdk-ios applies to properties from the app or a page.
enum SensorsProperties {
  // These lengths are in UTF-16 code units.
  private static let maximumTextLength = 8192
  private static let maximumReasonLength = 2 * maximumTextLength

  /// Returns the properties that the SDK keeps, as it sends them.
  static func valid(_ properties: EventObject) -> EventObject {
    var result = EventObject()
    for member in properties.members where SensorsName(member.name).isKept {
      if let value = valid(member.value, named: member.name) { result.add(member.name, value) }
    }
    return result
  }

  private static func valid(_ value: EventValue, named name: String) -> EventValue? {
    switch value {
    case .null, .object: return nil
    case .bool, .number: return value
    case .string(let text): return .string(shortened(text, named: name))
    case .list(let elements):
      // The elements become texts.
      return .list(
        elements.compactMap { element in
          switch element {
          case .null, .object: nil
          case .string(let text): .string(shortened(text, named: name))
          case .bool(let flag): .string(flag ? "1" : "0")
          case .number(let number): .string(number.description)
          case .list: .string(String(decoding: element.json, as: UTF8.self))
          }
        })
    }
  }

  private static func shortened(_ text: String, named name: String) -> String {
    let limit = sameText(name, "app_crashed_reason") ? maximumReasonLength : maximumTextLength
    // UTF-8 never has fewer bytes than UTF-16 has code units.
    guard text.utf8.count >= limit, text.utf16.count >= limit else { return text }
    return String(decoding: text.utf16.prefix(limit - 1), as: UTF16.self) + "$"
  }
}
