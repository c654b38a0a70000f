#if Kafka
  import CKafka
  import EncircleLog
  import EncircleText
  import Foundation
  import Synchronization

  /// A log of topics.
  ///
  /// The producer is idempotent, so that what it sends again is in a topic once. The key of a message is the user, and its headers
  /// are `stream`, `event-id`, `event-key` and `rules-version`.
  public final class KafkaEventLog: EventLog {
    /// The topics; a stream without one is not logged. Streams may share one.
    public typealias Topics = [LogRecord.Stream: String]

    /// The answers to the messages of one call.
    private final class Ticket: Sendable {
      private struct State {
        var open: Int
        var failure: LogError?
        var done: CheckedContinuation<LogError?, Never>?
      }
      private let state: Mutex<State>

      init(_ count: Int, _ done: CheckedContinuation<LogError?, Never>) {
        state = Mutex(State(open: count, failure: nil, done: done))
      }

      func answer(_ code: rd_kafka_resp_err_t) {
        let end = state.withLock { state -> (CheckedContinuation<LogError?, Never>, LogError?)? in
          state.open -= 1
          if code != RD_KAFKA_RESP_ERR_NO_ERROR, state.failure == nil { state.failure = LogError(code) }
          guard state.open == 0, let done = state.done else { return nil }
          state.done = nil
          return (done, state.failure)
        }
        if let (done, failure) = end { done.resume(returning: failure) }
      }
    }

    /// librdkafka's client is safe to use from several threads.
    private struct Client: @unchecked Sendable {
      let handle: OpaquePointer
    }

    private let client: Client
    private let topics: Topics
    private let isClosed = Atomic(false)
    private let closed = DispatchSemaphore(value: 0)

    /// - Throws: What is wrong with a setting. An unreachable broker is noticed only when something is written.
    public init(_ settings: KafkaSettings, topics: Topics) throws(LogError) {
      let configuration = try settings.configuration([
        ("enable.idempotence", "true"), ("linger.ms", "5"), ("compression.codec", "lz4"),
        // Short, because an SDK is waiting for the answer.
        ("message.timeout.ms", "10000"), ("reconnect.backoff.max.ms", "1000"),
        ("queue.buffering.max.messages", "500000"), ("queue.buffering.max.kbytes", "262144"),
      ])
      rd_kafka_conf_set_dr_msg_cb(configuration) { _, message, _ in
        guard let message, let opaque = message.pointee._private else { return }
        Unmanaged<Ticket>.fromOpaque(opaque).takeRetainedValue().answer(message.pointee.err)
      }
      client = Client(handle: try KafkaSettings.client(RD_KAFKA_PRODUCER, configuration))
      self.topics = topics
      // Delivery reports are given in the thread that polls.
      Thread.detachNewThread { [self] in
        while !isClosed.load(ordering: .acquiring) || rd_kafka_outq_len(client.handle) > 0 {
          rd_kafka_poll(client.handle, 50)
        }
        closed.signal()
      }
    }

    public func append(_ records: [LogRecord]) async throws(LogError) {
      let records = records.filter { topics[$0.stream] != nil }
      if records.isEmpty { return }
      try checkWritable()
      let failure = await withCheckedContinuation { done in
        let ticket = Ticket(records.count, done)
        for record in records {
          let opaque = Unmanaged.passRetained(ticket)
          let code = produce(record, opaque.toOpaque())
          guard code != RD_KAFKA_RESP_ERR_NO_ERROR else { continue }
          opaque.release()
          ticket.answer(code)
        }
      }
      if let failure { throw failure }
    }

    private func produce(_ record: LogRecord, _ opaque: UnsafeMutableRawPointer) -> rd_kafka_resp_err_t {
      guard let topic = topics[record.stream] else { return RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC }
      var headers: [(name: StaticString, value: [UInt8])] = [("stream", Array(record.stream.rawValue.utf8))]
      if let id = record.eventID { headers.append(("event-id", Array(Hexadecimal.text(id).utf8))) }
      if let key = record.eventKey { headers.append(("event-key", Array(key.utf8))) }
      headers.append(("rules-version", Array(record.rulesVersion.utf8)))
      // One text holds the values, so that a single pointer keeps all of them in place.
      let values = headers.flatMap(\.value)
      return values.withUnsafeBytes { values in
        var start = 0
        let list = headers.map { header in
          defer { start += header.value.count }
          return ckafka_header(
            name: UnsafeRawPointer(header.name.utf8Start).assumingMemoryBound(to: CChar.self),
            value: values.baseAddress.map { $0 + start }, length: header.value.count)
        }
        return record.json.withUnsafeBytes { json in
          guard let key = record.key else {
            return ckafka_produce(
              client.handle, topic, nil, 0, json.baseAddress, json.count, list, list.count, opaque)
          }
          return key.withUnsafeBytes {
            ckafka_produce(
              client.handle, topic, $0.baseAddress, $0.count, json.baseAddress, json.count, list, list.count, opaque)
          }
        }
      }
    }

    /// - Throws: After an error from which librdkafka cannot recover; the process must then be started anew.
    public func checkWritable() throws(LogError) {
      if isClosed.load(ordering: .acquiring) { throw .refused("the log is closed") }
      try KafkaSettings.checkForFatalError(of: client.handle)
    }

    /// Waits until every message has been delivered or given up.
    public func close() async {
      guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
      await withCheckedContinuation { done in
        Thread.detachNewThread { [self] in
          closed.wait()
          rd_kafka_destroy(client.handle)
          done.resume()
        }
      }
    }
  }
#endif
