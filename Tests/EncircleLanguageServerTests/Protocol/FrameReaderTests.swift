import EncircleTestSupport
import Testing

@testable import EncircleLanguageServer

@Suite struct FrameReaderTests {
  private static let stream =
    Array("Content-Length: 2\r\n\r\n{}Content-Type: x; charset=utf-8\r\ncontent-length:  3\r\n\r\n{} ".utf8)

  @Test("messages are the same wherever the stream is cut") func cuts() throws {
    for cut in 0...Self.stream.count {
      var reader = FrameReader()
      var frames: [FrameReader.Frame] = []
      for part in [Self.stream[..<cut], Self.stream[cut...]] {
        reader.append(part)
        while let frame = try reader.next() { frames.append(frame) }
      }
      #expect(frames == [.message(Array("{}".utf8)), .message(Array("{} ".utf8))], "\(cut)")
    }
  }

  @Test("a message beyond the limit is passed over, and the next one is read", arguments: [1, 7, 1_000])
  func tooLong(piece: Int) throws {
    var reader = FrameReader(limit: 10)
    var frames: [FrameReader.Frame] = []
    let stream = Array("Content-Length: 25\r\n\r\n1234567890123456789012345Content-Length: 2\r\n\r\n[]".utf8)
    for start in stride(from: 0, to: stream.count, by: piece) {
      reader.append(stream[start..<min(stream.count, start + piece)])
      while let frame = try reader.next() { frames.append(frame) }
    }
    #expect(frames == [.tooLong(25), .message(Array("[]".utf8))])
  }

  @Test(
    "a header without a length is an error",
    arguments: [
      "Content-Length: -1\r\n\r\n{}", "Content-Length: 99999999999999999999\r\n\r\n{}", "Content-Length: 1e3\r\n\r\n",
      "Content-Length 2\r\n\r\n{}", "Content-Type: a\r\n\r\n{}", "\r\n\r\n", String(repeating: "a", count: 5_000),
    ])
  func problems(stream: String) {
    var reader = FrameReader()
    reader.append(Array(stream.utf8))
    #expect(throws: FrameReader.Problem.self) { _ = try reader.next() }
  }

  @Test("a huge length takes no memory") func hugeLength() throws {
    var reader = FrameReader()
    reader.append(Array("Content-Length: 9223372036854775807\r\n\r\n{}".utf8))
    #expect(try reader.next() == .tooLong(.max))
    for _ in 0..<100 {
      reader.append(Array(repeating: 0x20, count: 1 << 16))
      #expect(try reader.next() == nil)
    }
  }
}
