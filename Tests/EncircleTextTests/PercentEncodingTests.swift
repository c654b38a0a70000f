import EncircleText
import Testing

@Suite struct PercentEncodingTests {
  @Test(
    "a text is escaped byte by byte, but for letters, digits, -._~ and, if they are kept, slashes",
    arguments: [
      ("aZ09-._~", "aZ09-._~", "aZ09-._~"), ("/a b", "%2Fa%20b", "/a%20b"), ("é%\n", "%C3%A9%25%0A", "%C3%A9%25%0A"),
      ("", "", ""),
    ])
  func escaping(text: String, escaped: String, keepingSlashes: String) {
    #expect(PercentEncoding.escaping(text) == escaped)
    #expect(PercentEncoding.escaping(text, keepingSlashes: true) == keepingSlashes)
    #expect(PercentEncoding.decode(Array(escaped.utf8)[...]) == Array(text.utf8))
  }

  @Test(
    "percent signs without two digits behind them stay, and a plus sign stands for what the caller says",
    arguments: [("100%", "100%"), ("%4", "%4"), ("%g1%c3%A9", "%g1é"), ("%%41", "%A"), ("1+%2B", "1 +")])
  func decoding(text: String, decoded: String) {
    #expect(PercentEncoding.decode(Array(text.utf8)[...], plus: UInt8(ascii: " ")) == Array(decoded.utf8))
  }
}
