import EncircleText
import Testing

@Suite struct StringBeginningTests {
  @Test("a beginning has whole scalars, within a number of bytes or code units", arguments: 0...14)
  func beginning(limit: Int) {
    // One to four bytes, one or two units; the accent is a scalar of its own.
    let text = "a\u{E9}e\u{301}字😀z"
    var (bytes, units) = ("", "")
    for scalar in text.unicodeScalars {
      let next = String(scalar)
      if text.unicodeScalars.starts(with: (bytes + next).unicodeScalars), (bytes + next).utf8.count <= limit {
        bytes += next
      }
      if text.unicodeScalars.starts(with: (units + next).unicodeScalars), (units + next).utf16.count <= limit {
        units += next
      }
    }
    #expect(text.beginning(bytes: limit).hasSameBytes(as: bytes))
    #expect(text.beginning(utf16Units: limit).hasSameBytes(as: units))
  }
}
