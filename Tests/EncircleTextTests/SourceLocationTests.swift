import EncircleText
import Testing

@Suite struct SourceLocationTests {
  // The `^` marks the place and is not part of the text.
  @Test(
    "lines end with LF, CR LF or CR, columns count scalars",
    arguments: [
      ("^", "1:1"), ("^a", "1:1"), ("a^", "1:2"), ("a\n^b", "2:1"), ("a\nb^", "2:2"),
      ("a\r\n^b", "2:1"), ("a\r^b", "2:1"), ("a\r\r^b", "3:1"), ("a\n\r^b", "3:1"), ("a\r\r\n^b", "3:1"),
      ("\n\n\n^", "4:1"), ("确定^", "1:3"), ("e\u{301}^", "1:3"), ("\u{E9}^", "1:2"), ("👨‍👩‍👧^", "1:6"),
      ("x\n确\t^定", "2:3"), ("a\u{2028}^b", "1:3"),
    ])
  func rows(marked: String, expected: String) {
    let bytes = Array(marked.utf8)
    let offset = bytes.firstIndex(of: UInt8(ascii: "^")) ?? 0
    let text = bytes.filter { $0 != UInt8(ascii: "^") }
    #expect(text.withUnsafeBufferPointer { SourceLocation(of: offset, in: $0) }.description == expected)
  }

  @Test("an offset past the end is the end")
  func pastEnd() {
    let text = Array("a\nbc".utf8)
    #expect(text.withUnsafeBufferPointer { SourceLocation(of: 1000, in: $0) }.description == "2:3")
  }

  @Test("locations are in reading order")
  func order() {
    let places = [(1, 1), (1, 9), (2, 1), (10, 3)].map { SourceLocation(line: $0.0, column: $0.1) }
    #expect(places.shuffled().sorted() == places)
  }
}
