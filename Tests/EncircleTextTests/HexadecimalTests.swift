import EncircleTestSupport
import EncircleText
import Testing

@Suite struct HexadecimalTests {
  @Test("eight digits equal those of the formatted number")
  func digits() {
    var random = SeededGenerator(seed: 7)
    let numbers = [0, 9, 10, 0x0F, 0xF0, 0x9999_9999, 0xAAAA_AAAA, .max] + (0..<1000).map { _ in random.next() >> 32 }
    for number in numbers.map({ UInt32(truncatingIfNeeded: $0) }) {
      let text = withUnsafeBytes(of: Hexadecimal.digits(of: number).littleEndian) {
        String(decoding: $0, as: UTF8.self)
      }
      let digits = String(number, radix: 16)
      #expect(text == String(repeating: "0", count: 8 - digits.utf8.count) + digits)
    }
  }
}
