import EncircleEvents
import EncircleInput
import EncircleTestSupport
import EncircleText
import Testing

/// The number of values found in an input, whichever way they were read: `records` compares the ways.
private func checked(_ input: [UInt8], pieceSize: Int = .max) -> [String] { records(input, pieceSize: pieceSize) }

@Suite("Events are read the same way with and without a projection")
struct ScannerTests {
  private func values(_ json: String, _ projection: EventProjection = someProjection) throws -> [String] {
    var reader = EventReader(bytes: (json + "\n").utf8, projection: projection)
    guard case .event = try reader.next() else { return ["no event"] }
    return dump(reader.upcomingValues[0])
  }

  @Test("Values are found where they are")
  func found() throws {
    #expect(
      try values(
        #"{"event":"$AppClick","time":12,"properties":{"a":"x\/y\u4e2d","b":-1.5e3,"c":null,"n":true,"x":[1]}}"#)
        == [
          "a string x/y中", "b number -1.5e3", "c null ", "n true ", "x composite [1]", "/event string $AppClick",
          "/properties composite ", "/time number 12",
        ])
    #expect(
      try values(#"{"a":1,"a":2,"properties":{"a":3,"a":"last"}}"#) == [
        "a string last", "/a number 2", "/properties composite ",
      ])
    #expect(
      try values(#"{"properties":{"a":1},"attributes":{"a":2,"b":3}}"#) == [
        "a number 1", "b number 3", "/properties composite ",
      ])
    #expect(try values(#"{"properties":{"a":1},"properties":{"b":2}}"#) == ["b number 2", "/properties composite "])
    #expect(try values(#"{"properties":{"\u0061":1}}"#) == ["a number 1", "/properties composite "])
    #expect(
      try values(
        #"{"properties":{"":1,"a name of more than thirty-one bytes, just so":2,"a name of more than thirty-one bytes, just s!":3}}"#
      )
        == [" number 1", "a name of more than thirty-one bytes, just so number 2", "/properties composite "])
  }

  @Test("Lines read together stay separate, even long, broken and blank ones")
  func together() {
    var lines: [String] = []
    for other in [
      #"{"properties":{"a":"\#(String(repeating: #"\u4e2d"#, count: 6_000))","b":1}}"#, "oops", "", " ", "[1]",
      #"{"properties":{"a":"x\u0041"},"attributes":{"b":2}}"#, #"{"properties":{"a":"\ud800"}} x"#,
    ] {
      for count in [0, 1, 3, 7, 8, 9] {
        lines += (0..<count).map { #"{"event":"\#($0)","properties":{"a":"\n\#(lines.count)","c":\#($0)}}"# } + [other]
      }
    }
    for end in ["\n", "\r\n"] {
      let input = Array(lines.joined(separator: end).utf8)
      let found = checked(input)
      let expected = lines.count { !$0.allSatisfy(\.isWhitespace) }
      #expect(found.count == expected)
      #expect(found.filter { $0.hasPrefix("??") } == [])
      #expect(checked(input, pieceSize: 1_000) == found)
    }
  }

  @Test("Thousands of places stay distinct")
  func many() throws {
    let names = (0..<5_000).map { "property_\($0)" } + (0..<300).map { "p\($0)" }
    let projection = EventProjection(names.map { .property(UTF8String($0)) })
    let members = names.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",")
    let found = try values("{\"properties\":{\(members),\"property_5000\":1}}", projection)
    let expected = names.enumerated().map { "\($1) number \($0)" }
    #expect(found.count == expected.count)
    let difference = zip(found, expected).first { $0 != $1 }
    #expect(difference == nil)
  }

  private static let event =
    #"{"event":"$AppClick","time":1760000000001,"a":{"b":[1,{"c":"]"}]},"properties":{"$element_path":"UIWindow(0)/UIView(0)/_UIHostingView<ModifiedContent<AnyView, RootModifier>>(0)/UIButton(12)","$title":"搜索é😀","n":12,"b":false,"x":"","c":"tab\tquote\" \u00e9\ud83d\ude00\ud800"}}"#

  @Test("Random changes make no difference", arguments: [1, 2, 3, 4] as [UInt64])
  func mutations(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces: [[UInt8]] =
      [
        "\"", "\\", "\\u", "\\\\", "\\\"", "\\/", "{", "}", "[", "]", ":", ",", " ", "\t", "\r", "\n", "\0", "0", "-",
        ".", "e5", "true",
        "null", #""a":1,"#, #""properties":{},"#, #""attributes":{"a":1},"#, #""a\u0062":[],"#, "中", "😀", "\u{1F}",
      ]
      .map { Array($0.utf8) } + [[0x80], [0xC3], [0xE4, 0xB8], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF]]
    for _ in 0..<TestSize.scaled(400) {
      var text = Array(Self.event.utf8)
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let place = Int.random(in: 0..<text.count, using: &random)
        switch Int.random(in: 0...4, using: &random) {
        case 0: text[place] = UInt8.random(in: 0...255, using: &random)
        case 1: text.remove(at: place)
        case 2: text.removeSubrange(place..<min(text.count, place + Int.random(in: 1...40, using: &random)))
        case 3: text.insert(contentsOf: text[place...].prefix(30), at: Int.random(in: 0...text.count, using: &random))
        default: text.insert(contentsOf: random.pick(pieces), at: place)
        }
        if text.isEmpty { break }
      }
      // Between two good ones, the first of which decides for lines.
      let input = Array("{\"a\":1}\n".utf8) + text + Array("\n{\"b\":\"x\"}".utf8)
      let result = checked(input)
      #expect(
        !result.contains { $0.hasPrefix("??") }, "\(String(decoding: text, as: UTF8.self)), seed \(seed): \(result)")
    }
  }

  @Test("The result does not depend on where the available bytes end")
  func boundaries() {
    let input = Array(("{}\n" + Self.event + "\r\n" + Self.event + "\n{\"a\":\"\\\"\"}\n\n" + Self.event).utf8)
    let whole = checked(input)
    #expect(whole.count == 5 && !whole.contains { $0.hasPrefix("?") || $0.hasPrefix("!") }, "\(whole)")
    for size in stride(from: 1, through: input.count, by: TestSize.stride(1)) {
      #expect(checked(input, pieceSize: size) == whole, "pieces of \(size)")
    }
  }

  @Test("Strings and marks of every length and distance are read")
  func lengths() {
    for length in stride(from: 0, through: 200, by: TestSize.stride(1)) {
      let text = String(repeating: "k", count: length)
      let lines = [
        "{\"properties\":{\"\(text)\":\"\(text)\",\"a\":\"\(text)\"}}", "{\"a\":\"\(text)中\(text)\"}",
        "{\"a\":\"\(text)\\n\(text)\"}", "{\"a\":\"\(text)\t\"}",
        "{\"a\":\(text.isEmpty ? "1" : String(repeating: "1", count: length))}",
      ]
      let result = checked(Array(("{}\n" + lines.joined(separator: "\n")).utf8))
      #expect(result.count == 6 && !result.contains { $0.hasPrefix("?") }, "\(result)")
    }
    // More than is marked at once.
    let many = String(repeating: Self.event + "\n", count: 300)
    let long = "{\"properties\":{\"a\":\"\(String(repeating: "x", count: 100_000))\",\"b\":1}}\n"
    let result = checked(Array((many + long + many).utf8))
    #expect(result.count == 601 && !result.contains { $0.hasPrefix("?") || $0.hasPrefix("!") })
  }

  @Test("Blocks of lines have the records of the whole", arguments: [1, 2, 3] as [UInt64])
  func blocks(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let choices = [
      "{\"a\":1}", "{}", "oops", "  {\"a\":", "]", "", " \t", "{} {}", "中文", "\u{1F}\u{8B}", " \t {\"b\":\"x\\/\"} ",
      "{\"n\":1}\r",
      "{\"a\":\"\(String(repeating: "x", count: 60))\"}", String(repeating: "y", count: 70) + "  ", "\u{FEFF}{}",
      "[{}]",
    ]
    for i in 0..<TestSize.scaled(300) {
      let lines = (0..<Int.random(in: 0...12, using: &random)).map { _ in random.pick(choices) }
      let start = random.pick(["", "", "\u{FEFF}", "\n\n"])
      let input = Array((start + lines.joined(separator: "\n") + random.pick(["", "\n", "{\"cut\":"])).utf8)
      let limit = i % 2 == 0 ? EventReader.defaultLengthLimit : Int.random(in: 1...80, using: &random)
      let whole = records(input, lengthLimit: limit)
      for size in [1, 7, 30, 64, 1_000] {
        let found = blockRecords(input, pieceSize: i % 3 == 0 ? 5 : .max, blockSize: size, lengthLimit: limit)
        #expect(
          found == whole,
          "\(String(decoding: input, as: UTF8.self).debugDescription), blocks of \(size), limit \(limit), seed \(seed)")
      }
    }
  }
}
