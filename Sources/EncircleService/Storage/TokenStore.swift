import EncircleText
import Foundation
import GRDB

/// Tokens and sessions on disk.
struct TokenStore: Sendable {
  /// The maximum number of tokens.
  static let maximumTokens = 1_000
  /// The maximum number of sessions; new sessions end the oldest ones.
  static let maximumSessions = 1_000

  private let pool: DatabasePool

  init(_ store: Store) { pool = store.library }

  /// Opens the tokens of a directory, whether or not a service uses it.
  init(directory: String, isMade: Bool) throws {
    pool = try Store.libraryBesideService(directory: directory, isMade: isMade)
  }

  /// Returns all tokens, in the order of their names.
  func tokens() throws -> [TokenRecord] { try pool.read { try Self.tokens($0) } }

  /// Returns the maker of a token, the maker of that maker's token, and so on, including removed ones.
  func makers(of name: String) throws -> [String] {
    try pool.read { database in
      try String.fetchAll(
        database, sql: "SELECT maker FROM token_makers JOIN tokens ON id = token WHERE name = ?", arguments: [name])
    }
  }

  /// Returns all tokens, and the sessions that have not expired.
  func snapshot() async throws -> (tokens: [TokenRecord], sessions: [SessionRecord]) {
    try await pool.read { database in
      let rows = try Row.fetchAll(
        database, sql: "SELECT hash, token, csrf, expires_at FROM sessions WHERE expires_at > ?",
        arguments: [Date().timeIntervalSince1970])
      let sessions = rows.map { row in
        let hash: Data = row["hash"]
        return SessionRecord(
          hash: Array(hash), tokenID: row["token"], csrf: row["csrf"],
          expiresAt: Date(timeIntervalSince1970: row["expires_at"]))
      }
      return (try Self.tokens(database), sessions)
    }
  }

  static func tokens(_ database: Database) throws -> [TokenRecord] {
    try Row.fetchAll(database, sql: "SELECT * FROM tokens ORDER BY name").map { TokenRecord($0) }
  }

  /// Adds a token.
  ///
  /// - Parameter isMadeByToken: True if a token made it. That token must still exist, because otherwise its own makers are
  ///   unknown.
  /// - Throws: ``TokenConflict``, or an error of SQLite.
  func add(_ token: TokenRecord, isMadeByToken: Bool = false) throws {
    try pool.change { database in
      try Store.requireCurrentLibrary(database, pool.path)
      let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM tokens") ?? 0
      guard count < Self.maximumTokens else { throw TokenConflict.tooMany }
      if count == 0, token.role != Role.publish.rawValue { throw TokenConflict.firstIsNotPublish }
      if isMadeByToken, count > 0 {
        let maker = try Int.fetchOne(database, sql: "SELECT 1 FROM tokens WHERE name = ?", arguments: [token.createdBy])
        guard maker != nil else { throw TokenConflict.makerIsGone }
      }
      let taken = try Int.fetchOne(database, sql: "SELECT 1 FROM tokens WHERE name = ?", arguments: [token.name])
      guard taken == nil else { throw TokenConflict.nameTaken }
      let known = try Int.fetchOne(database, sql: "SELECT 1 FROM tokens WHERE hash = ?", arguments: [Data(token.hash)])
      guard known == nil else { throw TokenConflict.keyTaken }
      try database.execute(
        sql: """
          INSERT INTO tokens (id, name, role, hash, created_at, created_by, expires_at, project)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          token.id, token.name, token.role, Data(token.hash), token.createdAt.timeIntervalSince1970, token.createdBy,
          token.expiresAt?.timeIntervalSince1970, token.project,
        ])
      try database.execute(
        sql: """
          INSERT INTO token_makers SELECT :id, :by
          UNION SELECT :id, maker FROM token_makers JOIN tokens ON id = token WHERE name = :by
          """, arguments: ["id": token.id, "by": token.createdBy])
      try AuditStore.record(
        "token.add", of: "tokens/\(token.id)", by: token.createdBy, detail: "\(token.name), \(token.role)", in: database
      )
    }
  }

  /// Removes a token by its ID or name, and ends its sessions.
  ///
  /// - Returns: True if the token existed.
  func remove(_ idOrName: String, by: String) throws -> Bool {
    try pool.change { database in
      try Store.requireCurrentLibrary(database, pool.path)
      let row = try Row.fetchOne(
        database, sql: "SELECT * FROM tokens WHERE id = ? OR name = ? ORDER BY id = ? DESC LIMIT 1",
        arguments: [idOrName, idOrName, idOrName])
      guard let token = row.map({ TokenRecord($0) }) else { return false }
      try Self.remove(token, by: by, in: database)
      return true
    }
  }

  /// Removes a token by its ID, and ends its sessions. A token that can manage the others stays if no other can.
  ///
  /// - Returns: True if the token existed.
  /// - Throws: ``TokenConflict``, or an error of SQLite.
  func remove(id: String, by: String) throws -> Bool {
    try pool.change { database in
      var others = try Self.tokens(database)
      guard let index = others.firstIndex(where: { $0.id.hasSameBytes(as: id) }) else { return false }
      let token = others.remove(at: index)
      guard others.isEmpty || !token.isPublisher || others.contains(where: \.isPublisher) else {
        throw TokenConflict.isLastPublisher
      }
      try Self.remove(token, by: by, in: database)
      return true
    }
  }

  private static func remove(_ token: TokenRecord, by: String, in database: Database) throws {
    try database.execute(sql: "DELETE FROM tokens WHERE id = ?", arguments: [token.id])
    try AuditStore.record(
      "token.remove", of: "tokens/\(token.id)", by: by, detail: "\(token.name), \(token.role)", in: database)
  }

  /// Adds a session, and removes expired and surplus ones.
  func add(_ session: SessionRecord, by: String) throws {
    try pool.change { database in
      let now = Date().timeIntervalSince1970
      try database.execute(sql: "DELETE FROM sessions WHERE expires_at <= ?", arguments: [now])
      try database.execute(
        sql: """
          DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions ORDER BY created_at DESC LIMIT -1 OFFSET ?)
          """, arguments: [Self.maximumSessions - 1])
      try database.execute(
        sql: "INSERT INTO sessions (hash, token, csrf, created_at, expires_at) VALUES (?, ?, ?, ?, ?)",
        arguments: [
          Data(session.hash), session.tokenID, session.csrf, now, session.expiresAt.timeIntervalSince1970,
        ])
      try AuditStore.record("session.open", of: "tokens/\(session.tokenID)", by: by, detail: "", in: database)
    }
  }

  func removeSession(hash: [UInt8]) throws {
    try pool.change { try $0.execute(sql: "DELETE FROM sessions WHERE hash = ?", arguments: [Data(hash)]) }
  }
}
