import EncircleVisualized

/// What connections with running apps may cost, and how long they last.
struct VisualizedLimits: Sendable {
  /// What one message may cost.
  var snapshot = SnapshotLimits()
  /// Connections at a time.
  var connections = 64
  /// The bytes that one connection may send: some hours of changing screens.
  var connectionBytes = 8 << 30
  /// Messages of one connection that are read at a time. An app sends one each second, without waiting for answers.
  var messagesAtATime = 6
  /// Seconds for which a link may be used.
  var unusedSeconds = 600.0
  /// Seconds after which a connection ends when the app is silent.
  var idleSeconds = 600.0
  /// Seconds after which every connection ends.
  var totalSeconds = 14_400.0
  /// Seconds without a message after which a connection counts as quiet.
  var quietSeconds = 5.0
  /// Seconds for which an ended connection can still be looked at.
  var keptSeconds = 900.0
}
