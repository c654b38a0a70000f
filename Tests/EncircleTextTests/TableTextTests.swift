import EncircleText
import Testing

/// The encodings in which spreadsheets write tables.
@Suite struct TableTextTests {
  private static let text = "Event Name\tOwner\r\npay\t李雷 😀\r\n"

  @Test("UTF-16 is read if a byte order mark says so", arguments: [true, false])
  func utf16(isLittleEndian: Bool) {
    let units = [0xFEFF] + Array(Self.text.utf16)
    let bytes = units.flatMap { unit -> [UInt8] in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      return isLittleEndian ? [low, high] : [high, low]
    }
    #expect(TableText.decoded(bytes) == Self.text)
    #expect(TableText.decoded(Array(bytes.dropLast())) == nil, "half a character is missing")
    #expect(TableText.decoded(Array(bytes.dropFirst(2))) != Self.text)
  }

  @Test("UTF-8 and GB18030 are read without a mark")
  func others() throws {
    #expect(TableText.decoded(Array(Self.text.utf8)) == Self.text)
    #expect(TableText.decoded(try #require(TableText.gb18030(Self.text))) == Self.text)
    #expect(TableText.decoded([0xFF, 0x41]) == nil)
  }
}
