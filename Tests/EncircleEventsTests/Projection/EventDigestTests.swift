import EncircleEvents
import Testing

/// Digests, by which values of events are recognised.
@Suite struct EventDigestTests {
  private static let projection = EventProjection(
    [.property("a"), .property("b"), .property("c"), .property("d")], keyPlaces: [0, 1, 2])

  private static func digest(_ properties: EventObject) -> EventDigest? {
    var event = ProjectedEvent(projection)
    event.load(AnalyticsEvent(name: "e", properties: properties))
    return event.keyDigest
  }

  @Test("different values have different digests, equal values equal ones")
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

  @Test("values longer than the key have no digest")
  func limit() {
    let longest = String(repeating: "x", count: EventDigest.lengthLimit - 64)
    #expect(Self.digest(["a": .string(longest)]) != nil)
    #expect(Self.digest(["a": .string(longest + longest)]) == nil)
    #expect(Self.digest(["a": .string(longest), "b": .string(longest)]) == nil)
    #expect(Self.digest(["d": .string(longest + longest)]) == Self.digest([:]))
  }

  @Test("an event has the digest of the last loaded values")
  func again() {
    var event = ProjectedEvent(Self.projection)
    let empty = event.keyDigest
    var digests: [EventDigest?] = []
    for text in ["x", "y", "x"] {
      event.load(AnalyticsEvent(name: "e", properties: ["a": .string(text)]))
      let (before, digest, after) = (event.hasKeyDigest, event.keyDigest, event.hasKeyDigest)
      #expect(!before && after)
      digests.append(digest)
    }
    #expect(digests[0] == digests[2] && digests[0] != digests[1] && !digests.contains(empty))
    event.load(AnalyticsEvent(name: "e", properties: ["d": .string("x")]))
    let last = event.keyDigest
    #expect(last == empty)
  }
}
