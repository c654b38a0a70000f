import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

extension PlannedEvent.Platform {
  /// Finds the platform of an event, by the SDK that sent it or else by the operating system; nil if the event states neither.
  ///
  /// A page in the browser of a phone counts as web, because the SDK decides before the operating system does.
  init?(of event: AnalyticsEvent, _ fields: EventFields) {
    self.init(systemPlaces: fields.places(of: .os)) { place in
      if case .string(let text)? = event.value(at: place) { text } else { nil }
    }
  }

  /// Finds the platform of an event of which only single texts can be read.
  ///
  /// - Parameters:
  ///   - systemPlaces: The places that may name its operating system.
  ///   - text: Returns the text at a place in the event.
  package init?(systemPlaces: [PropertyReference], text: (PropertyReference) -> String?) {
    for place in Self.libraries {
      guard let known = text(place).flatMap({ Self(library: $0) }) else { continue }
      self = known
      return
    }
    for place in systemPlaces {
      guard let system = text(place) else { continue }
      self.init(system: system)
      return
    }
    return nil
  }

  /// Finds the platform of an operating system; nil if the system does not determine it.
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
