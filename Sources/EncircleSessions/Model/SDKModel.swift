/// A model of what an SDK does when things happen in the app that it is in.
///
/// A model is deterministic: the same signals give the same records. It keeps what the app's process and the device would
/// keep, and nothing of the signals themselves.
public protocol SDKModel {
  /// Creates a device on which the app has never run.
  init(configuration: SessionConfiguration, limits: SessionLimits) throws(SessionModelError)

  /// The number of processes so far.
  var life: Int { get }

  /// Performs a signal, and appends what the SDK would have done.
  ///
  /// - Throws: ``SessionModelError`` for a signal that cannot happen now; then the session cannot go on.
  mutating func perform(_ signal: Signal, into output: inout ReplayOutput) throws(SessionModelError)
}

/// Why a signal cannot happen: what is wrong with it, in words.
public struct SessionModelError: Error, Sendable, CustomStringConvertible {
  /// The problem in words, without its place.
  public var description: String

  init(_ description: String) { self.description = description }
}
