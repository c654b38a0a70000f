import EncircleTestSupport
import EncircleText
import Testing

@Suite struct EscapeTests {
  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: scalar.properties.isDefaultIgnorableCodePoint && scalar.value != 0xFE0E && scalar.value != 0xFE0F
    }
  }

  @Test("exactly control and invisible characters are escaped for people")
  func people() {
    // Planes 4 to 13 have no characters, and the last two have only private-use ones.
    for value in 0...0x10FFFF as ClosedRange<UInt32> where TestSize.isFull || value >> 16 < 4 || value >> 16 == 14 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(Character(scalar))
      let escaped = "\\u{\(String(value, radix: 16))}"
      let expected = Self.isUnsafe(scalar) ? escaped : text
      guard VisibleText.escaping(text).hasSameBytes(as: expected) else {
        Issue.record("U+\(String(value, radix: 16))")
        return
      }
    }
    #expect(VisibleText.escaping("a\nb\tc", keepingNewlines: true, keepingTabs: true) == "a\nb\tc")
    #expect(VisibleText.escaping("a\nb\tc") == "a\\u{a}b\\u{9}c")
  }

  @Test(
    "in JSON exactly what must be, C1 controls and line separators are escaped, wherever they stand",
    arguments: 0..<9)
  func json(before: Int) {
    let escaped: [ClosedRange<UInt32>] = [
      0...0x1F, 0x7F...0x9F, 0x2028...0x2029, 0x22...0x22, 0x5C...0x5C,
    ]
    for value in Array(0...0x3100) + [0xFEFF, 0x1F600] as [UInt32] {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text =
        String(repeating: "文", count: before / 3) + String(repeating: "x", count: before % 3)
        + String(Character(scalar))
      var bytes: [UInt8] = []
      JSONText.append(text + "end", to: &bytes)
      let hasIt = String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self).hasSameBytes(as: text + "end")
      #expect(hasIt != escaped.contains { $0.contains(value) }, "U+\(String(value, radix: 16))")
    }
  }

  @Test("a long text is shortened by its beginning and its end alone")
  func shortened() {
    let text = "begin" + String(repeating: "x", count: 3_000_000) + "end"
    let short = VisibleText.shortened(text, columns: 20)
    #expect(short.hasPrefix("begin") && short.hasSuffix("end") && short.unicodeScalars.count == 20)
  }

  @Test("a diagnostic has only its own lines, whatever it contains")
  func diagnostics() {
    var diagnostic = Diagnostic("no\nsuch\u{1B}[2J", file: "a\nb", offset: 4, in: "\t\u{202E}x\u{9B}y\u{2028}z")
    diagnostic.suggestion = "s\n"
    diagnostic.notes = [.init(message: "n\n", file: "f\n", location: SourceLocation(line: 1, column: 1))]
    let lines = diagnostic.description.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 4)
    #expect(lines[0] == "a\\u{a}b:1:3: error: no\\u{a}such\\u{1b}[2J; did you mean 's\\u{a}'?")
    #expect(lines[1] == "  \t\\u{202e}x\\u{9b}y\\u{2028}z")
    #expect(lines[2].unicodeScalars.firstIndex(of: "^") != nil)
  }
}
