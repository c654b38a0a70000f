import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleLog

@Suite struct FileEventLogTests {
  private func record(_ text: String, _ stream: LogRecord.Stream = .decided) -> LogRecord {
    LogRecord(stream, json: Array(text.utf8), rulesVersion: "default@1")
  }

  private func names(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  private func lines(_ folder: TemporaryFolder, _ stream: String) throws -> [String] {
    try names(folder).filter { $0.hasPrefix(stream) }.flatMap { name in
      String(decoding: try PackageFolder.bytes(folder.url.appendingPathComponent(name)), as: UTF8.self)
        .split(separator: "\n").map(String.init)
    }
  }

  @Test("an acknowledged record is a line of a file, and a closed log has no open files")
  func written() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let log = try FileEventLog(folder: folder.url.path)
    try await log.append([record(#"{"a":1}"#), record(#"{"b":1}"#, .rejects)])
    #expect(try lines(folder, "decided") == [#"{"a":1}"#])
    #expect(try names(folder).allSatisfy { $0.hasSuffix(".ndjson.part") })
    try await log.append([record(#"{"a":2}"#)])
    await log.close()
    #expect(try lines(folder, "decided") == [#"{"a":1}"#, #"{"a":2}"#])
    #expect(try lines(folder, "rejects") == [#"{"b":1}"#])
    await #expect(throws: LogError.refused("the log is closed")) { try await log.append([record(#"{"a":3}"#)]) }
    #expect(try names(folder).count == 2)
    #expect(try names(folder).allSatisfy { $0.hasSuffix(".ndjson") })
  }

  @Test("a file that reaches its size is completed, and another one begun")
  func rotation() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let log = try FileEventLog(folder: folder.url.path, rotation: .init(bytes: 10, age: .seconds(3_600)))
    for number in 0..<3 { try await log.append([record(#"{"number":\#(number)}"#)]) }
    await log.close()
    #expect(try names(folder).count == 3)
    #expect(try lines(folder, "decided") == (0..<3).map { #"{"number":\#($0)}"# })
  }

  @Test("a file that reaches its age is completed while nothing arrives")
  func age() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let log = try FileEventLog(folder: folder.url.path, rotation: .init(age: .milliseconds(10)))
    try await log.append([record("{}")])
    for _ in 0..<6_000 where try names(folder).contains(where: { $0.hasSuffix(".part") }) {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(try names(folder).map { $0.hasSuffix(".ndjson") } == [true])
    await log.close()
  }

  @Test("with an age of 0, each write completes its file")
  func noAge() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let log = try FileEventLog(folder: folder.url.path, rotation: .init(age: .zero))
    for number in 0..<3 {
      try await log.append([record(#"{"number":\#(number)}"#)])
      #expect(try names(folder).map { $0.hasSuffix(".ndjson") } == Array(repeating: true, count: number + 1))
    }
    await log.close()
  }

  @Test("a killed process's file is completed without its last half line, and one in use is left alone")
  func recovery() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let other = try FileEventLog(folder: folder.url.path)
    try await other.append([record(#"{"open":1}"#)])
    let used = try names(folder)
    let left = folder.url.appendingPathComponent("decided-0-x-000001.ndjson.part")
    let long = String(repeating: "x", count: 200_000)
    try Data("{\"a\":1}\n{\"b\":\"\(long)".utf8).write(to: left)
    try Data("{\"half".utf8).write(to: folder.url.appendingPathComponent("decided-0-x-000002.ndjson.part"))
    let log = try FileEventLog(folder: folder.url.path)
    #expect(try names(folder) == ["decided-0-x-000001.ndjson"] + used)
    #expect(try lines(folder, "decided-0") == [#"{"a":1}"#])
    await log.close()
    await other.close()
  }

  @Test("logs opened at the same time complete the files of a killed process together")
  func recoveryTogether() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    for number in 0..<500 {
      let left = folder.url.appendingPathComponent("decided-0-x-\(number).ndjson.part")
      try Data("{\"n\":\(number)}\n{\"half".utf8).write(to: left)
    }
    let path = folder.url.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { try await FileEventLog(folder: path).close() } }
      try await group.waitForAll()
    }
    #expect(try names(folder).allSatisfy { $0.hasSuffix(".ndjson") })
    #expect(Set(try lines(folder, "decided")) == Set((0..<500).map { "{\"n\":\($0)}" }))
  }

  @Test("a new file that another process took for an abandoned one is not written to")
  func taken() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = folder.url.appendingPathComponent("new").path
    try Data().write(to: URL(fileURLWithPath: path))
    let (own, other) = (open(path, O_RDWR), open(path, O_RDWR))
    defer { close(own) }
    #expect(WriteLock.take(other))
    #expect(!WriteLock.take(own), "another process completes it")
    close(other)
    #expect(WriteLock.take(own))
    try FileManager.default.removeItem(atPath: path)
    #expect(!WriteLock.take(own), "another process has removed it")
  }

  @Test(
    "a disk is full if less is free than a batch of events may need",
    arguments: [
      (10 << 30, 0, true), (10 << 30, 1_000_000, true), (10 << 30, 2 << 20, false), (0, 0, false), (nil, 0, false),
      (10 << 30, nil, false),
    ] as [(Int?, Int?, Bool)])
  func fullDisk(size: Int?, free: Int?, isFull: Bool) {
    var disk: [FileAttributeKey: Any] = [:]
    disk[.systemSize] = size.map { NSNumber(value: $0) }
    disk[.systemFreeSize] = free.map { NSNumber(value: $0) }
    #expect(FileEventLog.isFull(disk) == isFull)
  }

  @Test("a folder that cannot be written to refuses records, and takes them again later")
  func refusal() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = folder.url.appendingPathComponent("log").path
    let log = try FileEventLog(folder: path)
    try FileManager.default.removeItem(atPath: path)
    await #expect(throws: LogError.self) { try await log.append([record("{}")]) }
    #expect(throws: LogError.self) { try log.checkWritable() }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try await log.append([record(#"{"a":1}"#)])
    try log.checkWritable()
    await log.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 1)
    #expect(throws: LogError.self) { try FileEventLog(folder: "/dev/null/log") }
  }

  @Test("if one file of a call cannot be written, nothing of the call stays in its other files")
  func takenBack() async throws {
    // In each log, the files have another order.
    for _ in 0..<20 {
      let folder = try TemporaryFolder()
      defer { folder.remove() }
      let log = try FileEventLog(folder: folder.url.path)
      try await log.append([record(#"{"a":1}"#), record(#"{"b":1}"#, .rejects)])
      for name in try names(folder) where name.hasPrefix("rejects") {
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent(name))
      }
      await #expect(throws: LogError.self) {
        try await log.append([record(#"{"a":2}"#), record(#"{"b":2}"#, .rejects)])
      }
      await log.close()
      #expect(try lines(folder, "decided") == [#"{"a":1}"#])
    }
  }

  @Test("many concurrent requests are all acknowledged and stored")
  func concurrent() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let log = try FileEventLog(folder: folder.url.path, rotation: .init(bytes: 4_096, age: .seconds(3_600)))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask { try await log.append([LogRecord(.decided, json: Array("\(number)".utf8), rulesVersion: "")]) }
      }
      try await group.waitForAll()
    }
    await log.close()
    #expect(Set(try lines(folder, "decided").compactMap { Int($0) }) == Set(0..<200))
    #expect(try lines(folder, "decided").count == 200)
  }
}
