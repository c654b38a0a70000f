#if Kafka
  import EncircleLog
  import Synchronization

  /// A log of topics.
  ///
  /// The producer is idempotent: a message that it sends again is in its topic only once. The key of a message is the user, and
  /// its headers are `stream`, `event-id`, `event-key` and `rules-version`.
  public final class KafkaEventLog: EventLog {
    /// The topics; a stream without one is not logged. Streams may share one.
    public typealias Topics = [LogRecord.Stream: String]

    private let settings: KafkaSettings
    private let topics: Topics
    private let producer: KafkaProducer
    /// Sends each message in its own batch. It is created when brokers refuse a batch as too long.
    private let single = Mutex<KafkaProducer?>(nil)

    /// - Throws: An error for a wrong setting. An unreachable broker is noticed only when something is written.
    public init(_ settings: KafkaSettings, topics: Topics) throws(LogError) {
      producer = try KafkaProducer(settings, topics: topics)
      self.settings = settings
      self.topics = topics
    }

    public func append(_ records: [LogRecord]) async throws(LogError) {
      let places = records.indices.filter { topics[records[$0].stream] != nil }
      if places.isEmpty { return }
      let refused = try await producer.send(records, at: places)
      if refused.isEmpty { return }
      // Brokers refuse a batch as a whole. A record is too long only if they refuse it alone.
      let tooLong = try await singleProducer().send(records, at: refused)
      if !tooLong.isEmpty { throw .tooLong(tooLong) }
    }

    private func singleProducer() throws(LogError) -> KafkaProducer {
      try single.withLock { single throws(LogError) -> KafkaProducer in
        if let single { return single }
        // A producer created after `close` would never be closed.
        try producer.checkWritable()
        var settings = settings
        settings.options.append(("batch.num.messages", "1"))
        let made = try KafkaProducer(settings, topics: topics)
        single = made
        return made
      }
    }

    /// - Throws: An error from which librdkafka cannot recover; the process must then be restarted.
    public func checkWritable() throws(LogError) {
      try producer.checkWritable()
      try single.withLock { $0 }?.checkWritable()
    }

    /// Waits until every message has been delivered or given up.
    public func close() async {
      await producer.close()
      await single.withLock { $0 }?.close()
    }
  }
#endif
