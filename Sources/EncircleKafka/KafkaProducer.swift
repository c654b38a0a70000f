#if Kafka
  import CKafka
  import EncircleLog
  import EncircleText
  import Foundation
  import Synchronization

  /// A producer of librdkafka, with a thread that takes its delivery reports. It is idempotent: a message that it sends again
  /// is in its topic only once.
  final class KafkaProducer: Sendable {
    /// The positions of the records that are too long for librdkafka or a broker, or the reason why not all of the others are
    /// acknowledged.
    typealias Answer = Result<[Int], LogError>

    /// The answers to the messages of one call.
    private final class Ticket: Sendable {
      private struct State {
        var open: Int
        var tooLong: [Int] = []
        var failure: LogError?
        var done: CheckedContinuation<Answer, Never>?
      }
      private let state: Mutex<State>

      init(_ count: Int, _ done: CheckedContinuation<Answer, Never>) { state = Mutex(State(open: count, done: done)) }

      func answer(_ place: Int, _ code: rd_kafka_resp_err_t) {
        let end = state.withLock { state -> (CheckedContinuation<Answer, Never>, Answer)? in
          state.open -= 1
          if code == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE {
            state.tooLong.append(place)
          } else if code != RD_KAFKA_RESP_ERR_NO_ERROR, state.failure == nil {
            state.failure = LogError(code)
          }
          guard state.open == 0, let done = state.done else { return nil }
          state.done = nil
          return (done, state.failure.map { Answer.failure($0) } ?? .success(state.tooLong.sorted()))
        }
        if let (done, answer) = end { done.resume(returning: answer) }
      }
    }

    /// A message under way.
    private final class Message: Sendable {
      let place: Int
      let ticket: Ticket

      init(_ place: Int, _ ticket: Ticket) {
        self.place = place
        self.ticket = ticket
      }
    }

    /// librdkafka's client is safe to use from several threads.
    private struct Client: @unchecked Sendable {
      let handle: OpaquePointer
    }

    private let client: Client
    private let topics: KafkaEventLog.Topics
    private let isClosed = Atomic(false)
    private let closed = DispatchSemaphore(value: 0)

    /// - Throws: An error for a wrong setting.
    init(_ settings: KafkaSettings, topics: KafkaEventLog.Topics) throws(LogError) {
      let configuration = try settings.configuration([
        ("enable.idempotence", "true"), ("linger.ms", "5"), ("compression.codec", "lz4"),
        // The timeout is short, because an SDK is waiting for the answer.
        ("message.timeout.ms", "10000"), ("reconnect.backoff.max.ms", "1000"),
        ("queue.buffering.max.messages", "500000"), ("queue.buffering.max.kbytes", "262144"),
        // This is the largest possible value, because only the brokers know their limit. A record is longer than its event: it
        // also has the decision, or the escapes of a reject.
        ("message.max.bytes", "1000000000"),
      ])
      rd_kafka_conf_set_dr_msg_cb(configuration) { _, report, _ in
        guard let report, let opaque = report.pointee._private else { return }
        let message = Unmanaged<Message>.fromOpaque(opaque).takeRetainedValue()
        message.ticket.answer(message.place, report.pointee.err)
      }
      client = Client(handle: try KafkaSettings.client(RD_KAFKA_PRODUCER, configuration))
      self.topics = topics
      // librdkafka delivers its reports in the thread that polls.
      Thread.detachNewThread { [self] in
        while !isClosed.load(ordering: .acquiring) || rd_kafka_outq_len(client.handle) > 0 {
          rd_kafka_poll(client.handle, 50)
        }
        closed.signal()
      }
    }

    /// Sends the records at the given positions, each of which must have a topic.
    ///
    /// - Returns: The positions of the records that were refused because they, or their batches, are too long; all others are
    ///   acknowledged.
    func send(_ records: [LogRecord], at places: [Int]) async throws(LogError) -> [Int] {
      try checkWritable()
      let answer = await withCheckedContinuation { (done: CheckedContinuation<Answer, Never>) in
        let ticket = Ticket(places.count, done)
        for place in places {
          let opaque = Unmanaged.passRetained(Message(place, ticket))
          let code = produce(records[place], opaque.toOpaque())
          guard code != RD_KAFKA_RESP_ERR_NO_ERROR else { continue }
          opaque.release()
          ticket.answer(place, code)
        }
      }
      return try answer.get()
    }

    private func produce(_ record: LogRecord, _ opaque: UnsafeMutableRawPointer) -> rd_kafka_resp_err_t {
      guard let topic = topics[record.stream] else { return RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC }
      var headers: [(name: StaticString, value: [UInt8])] = [("stream", Array(record.stream.rawValue.utf8))]
      if let id = record.eventID { headers.append(("event-id", Array(Hexadecimal.text(id).utf8))) }
      if let key = record.eventKey { headers.append(("event-key", Array(key.utf8))) }
      headers.append(("rules-version", Array(record.rulesVersion.utf8)))
      // One text holds all values, so a single pointer keeps them in place.
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

    /// - Throws: An error from which librdkafka cannot recover; the process must then be restarted.
    func checkWritable() throws(LogError) {
      if isClosed.load(ordering: .acquiring) { throw .refused("the log is closed") }
      try KafkaSettings.checkForFatalError(of: client.handle)
    }

    /// Waits until every message has been delivered or given up.
    func close() async {
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
