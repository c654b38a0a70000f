import EncircleEvents
import EncircleText

/// Removes values from events.
struct Redaction: Sendable {
  private let paths: [[JSONPointer.Step]]

  init(_ places: [PropertyReference]) {
    paths = places.flatMap { place -> [[JSONPointer.Step]] in
      switch place {
      case .pointer(let pointer): return [pointer.steps]
      case .property(let name):
        return ["properties", "attributes"].compactMap { container in
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
    AnalyticsEvent(
      paths.reduce(event.members) { members, path in
        guard case .object(let object)? = Self.removing(path[...], from: .object(members)) else { return members }
        return object
      })
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
