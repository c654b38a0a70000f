import EncircleRuleFiles
import EncircleText

/// Decides which names the tools that receive events refuse.
///
/// Sources: for Sensors, the check of names in sa-sdk-ios 4.8.3; for GrowingIO and Segment, their manuals.
enum NameRefusal {
  /// Returns why a destination refuses the name of an event; nil if it accepts the name.
  static func ofEvent(_ name: String, _ destination: CheckSetting.Destination) -> String? {
    switch destination {
    case .sensors: sensors(name)
    case .growingio: growingIO(name)
    case .segment: segment(name)
    }
  }

  /// Returns why a destination refuses the key of a property; nil if it accepts the key, or if this is a place deeper in events.
  static func ofProperty(_ name: String, _ destination: CheckSetting.Destination) -> String? {
    name.utf8.first == UInt8(ascii: "/") ? nil : ofEvent(name, destination)
  }

  private static let reserved: Set<UTF8String> = [
    "date", "datetime", "distinct_id", "event", "events", "first_id", "id", "original_id", "device_id", "properties",
    "second_id", "time", "user_id", "users",
  ]

  private static func sensors(_ name: String) -> String? {
    if let refusal = identifier(name, longest: 100, alsoTakes: UInt8(ascii: "$")) { return refusal }
    let lowered = name.lowercased()
    if reserved.contains(UTF8String(lowered)) { return "the word is reserved" }
    let prefix = ["user_tag", "user_group"].first { lowered.beginsWithBytes(of: $0) }
    return prefix.map { "names that begin with '\($0)' are reserved" }
  }

  private static func growingIO(_ name: String) -> String? { identifier(name, longest: 30, alsoTakes: nil) }

  private static func segment(_ name: String) -> String? {
    guard name.utf8.count <= 255 else { return "at most 255 bytes" }
    guard let first = name.utf8.first, let last = name.utf8.last else { return "it is empty" }
    if isWhiteSpace(first) || isWhiteSpace(last) { return "white space at its ends" }
    return name.utf8.contains { $0 < 0x20 } ? "control characters" : nil
  }

  private static func identifier(_ name: String, longest: Int, alsoTakes sign: UInt8?) -> String? {
    guard name.utf8.count <= longest else { return "at most \(longest) characters" }
    guard let first = name.utf8.first else { return "it is empty" }
    if isDigit(first) { return "a digit at its beginning" }
    let isRight = name.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") || $0 == sign }
    return isRight ? nil : "characters other than letters, digits and _" + (sign == nil ? "" : " or $")
  }
}

extension CheckSetting.Destination {
  /// Its display name.
  var title: String {
    switch self {
    case .sensors: "Sensors"
    case .growingio: "GrowingIO"
    case .segment: "Segment"
    }
  }
}
