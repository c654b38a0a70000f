import EncircleEvents
import EncircleInput
import EncircleTestSupport
import Testing

@Suite("Input is taken apart into records, and nothing is lost")
struct FramingTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var claim: String
    var input: String
    var expected: [String]
    var testDescription: String { claim }

    init(_ claim: String, _ input: String, _ expected: [String]) {
      self.claim = claim
      self.input = input
      self.expected = expected
    }
  }

  static let lines = [
    Row("nothing gives nothing", "", []),
    Row("white space gives nothing", "\n \r\n\t\n  ", []),
    Row("one object a line", "{\"a\":1}\n{\"b\":2}\n", [#"1 {"a":1}"#, #"2 {"b":2}"#]),
    Row("the last line needs no line feed", "{\"a\":1}\n{\"b\":2}", [#"1 {"a":1}"#, #"2 {"b":2}"#]),
    Row("CR LF ends a line", "{\"a\":1}\r\n\r\n{\"b\":2}\r\n", [#"1 {"a":1}"#, #"3 {"b":2}"#]),
    Row("blank lines are skipped and counted", "\n\n{}\n  \t \n{}\n\n", ["3 {}", "5 {}"]),
    Row("white space around an object is not part of it", "  { \"a\" : 1 } \t\n {} ", [#"1 { "a" : 1 }"#, "2 {}"]),
    Row("a byte order mark is skipped", "\u{FEFF}{}\n{}", ["1 {}", "2 {}"]),
    Row(
      "a second byte order mark is not", "{}\n\u{FEFF}{}\n{}",
      ["1 {}", "!2:1 expectedValue | \u{FEFF}{}", "3 {}"]),
    Row("a byte order mark alone is nothing", "\u{FEFF}", []),
    Row(
      "a line that is not JSON does not touch the next", "{}\noops\n{\"a\":\n{\"b\":2}\n",
      ["1 {}", "!2:1 unknownWord | oops", "!3:6 unexpectedEnd | {\"a\":", #"4 {"b":2}"#]),
    Row(
      "a line in a string does not touch the next", "{}\n{\"a\":\"b\n{\"b\":2}\n",
      ["1 {}", "!2:8 unexpectedEnd | {\"a\":\"b", #"3 {"b":2}"#]),
    Row(
      "a value that is no object is rejected", "{}\n1\n\"x\"\n[{}]\nnull\n{}",
      [
        "1 {}", "!2:1 notAnObject | 1", "!3:1 notAnObject | \"x\"", "!4:1 notAnObject | [{}]",
        "!5:1 notAnObject | null", "6 {}",
      ]),
    Row(
      "two objects in a line are none", "{}{}\n{} {}\n{}",
      ["!1:3 trailingText | {}{}", "!2:4 trailingText | {} {}", "3 {}"]),
    Row("a comma behind an object is an error", "{},\n{}", ["!1:3 trailingText | {},", "2 {}"]),
    Row("the column counts scalars", "{\"中文😀é\":x}\n", ["!1:9 unknownWord | {\"中文😀é\":x}"]),
    Row("the column counts what stands before", "{}\n \t {\"a\" 1}\n", ["1 {}", "!2:9 expectedColon | {\"a\" 1}"]),
    Row("CR alone ends no line", "{}\r{}\n{}", ["!1:4 trailingText | {}\r{}", "2 {}"]),
    Row(
      "the first line may be the broken one", "{\"a\":oops}\n{\"b\":1}\n",
      ["!1:6 unknownWord | {\"a\":oops}", #"2 {"b":1}"#]),
    Row(
      "text in front of all does not matter", "# events\n{\"b\":1}\n", ["!1:1 expectedValue | # events", #"2 {"b":1}"#]),
    Row("a last line that is cut is rejected", "{}\n{\"a\":1", ["1 {}", "!2:7 unexpectedEnd | {\"a\":1"]),
    Row("a single line that is cut is rejected", "{\"a\":1", ["!1:7 unexpectedEnd | {\"a\":1"]),
    Row(
      "numbers stay as written", "{\"n\":9007199254740993,\"m\":1.0e+400}\n",
      [#"1 {"n":9007199254740993,"m":1.0e+400}"#]),
  ]

  static let documents = [
    Row("an array in one line", "[{\"a\":1},{\"b\":2}]", [#"1 {"a":1}"#, #"1 {"b":2}"#]),
    Row("an empty array", " [ ] \n", []),
    Row("an array over several lines", "[\n{\"a\":1},\n{\"b\":2}\n]\n", [#"2 {"a":1}"#, #"3 {"b":2}"#]),
    Row("an array with leading commas", "[ {\"a\":1}\n, {\"b\":2}\n]", [#"1 {"a":1}"#, #"2 {"b":2}"#]),
    Row("a byte order mark in front of an array", "\u{FEFF}[{}]", ["1 {}"]),
    Row(
      "a pretty-printed array", "\n[\n  {\n    \"a\": [\n      1\n    ]\n  },\n  {\n  }\n]\n",
      ["3 {\n    \"a\": [\n      1\n    ]\n  }", "8 {\n  }"]),
    Row(
      "a pretty-printed object", "{\n  \"a\": {\n    \"b\": \"}\"\n  }\n}",
      ["1 {\n  \"a\": {\n    \"b\": \"}\"\n  }\n}"]),
    Row(
      "pretty-printed objects one after the other", "{\n\"a\":1\n}\n{\n\"b\":2\n}{\r\n}\r\n{}\n\n{\n}",
      ["1 {\n\"a\":1\n}", "4 {\n\"b\":2\n}", "6 {\r\n}", "8 {}", "10 {\n}"]),
    Row("arrays one after the other, and objects", "[{}][\n{}]\n{}\n[]", ["1 {}", "2 {}", "3 {}"]),
    Row(
      "an element that is no object is rejected by itself", "[1, {\"a\":1}, [2,\n{}], \"x\"\n, null]",
      [
        "!1:2 notAnObject | 1", #"1 {"a":1}"#, "!1:14 notAnObject | [2,\n{}]", "!2:6 notAnObject | \"x\"",
        "!3:3 notAnObject | null",
      ]),
    Row("the column counts scalars in a document too", "[{\"中文\":1},2]", [#"1 {"中文":1}"#, "!1:11 notAnObject | 2"]),
    Row(
      "a log line in brackets is one rejection, and lines follow",
      "[2026-01-02 10:00] started\n{\"a\":1}\n  {\"b\":1}\n",
      ["!1:6 expectedCommaOrBracket | [2026-01-02 10:00] started", #"2 {"a":1}"#, #"3 {"b":1}"#]),
    Row(
      "another log line", "[INFO] started\n{\"a\":1},\n{}",
      ["!1:2 unknownWord | [INFO] started", "!2:8 trailingText | {\"a\":1},", "3 {}"]),
    Row(
      "an event cut in the first line does not swallow the second", "{\"a\":1,\n{\"b\":2}\n{\"c\":3}\n",
      ["!1:8 unexpectedEnd | {\"a\":1,", #"2 {"b":2}"#, #"3 {"c":3}"#]),
    Row(
      "nor when the second could be part of it", "{\"a\":\n{\"b\":2}\n{\"c\":3}\n",
      ["!1:6 unexpectedEnd | {\"a\":", #"2 {"b":2}"#, #"3 {"c":3}"#]),
    Row("nor when the second is the last", "{\"a\":\n{\"b\":2}", ["!1:6 unexpectedEnd | {\"a\":", #"2 {"b":2}"#]),
    Row(
      "nor in an array", "[\n{\"a\":\n{\"b\":2},\n{\"c\":3}\n]",
      ["!from 1 2:6 unexpectedEnd | [\n{\"a\":", #"3 {"b":2}"#, #"4 {"c":3}"#]),
    Row(
      "a broken element takes its line, and the array's other lines are read",
      "[\n{\"a\":1},\n{\"b\":oops},\n{\"c\":3},\n\n,{\"d\":4}\n]\n{\"e\":5}\n{},",
      [
        #"2 {"a":1}"#, "!3:6 unknownWord | {\"b\":oops},", #"4 {"c":3}"#, #"6 {"d":4}"#, #"8 {"e":5}"#,
        "!9:3 trailingText | {},",
      ]),
    Row(
      "a broken element before others of its line is rejected alone",
      "[{\"a\":1},{\"b\":oops},{\"c\":\"\\q\"} , {\"d\":1,},{\"e\":2}]\n{}",
      [
        #"1 {"a":1}"#, "!1:15 unknownWord | {\"b\":oops}", "!1:27 badEscape | {\"c\":\"\\q\"}",
        "!1:41 expectedKey | {\"d\":1,}", #"1 {"e":2}"#, "2 {}",
      ]),
    Row(
      "so is the first one", "[{\"a\":\"\u{1}\"},\t{\"b\":1}]",
      ["!1:8 controlCharacter | {\"a\":\"\u{1}\"}", #"1 {"b":1}"#]),
    Row(
      "and one that is nested too deep",
      "[{\"a\":\(String(repeating: "[", count: 512))\(String(repeating: "]", count: 512))},{\"b\":1}]",
      [
        "!1:518 tooDeep(limit: 512) | {\"a\":\(String(repeating: "[", count: 512))\(String(repeating: "]", count: 512))}",
        #"1 {"b":1}"#,
      ]),
    Row(
      "what looks like the end of a broken element inside of a text is none",
      "[{\"a\":\"},{\\\"\",\"b\":oops},{\"c\":1}]",
      ["!1:19 unknownWord | {\"a\":\"},{\\\"\",\"b\":oops}", #"1 {"c":1}"#]),
    Row(
      "behind a missing quote, nothing is certain", "[{\"a\":1},{\"b\":\"x},{\"c\":1},{\"d\":2}]\n{}",
      [
        #"1 {"a":1}"#, "!1:21 expectedCommaOrBrace | {\"b\":\"x},{\"c\":1},{\"d\":2}]", "2 {}",
      ]),
    Row(
      "nor behind a missing bracket", "[{\"a\":{\"b\":oops},{\"c\":1},{\"d\":2}]\n{}",
      ["!1:12 unknownWord | [{\"a\":{\"b\":oops},{\"c\":1},{\"d\":2}]", "2 {}"]),
    Row(
      "the last element may be followed by the bracket", "[{\"a\":1},\n{\"b\":oops},\n{\"c\":3}]\n{},\n",
      [#"1 {"a":1}"#, "!2:6 unknownWord | {\"b\":oops},", #"3 {"c":3}"#, "!4:3 trailingText | {},"]),
    Row(
      "what is inside a broken value is no event",
      "[\n  {\n    \"a\": oops,\n    \"l\": [\n      {\"x\":1},\n      {\"y\":2}\n    ]\n  },\n  {\"b\":1}\n]",
      [
        "!from 1 3:10 unknownWord | [\n  {\n    \"a\": oops,", "!4:8 trailingText | \"l\": [",
        "!5:7 insideBrokenValue | {\"x\":1},",
        "!6:7 insideBrokenValue | {\"y\":2}", "!7:5 expectedValue | ]", "!8:3 expectedValue | },", #"9 {"b":1}"#,
      ]),
    Row(
      "a comma too many", "[{\"a\":1},\n]\n{}", [#"1 {"a":1}"#, "!2:1 expectedValue | ]", "3 {}"]),
    Row("a comma too early", "[,{\"a\":1}]\n{}", ["!1:2 expectedValue | [,{\"a\":1}]", "2 {}"]),
    Row("no comma", "[{\"a\":1} {\"b\":2}]\n{}", [#"1 {"a":1}"#, "!1:10 expectedCommaOrBracket | {\"b\":2}]", "2 {}"]),
    Row("text behind an array", "[{}] x\n{}", ["1 {}", "!1:6 expectedValue | x", "2 {}"]),
    Row(
      "an array that is not closed is reported", "[{\"a\":1},\n{\"b\":2}",
      [#"1 {"a":1}"#, #"2 {"b":2}"#, "!2:8 unexpectedEnd | "]),
    Row("so is one that ends with a comma", "[{\"a\":1},\n", [#"1 {"a":1}"#, "!2:1 unexpectedEnd | "]),
    Row("and one that has only begun", "[\n", ["!from 1 2:1 unexpectedEnd | ["]),
    Row("and one that is cut in an element", "[{\"a\":1},\n{\"b\":", [#"1 {"a":1}"#, "!2:6 unexpectedEnd | {\"b\":"]),
    Row(
      "an object that is cut", "{\n\"a\": 1\n", ["!from 1 2:7 unexpectedEnd | {\n\"a\": 1"]),
    Row(
      "a missing comma in a pretty-printed object", "{\n  \"a\": 1\n  \"b\": 2\n}\n{\"c\":3}",
      [
        "!from 1 2:9 unexpectedEnd | {\n  \"a\": 1", "!3:6 trailingText | \"b\": 2", "!4:1 expectedValue | }",
        #"5 {"c":3}"#,
      ]),
    Row(
      "a broken object behind whole ones", "{\n}\n{\n\"a\": 'x'\n}\n{\"c\":3}",
      ["1 {\n}", "!from 3 4:6 expectedValue | {\n\"a\": 'x'", "!5:1 expectedValue | }", #"6 {"c":3}"#]),
  ]

  @Test("Records are the same however the input arrives", arguments: lines + documents)
  func row(_ row: Row) {
    let input = Array(row.input.utf8)
    let results = ByteInputs.split(input)
    #expect(results[0] == row.expected)
    for (size, result) in results.enumerated() where result != results[0] {
      Issue.record("\(size) bytes at a time: \(result)")
      return
    }
    let compressed = records(gzip(input))
    #expect(compressed == results[0])
  }
}
