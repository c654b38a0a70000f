import EncircleEvents
import EncircleIdentity
import EncircleSDK
import Foundation
import Synchronization

/// A connection with a running app, from its link to its end.
final class VisualizedConnection: Sendable {
  enum Phase: String, Codable, Sendable {
    /// Nobody has opened the link yet.
    case waiting
    case connected
    /// The app is silent, as in the background.
    case quiet
    case ended
  }

  /// The part of a screen that the service shows.
  struct Screen: Sendable {
    let revision: Int
    var snapshot: SnapshotScreen
    /// The picture without typed texts; nil if they cannot be covered.
    let picture: CoveredPicture?
    /// The elements as JSON.
    let elements: [UInt8]
    let title: String?
    let page: String?
  }

  /// The app's description of itself. Messages of a second app or a second phone are refused. When a phone changes networks,
  /// its address changes. No more messages then come from the old address.
  struct Peer: Hashable, Sendable {
    var appID: String?
    var os: String?
    var address: String?
  }

  private struct State {
    var peer: Peer?
    var about: SnapshotMessage?
    var lastSeen: Date?
    var endedAt: Date?
    var arrivals = 0
    var shownArrival = 0
    /// The messages that are being read, by their number in the order of arrival.
    var reading: Set<Int> = []
    var bytes = 0
    var screen: Screen?
    /// The previous screens, latest first, and the screens that somebody looks at.
    var recent: [Screen] = []
    var held: [Screen] = []
    /// The digests of the latest reported events, and their order.
    var events: Set<EventID> = []
    var eventOrder: [EventID] = []
  }

  /// The public name of the connection; it does not authorise posting.
  let id: String
  /// The secret of the link.
  let code: String
  let link: FeatureLink
  let ruleSet: String
  let createdAt: Date
  let feed = ConnectionFeed()
  /// Seconds without a message after which a connection counts as quiet.
  private static let quietSeconds = 5.0
  /// The number of seconds without a message after which another address may belong to the same phone. An app posts every
  /// second.
  private static let movedSeconds = 1.5
  /// The number of previous screens that can still be held, and of held screens.
  private static let maximumRecent = 3
  private static let maximumHeld = 4
  /// The number of events that are remembered for recognising repeats.
  private static let maximumEvents = 1_000
  private let limits: ServiceLimits
  private let state = Mutex(State())

  init(id: String, code: String, link: FeatureLink, ruleSet: String, at now: Date, limits: ServiceLimits) {
    self.id = id
    self.code = code
    self.link = link
    self.ruleSet = ruleSet
    self.limits = limits
    createdAt = now
  }

  // MARK: - Looking

  /// The facts about the connection at a moment.
  struct Facts: Sendable {
    var phase: Phase
    var about: SnapshotMessage?
    var lastSeen: Date?
    var expiresAt: Date
    var endedAt: Date?
    var screen: Screen?
  }

  func facts(at now: Date) -> Facts {
    state.withLock { state in
      let expiresAt = expiry(state)
      let endedAt = state.endedAt ?? (expiresAt <= now ? expiresAt : nil)
      let phase: Phase =
        if endedAt != nil {
          .ended
        } else if let lastSeen = state.lastSeen {
          now.timeIntervalSince(lastSeen) > Self.quietSeconds ? .quiet : .connected
        } else {
          .waiting
        }
      return Facts(
        phase: phase, about: state.about, lastSeen: state.lastSeen, expiresAt: endedAt ?? expiresAt, endedAt: endedAt,
        screen: state.screen)
    }
  }

  private func expiry(_ state: State) -> Date {
    let total = createdAt + Double(limits.appTotalSeconds)
    guard let lastSeen = state.lastSeen else { return min(total, createdAt + Double(limits.appLinkSeconds)) }
    return min(total, lastSeen + Double(limits.appIdleSeconds))
  }

  func end(at now: Date) {
    let wasLive = state.withLock { state in
      defer { state.endedAt = state.endedAt ?? now }
      return state.endedAt == nil
    }
    if wasLive { feed.publish { $0.hasState = true } }
  }

  // MARK: - Messages

  /// Admits a message when it begins to arrive.
  ///
  /// - Returns: The message's number in the order of arrival.
  /// - Throws: ``ServiceError`` with 503 if too many messages are being read. The app ignores that status.
  func begin() throws -> Int {
    let number = state.withLock { state -> Int? in
      guard state.reading.count < limits.appMessages else { return nil }
      state.arrivals += 1
      state.reading.insert(state.arrivals)
      return state.arrivals
    }
    guard let number else {
      throw ServiceError.unavailable(
        "Too many messages of this connection are being read.", code: "busy", retryAfter: 1)
    }
    return number
  }

  /// Records that reading a message has ended, successfully or not.
  func finish(_ arrival: Int, bytes: Int, at now: Date) {
    let isExhausted = state.withLock { state in
      state.reading.remove(arrival)
      state.bytes += bytes
      return state.bytes > limits.appConnectionBytes
    }
    if isExhausted { end(at: now) }
  }

  /// Makes the sender of a message the app of this connection, if it is the first sender.
  ///
  /// - Returns: True if it is the app of this connection.
  func admits(_ peer: Peer, _ message: SnapshotMessage, at now: Date) -> Bool {
    let (isAdmitted, isFirst) = state.withLock { state -> (Bool, Bool) in
      if var known = state.peer, known != peer {
        known.address = peer.address
        let silence = now.timeIntervalSince(state.lastSeen ?? createdAt)
        guard known == peer, silence >= Self.movedSeconds else { return (false, false) }
      }
      let isFirst = state.peer == nil
      state.peer = peer
      state.lastSeen = max(now, state.lastSeen ?? now)
      state.about = message.withoutPayload
      return (true, isFirst)
    }
    if isFirst { feed.publish { $0.hasState = true } }
    return isAdmitted
  }

  /// Returns whether an event is new to this connection, and remembers it.
  ///
  /// - Complexity: O(length of the event).
  func isNew(_ event: EventObject) -> Bool {
    let digest = EventValue.object(event).json.withUnsafeBytes { EventID(identity: $0) }
    return state.withLock { state in
      guard state.events.insert(digest).inserted else { return false }
      state.eventOrder.append(digest)
      if state.eventOrder.count > Self.maximumEvents {
        for old in state.eventOrder.prefix(Self.maximumEvents / 2) { state.events.remove(old) }
        state.eventOrder.removeFirst(Self.maximumEvents / 2)
      }
      return true
    }
  }

  /// The screen that is shown.
  var screen: Screen? { state.withLock { $0.screen } }

  /// Returns the screen that is shown, and whether a message that arrived before another one is still being read.
  func screen(before arrival: Int) -> (screen: Screen?, isLate: Bool) {
    state.withLock { state in (screen: state.screen, isLate: state.reading.contains { $0 < arrival }) }
  }

  /// Returns a screen that is shown, was shown recently, or is held; nil if it is gone.
  func screen(_ revision: Int) -> Screen? {
    state.withLock { state in
      ([state.screen].compactMap { $0 } + state.recent + state.held).first { $0.revision == revision }
    }
  }

  /// Keeps a screen for a person who circles on it, even after the app has moved on. Only the most recently held screens are kept.
  ///
  /// - Returns: True if the screen still exists.
  func hold(_ revision: Int) -> Bool {
    guard let screen = screen(revision) else { return false }
    state.withLock { state in
      state.held.removeAll { $0.revision == revision }
      state.held.append(screen)
      if state.held.count > Self.maximumHeld { state.held.removeFirst() }
    }
    return true
  }

  /// Shows a screen, unless a later one is already shown. What was typed is remembered in any order of the messages.
  func show(_ snapshot: SnapshotScreen, picture: CoveredPicture?, elements: [UInt8], arrival: Int) {
    let revision = state.withLock { state -> Int? in
      guard arrival > state.shownArrival, state.endedAt == nil else {
        state.screen?.snapshot.rememberTypedTexts(of: snapshot)
        return nil
      }
      var remembering = snapshot
      state.shownArrival = arrival
      let revision = (state.screen?.revision ?? 0) + 1
      if let screen = state.screen {
        // It may be a later one than the one after which this message was read.
        remembering.rememberTypedTexts(of: screen.snapshot)
        state.recent = [screen] + state.recent.prefix(Self.maximumRecent - 1)
      }
      state.screen = Screen(
        revision: revision, snapshot: remembering, picture: picture, elements: elements, title: snapshot.title,
        page: snapshot.page)
      return revision
    }
    if let revision { feed.publish { $0.screen = revision } }
  }
}
