#if Kafka
  import CKafka
  import EncircleLog
  import EncircleText

  /// The connection settings of a cluster.
  public struct KafkaSettings: Sendable {
    /// `host:port`, several separated by commas.
    public var brokers: String
    /// Further settings of librdkafka, such as `security.protocol`; they replace the ones set here.
    public var options: [(name: String, value: String)] = []

    public init(brokers: String, options: [(name: String, value: String)] = []) {
      self.brokers = brokers
      self.options = options
    }

    /// Creates a configuration of librdkafka.
    ///
    /// - Throws: An error with librdkafka's description of the wrong setting.
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

    /// Creates a client, which owns the configuration.
    static func client(_ kind: rd_kafka_type_t, _ configuration: OpaquePointer) throws(LogError) -> OpaquePointer {
      var problem = [CChar](repeating: 0, count: 512)
      guard let client = rd_kafka_new(kind, configuration, &problem, problem.count) else {
        rd_kafka_conf_destroy(configuration)
        throw .refused("Kafka: \(text(problem))")
      }
      return client
    }

    /// Throws an error if the client has failed for good.
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
