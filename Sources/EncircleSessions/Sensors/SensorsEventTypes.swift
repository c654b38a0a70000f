import EncircleText

/// The types of records of sa-sdk-ios. An unknown type counts as all types that can have automatic properties.
struct SensorsEventTypes: OptionSet, Sendable {
  let rawValue: Int

  static let track = SensorsEventTypes(rawValue: 1 << 0)
  static let signUp = SensorsEventTypes(rawValue: 1 << 1)
  static let bind = SensorsEventTypes(rawValue: 1 << 2)
  static let unbind = SensorsEventTypes(rawValue: 1 << 3)
  static let profileSet = SensorsEventTypes(rawValue: 1 << 4)
  static let profileSetOnce = SensorsEventTypes(rawValue: 1 << 5)
  static let profileUnset = SensorsEventTypes(rawValue: 1 << 6)
  static let profileDelete = SensorsEventTypes(rawValue: 1 << 7)
  static let profileAppend = SensorsEventTypes(rawValue: 1 << 8)
  static let profileIncrement = SensorsEventTypes(rawValue: 1 << 9)
  static let itemSet = SensorsEventTypes(rawValue: 1 << 10)
  static let itemDelete = SensorsEventTypes(rawValue: 1 << 11)
  /// The types that get properties besides the event's own.
  static let events: SensorsEventTypes = [.track, .signUp, .bind, .unbind]

  // In the SDK's order for looking up the name of a type.
  private static let names: [(SensorsEventTypes, String)] = [
    (.track, "track"), (.signUp, "track_signup"), (.profileSet, "profile_set"), (.profileSetOnce, "profile_set_once"),
    (.profileUnset, "profile_unset"), (.profileDelete, "profile_delete"), (.profileAppend, "profile_append"),
    (.profileIncrement, "profile_increment"), (.itemSet, "item_set"), (.itemDelete, "item_delete"),
    (.bind, "track_id_bind"), (.unbind, "track_id_unbind"),
  ]

  /// Returns the type with a name.
  static func named(_ name: String?) -> SensorsEventTypes {
    names.first { sameText($0.1, name) }?.0 ?? .events
  }

  /// The name that the SDK sends.
  var name: String { Self.names.first { !isDisjoint(with: $0.0) }?.1 ?? "track" }
}
