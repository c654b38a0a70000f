import Foundation

/// Creates, lists and removes the tokens of a service. A token is shown once, when it is created.
package struct ServiceTokens: Sendable {
  /// The reason why a token was not created.
  package struct Problem: Error, CustomStringConvertible {
    let code: String
    package let description: String
    /// The member of a request that is wrong; nil if none is.
    var member: String? = nil
  }

  private static let longestName = 100
  /// The lengths of an app's key. Keys of PostHog have 47 characters, keys of GrowingIO 16 or more.
  private static let keyLengths = 16...200
  private let store: TokenStore

  init(_ store: TokenStore) { self.store = store }

  /// Opens the tokens of a directory, whether or not a service uses it.
  ///
  /// - Parameter isMade: True to create the directory if it is missing.
  package init(directory: String, isMade: Bool) throws {
    store = try TokenStore(directory: directory, isMade: isMade)
  }

  package func all() throws -> [TokenRecord] { try store.tokens() }

  /// Returns the maker of a token, the maker of that maker's token, and so on, including removed ones.
  func makers(of name: String) throws -> [String] { try store.makers(of: name) }

  /// Creates a token.
  ///
  /// - Parameters:
  ///   - key: The key of an app's analytics SDK, which becomes the token; nil creates a new token. Everybody can read the key
  ///     in the app, so it may only send events.
  ///   - project: The project of events with the key; nil for the name of the token. Several keys may have the same project.
  ///   - days: The number of days after which the token expires; nil for never.
  ///   - isMadeByToken: True if a token makes the new one. `by` is then its name; for the very first token, nobody's.
  /// - Returns: The token itself, which cannot be retrieved later.
  /// - Throws: ``Problem``.
  package func add(
    name: String, role: Role, key: String? = nil, project: String? = nil, days: Int?, by: String,
    isMadeByToken: Bool = false
  ) throws -> (record: TokenRecord, token: String) {
    for (text, what, member) in [(name, "token", "name"), (project ?? name, "project", "project")] {
      guard !text.isEmpty, text.utf8.count <= Self.longestName, !text.unicodeScalars.contains(where: Self.isControl)
      else {
        throw Problem(
          code: "bad-value",
          description: "The name of a \(what) has 1 to \(Self.longestName) bytes and no control characters.",
          member: member)
      }
    }
    if project != nil, key == nil {
      throw Problem(
        code: "bad-value",
        description: "A project goes with a key: other apps name the project in the address to which they send events.",
        member: "project")
    }
    if let days, !(1...3_650).contains(days) {
      throw Problem(code: "bad-value", description: "A token ends after 1 to 3650 days.", member: "days")
    }
    if let key {
      guard role == .collect else {
        throw Problem(
          code: "bad-value", description: "A key that an app has can only have the role collect.", member: "role")
      }
      guard Self.keyLengths.contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        throw Problem(
          code: "bad-value",
          description:
            "A key has \(Self.keyLengths.lowerBound) to \(Self.keyLengths.upperBound) visible characters of ASCII.",
          member: "key")
      }
    }
    let id = (0..<8).map { _ in String(Int.random(in: 0..<16), radix: 16) }.joined()
    let token = key ?? Secret(prefix: "encircle_\(id)_").text
    let now = Date()
    let record = TokenRecord(
      id: id, name: name, role: role.rawValue, hash: Secret.hash(of: token), createdAt: now, createdBy: by,
      expiresAt: days.map { now.addingTimeInterval(Double($0) * 86_400) },
      project: key.map { _ in project ?? name })
    do {
      try store.add(record, isMadeByToken: isMadeByToken)
    } catch let conflict as TokenConflict {
      throw Problem(conflict, name)
    }
    return (record, token)
  }

  /// Removes a token by its ID or name, and ends its sessions.
  ///
  /// - Returns: True if the token existed.
  package func remove(_ idOrName: String, by: String) throws -> Bool { try store.remove(idOrName, by: by) }

  /// Removes a token by its ID, and ends its sessions. A token that can manage the others stays if no other can.
  ///
  /// - Returns: True if the token existed.
  /// - Throws: ``Problem``.
  func remove(id: String, by: String) throws -> Bool {
    do {
      return try store.remove(id: id, by: by)
    } catch let conflict as TokenConflict {
      throw Problem(conflict, id)
    }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

extension ServiceTokens.Problem {
  fileprivate init(_ conflict: TokenConflict, _ name: String) {
    switch conflict {
    case .nameTaken: self.init(code: "name-taken", description: "There is a token '\(name)' already.")
    case .keyTaken: self.init(code: "key-taken", description: "This key is a token already.")
    case .tooMany:
      self.init(code: "too-many", description: "There are \(TokenStore.maximumTokens) tokens: remove some first.")
    case .firstIsNotPublish:
      self.init(
        code: "first-token",
        description: "The first token must have the role publish: without one nobody could make others.")
    case .makerIsGone:
      self.init(code: "maker-removed", description: "The token that asked for this one has been removed meanwhile.")
    case .isLastPublisher:
      self.init(
        code: "last-publisher",
        description:
          "No other token has the role publish: without one nobody could make or remove tokens. Make another first.")
    }
  }
}
