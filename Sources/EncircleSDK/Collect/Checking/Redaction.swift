import EncircleEvents
import EncircleText

/// Removes values from events.
struct Redaction: Sendable {
  /// The members of an event in which its properties are.
  private static let containers = ["properties", "attributes"]
  private let paths: [[JSONPointer.Step]]

  init(_ places: [PropertyReference]) {
    paths = places.flatMap { place -> [[JSONPointer.Step]] in
      switch place {
      case .pointer(let pointer): return [pointer.steps]
      case .property(let name):
        return Self.containers.compactMap { container in
          JSONPointer(parsing: JSONPointer.member(name.text, of: "/\(container)"))?.steps
        }
      case .textsWithin: return []
      }
    }
  }

  var isEmpty: Bool { paths.isEmpty }

  /// Returns the event without the values.
  ///
  /// - Complexity: O(size of the event · places).
  func applied(to event: AnalyticsEvent) -> AnalyticsEvent {
    let readable = EventObject(event.members.members.filter { !hidesProperties($0) })
    return AnalyticsEvent(
      paths.reduce(readable) { members, path in
        guard case .object(let object)? = Self.removing(path[...], from: .object(members)) else { return members }
        return object
      })
  }

  /// Returns whether a member is a text or a list in place of an object with properties that are redacted. They may be in it,
  /// such as in a text with JSON, so nothing of it is kept.
  private func hidesProperties(_ member: EventObject.Member) -> Bool {
    switch member.value {
    case .string, .list:
      Self.containers.contains { member.name.hasSameBytes(as: $0) }
        && paths.contains { $0.count > 1 && member.name.utf8.elementsEqual($0[0].name) }
    case .null, .bool, .number, .object: false
    }
  }

  /// Returns a value without the values at the path, in all members of the same name; nil if nothing is left. The recursion is
  /// as deep as the path.
  private static func removing(_ path: ArraySlice<JSONPointer.Step>, from value: EventValue) -> EventValue? {
    guard let step = path.first else { return nil }
    switch value {
    case .object(let object):
      return .object(
        EventObject(
          object.members.compactMap { member in
            guard member.name.utf8.elementsEqual(step.name) else { return member }
            return removing(path.dropFirst(), from: member.value).map {
              EventObject.Member(name: member.name, value: $0)
            }
          }))
    case .list(var elements):
      guard let position = step.position, elements.indices.contains(position) else { return value }
      // The other elements keep their positions.
      elements[position] = removing(path.dropFirst(), from: elements[position]) ?? .null
      return .list(elements)
    default: return value
    }
  }
}
