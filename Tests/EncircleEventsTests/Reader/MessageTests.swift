import EncircleEvents
import EncircleInput
import EncircleTestSupport
import EncircleText
import Testing

@Suite("A message is read as a line is")
struct MessageTests {
  /// The result of the message reader for a message, in the form of ``lineDump(_:lengthLimit:)``.
  private func messageDump(_ message: [UInt8], _ reader: inout MessageReader, _ values: inout ProjectedEvent) -> String
  {
    // The message is put between bytes that the reader must not use.
    let framed = Array("{\"".utf8) + message + Array("\"}\n".utf8)
    return framed.withUnsafeBufferPointer { framed in
      do throws(Rejection) {
        try reader.read(framed.part(2..<2 + message.count), into: &values)
        return "\(dump(values))"
      } catch {
        return
          "!\(error.location.column) \(error.reason) \(String(decoding: error.bytes, as: UTF8.self)) \(error.byteCount)"
      }
    }
  }

  /// The result of a line reader for a line behind a first one; nil if there is none.
  private func lineDump(_ line: [UInt8], lengthLimit: Int) throws -> String? {
    var reader = EventReader(
      bytes: Array("{}\n".utf8) + line, projection: someProjection, lengthLimit: max(2, lengthLimit))
    _ = try reader.next()
    switch try reader.next() {
    case nil: return nil
    case .event: return "\(dump(reader.upcomingValues[0]))"
    case .rejection(let rejection):
      return
        "!\(rejection.location.column) \(rejection.reason) \(String(decoding: rejection.bytes, as: UTF8.self)) \(rejection.byteCount)"
    }
  }

  private func check(_ lines: [[UInt8]], lengthLimit: Int = EventReader.defaultLengthLimit) throws {
    var reader = MessageReader(someProjection, lengthLimit: lengthLimit)
    var values = ProjectedEvent(someProjection)
    for line in lines {
      guard let expected = try lineDump(line, lengthLimit: lengthLimit) else { continue }
      let found = messageDump(line, &reader, &values)
      #expect(found == expected, "\(String(decoding: line, as: UTF8.self).debugDescription)")
      guard lengthLimit == EventReader.defaultLengthLimit else { continue }
      // With its line feed, too.
      let ended = messageDump(line + Array("\r\n".utf8), &reader, &values)
      if !expected.hasPrefix("!") { #expect(ended == expected) }
    }
  }

  @Test("Both readers agree on the lines of the reader's tests")
  func lines() throws {
    for row in FramingTests.lines + FramingTests.documents {
      let lines = row.input.utf8.split(separator: UInt8(ascii: "\n")).map { Array($0) }
      // The mark is skipped in front of a message, but not of a line that is not the first.
      try check(lines.filter { !$0.starts(with: [0xEF, 0xBB, 0xBF]) })
    }
  }

  private static let event =
    #"{"event":"$AppClick","time":1760000000001,"a":{"b":[1,{"c":"]"}]},"properties":{"$element_path":"UIWindow(0)/UIButton(12)","$title":"搜索é😀","n":12,"b":false,"x":"","c":"tab\tquote\" \u00e9\ud83d\ude00\ud800"}}"#

  @Test("Both readers agree on events with random changes", arguments: [1, 2, 3] as [UInt64])
  func mutations(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "\"", "\\", "\\u", "{", "}", "[", "]", ":", ",", " ", "\t", "0", "-", "e5", "null", #""a\u0062":[],"#, "中",
    ]
    let lines = (0..<600).map { _ -> [UInt8] in
      var text = Array(Self.event.utf8)
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let place = Int.random(in: 0..<text.count, using: &random)
        switch Int.random(in: 0...3, using: &random) {
        case 0: text[place] = UInt8.random(in: 11...255, using: &random)
        case 1: text.remove(at: place)
        case 2: text.removeSubrange(place..<min(text.count, place + Int.random(in: 1...40, using: &random)))
        default: text.insert(contentsOf: Array(random.pick(pieces).utf8), at: place)
        }
      }
      return text
    }
    try check(lines.filter { !$0.contains(UInt8(ascii: "\r")) })
    try check(lines.filter { !$0.contains(UInt8(ascii: "\r")) }, lengthLimit: 200)
  }

  @Test("Messages of every length are read one after the other")
  func lengths() throws {
    try check((0...300).map { Array("{\"properties\":{\"a\":\"\(String(repeating: "k", count: $0))\"}}".utf8) })
    let long = "{\"properties\":{\"a\":\"\(String(repeating: "x", count: 100_000))\",\"b\":1}}"
    try check([Array(long.utf8), Array("{}".utf8), Array(long.utf8)])
  }

  @Test("A message may have line breaks, white space around it and a byte order mark")
  func layout() {
    var reader = MessageReader(someProjection)
    var values = ProjectedEvent(someProjection)
    func read(_ text: String) -> String { messageDump(Array(text.utf8), &reader, &values) }
    let expected = #"["a number 1", "/properties composite "]"#
    for text in [
      #"{"properties":{"a":1}}"#, "\n {\n\"properties\": {\n\"a\"\n:\n1}\n}\n\n",
      "\u{FEFF}{\"properties\":{\"a\":1}}\n\n ",
    ] {
      #expect(read(text) == expected)
    }
    #expect(read("").hasPrefix("!1 json(EncircleText.JSONError.Kind.unexpectedEnd)"))
    #expect(read("\u{FEFF}\n {\"é\":x}").hasPrefix("!7 json(EncircleText.JSONError.Kind.unknownWord)"))
    #expect(read("{}\n{}").hasPrefix("!1 json(EncircleText.JSONError.Kind.trailingText)"))
    #expect(read(" [1]").hasPrefix("!2 json(EncircleText.JSONError.Kind.notAnObject)"))
  }

  @Test("The rejection has the line")
  func place() {
    var reader = MessageReader(someProjection)
    var values = ProjectedEvent(someProjection)
    let error = #expect(throws: Rejection.self) {
      try Array("\n{\n  \"a\": oops\n}".utf8).withUnsafeBufferPointer { try reader.read($0, into: &values) }
    }
    #expect(error?.description == "3:8: unknown word: expected null, true or false")
    #expect(error?.line == 2)
  }
}
