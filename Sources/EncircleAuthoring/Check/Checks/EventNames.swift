import EncircleEvents
import EncircleRules
import EncircleText

/// Events that SDKs send about the app or a page rather than about an element.
enum EventNames {
  /// Returns the names that a condition on the event's name accepts, if all of them are names of such events; otherwise an
  /// empty list.
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
