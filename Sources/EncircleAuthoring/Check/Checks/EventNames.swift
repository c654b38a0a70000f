import EncircleEvents
import EncircleRules
import EncircleText

/// Events that SDKs send of the app or of a page rather than of an element.
enum EventNames {
  /// The names by which a condition on the event's name asks for such events alone; empty if it may hold for others.
  static func withoutElement(_ condition: Condition?) -> [String] {
    guard case .isOneOf(let values, let fold)? = condition, !fold, !values.isEmpty else { return [] }
    var names: [String] = []
    for value in values {
      guard case .string(let name) = value, known.contains(name) else { return [] }
      names.append(name.text)
    }
    return names
  }

  private static let known: Set<UTF8String> = [
    "$AppViewScreen", "$AppStart", "$AppEnd", "$AppStartPassively", "$AppInstall", "$AppCrashed", "$AppPageLeave",
    "$AppDeeplinkLaunch", "$AppPushClick", "$SignUp", "$pageview", "$WebStay", "$WebPageLeave", "$MPViewScreen",
    "$MPLaunch", "$MPShow", "$MPHide", "$screen", "Application Opened", "Application Backgrounded",
    "Application Installed", "Application Updated",
  ]
}
