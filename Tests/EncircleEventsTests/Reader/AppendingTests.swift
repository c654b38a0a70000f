import EncircleInput
import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleEvents

@Suite("Input that is appended gives the records of input that is read")
struct AppendingTests {
  private static let pieces = [
    "{\"a\":1}\n", "{}\r\n", "\n", " \t", "oops\n", "{\"a\":", "\"b\\n\"", "}\n", "[", "]\n", ",", "{\n \"p\": 1\n}\n",
    "中文",
    "[{\"a\":1},\n{\"b\":2}]\n", "{\"event\":\"e\",\"properties\":{\"a\":\"\\u4e2d\"}}\n", "[1]", "{} {}\n", "\u{FEFF}",
    "\r",
    "{\"a\":\"\(String(repeating: "x", count: 70))\"}\n", String(repeating: " ", count: 90),
  ]

  @Test("Records are the same however the input is cut", arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func cuts(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for i in 0..<TestSize.scaled(400) {
      let text = (0..<Int.random(in: 1...9, using: &random)).map { _ in random.pick(Self.pieces) }.joined()
      let plain = Array(((i % 5 == 0 ? "\u{FEFF}" : "") + text).utf8)
      let limit = i % 2 == 0 ? EventReader.defaultLengthLimit : Int.random(in: 1...80, using: &random)
      let whole = records(plain, lengthLimit: limit)
      for input in [plain, gzip(plain)] {
        for _ in 0..<4 {
          let count = Int.random(in: 0...min(12, input.count), using: &random)
          let cuts = (0..<count).map { _ in Int.random(in: 0...input.count, using: &random) }.sorted()
          let found = appendedRecords(input, cuts: cuts, lengthLimit: limit)
          #expect(found == whole, "\(text.debugDescription), cut at \(cuts), limit \(limit), seed \(seed)")
          let unprojected = appendedRecords(input, cuts: cuts, lengthLimit: limit, projection: nil)
          #expect(unprojected == whole, "\(text.debugDescription), cut at \(cuts), limit \(limit), seed \(seed)")
        }
      }
    }
  }

  @Test("A record is given as soon as its last byte is there")
  func promptness() throws {
    var reader = EventReader()
    let nothing = try reader.next()
    #expect(nothing == nil)
    reader.append("{\"a\":1}".utf8)
    let unended = try reader.next()
    #expect(unended == nil)
    let needsInput = reader.needsInput
    #expect(needsInput)
    reader.append("\n{\"b\":".utf8)
    let first = try reader.next()
    #expect(first == .event(line: 1))
    // Appending does not disturb the event.
    reader.append([UInt8](repeating: UInt8(ascii: "1"), count: 1 << 20))
    #expect(reader.withEvent { Array($0) } == Array("{\"a\":1}".utf8))
    let cut = try reader.next()
    #expect(cut == nil)
    reader.append(Data("}".utf8))
    reader.finish()
    let second = try reader.next()
    #expect(second == .event(line: 2))
    let end = try reader.next()
    #expect(end == nil)
    let needsMore = reader.needsInput
    #expect(!needsMore)
    reader.append("{}\n".utf8)
    let ignored = try reader.next()
    #expect(ignored == nil)
  }

  @Test("Elements of a document are given before the document ends")
  func documents() throws {
    var reader = EventReader()
    for piece in ["[{", "}", ",", "\n{\"a\"", ":1}"] { reader.append(piece.utf8) }
    let first = try reader.next()
    let second = try reader.next()
    #expect(first == .event(line: 1))
    #expect(second == .event(line: 2))
    let rest = try reader.next()
    #expect(rest == nil)
  }

  @Test("Overlong records are rejected without being held, and no byte is read often")
  func long() throws {
    // Each of these is 768 KB in pieces of 50 bytes: looking at all of it for each piece would take an hour.
    let limit = 1 << 18
    for (head, piece) in [
      ("{}\n", "x"), ("{\"a\":\"", "x"), ("{\n\"a\":\"", "x"), ("[", " "), ("[\n", "1,"), ("[", "[\n"), ("{\n", "\n"),
      ("[1", " "), ("[", "1"), ("[\n1.", "2"),
      ("[{\"a\":1 x\n", "y"), ("[{\"a\":x,\"b\":\"", "y"), ("[{\"a\":x,\"b\":", "["), ("", "\n"),
    ] {
      var reader = EventReader(lengthLimit: limit)
      reader.append(head.utf8)
      let piece = Array(String(repeating: piece, count: 50).utf8)
      var size = 0
      for _ in 0..<(3 << 18) / piece.count {
        reader.append(piece)
        while try reader.next() != nil {}
        size = max(size, reader.buffer.count)
      }
      #expect(size <= 4 * limit, "\(head.debugDescription), \(size) bytes")
      reader.append("\n{\"last\":1}".utf8)
      reader.finish()
      var last: EventReader.Record?
      while let record = try reader.next() { last = record }
      #expect(last != nil)
    }
  }

  @Test("Broken gzip is thrown once, and ends the input")
  func brokenGzip() {
    var data = gzip(Array("{\"a\":1}\n{\"b\":2}\n".utf8))
    data[data.count - 6] ^= 1
    let whole = records(data)
    #expect(whole.last?.hasPrefix("error") == true)
    for size in 1...data.count {
      let found = appendedRecords(data, cuts: stride(from: size, to: data.count, by: size))
      #expect(found == whole, "\(size) bytes at a time")
    }
    let cut = Array(data.dropLast(9))
    #expect(appendedRecords(cut, cuts: [10, 20]) == records(cut))
  }
}

@Suite("Readers are made of paths and bytes")
struct ReaderSourceTests {
  @Test("A file and bytes, compressed or not, give the same records")
  func sources() throws {
    let text = Array("{\"a\":1}\noops\n{\"b\":2}".utf8)
    for data in [text, gzip(text)] {
      let path = NSTemporaryDirectory() + "/encircle-\(UUID().uuidString)"
      try Data(data).write(to: URL(fileURLWithPath: path))
      defer { try? FileManager.default.removeItem(atPath: path) }
      var file = try EventReader(path: path, projection: someProjection)
      var array = EventReader(bytes: data, projection: someProjection)
      var foundation = EventReader(bytes: Data(data), lengthLimit: 100)
      for expected in [1, nil, 3] {
        for record in [try file.next(), try array.next(), try foundation.next()] {
          if let expected { #expect(record == .event(line: expected)) } else { #expect(isRejection(record)) }
        }
      }
      let ends = [try file.next(), try array.next(), try foundation.next()]
      #expect(ends == [nil, nil, nil])
    }
    #expect(throws: InputError.noSuchFile) { _ = try EventReader(path: "/no/such/file") }
  }

  private func isRejection(_ record: EventReader.Record?) -> Bool {
    if case .rejection = record { true } else { false }
  }
}
