/// A model of how an SDK reacts to what happens in its app.
///
/// A model is deterministic: the same signals give the same records. It keeps only the state that the app's process and the
/// device would keep, and not the signals themselves.
public protocol SDKModel {
  /// Creates a device on which the app has never run.
  init(configuration: SessionConfiguration, limits: SessionLimits) throws(SessionModelError)

  /// The number of processes so far.
  var life: Int { get }

  /// Performs a signal, and appends the SDK's reaction to the output.
  ///
  /// - Throws: ``SessionModelError`` for a signal that cannot happen now; the replay cannot continue after it.
  mutating func perform(_ signal: Signal, into output: inout ReplayOutput) throws(SessionModelError)
}

/// An error for a signal that cannot happen.
public struct SessionModelError: Error, Sendable, CustomStringConvertible {
  /// A description of the problem, without its place.
  public var description: String

  init(_ description: String) { self.description = description }
}
