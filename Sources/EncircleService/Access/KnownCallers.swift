import EncircleText
import Foundation
import Synchronization

/// A cache of the tokens and sessions on disk, which another process may change.
final class KnownCallers: Sendable {
  struct Snapshot: Sendable {
    /// The tokens by ID.
    var tokens: [String: TokenRecord] = [:]
    /// The same tokens by hash, for keys of apps, which contain no ID.
    var tokensByHash: [[UInt8]: TokenRecord] = [:]
    var sessions: [[UInt8]: SessionRecord] = [:]
  }

  private struct State {
    var snapshot: Snapshot?
    var readAt = ContinuousClock.now
    /// The number of reads that have begun.
    var reads = 0
    /// The number of the read that returned the snapshot.
    var snapshotRead = 0
  }

  /// The longest time for which a change by another process can go unnoticed.
  private static let age = Duration.seconds(1)
  /// The shortest time between two reads of the disk for unknown tokens.
  private static let minimumAge = Duration.milliseconds(20)
  private let read: @Sendable () async throws -> (tokens: [TokenRecord], sessions: [SessionRecord])
  private let state = Mutex(State())

  /// - Parameter read: Reads the tokens and sessions from disk.
  init(read: @escaping @Sendable () async throws -> (tokens: [TokenRecord], sessions: [SessionRecord])) {
    self.read = read
  }

  /// Returns the cached tokens and sessions, and rereads them when they are too old.
  ///
  /// - Parameter isStale: True if the caller needs something that an earlier snapshot lacked, so that a newer one is required.
  func snapshot(isStale: Bool = false) async throws -> Snapshot {
    let known = state.withLock { state -> Snapshot? in
      let age = ContinuousClock.now - state.readAt
      guard let snapshot = state.snapshot, age < (isStale ? Self.minimumAge : Self.age) else {
        // In the meantime, other threads use the cached values instead of also reading the disk.
        state.readAt = .now
        return nil
      }
      return snapshot
    }
    if let known { return known }
    return try await refresh()
  }

  /// Reads the tokens and sessions from disk, and returns them, or the result of a later read that has ended before.
  @discardableResult
  func refresh() async throws -> Snapshot {
    let number = state.withLock { state in
      state.reads += 1
      return state.reads
    }
    do {
      let (tokens, sessions) = try await read()
      let snapshot = Snapshot(
        tokens: Dictionary(tokens.map { ($0.id, $0) }) { first, _ in first },
        tokensByHash: Dictionary(tokens.map { ($0.hash, $0) }) { first, _ in first },
        sessions: Dictionary(sessions.map { ($0.hash, $0) }) { first, _ in first })
      return state.withLock { state in
        // Reads may end in another order than they began. An earlier one could bring back a token that has been removed.
        if let later = state.snapshot, state.snapshotRead > number { return later }
        (state.snapshot, state.snapshotRead, state.readAt) = (snapshot, number, .now)
        return snapshot
      }
    } catch {
      throw ServiceError.unavailable("The tokens cannot be read: \(error)", code: "storage")
    }
  }

  /// Returns the token with a text; nil if it is unknown or has expired.
  func token(_ text: String) async throws -> TokenRecord? {
    let parts = text.splitBytes(at: "_", maxSplits: 2, omittingEmptySubsequences: false)
    guard text.utf8.count <= 200 else { return nil }
    let id = parts.count == 3 && parts[0] == "encircle" ? String(parts[1]) : nil
    let hash = Secret.hash(of: text)
    for isStale in [false, true] {
      let known = try await snapshot(isStale: isStale)
      if let token = id.flatMap({ known.tokens[$0] }) ?? known.tokensByHash[hash] {
        return Secret.areSame(token.hash, hash) && !token.isExpired() ? token : nil
      }
    }
    return nil
  }

  /// Returns the session of a cookie, with its token.
  func session(_ cookie: String) async throws -> (session: SessionRecord, token: TokenRecord)? {
    guard cookie.utf8.count <= 200 else { return nil }
    // The session is looked up by its hash, so the time of the search reveals nothing about the cookie itself.
    let hash = Secret.hash(of: cookie)
    let snapshot = try await snapshot()
    guard let session = snapshot.sessions[hash], session.expiresAt > Date(),
      let token = snapshot.tokens[session.tokenID], !token.isExpired()
    else { return nil }
    return (session, token)
  }
}
