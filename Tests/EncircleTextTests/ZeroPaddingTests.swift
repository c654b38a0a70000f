import EncircleText
import Testing

@Suite struct ZeroPaddingTests {
  @Test(
    "a number has zeros in front, unless it has as many digits without them",
    arguments: [(0, "000"), (7, "007"), (123, "123"), (12345, "12345")])
  func decimal(number: Int, text: String) { #expect(zeroPadded(number, to: 3) == text) }

  @Test("hexadecimal digits are capitals") func hexadecimal() {
    #expect(zeroPadded(0x1F as UInt32, to: 4, radix: 16) == "001F")
  }
}
