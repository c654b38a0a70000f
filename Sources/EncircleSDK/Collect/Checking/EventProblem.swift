import EncircleEvents
import EncircleText

/// The reason why an object is not an event that can be kept.
struct EventProblem: Error {
  var code: String
  var reason: String

  static func value(_ member: String, _ expectation: String) -> EventProblem {
    EventProblem(code: "bad-value", reason: "\(member) must be \(expectation)")
  }

  static func missing(_ member: String) -> EventProblem {
    EventProblem(code: "missing", reason: "\(member) is missing")
  }
}

/// The kinds of records that SDKs of Sensors send.
enum RecordKind {
  case event, profile, item

  /// Creates the kind that a `type` names; an object without a type is an event of another SDK.
  init?(_ type: String) {
    switch type {
    case "track", "track_signup", "track_id_bind", "track_id_unbind": self = .event
    case "profile_set", "profile_set_once", "profile_increment", "profile_append", "profile_unset", "profile_delete":
      self = .profile
    case "item_set", "item_delete": self = .item
    default: return nil
    }
  }
}
