import NIOCore

/// The request that the current task answers, for code that its handler calls.
///
/// This is a class with properties rather than a closure, because closures as task-local values crash optimised builds of Swift
/// 6.3.
final class RequestScope: Sendable {
  @TaskLocal static var current: RequestScope?

  /// The memory for bodies that the request holds.
  let memory: BodyMemory.Share
  /// The connection of the client, which is inactive when the client has disconnected.
  let channel: any Channel

  init(memory: BodyMemory.Share, channel: any Channel) {
    self.memory = memory
    self.channel = channel
  }
}
