#if Kafka
  import CKafka
  import EncircleLog
  import EncircleText

  /// How a cluster is reached.
  public struct KafkaSettings: Sendable {
    /// `host:port`, several separated by commas.
    public var brokers: String
    /// Further settings of librdkafka, such as `security.protocol`; they take the place of those that are set here.
    public var options: [(name: String, value: String)] = []

    public init(brokers: String, options: [(name: String, value: String)] = []) {
      self.brokers = brokers
      self.options = options
    }

    /// A configuration of librdkafka.
    ///
    /// - Throws: What is wrong with a setting, in librdkafka's words.
    func configuration(_ defaults: [(name: String, value: String)]) throws(LogError) -> OpaquePointer {
      guard let configuration = rd_kafka_conf_new() else { throw .refused("librdkafka has no memory") }
      var problem = [CChar](repeating: 0, count: 512)
      let all = [("bootstrap.servers", brokers), ("client.id", "encircle"), ("log_level", "3")] + defaults + options
      for (name, value) in all
      where rd_kafka_conf_set(configuration, name, value, &problem, problem.count) != RD_KAFKA_CONF_OK {
        rd_kafka_conf_destroy(configuration)
        throw .refused("Kafka: \(Self.text(problem))")
      }
      return configuration
    }

    /// Makes a client, which owns the configuration.
    static func client(_ kind: rd_kafka_type_t, _ configuration: OpaquePointer) throws(LogError) -> OpaquePointer {
      var problem = [CChar](repeating: 0, count: 512)
      guard let client = rd_kafka_new(kind, configuration, &problem, problem.count) else {
        rd_kafka_conf_destroy(configuration)
        throw .refused("Kafka: \(text(problem))")
      }
      return client
    }

    /// Throws the error from which a client cannot recover, if it has met one.
    static func checkForFatalError(of client: OpaquePointer) throws(LogError) {
      var problem = [CChar](repeating: 0, count: 512)
      guard rd_kafka_fatal_error(client, &problem, problem.count) == RD_KAFKA_RESP_ERR_NO_ERROR else {
        throw .refused("Kafka: \(text(problem))")
      }
    }

    private static func text(_ bytes: [CChar]) -> String {
      String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  extension LogError {
    init(_ code: rd_kafka_resp_err_t) {
      self =
        code == RD_KAFKA_RESP_ERR__QUEUE_FULL ? .full : .refused("Kafka: \(String(cString: rd_kafka_err2str(code)))")
    }
  }
#endif
