import EncircleEvents
import EncircleInput
import Foundation
import Testing

/// What RFC 8259 makes JSON and what it does not, read in every way that there is here, and by Python's parser.
@Suite("What a general parser accepts and refuses, the readers accept and refuse")
struct ConformanceTests {
  private static let valid: [String] = [
    // Literals and white space (§2, §3)
    "null", "true", "false", " null", "null ", "\tnull\t", "\rnull\r", "\nnull\n", " \t\r\n null \t\r\n ",
    // Numbers (§6)
    "0", "-0", "1", "-1", "10", "123456789", "12345678", "1234567", "1234567890123456789012345678901234567890", "0.0",
    "-0.0", "0.5", "1.5", "10.25", "0.00000000000000000001", "1e0", "1E0", "1e1", "1e+1", "1e-1", "1E+10", "1E-10",
    "0e0",
    "0e+5", "-0e-5", "0.1e1", "1.0E+2", "1e400", "-1e400", "1e-400", "9007199254740993", "18446744073709551616", "-9",
    "-9.9e9", "12345678.12345678e12345678",
    // Strings (§7)
    #""""#, #""a""#, #"" ""#, #""/""#, #""\/""#, #""\"""#, #""\\""#, #""\b\f\n\r\t""#, #""\u0000""#, #""\u001f""#,
    #""\u0022\u005c""#, #""\u00e9""#, #""\u00E9""#, #""\uABCD\uabcd""#, #""\u4e2d\u6587""#, #""\ud83d\ude00""#,
    #""\uD83D\uDE00""#,
    #""\\u0041""#, #""\\\\""#, #""\\\"""#, #""a\\""#, #""{}[],:""#, #""'""#, #""//""#, #""/**/""#, "\"#\"",
    "\"\u{7F}\"", "\"\u{80}\"",
    "\"\u{7FF}\"", "\"\u{800}\"", "\"\u{FFFD}\"", "\"\u{FFFE}\"", "\"\u{FFFF}\"", "\"\u{FEFF}\"",
    "\"\u{2028}\u{2029}\"", "\"\u{10000}\"",
    "\"\u{10FFFF}\"", "\"\u{D7FF}\u{E000}\"", "\"中文\"", "\"e\u{301}\"", "\"😀\"",
    "\"0123456789abcdef0123456789abcdef0123456789abcdef\"",
    // A lone surrogate is grammatical, though what it stands for is open (§8.2); Python takes it, too.
    #""\ud800""#, #""\udc00""#, #""\ud800\ud800""#, #""\udc00\ud800""#, #""\ud800a""#, #""\ud800\n""#,
    #""\ud800\u0041""#,
    // Arrays (§5)
    "[]", "[ ]", "[\t]", "[\n]", "[0]", "[ 0 ]", "[0,1]", "[0 , 1]", "[0,\n1]", "[[]]", "[[],[]]", "[[[[[[]]]]]]",
    "[null,true,false,0,\"\",[],{}]",
    "[\"a\",\"b\"]", "[1,\"]\",2]", "[-1]", "[1e5,2]",
    // Objects (§4)
    "{}", "{ }", "{\t}", "{\n}", #"{"a":0}"#, #"{ "a" : 0 }"#, #"{"a":0,"b":1}"#, #"{"a":0 , "b":1}"#, #"{"":0}"#,
    #"{"a":{}}"#,
    #"{"a":{"a":{"a":{}}}}"#, #"{"a":[{"a":[]}]}"#, #"{"a":0,"a":1}"#, #"{"a":{},"a":[]}"#, #"{"\u0061":0}"#,
    #"{"\"":0}"#, #"{"\\":0}"#,
    #"{"a\u0000b":0}"#, #"{"中":"文"}"#, #"{"a":null,"b":true,"c":false}"#, #"{"a":"}"}"#, #"{"properties":{"a":1}}"#,
    #"{"properties":[]}"#, #"{"properties":"x","a":1}"#, #"{"attributes":{"a":1}}"#,
    #"{"properties":{},"properties":{}}"#,
    "{\"a\":\r1}", "{\"a\"\t:\t1\t,\t\"b\"\t:\t2\t}",
  ]

  private static let invalid: [String] = [
    "", " ", "\n", "nul", "nulll", "Null", "NULL", "tru", "truee", "True", "fals", "falsee", "nan", "undefined", "none",
    "\u{B}null", "\u{C}null", "\u{A0}null", "\u{2028}null", "\u{FEFF}null", "null\0", "\0", "/**/null", "null//",
    "#null",
    "+1", "++1", "--1", "+0", "- 1", "-", "-a", "00", "01", "-00", "-01", "0123", ".5", "-.5", "5.", "-5.", "0.",
    "1.e1", "1.2.3", "1..2", "e1", "1e", "1e+",
    "1e-", "1E", "1ee1", "1e1.5", "1e1e1", "0x1", "0b1", "1_000", "1,000", "1 000", "1a", "1.a", "0e", "0.1e", "1+1",
    "1-1", "１", "٣",
    "\"", "\"a", "a\"", "'a'", "\"a\"b", "\"a\"\"b\"", #""\""#, #""\\\""#, #""\a""#, #""\v""#, #""\0""#, #""\x41""#,
    #""\'""#, #""\U0041""#,
    #""\u""#, #""\u1""#, #""\u12""#, #""\u123""#, #""\u123g""#, #""\u 123""#, #""\u-123""#, #""\u+041""#,
    #""\ud83d\u""#, #""\ud83d\ude0""#, #""\ ""#, #""\é""#,
    "\"\t\"", "\"\n\"", "\"\r\"", "\"\0\"", "\"\u{1}\"", "\"\u{1F}\"", "\"abcdefgh\u{B}\"",
    "\"0123456789abcdef0123456789abcdef\u{7}\"",
    #"\u0022a\u0022"#, #"\"a\""#,
    "[", "]", "[[", "[]]", "[[]", "[,", "[,]", "[0", "[0,", "[0,]", "[,0]", "[0,,1]", "[0 1]", "[0;1]", "[0:1]", "[0}",
    "[}", "[\"a\"", "[\"a", "[\"a\" \"b\"]",
    "[1,2", "[a]", "[-]", "[1e]", "[01]", "[\\n]", "[0]0", "[]0", "[],", "[][]",
    "{", "}", "{{", "{}}", "{{}}", "{[]}", "{0}", "{0:0}", "{a:0}", "{'a':0}", "{null:0}", #"{"a"}"#, #"{"a":}"#,
    #"{"a":0"#, #"{"a":"#, #"{"a""#, #"{"a"#, #"{"a":0,}"#,
    #"{,"a":0}"#, #"{"a":0,,"b":1}"#, #"{"a":0 "b":1}"#, #"{"a":0;"b":1}"#, #"{"a" 0}"#, #"{"a"::0}"#, #"{"a":0:1}"#,
    #"{"a",0}"#, #"{"a"=0}"#, #"{:0}"#, #"{"a":0]"#, #"{]"#,
    #"{"a":[}"#, #"{"a":[0,]}"#, #"{"a":{]}"#, #"{"a":"b}"#, #"{"a":"b"c}"#, #"{"a":1"b":2}"#, #"{"a":truefalse}"#,
    #"{"a":true1}"#, #"{"a":1true}"#, #"{"a":nul}"#, #"{"a":01}"#,
    #"{"a":\u0031}"#, #"{\u0022a":0}"#, #"{"a":0}x"#, #"{"a":0},"#, #"{"a":0}{"#, "{}{}", "{} {}", "{}[]",
    "{\"a\n\":0}", "{\"a\t\":0}", #"{"\a":0}"#, #"{"\u00":0}"#,
    #"{"properties":{"a":1}"#, #"{"properties":{"a":1,}}"#, #"{"properties":{"a"}}"#, #"{"properties":{]}"#,
    // Python takes these words by default; RFC 8259 does not (§6).
    "NaN", "Infinity", "-Infinity", "[NaN]", #"{"a":NaN}"#, #"{"a":-Infinity}"#,
  ]

  private static let badUTF8: [[UInt8]] = [
    [0x80], [0xBF], [0xC0], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x20], [0xC3, 0xC3], [0xDF, 0x7F],
    [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
    [0xE1, 0x80], [0xE4, 0xB8], [0xE4, 0xB8, 0x20], [0xE4, 0xB8, 0xC3], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
    [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
    [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFC],
    [0xFE], [0xFF], [0xE4, 0xB8, 0xAD, 0x80],
  ]

  /// All texts, and whether they are JSON.
  private static let rows: [(text: [UInt8], isValid: Bool)] = {
    var rows: [(text: [UInt8], isValid: Bool)] = []
    for text in valid { rows.append((Array(text.utf8), true)) }
    for text in invalid { rows.append((Array(text.utf8), false)) }
    // In a string, far inside one, in a name, and outside.
    let places = [("\"", "\""), ("\"0123456789abcdef0123456789abcdef中", "a\""), ("{\"", "\":1}"), ("", "")]
    for bytes in badUTF8 {
      for (before, after) in places {
        var text = Array(before.utf8)
        text += bytes
        text += Array(after.utf8)
        rows.append((text, false))
      }
    }
    return rows
  }()

  private func isEvent(_ line: [UInt8]) -> Bool {
    let result = records(Array("{}\n".utf8) + line + Array("\n{}".utf8))
    #expect(!result.contains { $0.hasPrefix("??") }, "\(String(decoding: line, as: UTF8.self)): \(result)")
    #expect(result.first == "1 {}" && result.last == "3 {}", "\(String(decoding: line, as: UTF8.self)): \(result)")
    return result.count == 3 && !result[1].hasPrefix("!")
  }

  @Test("Records are read as lines, and as values in lines")
  func lines() throws {
    for (text, isValid) in Self.rows {
      let name = "\(String(decoding: text, as: UTF8.self).debugDescription)"
      #expect(((try? EventValue(json: text)) != nil) == isValid, "\(name)")
      // A line feed ends a line.
      if text.contains(0x0A) { continue }
      for (before, after) in [
        ("{\"a\":", "}"), ("{\"properties\":{\"a\":", ",\"b\":1}}"), ("{\"properties\":{\"unknown\":", "}}"),
        ("{\"a\":[", ",1]}"),
        ("{\"a\":{\"b\": ", " }}"),
      ] {
        // Text that would close or continue its surroundings is a value only together with them.
        let line = Array(before.utf8) + text + Array(after.utf8)
        let isWhole = (try? EventValue(json: line)) != nil
        if isValid { #expect(isWhole, "\(name)") }
        #expect(isEvent(line) == isWhole, "\(name) between \(before) and \(after)")
      }
      if text.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) {
        let isObject = if case .object? = try? EventValue(json: text) { true } else { false }
        #expect(isEvent(text) == isObject, "\(name)")
      }
    }
  }

  @Test("Nesting is limited alike in every reader")
  func depth() {
    for depth in [1, 2, 3, 509, 510, 511, 512, 513, 600] {
      let open = String(repeating: "[", count: depth)
      let close = String(repeating: "]", count: depth)
      #expect(isEvent(Array("{\"a\":\(open)\(close)}".utf8)) == (depth < 512))
      #expect(isEvent(Array("{\"properties\":{\"b\":\(open)\(close)}}".utf8)) == (depth < 511))
    }
  }

  /// `true` if a working python3 exists.
  private static let hasPython: Bool = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", ""]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  @Test("Python agrees", .enabled(if: hasPython, "there is no python3 that runs"))
  func python() throws {
    // NaN and Infinity are Python's additions, which an option refuses.
    let program = """
      import json, sys
      def refuse(word):
          raise ValueError(word)
      for line in sys.stdin:
          try:
              json.loads(bytes.fromhex(line.strip()).decode("utf-8"), parse_constant=refuse)
              print(1)
          except ValueError:
              print(0)
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", program]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let digits = Self.rows.map { row in
      row.text.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\n"
    }
    // Few enough for the pipes to hold them.
    try? input.fileHandleForWriting.write(contentsOf: Data(digits.joined().utf8))
    try? input.fileHandleForWriting.close()
    let answer = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let verdicts = String(decoding: answer, as: UTF8.self).split(separator: "\n")
    #expect(process.terminationStatus == 0)
    #expect(verdicts.count == Self.rows.count)
    for ((text, isValid), verdict) in zip(Self.rows, verdicts) {
      #expect((verdict == "1") == isValid, "\(String(decoding: text, as: UTF8.self).debugDescription)")
    }
  }
}
