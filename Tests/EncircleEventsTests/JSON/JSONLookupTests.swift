import EncircleEvents
import EncircleText
import Testing

@Suite("Values are found by name and by pointer")
struct JSONLookupTests {
  private func find(_ pointer: String, in json: String) -> String? {
    guard let pointer = JSONPointer(parsing: pointer) else { return "no pointer" }
    var tape = JSONTape()
    return Array(json.utf8).withUnsafeBufferPointer { text in
      guard (try? tape.parse(text)) != nil else { return "no JSON" }
      return tape.find(pointer, in: text).map { String(decoding: text[tape[$0].range], as: UTF8.self) }
    }
  }

  /// The document of RFC 6901 §5.
  private static let document =
    #"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"#

  @Test(
    "The examples of RFC 6901 hold",
    arguments: [
      ("", document), ("/foo", #"["bar","baz"]"#), ("/foo/0", "bar"), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"),
      ("/e^f", "3"),
      ("/g|h", "4"), (#"/i\j"#, "5"), (#"/k"l"#, "6"), ("/ ", "7"), ("/m~0n", "8"),
    ] as [(String, String)])
  func standardExamples(pointer: String, expected: String) {
    #expect(find(pointer, in: Self.document) == expected)
  }

  @Test(
    "A pointer to nothing finds nothing",
    arguments: ["/foo/2", "/foo/-", "/foo/01", "/foo/-1", "/foo/0/x", "/foo/99999999999999999999", "/bar", "/foo/"])
  func nothing(pointer: String) {
    #expect(find(pointer, in: Self.document) == nil)
  }

  @Test("A malformed pointer is refused", arguments: ["foo", "/~", "/~2", "/a~", " /a", "#/a"])
  func malformed(pointer: String) {
    #expect(JSONPointer(parsing: pointer) == nil)
  }

  @Test(
    "Of duplicate names the last one counts, however it is written",
    arguments: [
      (#"{"a":1,"a":2}"#, "2"), (#"{"a":1,"b":3,"a":2}"#, "2"), (#"{"a":1,"\u0061":2}"#, "2"),
      (#"{"\u0061":1,"a":2,"b":9}"#, "2"),
      (#"{"a":{"a":1},"a":[2]}"#, "[2]"), (#"{"a":2,"x":{"a":3}}"#, "2"), (#"{"a":1,"a":null}"#, "null"),
    ] as [(String, String)])
  func duplicates(json: String, expected: String) {
    #expect(find("/a", in: json) == expected)
  }

  @Test("Names are compared by their bytes, escapes replaced")
  func names() {
    #expect(find("/é", in: #"{"\u00e9":1}"#) == "1")
    // Composed and decomposed are different names.
    #expect(find("/e\u{301}", in: #"{"é":1}"#) == nil)
    #expect(find("/😀", in: #"{"\ud83d\ude00":1}"#) == "1")
    #expect(find("/a", in: #"{"A":1,"a ":2,"aa":3}"#) == nil)
    #expect(find("/a\u{0}b", in: #"{"a\u0000b":1}"#) == "1")
  }
}
