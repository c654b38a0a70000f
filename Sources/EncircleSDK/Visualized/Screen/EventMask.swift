import EncircleEvents
import EncircleText

/// Removes what people typed from the events that an app reports while it is circled.
///
/// The content of an event's element stays where the screen shows that nothing was typed in it. Of an element that is on
/// neither the present screen nor the one before, nobody can say that, and it goes. Beyond that, no text of an event may
/// contain what a field of the screen does.
struct EventMask {
  private let screens: [SnapshotScreen]
  private let typed: [String]
  /// More typed texts than a person makes are not looked for: the events go instead.
  private static let typedLimit = 100

  init(screens: [SnapshotScreen], typed: Set<UTF8String>) {
    self.screens = screens
    // Longer ones first: a text may be a part of another.
    self.typed = typed.map(\.text).sorted { $0.utf8.count > $1.utf8.count }
  }

  func masked(_ events: [EventObject]) -> [EventObject] {
    typed.count > Self.typedLimit ? [] : events.map(masked)
  }

  private func masked(_ event: EventObject) -> EventObject {
    var event = event
    for i in event.members.indices {
      guard event.members[i].name == "properties", case .object(var properties) = event.members[i].value else {
        continue
      }
      maskContent(of: &properties)
      event.members[i].value = .object(properties)
    }
    guard case .object(let cleaned) = clean(.object(event)) else { return [:] }
    return cleaned
  }

  private func maskContent(of properties: inout EventObject) {
    let names = ["$element_content", "element_content"]
    guard properties.members.contains(where: { names.contains($0.name) }) else { return }
    func text(_ name: String) -> UTF8String {
      for member in properties.members.reversed() {
        if member.name == name, case .string(let text) = member.value { return UTF8String(text) }
      }
      return ""
    }
    let key = SnapshotScreen.ElementKey(
      screen: text("$screen_name"), path: text("$element_path"), position: text("$element_position"))
    let known = screens.lazy.compactMap { $0.contents[key] }.first
    switch known {
    case .harmless?: return
    case .masked(let rest?)?:
      for i in properties.members.indices where names.contains(properties.members[i].name) {
        properties.members[i].value = .string(rest)
      }
    case .masked(nil)?, nil: properties.members.removeAll { names.contains($0.name) }
    }
  }

  /// Replaces typed text wherever it stands. One or two characters are looked for as whole texts only, as they are part of
  /// nearly everything.
  private func clean(_ value: EventValue) -> EventValue {
    guard !typed.isEmpty else { return value }
    switch value {
    case .null, .bool: return value
    case .number(let number): return typed.contains { isSame($0, number.description) } ? .null : value
    case .string(let text): return .string(clean(text))
    // The reader has bounded the depth.
    case .list(let elements): return .list(elements.map(clean))
    case .object(let object):
      return .object(
        EventObject(object.members.map { .init(name: clean($0.name), value: clean($0.value)) }))
    }
  }

  private func isSame(_ a: String, _ b: String) -> Bool { UTF8String(a) == UTF8String(b) }

  private func clean(_ text: String) -> String {
    var text = text
    for secret in typed {
      if isSame(text, secret) { return Self.mask }
      guard secret.unicodeScalars.count > 2 else { continue }
      text = text.replacing(secret, with: Self.mask)
      // A mark behind it makes its last character another one, so that only its bytes are found.
      text = String(
        decoding: Array(text.utf8).replacing(Array(secret.utf8), with: Array(Self.mask.utf8)), as: UTF8.self)
    }
    return text
  }

  private static let mask = "***"
}
