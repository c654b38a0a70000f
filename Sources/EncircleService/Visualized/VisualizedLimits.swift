import EncircleSDK

/// What connections with running apps may cost, and how long they last.
struct VisualizedLimits: Sendable {
  /// What one message may cost.
  var snapshot = SnapshotLimits()
  /// Connections at a time.
  var connections: Int
  /// The bytes that one connection may send.
  var connectionBytes: Int
  /// Messages of one connection that are read at a time.
  var messagesAtATime: Int
  /// Seconds for which a link may be used.
  var unusedSeconds: Double
  /// Seconds after which a connection ends when the app is silent.
  var idleSeconds: Double
  /// Seconds after which every connection ends.
  var totalSeconds: Double
  /// Seconds without a message after which a connection counts as quiet.
  var quietSeconds = 5.0
  /// Seconds for which an ended connection can still be looked at.
  var keptSeconds = 900.0

  init(_ limits: ServiceLimits = ServiceLimits()) {
    snapshot.messageBytes = limits.appMessageBytes
    snapshot.payloadBytes = limits.appPayloadBytes
    snapshot.objects = limits.appObjects
    snapshot.screenshotBytes = limits.appPictureBytes
    connections = limits.appConnections
    connectionBytes = limits.appConnectionBytes
    messagesAtATime = limits.appMessages
    unusedSeconds = Double(limits.appLinkSeconds)
    idleSeconds = Double(limits.appIdleSeconds)
    totalSeconds = Double(limits.appTotalSeconds)
  }
}
