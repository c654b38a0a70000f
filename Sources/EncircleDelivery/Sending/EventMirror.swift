/// Sends copies of single events to a second receiver, as sa-sdk-ios 4.8 does for advertising servers.
///
/// A copy is sent at once, in a separate request whose body ends with `&sink_name=mirror`. It is never queued or sent again;
/// the event itself goes through the queue like all others.
public struct EventMirror: Sendable {
  private let transport: any Transport
  private let clock: any DeliveryClock
  private let format: RequestFormat

  /// Creates a mirror whose copies go through `transport`.
  public init(transport: any Transport, clock: any DeliveryClock = SystemDeliveryClock()) {
    self.transport = transport
    self.clock = clock
    var format = RequestFormat.sensors
    format.isMirror = true
    self.format = format
  }

  /// Sends a copy of an event, once.
  ///
  /// - Parameter event: A JSON object in UTF-8.
  /// - Throws: ``TransportError`` if there was no complete answer. The receiver may have taken the copy nevertheless.
  @discardableResult public func send(_ event: [UInt8]) async throws(TransportError) -> DeliveryAnswer {
    let batch = EventBatch(id: 0, lane: .normal, events: [QueuedEvent(id: 0, json: event)])
    return try await transport.send(format.request(for: batch, at: clock.now))
  }
}
