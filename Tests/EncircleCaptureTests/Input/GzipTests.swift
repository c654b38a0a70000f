import EncircleCapture
import EncircleTestSupport
import EncircleText
import Testing

@Suite struct GzipTests {
  private static let text = Array("<viewTree><view class=\"A\"/><view class=\"B\" text=\"确定\"/></viewTree>".utf8)
  private static let expected = "A\nB text='确定'"

  @Test("a compressed capture is read", arguments: [0, 1, 9] as [Int32])
  func one(level: Int32) {
    #expect(dump(gzip(Self.text, level: level)) == Self.expected)
  }

  @Test("members one after the other are one capture", arguments: [1, 7, 20, 60])
  func members(size: Int) {
    var data: [UInt8] = []
    var rest = Self.text[...]
    while !rest.isEmpty {
      data += gzip(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    #expect(dump(data) == Self.expected)
    #expect(dump(gzip([]) + data + gzip([])) == Self.expected)
  }

  @Test("100,000 empty members are read through")
  func manyMembers() {
    let empty = gzip([])
    var data: [UInt8] = []
    data.reserveCapacity(100_000 * empty.count)
    for _ in 0..<100_000 { data += empty }
    #expect(dump(data + gzip(Self.text)) == Self.expected)
  }

  @Test("truncated compressed data is an error, wherever it ends")
  func truncated() {
    let data = gzip(Self.text)
    for length in 0..<data.count {
      let kind = readingError(Array(data[..<length]))?.kind
      switch length {
      case 0: #expect(kind == .empty)
      case 1, 2: #expect(kind?.name == "unknownFormat")
      default: #expect(kind?.name == "badCompression", "\(length) of \(data.count) bytes")
      }
    }
  }

  @Test("garbage after the header, after the data or in the checksum is an error")
  func garbage() {
    let data = gzip(Self.text)
    var wrongSum = data
    wrongSum[data.count - 5] ^= 1
    for broken in [[0x1F, 0x8B, 8] + [UInt8](repeating: 0xAA, count: 100), data + [1, 2, 3], wrongSum] {
      #expect(readingError(broken)?.kind.name == "badCompression")
    }
  }

  @Test("a bomb is refused at the limit", arguments: [1, 2])
  func bomb(members: Int) {
    var limits = CaptureLimits()
    limits.bytes = 1 << 20
    let data = gzip([UInt8](repeating: UInt8(ascii: " "), count: 30 << 20))
    let bomb = Array(repeating: data, count: members).flatMap { $0 }
    #expect(bomb.count < limits.bytes)
    #expect(readingError(bomb, limits: limits) == CaptureError(.tooLarge(limit: 1 << 20)))
  }

  @Test("a capture of exactly the limit is read, one byte more is refused")
  func limit() {
    var limits = CaptureLimits()
    limits.bytes = Self.text.count
    #expect(dump(gzip(Self.text), limits: limits).hasPrefix("error") == (gzip(Self.text).count > limits.bytes))
    #expect(dump(Self.text, limits: limits) == Self.expected)
    #expect(readingError(Self.text + [0x0A], limits: limits) == CaptureError(.tooLarge(limit: Self.text.count)))
  }

  @Test("doubly compressed data is not a capture")
  func twice() {
    #expect(readingError(gzip(gzip(Self.text)))?.kind == .unknownFormat("binary data"))
  }

  @Test("compression and encodings can be combined")
  func utf16() {
    let text = "<viewTree><view class=\"确定\"/></viewTree>"
    let data: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(dump(gzip(data)) == "确定")
  }
}
