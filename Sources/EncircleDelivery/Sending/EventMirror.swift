/// Sends copies of single events to a second receiver, as sa-sdk-ios 4.8 does for advertising servers.
///
/// A copy is sent at once, in a request of its own whose body ends with `&sink_name=mirror`. It is in no queue and is never
/// sent again, whatever becomes of it; the event itself goes through the queue as all others do.
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
  /// - Throws: ``TransportError`` if there was no complete answer. The receiver may have taken the copy all the same.
  @discardableResult public func send(_ event: [UInt8]) async throws(TransportError) -> DeliveryAnswer {
    let batch = EventBatch(id: 0, lane: .normal, events: [QueuedEvent(id: 0, json: event)])
    return try await transport.send(format.request(for: batch, at: clock.now))
  }
}
