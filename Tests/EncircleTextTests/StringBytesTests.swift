import EncircleTestSupport
import EncircleText
import Testing

@Suite("a separator is a byte, whatever character it is a part of") struct StringBytesTests {
  // The combining mark makes one character with what is in front of it.
  private static let mark = "\u{301}"

  @Test(
    "texts are split at bytes",
    arguments: [
      ("a/b", ["a", "b"]), ("/\(mark)a", ["\(mark)a"]), ("a/\(mark)/b", ["a", "\(mark)", "b"]), ("", []), ("//", []),
    ])
  func split(_ text: String, _ parts: [String]) {
    #expect(text.splitBytes(at: "/").map { UTF8String(String($0)) } == parts.map { UTF8String($0) })
    let all = text.splitBytes(at: "/", omittingEmptySubsequences: false)
    #expect(all.joined(separator: "/").utf8.elementsEqual(text.utf8))
    #expect(all.count == text.utf8.count { $0 == UInt8(ascii: "/") } + 1)
  }

  @Test("lines end at line feeds, behind a carriage return, too")
  func lines() { #expect("a\r\nb\nc".splitBytes(at: "\n") == ["a\r", "b", "c"]) }

  @Test("the first of several separators count")
  func maxSplits() {
    #expect("a==b".splitBytes(at: "=", maxSplits: 1, omittingEmptySubsequences: false) == ["a", "=b"])
  }

  @Test(
    "words are replaced from the left",
    arguments: [
      ("aXbX", "X", "yy", "ayybyy"), ("aaa", "aa", "b", "ba"), ("\"\(mark)", "\"", "\"\"", "\"\"\(mark)"),
      ("e\(mark)", "\u{E9}", "x", "e\(mark)"), ("abc", "", "x", "abc"), ("ab", "abc", "x", "ab"),
    ])
  func replace(_ text: String, _ word: String, _ replacement: String, _ result: String) {
    #expect(UTF8String(text.replacingBytes(of: word, with: replacement)) == UTF8String(result))
    #expect(UTF8String(("." + text).dropFirst().replacingBytes(of: word, with: replacement)) == UTF8String(result))
  }

  @Test(
    "spaces are trimmed, whatever stands behind them",
    arguments: [
      ("", ""), (" ", ""), (" \t\r\n", ""), ("a", "a"), (" a b\t", "a b"), (" \(mark)a ", "\(mark)a"),
      ("\u{A0}", "\u{A0}"),
    ])
  func trim(_ text: String, _ result: String) {
    #expect(UTF8String(String(text.trimmingBytes(where: isWhiteSpace))) == UTF8String(result))
  }

  @Test("words are found at the beginning, at the end and between")
  func find() {
    let text = "W/\(Self.mark).xml\(Self.mark)"
    #expect(text.beginsWithBytes(of: "W/") && text.containsBytes(of: ".xml") && !text.endsWithBytes(of: ".xml"))
    #expect("a.xml".endsWithBytes(of: ".xml") && !"xml".endsWithBytes(of: ".xml") && "".endsWithBytes(of: ""))
    #expect("a=\(Self.mark)".indexOfByte("=") != nil)
  }

  @Test("a quote in a cell or a word of a shell and a slash in a pointer are escaped with a mark behind them, too")
  func escapes() {
    #expect(UTF8String("'\(Self.mark)".shellWord) == UTF8String(#"''\''\#(Self.mark)'"#))
    #expect(UTF8String(CSVText.quoted("\"\(Self.mark)")) == UTF8String("\"\"\"\(Self.mark)\""))
    #expect(UTF8String(JSONPointer.member("/\(Self.mark)", of: "")) == UTF8String("/~1\(Self.mark)"))
  }
}
