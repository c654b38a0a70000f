import EncircleKafka
import EncircleLog
import Foundation
import MockCluster
import Testing

@Suite(.timeLimit(.minutes(10))) struct KafkaTests {
  private func records(_ numbers: some Sequence<Int>, _ stream: LogRecord.Stream = .decided) -> [LogRecord] {
    numbers.map {
      LogRecord(
        stream, json: Array("{\"n\":\($0)}".utf8), key: Array("u\($0 % 5)".utf8),
        eventID: Array(repeating: 0xAB, count: 32),
        eventKey: "k\($0)", rulesVersion: "default@3")
    }
  }

  private func numbers(_ messages: [KafkaSource.Message]) -> [Int] {
    messages.compactMap { Int(String(decoding: $0.value.dropFirst(5).dropLast(), as: UTF8.self)) }
  }

  @Test("acknowledged records are in their topics, once, with the user as key and headers, those of a user in order")
  func written() async throws {
    let cluster = try #require(MockCluster())
    for topic in ["decided", "rejects"] { cluster.create(topic) }
    let log = try KafkaEventLog(cluster.settings(), topics: [.decided: "decided", .rejects: "rejects"])
    for start in stride(from: 0, to: 1_000, by: 100) { try await log.append(records(start..<start + 100)) }
    try await log.append(records(0..<1, .rejects) + records(0..<1, .raw))
    await log.close()
    let messages = try cluster.messages("decided", count: 1_000)
    #expect(numbers(messages).sorted() == Array(0..<1_000))
    for user in 0..<5 {
      let own = messages.filter { $0.key == Array("u\(user)".utf8) }
      #expect(numbers(own) == Array(stride(from: user, to: 1_000, by: 5)))
    }
    let headers = try #require(messages.first).headers.map { "\($0.name)=\(String(decoding: $0.value, as: UTF8.self))" }
    #expect(
      headers.filter { !$0.hasPrefix("event-key") } == [
        "stream=decided", "event-id=" + String(repeating: "ab", count: 32), "rules-version=default@3",
      ])
    #expect(try cluster.messages("rejects", count: 1).count == 1)
  }

  @Test("what no broker takes is not acknowledged, and is taken when it is sent again")
  func refused() async throws {
    let cluster = try #require(MockCluster())
    cluster.create("decided", partitions: 1)
    let log = try KafkaEventLog(
      cluster.settings([("message.timeout.ms", "2000")]), topics: [.decided: "decided"])
    try await log.append(records(0..<10))
    for broker in 1...3 as ClosedRange<Int32> { cluster.setDown(broker) }
    await #expect(throws: LogError.self) { try await log.append(records(10..<20)) }
    for broker in 1...3 as ClosedRange<Int32> { cluster.setUp(broker) }
    // Retries like an SDK until the records are acknowledged: the producer takes its time to find the brokers again.
    var attempts = 0
    while attempts < 30, (try? await log.append(records(10..<20))) == nil { attempts += 1 }
    #expect(attempts < 30)
    await log.close()
    #expect(Set(numbers(try cluster.messages("decided", count: 20))) == Set(0..<20))
    await #expect(throws: LogError.self) { try await log.append(records(0..<1)) }
  }

  @Test("a record of more bytes than librdkafka's usual limit is written")
  func longRecord() async throws {
    let cluster = try #require(MockCluster())
    cluster.create("decided", partitions: 1)
    let log = try KafkaEventLog(cluster.settings(), topics: [.decided: "decided"])
    let json = Array("\"\(String(repeating: "x", count: 3 << 20))\"".utf8)
    try await log.append([LogRecord(.decided, json: json, rulesVersion: "default@3")])
    await log.close()
    #expect(try cluster.messages("decided", count: 1).map(\.value.count) == [json.count])
  }

  @Test("of a batch that is too long for a broker, only the records are refused that are too long themselves")
  func tooLong() async throws {
    let cluster = try #require(MockCluster())
    cluster.create("decided", partitions: 1)
    // Lingers so long that the records of a call are in one batch.
    let log = try KafkaEventLog(cluster.settings([("linger.ms", "500")]), topics: [.decided: "decided"])
    cluster.refuseWrites([true])
    try await log.append(records(0..<3))
    cluster.refuseWrites([true, false, true, false])
    await #expect(throws: LogError.tooLong([2])) {
      // The places refer to the call, even for streams without a topic.
      try await log.append(records(0..<1, .raw) + records(3..<6))
    }
    try await log.append(records(6..<7))
    await log.close()
    #expect(numbers(try cluster.messages("decided", count: 6)).sorted() == [0, 1, 2, 3, 5, 6])
  }

  @Test("nothing that was acknowledged is lost while brokers fail in turn")
  func failingBrokers() async throws {
    let cluster = try #require(MockCluster())
    cluster.create("decided", partitions: 6)
    let log = try KafkaEventLog(cluster.settings(), topics: [.decided: "decided"])
    var acknowledged: Set<Int> = []
    for round in 0..<6 {
      let broker = Int32(round / 2 % 3) + 1
      if round.isMultiple(of: 2) { cluster.setDown(broker) } else { cluster.setUp(broker) }
      let numbers = round * 500..<(round + 1) * 500
      if (try? await log.append(records(numbers))) != nil { acknowledged.formUnion(numbers) }
    }
    await log.close()
    #expect(!acknowledged.isEmpty)
    // A failed append may have written its records nevertheless.
    let written = cluster.written("decided", partitions: 6)
    let found = numbers(try cluster.messages("decided", count: written))
    #expect(found.count == written)
    #expect(acknowledged.subtracting(found).sorted() == [])
    let ofAcknowledged = found.filter { acknowledged.contains($0) }
    #expect(Set(ofAcknowledged).count == ofAcknowledged.count, "an idempotent producer writes each once")
  }

  @Test("what was read and not committed is read again, by the next of the group")
  func committed() async throws {
    let cluster = try #require(MockCluster())
    cluster.create("raw", partitions: 1)
    let log = try KafkaEventLog(cluster.settings(), topics: [.decided: "raw"])
    try await log.append(records(0..<10))
    func read(_ limit: Int, commits: Bool) throws -> [Int] {
      let source = try KafkaSource(
        cluster.settings([("session.timeout.ms", "6000")]), topic: "raw", group: "g")
      var found: [KafkaSource.Message] = []
      for _ in 0..<600 where found.isEmpty { found = try source.next(atMost: limit, milliseconds: 100) }
      if commits { try source.commit() }
      return numbers(found)
    }
    #expect(try read(4, commits: true).first == 0)
    let next = try read(3, commits: false)
    #expect(next.first == 4)
    #expect(try read(3, commits: true).first == 4)
    await log.close()
  }

  @Test("a commit that reaches no broker is no error, and the source goes on when it reaches one")
  func committedWithoutBrokers() async throws {
    let cluster = try #require(MockCluster())
    cluster.create("raw", partitions: 1)
    let log = try KafkaEventLog(cluster.settings(), topics: [.decided: "raw"])
    try await log.append(records(0..<10))
    let source = try KafkaSource(cluster.settings([("session.timeout.ms", "6000")]), topic: "raw", group: "g")
    var found: [Int] = []
    for _ in 0..<600 where found.isEmpty { found += numbers(try source.next(atMost: 4, milliseconds: 100)) }
    #expect(found.first == 0)
    for broker in 1...3 as ClosedRange<Int32> { cluster.setDown(broker) }
    try source.commit()
    for broker in 1...3 as ClosedRange<Int32> { cluster.setUp(broker) }
    // The producer takes its time to find the brokers again.
    for _ in 0..<30 { if (try? await log.append(records(10..<11))) != nil { break } }
    for _ in 0..<600 where !found.contains(10) {
      found += numbers(try source.next(atMost: 100, milliseconds: 100))
      try source.commit()
    }
    #expect(Set(found) == Set(0...10))
    await log.close()
  }

  @Test("neither a commit that is under way when its broker fails nor the source's end waits for the broker")
  func commitUnderWay() async throws {
    let cluster = try #require(MockCluster(brokers: 1))
    cluster.create("raw", partitions: 1, replicas: 1)
    let log = try KafkaEventLog(cluster.settings(), topics: [.decided: "raw"])
    try await log.append(records(0..<1))
    await log.close()
    let source = try KafkaSource(cluster.settings([("session.timeout.ms", "6000")]), topic: "raw", group: "g")
    var found: [Int] = []
    for _ in 0..<600 where found.isEmpty { found = numbers(try source.next(atMost: 4, milliseconds: 100)) }
    #expect(found == [0])
    cluster.delayAnswers(of: 1, milliseconds: 2_000)
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 1)
      cluster.setDown(1)
    }
    // librdkafka repeats the request without end, and the brokers stay away.
    try source.commit(milliseconds: 3_000)
  }

  @Test("what librdkafka reports while there are no messages does not make the wait longer")
  func deadline() throws {
    let cluster = try #require(MockCluster())
    cluster.create("raw", partitions: 1)
    // The end of the partition is reported when the group has met, after three seconds.
    let source = try KafkaSource(cluster.settings([("enable.partition.eof", "true")]), topic: "raw", group: "g")
    let start = ContinuousClock.now
    #expect(try source.next(atMost: 1, milliseconds: 5_000).isEmpty)
    #expect(ContinuousClock.now - start < .seconds(7))
  }

  @Test("the check finds an error from which the producer cannot recover, so nobody repeats a write for ever")
  func fatalError() async throws {
    let cluster = try #require(MockCluster())
    cluster.create("decided", partitions: 1)
    cluster.refuseProducer()
    let log = try KafkaEventLog(cluster.settings(), topics: [.decided: "decided"])
    await #expect(throws: LogError.self) { try await log.append(records(0..<1)) }
    #expect(throws: LogError.self) { try log.checkWritable() }
    await log.close()
  }

  @Test("a topic that the source may not read is an error, because nothing would ever arrive")
  func forbiddenTopic() throws {
    let cluster = try #require(MockCluster())
    cluster.create("raw", partitions: 1)
    cluster.forbid("raw")
    let source = try KafkaSource(cluster.settings(), topic: "raw", group: "g")
    #expect(
      throws: LogError.refused("Kafka: Subscribed topic not available: raw: Broker: Topic authorization failed")
    ) {
      for _ in 0..<600 { _ = try source.next(atMost: 1, milliseconds: 100) }
    }
  }

  @Test("a setting that there is none of is an error in librdkafka's words")
  func wrongSetting() {
    #expect(throws: LogError.refused("Kafka: No such configuration property: \"no.such\"")) {
      try KafkaEventLog(KafkaSettings(brokers: "localhost", options: [("no.such", "1")]), topics: [:])
    }
  }
}

extension MockCluster {
  func settings(_ options: [(name: String, value: String)] = []) -> KafkaSettings {
    KafkaSettings(brokers: brokers, options: options)
  }

  /// Returns all messages of a topic, using a separate consumer group.
  func messages(_ topic: String, count: Int) throws -> [KafkaSource.Message] {
    let source = try KafkaSource(settings(), topic: topic, group: "reader-\(UUID().uuidString)")
    var messages: [KafkaSource.Message] = []
    for _ in 0..<600 where messages.count < count { messages += try source.next(atMost: 10_000, milliseconds: 100) }
    // Superfluous messages would follow here.
    return messages + (try source.next(atMost: 10_000, milliseconds: 300))
  }
}
