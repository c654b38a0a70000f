import EncircleEvents
import EncircleText
import Testing

@Suite("JSON texts are read as RFC 8259 says")
struct JSONTapeTests {
  @Test(
    "Valid JSON is accepted",
    arguments: [
      ("null", "null"), ("true", "true"), (" false\r\n\t", "false"), ("0", "0"), ("-0", "-0"),
      ("-12.50e+03", "-12.50e+03"),
      ("1E400", "1E400"), ("9007199254740993", "9007199254740993"), ("\"\"", "''"), ("\"/\"", "'/'"),
      ("[]", "[]"), ("[ ]", "[]"), ("{}", "{}"), ("{ }", "{}"), ("[[],[[]]]", "[[],[[]]]"), ("[1,[2],3]", "[1,[2],3]"),
      (#"{"a":1,"b":[true,{"c":null}],"d":{}}"#, "{'a':1,'b':[true,{'c':null}],'d':{}}"),
      (#"{"":{"":""}}"#, "{'':{'':''}}"), (#"{"a":1,"a":2}"#, "{'a':1,'a':2}"),
      ("\t{\n  \"a\" :\r\n [ 1 , 2 ] }        ", "{'a':[1,2]}"),
      (#""\"\\\/\b\f\n\r\t""#, "'\"\\/\u{8}\u{C}\n\r\t'"), (#""\u00e9\u4E2D\ud83d\ude00""#, "'é中😀'"),
      ("\"é中😀\u{7F}\u{2028}\u{10FFFF}\"", "'é中😀\u{7F}\u{2028}\u{10FFFF}'"), (#""\u0000""#, "'\0'"),
      (#""中文中文中文 plain text, more than eight bytes 中""#, "'中文中文中文 plain text, more than eight bytes 中'"),
    ] as [(String, String)])
  func accepted(text: String, expected: String) {
    #expect(dump(text) == expected)
  }

  @Test(
    "Invalid JSON is refused at the first wrong byte",
    arguments: [
      ("", "unexpectedEnd 0"), ("  ", "unexpectedEnd 2"), ("nul", "unexpectedEnd 3"), ("nulk", "unknownWord 0"),
      ("True", "unknownWord 0"), ("NaN", "unknownWord 0"), ("Infinity", "unknownWord 0"), ("-Infinity", "badNumber 1"),
      ("-", "unexpectedEnd 1"), ("+1", "expectedValue 0"), ("01", "badNumber 1"), ("-01", "badNumber 2"),
      (".5", "expectedValue 0"),
      ("1.", "unexpectedEnd 2"), ("1.e5", "badNumber 2"), ("1e", "unexpectedEnd 2"), ("1e+", "unexpectedEnd 3"),
      ("0x10", "trailingText 1"), ("1 2", "trailingText 2"), ("{} {}", "trailingText 3"), ("[1", "unexpectedEnd 2"),
      ("[1,]", "expectedValue 3"), ("[,1]", "expectedValue 1"), ("[1 2]", "expectedCommaOrBracket 3"),
      ("[1}", "expectedCommaOrBracket 2"),
      ("]", "expectedValue 0"), ("}", "expectedValue 0"), ("{", "unexpectedEnd 1"), ("{]", "expectedKey 1"),
      (#"{"a"}"#, "expectedColon 4"), (#"{"a":}"#, "expectedValue 5"), (#"{"a":1,}"#, "expectedKey 7"),
      (#"{"a":1 "b":2}"#, "expectedCommaOrBrace 7"), (#"{a:1}"#, "expectedKey 1"), (#"{'a':1}"#, "expectedKey 1"),
      (#"{1:1}"#, "expectedKey 1"),
      (#"{"a":1]"#, "expectedCommaOrBrace 6"), (#"{"a":1"#, "unexpectedEnd 6"), (#"{"a""#, "unexpectedEnd 4"),
      (#"{"a":"#, "unexpectedEnd 5"),
      ("\"a", "unexpectedEnd 2"), ("\"a\nb\"", "controlCharacter 2"), ("\"\t\"", "controlCharacter 1"),
      ("\"\0\"", "controlCharacter 1"),
      ("\"12345678\u{1F}\"", "controlCharacter 9"), (#""\x""#, "badEscape 1"), (#""\u12g4""#, "badEscape 1"),
      (#""\u12"#, "unexpectedEnd 1"),
      (#""\"#, "unexpectedEnd 1"), ("\u{FEFF}{}", "expectedValue 0"), ("\u{A0}1", "expectedValue 0"),
      ("\u{C}1", "expectedValue 0"),
      ("/**/1", "expectedValue 0"), ("'a'", "expectedValue 0"), ("1,", "trailingText 1"),
    ] as [(String, String)])
  func refused(text: String, expected: String) {
    #expect(dump(text) == expected)
  }

  @Test(
    "Bytes that are not UTF-8 are refused, at any distance from the end of a word of memory",
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
      [0xE4, 0xB8], [0xE4, 0x28, 0xAD], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80],
      [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
    ] as [[UInt8]])
  func badUTF8(bytes: [UInt8]) {
    for before in [0, 1, 4, 5, 6, 7, 8] {
      for after in [0, 1, 2, 3, 8] {
        let text = Array("\"".utf8) + [UInt8](repeating: 0x61, count: before) + bytes
        let whole = text + [UInt8](repeating: 0x61, count: after) + Array("\"".utf8)
        #expect(dump(whole) == "badUTF8 \(before + 1)")
        // The name of a member is a string like any other.
        #expect(dump(Array("{".utf8) + whole + Array(":1}".utf8)) == "badUTF8 \(before + 2)")
      }
    }
  }

  @Test(
    "Text in UTF-16 is said to be no UTF-8", arguments: [[0xFF, 0xFE, 0x7B, 0], [0xFE, 0xFF, 0, 0x7B]] as [[UInt8]])
  func utf16(bytes: [UInt8]) {
    #expect(dump(bytes) == "badUTF8 0")
  }

  @Test("Scalars of all planes are accepted as they are and as escapes")
  func scalars() {
    var tape = JSONTape()
    for value in Swift.stride(from: UInt32(0x20), through: 0x10FFFF, by: 97) {
      guard let scalar = Unicode.Scalar(value), scalar != "\"", scalar != "\\" else { continue }
      let character = String(Character(scalar))
      let escaped = character.utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
      #expect(dump(Array("\"\(character)\"".utf8), with: &tape) == "'\(character)'")
      #expect(dump(Array("\"\(escaped.joined())\"".utf8), with: &tape) == "'\(character)'")
    }
  }

  @Test(
    "A lone surrogate becomes U+FFFD and a pair one scalar, wherever they stand",
    arguments: [
      (#"\ud800"#, "\u{FFFD}"), (#"\udc00"#, "\u{FFFD}"), (#"\ud800\ud800"#, "\u{FFFD}\u{FFFD}"),
      (#"\udc00\ud800"#, "\u{FFFD}\u{FFFD}"), (#"\ud83d\ude00"#, "😀"), (#"\ud83d\ud83d\ude00"#, "\u{FFFD}😀"),
      (#"\ud83dx\ude00"#, "\u{FFFD}x\u{FFFD}"), (#"\ud83d\n\ude00"#, "\u{FFFD}\n\u{FFFD}"),
      (#"\uD83D\uDE00\ude00"#, "😀\u{FFFD}"),
      (#"\ud83d\u0061"#, "\u{FFFD}a"), (#"\ud83d😀"#, "\u{FFFD}😀"),
    ] as [(String, String)])
  func surrogates(escaped: String, expected: String) {
    #expect(dump("\"\(escaped)\"") == "'\(expected)'")
    #expect(dump("{\"\(escaped)\":[\"a\(escaped)b\"]}") == "{'\(expected)':['a\(expected)b']}")
  }

  @Test("Nesting is limited, and neither the limit nor what is below it costs stack")
  func depth() {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    #expect(dump(nested(512)).hasPrefix("[[["))
    #expect(dump(nested(513)) == "tooDeep(limit: 512) 512")
    #expect(dump(nested(1_000_000)) == "tooDeep(limit: 512) 512")
    #expect(dump(nested(1_000_000), depthLimit: 1_000_000).utf8.count == 2_000_000)
    #expect(dump(Array(#"{"a":{"a":1}}"#.utf8), depthLimit: 1) == "tooDeep(limit: 1) 5")
    #expect(dump(Array("1".utf8), depthLimit: 0) == "1")
  }

  @Test("A reused tape holds only the last text")
  func reuse() {
    var tape = JSONTape()
    #expect(dump(Array("[1,2,3]".utf8), with: &tape) == "[1,2,3]")
    #expect(dump(Array("{}".utf8), with: &tape) == "{}")
    #expect(tape.count == 1)
    #expect(dump(Array("[1,2,x]".utf8), with: &tape) == "unknownWord 5")
    #expect(tape.count == 0)
    #expect(dump(Array("\"abc".utf8), with: &tape) == "unexpectedEnd 4")
    #expect(dump(Array("\"xyz\"".utf8), with: &tape) == "'xyz'")
  }

  @Test("Values know where they are in the text")
  func ranges() throws {
    let text = Array(#" {"a" : [ 10 , "x\ty" ] }"#.utf8)
    var tape = JSONTape()
    let pieces = try text.withUnsafeBufferPointer { bytes throws(JSONError) -> [String] in
      try tape.parse(bytes)
      return (0..<tape.count).map { String(decoding: bytes[tape[$0].range], as: UTF8.self) }
    }
    #expect(pieces == [#"{"a" : [ 10 , "x\ty" ] }"#, "a", #"[ 10 , "x\ty" ]"#, "10", #"x\ty"#])
    #expect((0..<tape.count).map { tape[$0].next } == [5, 2, 5, 4, 5])
  }
}
