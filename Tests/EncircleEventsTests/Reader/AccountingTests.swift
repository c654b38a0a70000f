import EncircleEvents
import EncircleInput
import EncircleTestSupport
import Foundation
import Synchronization
import Testing

@Suite("Whatever the input, every byte is accounted for")
struct AccountingTests {
  private struct Generator {
    var random: SeededGenerator

    mutating func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: 0..<choices.count, using: &random)] }

    mutating func object() -> String {
      pick([
        #"{"a":1}"#, "{}", #"{"b":"}{][,"}"#, #"{"c":[1,{"d":null}]}"#, #"{"event":"加入购物车"}"#, #"{"e": "\" \u4e2d"}"#,
        "{\n  \"p\": 1\n}", "{\n  \"q\": [\n    {\"x\":1},\n    {\"y\":2}\n  ]\n}",
      ])
    }

    mutating func piece() -> String {
      switch Int.random(in: 0...9, using: &random) {
      case 0...4: object() + pick(["\n", "\r\n", "\n\n"])
      case 5:
        "[" + pick(["", "\n"]) + object() + pick([",", ",\n", "\n,"]) + object() + pick(["]\n", "\n]\n", "", ",]"])
      case 6: pick(["oops\n", "1\n", "null", "\"text\"\n", "]\n", "}\n", ",\n", "[1,2]\n", "[x]\n"])
      case 7: String(object().dropLast()) + pick(["\n", ",\n", ""])
      case 8: object() + pick([",\n", " ", "x\n"])
      default: pick(["\n", "  ", "\t\r\n"])
      }
    }
  }

  private struct Piece {
    var line: Int
    var bytes: [UInt8]
  }

  private func pieces(_ input: [UInt8]) -> [Piece] {
    var reader = EventReader(bytes: input)
    var result: [Piece] = []
    while let record = try? reader.next() {
      switch record {
      case .event(let line): result.append(Piece(line: line, bytes: reader.withEvent { Array($0) }))
      case .rejection(let rejection):
        result.append(Piece(line: rejection.line, bytes: rejection.bytes))
        #expect(rejection.byteCount == rejection.bytes.count)
      }
    }
    return result
  }

  /// Returns `true` if the pieces are the input, in order and each in its line, except for bytes that may be skipped.
  private func isAccounted(_ input: [UInt8], _ pieces: [Piece], skipping: Set<UInt8>) -> Bool {
    var offset = 0
    var line = 1
    for piece in pieces where !piece.bytes.isEmpty {
      while line < piece.line || !input[offset...].starts(with: piece.bytes) {
        guard offset < input.count, skipping.contains(input[offset]) else { return false }
        if input[offset] == UInt8(ascii: "\n") { line += 1 }
        offset += 1
      }
      if line != piece.line { return false }
      line += piece.bytes.count { $0 == UInt8(ascii: "\n") }
      offset += piece.bytes.count
    }
    return input[offset...].allSatisfy { skipping.contains($0) }
  }

  @Test("Records are the input, in order, without white space and brackets", arguments: [1, 2, 3, 4] as [UInt64])
  func random(seed: UInt64) {
    var generator = Generator(random: SeededGenerator(seed: seed))
    for _ in 0..<TestSize.scaled(1_000) {
      let text = (0..<Int.random(in: 1...8, using: &generator.random)).map { _ in generator.piece() }.joined()
      let input = Array(text.utf8)
      let isAccounted = isAccounted(input, pieces(input), skipping: Set(" \t\r\n[],".utf8))
      #expect(isAccounted, "\(text.debugDescription), seed \(seed)")
    }
  }

  @Test("Lines that are not an array are all accounted for", arguments: [1, 2] as [UInt64])
  func lines(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let choices = ["{\"a\":1}", "{}", "oops", "{\"a\":", "]", "},", "{},", "[{}]", "", " \t", "\"x\"", "{} {}", "中文"]
    for _ in 0..<TestSize.scaled(1_000) {
      let lines = (0..<10).map { _ in choices.randomElement(using: &random) ?? "" }
      let text = "{}\n" + lines.joined(separator: "\n")
      let pieces = pieces(Array(text.utf8))
      #expect(
        pieces.count == 1 + lines.count { !$0.allSatisfy(\.isWhitespace) }, "\(text.debugDescription), seed \(seed)")
      let isAccounted = isAccounted(Array(text.utf8), pieces, skipping: Set(" \t\r\n".utf8))
      #expect(isAccounted, "\(text.debugDescription), seed \(seed)")
    }
  }

  @Test("Random input gives the same records in any pieces", arguments: [1, 2] as [UInt64])
  func pieceSizes(seed: UInt64) {
    var generator = Generator(random: SeededGenerator(seed: seed))
    for i in 0..<TestSize.scaled(150) {
      let text = (0..<Int.random(in: 1...5, using: &generator.random)).map { _ in generator.piece() }.joined()
      // Also with a limit that some of the values exceed.
      let limit = i % 2 == 0 ? EventReader.defaultLengthLimit : Int.random(in: 1...12, using: &generator.random)
      let results = ByteInputs.split(Array(text.utf8), lengthLimit: limit)
      #expect(Set(results).count == 1, "\(text.debugDescription), limit \(limit), seed \(seed): \(results)")
    }
  }
}

@Suite("Input that is too long, cut or stopped")
struct UnfinishedInputTests {
  @Test("A line beyond the limit is rejected by its beginning, and the next one is read")
  func longLine() {
    let long = "{\"a\":\"" + String(repeating: "x", count: 2_000_000) + "\"}"
    for ending in ["\n", "  \r\n"] {
      let input = Array(("{}\n" + long + ending + "{\"b\":1}\n").utf8)
      let expected = [
        "1 {}", "!2:1 tooLong(limit: 100000) | \(long.prefix(1_000)) (2000008 bytes)", #"3 {"b":1}"#,
      ]
      for size in [Int.max, 100_000, 4_097] {
        #expect(records(input, pieceSize: size, lengthLimit: 100_000) == expected)
      }
    }
    #expect(records(Array(long.utf8), lengthLimit: 100_000).count == 1)
    #expect(records(Array(long.utf8), lengthLimit: long.utf8.count) == ["1 \(long)"])
    #expect(records(Array(long.utf8), lengthLimit: long.utf8.count - 1).first?.hasPrefix("!1:1 tooLong") == true)
  }

  @Test("The kept part of an overlong line has no white space at its end")
  func longSpace() {
    let spaces = String(repeating: " ", count: 200)
    let input = Array("{\"a\":\(spaces)\n{\"b\":\(spaces)1}\n{}".utf8)
    let expected = [
      "!1:1 tooLong(limit: 100) | {\"a\":",
      "!2:1 tooLong(limit: 100) | {\"b\":\(spaces.prefix(95)) (207 bytes)", "3 {}",
    ]
    for result in ByteInputs.split(input, lengthLimit: 100) { #expect(result == expected) }
  }

  @Test("A value beyond the limit ends a document in its line")
  func longValue() {
    let long = "{\"a\":\"" + String(repeating: "x", count: 500) + "\"}"
    let input = Array("[{\"a\":1},\n\(long),\n{\"b\":2}\n]\n{\"c\":3}".utf8)
    let expected = [
      #"1 {"a":1}"#, "!2:101 tooLong(limit: 100) | \(long.prefix(100)) (509 bytes)", #"3 {"b":2}"#, #"5 {"c":3}"#,
    ]
    for result in ByteInputs.split(input, lengthLimit: 100) { #expect(result == expected) }
  }

  @Test("White space needs no memory and never makes a line too long")
  func blanks() {
    let input = Array(("{}\n" + String(repeating: " ", count: 300_000) + "\n{\"b\":1}").utf8)
    #expect(records(input, lengthLimit: 10) == ["1 {}", #"3 {"b":1}"#])
    // But behind the bracket of an array, which may turn out to be none, it is kept.
    let array = Array(("[" + String(repeating: " \n", count: 10) + "{}]\n{}").utf8)
    let expected = ["!1:2 tooLong(limit: 10) | [", "11 {}", "12 {}"]
    for result in ByteInputs.split(array, lengthLimit: 10) { #expect(result == expected) }
    #expect(records(array, lengthLimit: 20) == ["11 {}", "12 {}"])
  }

  @Test("A gzip file that is cut gives its events, rejects the rest, and then fails")
  func truncatedGzip() {
    let lines = (0..<2_000).map { "{\"n\":\($0),\"h\":\($0 &* 7_919 % 10_007)}" }
    let compressed = gzip(Array(lines.joined(separator: "\n").utf8))
    let result = records(Array(compressed.dropLast(compressed.count / 3)))
    #expect(result.last == "error: broken gzip data: the data ends too early")
    let events = result.filter { !$0.hasPrefix("!") && !$0.hasPrefix("error") }
    #expect(events.count > 100)
    #expect(events == lines[..<events.count].enumerated().map { "\($0 + 1) \($1)" })
    let rejections = result.filter { $0.hasPrefix("!") }
    #expect(rejections.count <= 1)
    #expect(rejections.allSatisfy { $0.contains("interrupted") })
  }

  @Test("Input that is stopped gives all lines already read")
  func stopped() throws {
    let pipe = Pipe()
    let flag = StopFlag()
    pipe.fileHandleForWriting.write(Data("{\"a\":1}\n{\"b\":2}\n{\"c\":".utf8))
    var reader = EventReader(
      ByteSource(
        descriptor: pipe.fileHandleForReading.fileDescriptor, shouldStop: { flag.isSet.withLock { $0 } }))
    let first = try reader.next()
    #expect(first == .event(line: 1))
    flag.isSet.withLock { $0 = true }
    let second = try reader.next()
    #expect(second == .event(line: 2))
    guard case .rejection(let rejection) = try reader.next() else {
      Issue.record("the last line has gone")
      return
    }
    #expect(rejection.reason == .interrupted)
    #expect(rejection.bytes == Array("{\"c\":".utf8))
    let end = try reader.next()
    #expect(end == nil)
    let wasStopped = reader.wasStopped
    #expect(wasStopped)
  }

  private final class StopFlag: Sendable {
    let isSet = Mutex(false)
  }
}
