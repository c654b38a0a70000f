import EncircleEvents
import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleSDK

@Suite struct ArrayElementsTests {
  private static let longest = 1 << 13

  private func read(_ json: [UInt8], maximumEvents: Int = .max) -> CollectReader.Batch<CollectedEvent> {
    var plan = CollectPlan(places: [.event: [PropertyReference(parsing: "/event")!]])
    plan.lengthLimit = Self.longest
    plan.maximumEvents = maximumEvents
    return CollectReader(plan).read(json, receivedAt: 1_800_000_000_000)
  }

  private static let broken: [(claim: String, element: [UInt8])] = [
    ("a word that is no JSON", Array(#"{"event":"A","n":NaN}"#.utf8)),
    ("a number that is no JSON", Array(#"{"event":"A","n":-Infinity}"#.utf8)),
    ("bytes that are not UTF-8", Array(#"{"event":""#.utf8) + [0xFF, 0xC0] + Array(#""}"#.utf8)),
    ("a control character", Array("{\"event\":\"A\u{1}\n\"}".utf8)),
    ("an escape that does not exist", Array(#"{"event":"\x41"}"#.utf8)),
    (
      "too many levels",
      Array(
        (#"{"a":"# + String(repeating: "[", count: 3_000)
          + String(repeating: "]", count: 3_000) + "}").utf8)
    ),
    (
      "more bytes than an event may have",
      Array((#"{"event":"A","t":""# + String(repeating: "x", count: longest) + "\"}").utf8)
    ),
    ("a value without a name", Array(#"{"event":"A",1}"#.utf8)),
    ("one bracket too many", Array(#"{"event":"A"}}"#.utf8)),
    ("something else than an object", Array("7".utf8)),
  ]

  @Test(arguments: broken.map(\.claim))
  func `a bad element costs no other one`(claim: String) throws {
    let element = try #require(Self.broken.first { $0.claim == claim }).element
    for separator in [",", ",\n  ", " , "] {
      for place in [0, 3, 9] {
        var events = (0..<9).map { Array(#"{"event":"E\#($0)","t":"a\"},{[","p":[{"a":1},{"b":2}]}"#.utf8) }
        events.insert(element, at: place)
        let json = Array("[".utf8) + events.joined(separator: Array(separator.utf8)) + Array("]".utf8)
        let batch = read(json)
        #expect(batch.events.count + batch.rejected == 10, "\(claim) at \(place)")
        #expect(batch.events.count == 9, "\(claim) at \(place)")
        #expect(batch.rejects.map(\.line) == [separator.contains("\n") ? place + 1 : 1])
      }
    }
  }

  @Test(
    arguments: [
      #"{"event":"A}"#, #"{"event":"A","p":{"a":1}"#, #"{"event":"A","p":[1}"#,
      #"{"event":"A""#, #"{"event":"A","p":{"a":1"#,
    ])
  func `an element that is never closed costs no other one, even if the others are longer than an event may be`(
    element: String
  ) {
    let text = String(repeating: "x", count: Self.longest / 2)
    for place in [0, 3, 9] {
      for text in ["", text] {
        var events = (0..<9).map { #"{"event":"E\#($0)","properties":{"n":[\#($0)],"t":"\#(text)"}}"# }
        events.insert(element, at: place)
        let batch = read(Array("[\(events.joined(separator: ", "))]".utf8))
        #expect(batch.events.count == 9 && batch.rejected == 1, "at \(place)")
      }
    }
  }

  @Test func `a bracket too many between two elements ends no array`() {
    let events = (0..<9).map { #"{"event":"E\#($0)","p":[[1],{"a":[]}]}"# }
    for bracket in ["],", " ] , "] {
      let batch = read(Array(("[" + events.joined(separator: bracket) + "]\n{\"event\":\"F\"}").utf8))
      #expect(batch.events.count == 10 && batch.rejected == 0)
    }
  }

  @Test func `an array that was cut short loses its last element only`() {
    let json = Array(#"[{"event":"A"},{"event":"B"},{"event":"C","n":1}]"#.utf8)
    for count in 0..<json.count {
      let batch = read(Array(json[..<count]))
      let complete = json[..<count].count { $0 == UInt8(ascii: "}") }
      #expect(batch.events.count == complete, "\(count) bytes")
      #expect(batch.rejected <= 1)
    }
  }

  @Test func `reading continues after an array, with the line numbers of the text`() {
    let batch = read(Array("\n[{\"event\":\"A\"},\n1]\n[{\"event\":\"B\"}]\n{\"event\":\"C\"}\nx\n".utf8))
    #expect(batch.events.count == 3)
    #expect(batch.rejects.map(\.line) == [3, 6])
    #expect(batch.rejects.last?.reason.contains("(line 6, column 1)") == true)
  }

  @Test func `brackets and quotes at random end, and every element is an event or a reject`() {
    var random = SeededGenerator(seed: 7)
    let pieces = ["{", "}", "[", "]", ",", "\"", "\\", "},{", #"{"event":"A"}"#, "1", " ", "\n"]
    for _ in 0..<TestSize.scaled(20_000) {
      let text =
        "[" + (0..<Int.random(in: 0..<60, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
      let batch = read(Array(text.utf8))
      #expect(batch.rejects.count == batch.rejected)
    }
    // Each element takes the rest of the text, of which only 64 MiB are searched again.
    let hostile = Array(("[" + String(repeating: "{\"},{[", count: 400_000)).utf8)
    #expect((20..<40).contains(read(hostile).rejected))
  }

  @Test func `reading ends at the limit of events in a request`() {
    let json = Array(("[" + Array(repeating: #"{"event":"A"}"#, count: 20).joined(separator: ",") + "]").utf8)
    #expect(!read(json, maximumEvents: 20).hasTooMany)
    let batch = read(json, maximumEvents: 19)
    #expect(batch.hasTooMany && batch.events.count == 19)
    let lines = Array(String(repeating: #"{"event":"A"}"# + "\n", count: 20).utf8)
    #expect(!read(lines, maximumEvents: 20).hasTooMany)
    #expect(read(lines, maximumEvents: 19).hasTooMany)
  }
}
