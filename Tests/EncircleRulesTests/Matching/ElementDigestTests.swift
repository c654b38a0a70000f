import CProcessor
import EncircleEvents
import EncircleTestSupport
import Testing

@testable import EncircleRules

/// By what elements are known again.
@Suite struct ElementDigestTests {
  private static let projection = EventProjection([.property("a"), .property("b"), .property("c")])

  private static func digest(_ properties: EventObject) -> ElementDigest? {
    var event = ProjectedEvent(projection)
    event.load(Event(name: "e", properties: properties))
    return [0, 1, 2].withUnsafeBufferPointer { ElementDigest(event, $0, key: ElementDigest.processKey) }
  }

  @Test("elements that differ in anything have different digests, equal ones the same")
  func differences() throws {
    var elements: [EventObject] = [
      [:], ["a": .null], ["a": .bool(false)], ["a": .bool(true)], ["a": .number(1)], ["a": .string("1")],
      ["a": .number(1), "b": .number(1)], ["a": .string("é")], ["a": .string("e\u{301}")],
    ]
    // Texts of all lengths up to some words, empty in each place, divided in each way, and changed in each byte.
    for count in 0...70 {
      let text = String(repeating: "x", count: count)
      for name in ["a", "b", "c"] { elements.append([name: .string(text)]) }
      for place in 0..<count {
        var bytes = Array(text.utf8)
        bytes[place] ^= 1
        elements.append(["a": .string(String(decoding: bytes, as: UTF8.self))])
        elements.append(["a": .string(String(text.prefix(place))), "b": .string(String(text.dropFirst(place)))])
      }
    }
    var found: [[UInt8]: Int] = [:]
    for (i, element) in elements.enumerated() {
      let digest = try #require(Self.digest(element))
      #expect(Self.digest(element) == digest)
      let bytes = withUnsafeBytes(of: digest) { Array($0) }
      #expect(found[bytes] == nil, "\(element) and \(elements[found[bytes] ?? 0])")
      found[bytes] = i
    }
    #expect(found.count == elements.count)
  }

  @Test("what is longer than the key has no digest, and is decided all the same")
  func limit() throws {
    let longest = String(repeating: "x", count: ElementDigest.lengthLimit - 64)
    #expect(Self.digest(["a": .string(longest)]) != nil)
    #expect(Self.digest(["a": .string(longest + longest)]) == nil)
    #expect(Self.digest(["a": .string(longest), "b": .string(longest)]) == nil)

    let matcher = try matcher(selecting: "UIButton(0)")
    var state = MatchState(for: matcher)
    let path = String(repeating: "UIView(0)/", count: 5_000)
    for (end, isSelected) in [("UIButton(0)", true), ("UIButton(1)", false), ("UIButton(0)", true)] {
      let event = Event(name: "e", properties: ["$element_path": .string(path + end)])
      let decision = matcher.decide(event, using: &state)
      #expect(decision.isSelected == isSelected && decision.eventID != nil)
    }
    #expect(state.memoHits == 0 && state.memoMisses == 3)
  }

  @Test("places of a byte are found in texts of every length", arguments: [0, 1, 2, 3])
  func places(step: Int) {
    var random = SeededGenerator(seed: UInt64(step))
    for count in 0..<300 {
      let text = (0..<count).map { _ in random.pick([0x2F, 0x2E, 0xAF, 0x00] as [UInt8]) }
      var places = [UInt32](repeating: .max, count: count + 8)
      let found = encircle_find_byte(text, count, 0x2F, &places)
      let expected = text.indices.filter { text[$0] == 0x2F }
      #expect(places.prefix(found).map { Int($0) } == expected)
      #expect(encircle_find_last_byte(text, count, 0x2F) == (expected.last ?? -1) + 1)
      // Mostly far from the end.
      let rare = text.map { $0 == 0x2F && random.oneIn(40) ? 0x2F : 0x61 as UInt8 }
      #expect(encircle_find_last_byte(rare, count, 0x2F) == (rare.lastIndex(of: 0x2F) ?? -1) + 1)
    }
  }
}
