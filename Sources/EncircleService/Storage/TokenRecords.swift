import Foundation
import GRDB

/// A token; only its hash is stored.
package struct TokenRecord: Sendable {
  package var id: String
  package var name: String
  package var role: String
  /// The SHA-256 of the token.
  package var hash: [UInt8]
  package var createdAt: Date
  package var createdBy: String
  package var expiresAt: Date?
  /// The project of the events that apps with this key send; nil for other tokens, and for keys that an earlier version made
  /// tokens, whose project is their name.
  package var project: String?

  package func isExpired(at time: Date = Date()) -> Bool { expiresAt.map { $0 <= time } ?? false }

  /// This is true if the token can make and remove others.
  var isPublisher: Bool { role == Role.publish.rawValue && !isExpired() }
}

extension TokenRecord {
  init(_ row: Row) {
    let hash: Data = row["hash"]
    let expiry: Double? = row["expires_at"]
    self.init(
      id: row["id"], name: row["name"], role: row["role"], hash: Array(hash),
      createdAt: Date(timeIntervalSince1970: row["created_at"]), createdBy: row["created_by"],
      expiresAt: expiry.map { Date(timeIntervalSince1970: $0) }, project: row["project"])
  }
}

/// A browser's session, opened with a token.
struct SessionRecord: Sendable {
  /// The SHA-256 of its cookie.
  var hash: [UInt8]
  var tokenID: String
  /// The CSRF token that requests with the cookie carry when they change something.
  var csrf: String
  var expiresAt: Date
}

/// The reason why a change of tokens was refused.
enum TokenConflict: Error, Equatable {
  /// Another token has the same name.
  case nameTaken
  /// Another token has the same text.
  case keyTaken
  /// The new token would exceed the limit.
  case tooMany
  /// The first token would not be able to manage the others.
  case firstIsNotPublish
  /// The token that requested another one has since been removed.
  case makerIsGone
  /// Without the token, none of the remaining ones could manage them.
  case isLastPublisher
}
