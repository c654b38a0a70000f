import EncircleText
import Testing

/// Comparing and dividing bytes.
@Suite struct BytesTests {
  @Test("bytes are equal if each one is, for any number of bytes")
  func same() {
    for count in 0...100 {
      // At different places in memory, with other bytes around.
      let text = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let memory = [1, 2, 3] + text + [4, 5]
      memory.withUnsafeBufferPointer { memory in
        let other = memory.part(3..<3 + count)
        #expect(text.withUnsafeBufferPointer { sameBytes($0, other) })
        #expect(!text.withUnsafeBufferPointer { sameBytes($0, memory.part(3..<4 + count)) })
        for place in 0..<count {
          var changed = text
          changed[place] ^= 0x80
          #expect(!changed.withUnsafeBufferPointer { sameBytes($0, other) }, "byte \(place) of \(count)")
        }
      }
    }
  }

  @Test(
    "a line ends at the next line feed or carriage return, or with the bytes",
    arguments: [("ab\ncd\n", 0, 2), ("ab\ncd\n", 2, 2), ("ab\ncd\r\n", 3, 5), ("ab", 0, 2), ("ab", 2, 2), ("", 0, 0)])
  func lineEnd(text: String, start: Int, end: Int) {
    #expect(Array(text.utf8).withUnsafeBufferPointer { $0.lineEnd(from: start) } == end)
  }

  @Test(
    "a byte and a literal are found from a place on",
    arguments: [
      ("abcabc", 0, 1, 1), ("abcabc", 2, 4, 4), ("abcabc", 5, nil, nil), ("abcabc", 6, nil, nil), ("ab", 0, 1, nil),
      ("", 0, nil, nil),
    ] as [(String, Int, Int?, Int?)])
  func offset(text: String, start: Int, byte: Int?, literal: Int?) {
    Array(text.utf8).withUnsafeBufferPointer { text in
      #expect(text.offset(of: UInt8(ascii: "b"), from: start) == byte)
      #expect(text.offset(of: "bc", from: start) == literal)
    }
  }

  @Test("digits and letters are those of ASCII")
  func characters() {
    let bytes = UInt8.min...UInt8.max
    #expect(String(decoding: bytes.filter { isDigit($0) }, as: UTF8.self) == "0123456789")
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    #expect(String(decoding: bytes.filter { isLetter($0) }, as: UTF8.self) == letters + letters.lowercased())
    #expect(bytes.filter { isUpperCase($0) } == Array(letters.utf8))
    #expect(
      String(decoding: bytes.filter { isFilenameByte($0) }, as: UTF8.self)
        == "-.0123456789" + letters + "_" + letters.lowercased())
    #expect(bytes.filter { lowercased($0) != $0 } == Array(letters.utf8))
    #expect(letters.utf8.map { lowercased($0) } == Array(letters.lowercased().utf8))
  }

  @Test(
    "numbers are written in decimal", arguments: [0, 7, 9, 10, 99, 100, 1 << 40, .max, -1, -10, .min])
  func decimal(number: Int) {
    var bytes = Array("n".utf8)
    appendDecimal(number, to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "n\(number)")
  }

  @Test(
    "only a whole byte order mark at the beginning is left out",
    arguments: [
      ("\u{FEFF}a", "a"), ("\u{FEFF}\u{FEFF}", "\u{FEFF}"), ("a\u{FEFF}", "a\u{FEFF}"),
      ("\u{FF5E}", "\u{FF5E}"), ("", ""),
    ])
  func byteOrderMark(text: String, rest: String) {
    #expect(text.utf8.withoutByteOrderMark.elementsEqual(rest.utf8))
    #expect(Array(text.utf8)[...].withoutByteOrderMark.elementsEqual(rest.utf8))
  }
}
