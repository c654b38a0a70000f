import ArgumentParser
import EncircleLog
import EncircleText

#if Kafka
  import EncircleKafka
#endif

/// The options for a Kafka cluster.
struct KafkaOptions: ParsableArguments {
  @Option(
    name: .customLong("kafka"),
    help: ArgumentHelp(
      "Use the topics of these brokers (host:port, separated by commas) instead of files. It needs the package trait Kafka.",
      valueName: "brokers"))
  var brokers: String?

  @Option(
    name: .customLong("kafka-option"),
    help: ArgumentHelp(
      "A setting of librdkafka, such as security.protocol=ssl. May be repeated.", valueName: "name=value"))
  var options: [String] = []

  @Option(help: ArgumentHelp("The topic of decided events.", valueName: "topic"))
  var kafkaTopic = Standard.decided

  @Option(help: ArgumentHelp("The topic of events as they came.", valueName: "topic"))
  var kafkaRawTopic = Standard.raw

  @Option(help: ArgumentHelp("The topic of records that are not events.", valueName: "topic"))
  var kafkaRejectsTopic = Standard.rejects

  /// The default topics.
  private enum Standard {
    static let decided = "encircle-decided"
    static let raw = "encircle-raw"
    static let rejects = "encircle-rejects"
  }

  var isUsed: Bool { brokers != nil }

  func validate() throws {
    guard isUsed else {
      if !options.isEmpty { throw ValidationError("--kafka-option goes with --kafka.") }
      for (option, topic, standard) in [
        ("--kafka-topic", kafkaTopic, Standard.decided), ("--kafka-raw-topic", kafkaRawTopic, Standard.raw),
        ("--kafka-rejects-topic", kafkaRejectsTopic, Standard.rejects),
      ] where !topic.hasSameBytes(as: standard) {
        throw ValidationError("\(option) goes with --kafka.")
      }
      return
    }
    for option in options where !option.containsBytes(of: "=") {
      throw ValidationError("--kafka-option takes name=value.")
    }
    #if !Kafka
      throw ValidationError(
        "--kafka: this tool was built without Kafka; 'swift build --traits Service,Kafka' builds one with it.")
    #endif
  }

  #if Kafka
    var settings: KafkaSettings {
      KafkaSettings(
        brokers: brokers ?? "",
        options: options.map { option in
          let parts = option.splitBytes(at: "=", maxSplits: 1, omittingEmptySubsequences: false)
          return (String(parts[0]), String(parts[1]))
        })
    }
  #endif

  func openLog() throws -> any EventLog {
    #if Kafka
      return try KafkaEventLog(
        settings, topics: [.decided: kafkaTopic, .raw: kafkaRawTopic, .rejects: kafkaRejectsTopic])
    #else
      throw LogError.refused("this tool was built without Kafka")
    #endif
  }
}
