import EncircleSDK
import Foundation
import Synchronization

/// The connections with running apps. They are in memory only, and end with the service.
final class VisualizedConnections: Sendable {
  private struct State {
    var byID: [String: VisualizedConnection] = [:]
    var byCode: [String: VisualizedConnection] = [:]
  }

  /// The number of seconds for which an ended connection can still be viewed.
  private static let keptSeconds = 900.0

  let limits: ServiceLimits
  private let clock: @Sendable () -> Date
  private let state = Mutex(State())

  init(limits: ServiceLimits = ServiceLimits(), clock: @escaping @Sendable () -> Date = { Date() }) {
    self.limits = limits
    self.clock = clock
  }

  var now: Date { clock() }

  /// Creates a connection with a code of 192 random bits.
  ///
  /// - Throws: ``ServiceError`` with 503 if there are too many connections.
  func open(_ link: FeatureLink, ruleSet: String) throws -> VisualizedConnection {
    let now = now
    sweep(now)
    let connection = VisualizedConnection(
      id: Secret.randomText(bytes: 9), code: Secret.randomText(bytes: 24), link: link, ruleSet: ruleSet, at: now,
      limits: limits)
    let isAdmitted = state.withLock { state in
      guard state.byCode.values.count(where: { $0.facts(at: now).endedAt == nil }) < limits.appConnections else {
        return false
      }
      state.byID[connection.id] = connection
      state.byCode[connection.code] = connection
      return true
    }
    guard isAdmitted else {
      throw ServiceError.unavailable(
        "There are \(limits.appConnections) connections already.", code: "too-many-connections", retryAfter: 60)
    }
    return connection
  }

  /// Returns the connection to which an app with this code may post; nil if it is unknown, expired or ended.
  func live(_ code: String) -> VisualizedConnection? {
    let now = now
    // The connection is looked up by a hash, so the time does not reveal how much of a guess is right.
    return state.withLock { $0.byCode[code] }.flatMap { $0.facts(at: now).endedAt == nil ? $0 : nil }
  }

  /// Returns all connections, newest first.
  func all() -> [VisualizedConnection] {
    sweep(now)
    return state.withLock { Array($0.byID.values) }.sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
  }

  /// - Throws: ``ServiceError`` with 404.
  func connection(_ id: String) throws -> VisualizedConnection {
    sweep(now)
    guard let connection = state.withLock({ $0.byID[id] }) else {
      throw ServiceError.notFound("There is no connection with this id, or it is gone.")
    }
    return connection
  }

  /// Ends and forgets a connection.
  func remove(_ id: String) throws {
    let connection = try connection(id)
    connection.end(at: now)
    forget([connection])
  }

  private func sweep(_ now: Date) {
    let old = state.withLock { state in
      state.byID.values.filter { connection in
        connection.facts(at: now).endedAt.map { now.timeIntervalSince($0) > Self.keptSeconds } ?? false
      }
    }
    if !old.isEmpty { forget(old) }
  }

  private func forget(_ connections: [VisualizedConnection]) {
    state.withLock { state in
      for connection in connections {
        state.byID[connection.id] = nil
        state.byCode[connection.code] = nil
      }
    }
  }
}
