import Foundation

/// A rule set in answers.
extension RuleSetRecord: Encodable {
  private enum Key: String, CodingKey {
    case name, version, rules, hasDraft, draft, publishedAt, publishedBy
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encode(name, forKey: .name)
    try members.encode(version, forKey: .version)
    try members.encode(published?.rules ?? 0, forKey: .rules)
    try members.encode(draft != nil, forKey: .hasDraft)
    try members.encodeIfPresent(draft, forKey: .draft)
    try members.encodeIfPresent(published?.at, forKey: .publishedAt)
    try members.encodeIfPresent(published?.by, forKey: .publishedBy)
  }
}

/// The answer to a change of a draft.
struct DraftAnswer: Encodable {
  var revision: Int
  /// The complete text, if the service has made it.
  var text: String?
  /// The errors that prevent publishing.
  var errors: [ServiceError.Detail]
}

/// The body of requests that publish, approve or reject a draft.
struct PublishRequest {
  /// The reason; empty if none is given.
  var reason: String
  /// The version to replace, if it is not the one from which the draft was made.
  var version: Int?
  /// The revisions of the draft that the caller may have reviewed; nil for any.
  var revisions: Set<Int>?
  /// This is true if only the caller's changes are published.
  var own: Bool

  /// - Parameter seen: The revisions that the request's `If-Match` names; nil for any.
  init(_ body: JSONBody, seen: Set<Int>?) throws {
    reason = try body.optional("reason") { try $0.text } ?? ""
    version = try body.optional("version") { try $0.integer }
    let revision = try body.optional("revision") { try $0.integer }
    revisions = revision.map { seen?.intersection([$0]) ?? [$0] } ?? seen
    own = try body.optional("own") { try $0.flag } ?? false
  }
}
