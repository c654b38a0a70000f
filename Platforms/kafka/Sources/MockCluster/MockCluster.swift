import CKafka

/// librdkafka's mock cluster: brokers on the loopback address with topics, groups and idempotent producers, which can be
/// made to fail. It has no transactions, and keeps messages in memory.
public final class MockCluster: @unchecked Sendable {
  // Unchecked, because the mock has its own locks.
  private let client: OpaquePointer
  private let cluster: OpaquePointer

  /// The brokers in the form that clients use: `127.0.0.1:40001,127.0.0.1:40002`.
  public var brokers: String { String(cString: rd_kafka_mock_cluster_bootstraps(cluster)) }

  /// Returns nil if the addresses are not available.
  public init?(brokers: Int32 = 3) {
    var problem = [CChar](repeating: 0, count: 512)
    guard let client = rd_kafka_new(RD_KAFKA_PRODUCER, rd_kafka_conf_new(), &problem, problem.count) else { return nil }
    guard let cluster = rd_kafka_mock_cluster_new(client, brokers) else {
      rd_kafka_destroy(client)
      return nil
    }
    self.client = client
    self.cluster = cluster
  }

  deinit {
    rd_kafka_mock_cluster_destroy(cluster)
    rd_kafka_destroy(client)
  }

  public func create(_ topic: String, partitions: Int32 = 4, replicas: Int32 = 3) {
    rd_kafka_mock_topic_create(cluster, topic, partitions, replicas)
  }

  /// Stops a broker, numbered from 1: it closes its connections and accepts no new ones.
  public func setDown(_ broker: Int32) { rd_kafka_mock_broker_set_down(cluster, broker) }

  public func setUp(_ broker: Int32) { rd_kafka_mock_broker_set_up(cluster, broker) }

  /// Delays the answers of a broker to requests that arrive from now on.
  public func delayAnswers(of broker: Int32, milliseconds: Int32) {
    rd_kafka_mock_broker_set_rtt(cluster, broker, milliseconds)
  }

  /// Sets which of the next write requests are refused as too long; each has one batch.
  public func refuseWrites(_ areTooLong: [Bool]) {
    let answers = areTooLong.map { $0 ? RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE : RD_KAFKA_RESP_ERR_NO_ERROR }
    // 0 is the key of write requests in Kafka's protocol.
    rd_kafka_mock_push_request_errors_array(cluster, 0, answers.count, answers)
  }

  /// Denies the next idempotent producer the permission that it needs.
  public func refuseProducer() {
    // 22 is the key of the request with which a producer gets its number.
    rd_kafka_mock_push_request_errors_array(cluster, 22, 1, [RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED])
  }

  /// Denies clients the permission to use a topic.
  public func forbid(_ topic: String) {
    rd_kafka_mock_topic_set_error(cluster, topic, RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED)
  }

  /// The number of messages that brokers have stored for a topic, whether they have been read or not.
  public func written(_ topic: String, partitions: Int32) -> Int {
    let settings = rd_kafka_conf_new()
    rd_kafka_conf_set(settings, "bootstrap.servers", brokers, nil, 0)
    guard let client = rd_kafka_new(RD_KAFKA_PRODUCER, settings, nil, 0) else { return 0 }
    defer { rd_kafka_destroy(client) }
    return (0..<partitions).reduce(0) { sum, partition in
      var (first, end): (Int64, Int64) = (0, 0)
      rd_kafka_query_watermark_offsets(client, topic, partition, &first, &end, 10_000)
      return sum + Int(end - first)
    }
  }
}
