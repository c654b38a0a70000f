import EncircleEvents
import EncircleText

/// Removes typed texts from the events that an app reports while it is circled.
///
/// An event keeps the content of its element if the screen shows the same content and that content has no typed text. This
/// holds even if a field contains a part of the content, such as a placeholder. If the element is on neither the present nor
/// the previous screen, its content is removed, because it may have been typed. In addition, typed texts are masked in all
/// texts of an event.
struct EventMask {
  private let screens: [SnapshotScreen]
  private let typed: [String]
  private let isTooMany: Bool

  init(screens: [SnapshotScreen], typed: TypedTexts) {
    self.screens = screens
    self.typed = typed.all
    isTooMany = typed.isTooMany
  }

  func masked(_ events: [EventObject]) -> [EventObject] { isTooMany ? [] : events.map(masked) }

  private func masked(_ event: EventObject) -> EventObject {
    EventObject(
      event.members.map { member in
        guard member.name == "properties", case .object(var properties) = member.value else {
          return .init(name: clean(member.name), value: clean(member.value))
        }
        let harmless = maskContent(of: &properties)
        let members = properties.members.map { property -> EventObject.Member in
          if let harmless, Self.contentNames.contains(property.name), property.value == .string(harmless) {
            return property
          }
          return .init(name: clean(property.name), value: clean(property.value))
        }
        return .init(name: member.name, value: .object(EventObject(members)))
      })
  }

  private static let contentNames = ["$element_content", "element_content"]

  /// Removes the content if it contains, or may contain, typed text.
  ///
  /// - Returns: A content that certainly contains no typed text.
  private func maskContent(of properties: inout EventObject) -> String? {
    let names = Self.contentNames
    guard properties.members.contains(where: { names.contains($0.name) }) else { return nil }
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
    case .harmless(let content)?: return content
    case .masked(let rest?)?:
      for i in properties.members.indices where names.contains(properties.members[i].name) {
        properties.members[i].value = .string(rest)
      }
    case .masked(nil)?, nil: properties.members.removeAll { names.contains($0.name) }
    }
    return nil
  }

  /// Replaces typed texts wherever they occur.
  private func clean(_ value: EventValue) -> EventValue {
    guard !typed.isEmpty else { return value }
    switch value {
    case .null, .bool: return value
    case .number(let number): return typed.contains { $0.hasSameBytes(as: number.description) } ? .null : value
    case .string(let text): return .string(clean(text))
    // The recursion is safe, because the reader has limited the depth.
    case .list(let elements): return .list(elements.map(clean))
    case .object(let object):
      return .object(
        EventObject(object.members.map { .init(name: clean($0.name), value: clean($0.value)) }))
    }
  }

  private func clean(_ text: String) -> String { TypedTexts.mask(text, typed) }
}
