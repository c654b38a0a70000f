#if Kafka
  import ArgumentParser
  import EncircleEvents
  import EncircleIdentity
  import EncircleKafka
  import EncircleLog
  import EncircleRuleFiles
  import EncircleRules
  import EncircleText
  import Foundation

  extension MatchCommand {
    private static let maximumMessages = 5_000
    private static let waitMilliseconds: Int32 = 200
    /// The seconds between two attempts to write.
    private static let retryInterval = 1.0

    /// Decides the events of a topic and writes the decisions to another one until the program is asked to end.
    func decideTopic() throws {
      let files = RuleFiles(rules.rules)
      let loaded = try rules.loadMatcher(files, elements, formats)
      // Compiled rules keep the random keys with which they were compiled.
      let digest = try files.digest ?? RuleFiles.digest(of: loaded.compiled())
      let matcher = try tolerance.tolerating(loaded, rules, elements, formats)
      var topic = TopicDecider(
        matcher, version: "sha256:" + digest, showsResolution: resolution, showsDetails: details)
      StopSignal.catchSignals()
      do {
        let source = try KafkaSource(kafka.settings, topic: kafka.kafkaRawTopic, group: kafkaGroup)
        let log = try kafka.openLog()
        while !StopSignal.isReceived {
          let messages = try source.next(atMost: Self.maximumMessages, milliseconds: Self.waitMilliseconds)
          if messages.isEmpty { continue }
          let records = messages.map { topic.decide($0) }
          guard let tooLong = try Self.write(records, to: log) else { break }
          let rejects = tooLong.map { topic.reject(messages[$0], inPlaceOf: records[$0]) }
          guard try Self.write(rejects, to: log) != nil else { break }
          try source.commit()
        }
        try Blocking.run { await log.close() }
        printErrors(
          "\(topic.decided + topic.rejected) messages: \(topic.selected) selected, \(topic.rejected) rejected")
      } catch let error as LogError {
        throw ExitStatus.inputOutput.failure("error: \(error)")
      }
    }

    /// Writes records, and retries until they are acknowledged.
    ///
    /// - Returns: The indices of the records that are too long for the log; nil if the program was asked to end before.
    /// - Throws: An error from which the log cannot recover.
    private static func write(_ records: [LogRecord], to log: any EventLog) throws(LogError) -> [Int]? {
      var isReported = false
      while true {
        do {
          try Blocking.run { try await log.append(records) }
          return []
        } catch LogError.tooLong(let places) {
          return places
        } catch {
          try log.checkWritable()
          if !isReported { printError("warning: decisions are not acknowledged, and are written again: \(error)") }
          isReported = true
          if StopSignal.isReceived { return nil }
          Thread.sleep(forTimeInterval: retryInterval)
          if StopSignal.isReceived { return nil }
        }
      }
    }
  }

  /// Decides messages one by one.
  private struct TopicDecider: ~Copyable {
    private(set) var decided = 0
    private(set) var selected = 0
    private(set) var rejected = 0
    private let matcher: Matcher
    private let showsResolution: Bool
    private let showsDetails: Bool
    private let version: String
    private var decider: Decider
    private var record: DecisionRecord

    /// - Parameter version: Rules from files have no version number, so it is a digest.
    init(_ matcher: Matcher, version: String, showsResolution: Bool, showsDetails: Bool) {
      self.matcher = matcher
      self.version = version
      self.showsResolution = showsResolution
      self.showsDetails = showsDetails
      decider = Decider(matcher)
      record = DecisionRecord(for: matcher)
    }

    /// Returns a record of the decision, or of the reason why the message is not an event.
    mutating func decide(_ message: KafkaSource.Message) -> LogRecord {
      var reader = EventReader(bytes: message.value, projection: matcher.projection)
      var json: [UInt8] = []
      do {
        guard let first = try reader.next() else { return reject(message, "the message is empty") }
        switch first {
        case .rejection(let rejection): return reject(message, rejection.description)
        case .event:
          record.decide(eventOf: reader, &decider, matcher)
          record.appendEvent(
            of: reader, showsResolution: showsResolution, showsDetails: showsDetails, matcher, to: &json)
          json.removeLast()
        }
        if try reader.next() != nil { return reject(message, "the message holds more than one event") }
      } catch {
        return reject(message, "\(error)")
      }
      decided += 1
      if record.isSelected { selected += 1 }
      return LogRecord(
        .decided, json: json, key: message.key, eventID: record.eventID?.bytes, eventKey: Self.eventKey(of: message),
        rulesVersion: version)
    }

    /// Returns a reject with the beginning of a message whose record is too long for the log.
    mutating func reject(_ message: KafkaSource.Message, inPlaceOf record: LogRecord) -> LogRecord {
      if record.stream == .decided { decided -= 1 } else { rejected -= 1 }
      var message = message
      message.value = Array(message.value.prefix(EventReader.keptBytes))
      return reject(message, "the message is too long for the log")
    }

    private mutating func reject(_ message: KafkaSource.Message, _ reason: String) -> LogRecord {
      rejected += 1
      var json = JSONBuilder()
      json.object { json in
        json.member("reason", reason)
        json.member("text", String(decoding: message.value, as: UTF8.self))
      }
      return LogRecord(
        .rejects, json: json.bytes, key: message.key, eventKey: Self.eventKey(of: message), rulesVersion: version)
    }

    /// Returns the key that a collector has written. It is kept, so that duplicates can still be recognised.
    private static func eventKey(of message: KafkaSource.Message) -> String? {
      message.headers.last { $0.name == "event-key" }.map { String(decoding: $0.value, as: UTF8.self) }
    }
  }
#endif
