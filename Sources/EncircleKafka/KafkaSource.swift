#if Kafka
  import CKafka
  import EncircleLog

  /// Reads a topic as a member of a consumer group. Offsets are committed only on request, so messages that were read but not
  /// processed are read again (at-least-once delivery).
  public final class KafkaSource {
    /// A message.
    public struct Message: Sendable {
      public var key: [UInt8]?
      public var value: [UInt8]
      public var headers: [(name: String, value: [UInt8])]
    }

    private static let maximumCloseTime = Duration.seconds(5)

    private let client: OpaquePointer
    // For each partition read since the last commit, its next offset.
    private var offsets: [Int32: Int64] = [:]
    private let topic: String

    /// - Throws: An error for a wrong setting.
    public init(_ settings: KafkaSettings, topic: String, group: String) throws(LogError) {
      self.topic = topic
      let configuration = try settings.configuration([
        ("group.id", group), ("enable.auto.commit", "false"), ("enable.auto.offset.store", "false"),
        ("auto.offset.reset", "earliest"), ("enable.partition.eof", "false"),
      ])
      client = try KafkaSettings.client(RD_KAFKA_CONSUMER, configuration)
      rd_kafka_poll_set_consumer(client)
      let topics = rd_kafka_topic_partition_list_new(1)
      defer { rd_kafka_topic_partition_list_destroy(topics) }
      rd_kafka_topic_partition_list_add(topics, topic, -1)
      let code = rd_kafka_subscribe(client, topics)
      guard code == RD_KAFKA_RESP_ERR_NO_ERROR else { throw LogError(code) }
    }

    /// Leaves the group. `rd_kafka_consumer_close` has no timeout, and would wait for a commit that no broker answers.
    deinit {
      let events = rd_kafka_queue_new(client)
      if let error = rd_kafka_consumer_close_queue(client, events) { rd_kafka_error_destroy(error) }
      let deadline = ContinuousClock.now + Self.maximumCloseTime
      while rd_kafka_consumer_closed(client) == 0, ContinuousClock.now < deadline {
        if let event = rd_kafka_queue_poll(events, 100) { rd_kafka_event_destroy(event) }
      }
      rd_kafka_queue_destroy(events)
      rd_kafka_destroy_flags(client, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE)
    }

    /// Waits for the first message, and returns all that are available; an empty array if none arrives in time.
    ///
    /// - Throws: An error after which none would ever arrive, such as a missing permission.
    public func next(atMost limit: Int, milliseconds: Int32) throws(LogError) -> [Message] {
      let deadline = ContinuousClock.now + .milliseconds(milliseconds)
      var messages: [Message] = []
      while messages.count < limit {
        // Errors also arrive as messages. After one, only the remaining time is left to wait.
        let rest = messages.isEmpty ? max(0, Int32((deadline - ContinuousClock.now) / .milliseconds(1))) : 0
        guard let message = rd_kafka_consumer_poll(client, rest) else { break }
        defer { rd_kafka_message_destroy(message) }
        let found = message.pointee
        switch found.err {
        case RD_KAFKA_RESP_ERR_NO_ERROR: break
        // librdkafka continues without help when the cluster comes back or the topic is created.
        case RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN, RD_KAFKA_RESP_ERR__TRANSPORT, RD_KAFKA_RESP_ERR__PARTITION_EOF,
          RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART, RD_KAFKA_RESP_ERR__RESOLVE:
          continue
        // librdkafka tries again without end, but only somebody else can change this.
        case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED, RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED:
          throw .refused("Kafka: \(String(cString: rd_kafka_message_errstr(message)))")
        default:
          try KafkaSettings.checkForFatalError(of: client)
          continue
        }
        let value = UnsafeRawBufferPointer(start: found.payload, count: found.len)
        let key = found.key.map { Array(UnsafeRawBufferPointer(start: $0, count: found.key_len)) }
        messages.append(Message(key: key, value: Array(value), headers: Self.headers(of: message)))
        offsets[found.partition] = found.offset + 1
      }
      return messages
    }

    private static func headers(of message: UnsafeMutablePointer<rd_kafka_message_t>) -> [(
      name: String, value: [UInt8]
    )] {
      var list: OpaquePointer?
      guard rd_kafka_message_headers(message, &list) == RD_KAFKA_RESP_ERR_NO_ERROR, let list else { return [] }
      return (0..<rd_kafka_header_cnt(list)).compactMap { number in
        var name: UnsafePointer<CChar>?
        var value: UnsafeRawPointer?
        var count = 0
        guard rd_kafka_header_get_all(list, number, &name, &value, &count) == RD_KAFKA_RESP_ERR_NO_ERROR, let name
        else {
          return nil
        }
        return (String(cString: name), Array(UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : count)))
      }
    }

    /// Commits the offsets of all messages that ``next(atMost:milliseconds:)`` has returned. If the brokers do not answer in time,
    /// these messages may be read again.
    ///
    /// - Throws: An error that is neither the loss of a connection nor of a partition, such as a missing permission.
    public func commit(milliseconds: Int32 = 10_000) throws(LogError) {
      if offsets.isEmpty { return }
      let list = rd_kafka_topic_partition_list_new(Int32(offsets.count))
      defer { rd_kafka_topic_partition_list_destroy(list) }
      for (partition, offset) in offsets {
        rd_kafka_topic_partition_list_add(list, topic, partition).pointee.offset = offset
      }
      switch commit(list, milliseconds) {
      case RD_KAFKA_RESP_ERR_NO_ERROR: break
      // Another member of the group has the partitions now, and will read the uncommitted messages again.
      case RD_KAFKA_RESP_ERR_ILLEGAL_GENERATION, RD_KAFKA_RESP_ERR_UNKNOWN_MEMBER_ID,
        RD_KAFKA_RESP_ERR_REBALANCE_IN_PROGRESS:
        break
      // librdkafka goes on looking for the group's coordinator. The group may give the partitions to another member meanwhile,
      // whose later offsets must not be replaced.
      case RD_KAFKA_RESP_ERR__WAIT_COORD, RD_KAFKA_RESP_ERR__TRANSPORT, RD_KAFKA_RESP_ERR__TIMED_OUT,
        RD_KAFKA_RESP_ERR_NOT_COORDINATOR, RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE,
        RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS, RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT:
        break
      case let code: throw LogError(code)
      }
      offsets.removeAll(keepingCapacity: true)
    }

    /// Commits offsets, and waits for the result. `rd_kafka_commit` has no timeout: librdkafka repeats a request without end if the
    /// broker fails before it has answered.
    private func commit(_ offsets: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>?, _ milliseconds: Int32)
      -> rd_kafka_resp_err_t
    {
      let results = rd_kafka_queue_new(client)
      defer { rd_kafka_queue_destroy(results) }
      let code = rd_kafka_commit_queue(client, offsets, results, nil, nil)
      guard code == RD_KAFKA_RESP_ERR_NO_ERROR else { return code }
      guard let result = rd_kafka_queue_poll(results, milliseconds) else { return RD_KAFKA_RESP_ERR__TIMED_OUT }
      defer { rd_kafka_event_destroy(result) }
      return rd_kafka_event_error(result)
    }
  }
#endif
