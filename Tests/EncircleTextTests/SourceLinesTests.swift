import EncircleText
import Testing

@Suite("Lines of a text")
struct SourceLinesTests {
  @Test("Places and offsets agree with a walk through the text")
  func places() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<50 {
      let pieces = ["a", "é", "注", "👍", "\n", "\r", "\r\n", "\t", "bcdefgh"]
      let text = (0..<Int.random(in: 0...600, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined()
      let lines = SourceLines(text)
      var bytes = text
      bytes.withUTF8 { bytes in
        for offset in 0...bytes.count where offset == bytes.count || bytes[offset] & 0xC0 != 0x80 {
          // Between CR and LF there is no place.
          if offset > 0, offset < bytes.count, bytes[offset] == 0x0A, bytes[offset - 1] == 0x0D { continue }
          let expected = SourceLocation(of: offset, in: bytes)
          #expect(lines.location(of: offset) == expected)
          #expect(lines.offset(of: expected) == offset)
        }
      }
    }
  }

  @Test("Places beyond a line or the text are their ends")
  func beyond() {
    let lines = SourceLines("ab\r\nçd")
    #expect(lines.offset(of: SourceLocation(line: 1, column: 100)) == 2)
    #expect(lines.offset(of: SourceLocation(line: 2, column: .max)) == 7)
    #expect(lines.offset(of: SourceLocation(line: 3, column: 1)) == 7)
    #expect(lines.offset(of: SourceLocation(line: 0, column: 0)) == 0)
    #expect(lines.location(of: 100) == SourceLocation(line: 2, column: 3))
    #expect(lines.excerpt(at: SourceLocation(line: 9, column: 9)).text.isEmpty)
  }

  @Test("Only the part of a long line around the place is kept and shown with a caret")
  func longLine() {
    let text = String(repeating: "注", count: 100_000) + "X" + String(repeating: "注", count: 100_000)
    let diagnostic = Diagnostic("here", offset: 300_000, in: text)
    #expect(diagnostic.location == SourceLocation(line: 1, column: 100_001))
    #expect(diagnostic.sourceLine?.unicodeScalars.count == 122)
    let lines = diagnostic.description.split(separator: "\n")
    #expect(lines[1].hasPrefix("  …注") && lines[1].hasSuffix("注…"))
    #expect(Array(lines[1])[63] == "X")
    #expect(Array(lines[2])[63] == "^")
  }
}
