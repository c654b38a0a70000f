import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

extension PlannedEvent.Platform {
  /// The platform of an event, by the SDK that sent it, else by the operating system; nil if it says neither.
  ///
  /// A page in a browser of a phone is a page: the SDK counts more than the system.
  init?(of event: AnalyticsEvent, _ fields: EventFields) {
    for place in Self.libraries {
      guard case .string(let name)? = event.value(at: place), let known = Self(library: name) else { continue }
      self = known
      return
    }
    guard let system = event.text(.os, fields) else { return nil }
    self.init(system: system)
  }

  /// The platform of an operating system; nil for one of which it does not follow.
  init?(system: String) {
    guard system.utf8.count <= 64 else { return nil }
    switch system.lowercased() {
    case "ios", "ipados", "iphone os", "iphoneos": self = .ios
    case "android": self = .android
    case "harmonyos", "openharmony", "tvos", "watchos": self = .other
    default: return nil
    }
  }

  private static let libraries: [PropertyReference] = ["$lib", "/lib/$lib"].compactMap {
    PropertyReference(parsing: $0)
  }

  private init?(library: String) {
    guard library.utf8.count <= 64 else { return nil }
    let name = library.lowercased()
    func has(_ words: String...) -> Bool { words.contains { name.containsBytes(of: $0) } }
    // Names of languages are compared as a whole: `go` is in many words.
    if has("mini") {
      self = .miniProgram
    } else if has("android") {
      self = .android
    } else if has("ios") {
      self = .ios
    } else if ["js", "web", "javascript", "posthog-js"].contains(name) {
      self = .web
    } else if has("java", "python", "php", "node", "ruby", "golang", "dotnet", "server")
      || ["go", "posthog-go"].contains(name)
    {
      self = .server
    } else {
      return nil
    }
  }
}
