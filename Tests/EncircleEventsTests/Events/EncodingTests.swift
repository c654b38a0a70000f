import EncircleEvents
import Foundation
import Testing

@Suite("Events are made from encodable values")
struct EncodingTests {
  private struct Tap: Encodable {
    struct Properties: Encodable {
      var screen: String
      var note: String?
      var position: [Int]
      var price: Double

      enum CodingKeys: String, CodingKey {
        case screen = "$screen_name"
        case note, position, price
      }
    }

    var event = "$AppClick"
    var properties: Properties
    var time: Int64 = 1_767_225_600_000
  }

  @Test("Members are encoded as JSON members, in order")
  func members() throws {
    let tap = Tap(properties: Tap.Properties(screen: "首页", position: [0, 7], price: 0.1))
    let event = try AnalyticsEvent(encoding: tap)
    #expect(
      String(decoding: event.json, as: UTF8.self)
        == #"{"event":"$AppClick","properties":{"$screen_name":"首页","position":[0,7],"price":0.1},"time":1767225600000}"#
    )
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(try AnalyticsEvent(json: encoder.encode(tap)) == event)
  }

  @Test(
    "Numbers keep every digit",
    arguments: [
      (EncodableValue(Int64.max), "9223372036854775807"), (EncodableValue(UInt64.max), "18446744073709551615"),
      (EncodableValue(Int8.min), "-128"), (EncodableValue(Int128.min), "-1.70141183460469231731687303715884105728e+38"),
      (EncodableValue(UInt128.max), "3.40282366920938463463374607431768211455e+38"), (EncodableValue(0.1), "0.1"),
      (EncodableValue(Float(0.1)), "0.1"), (EncodableValue(1e300), "1e+300"),
      (EncodableValue(Double.leastNonzeroMagnitude), "5e-324"),
      (EncodableValue(9_007_199_254_740_993), "9007199254740993"), (EncodableValue(true), "true"),
      (EncodableValue(Int?.none), "null"), (EncodableValue("a\"b"), #""a\"b""#),
      (EncodableValue([Int?](arrayLiteral: 1, nil)), "[1,null]"),
      (EncodableValue([[String]]()), "[]"), (EncodableValue(["a": ["b": 1]]), #"{"a":{"b":1}}"#),
      (EncodableValue([1: "x"]), #"{"1":"x"}"#), (EncodableValue(Nothing()), "{}"),
      (
        EncodableValue(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
        #""01020304-0506-0708-090A-0B0C0D0E0F10""#
      ),
    ])
  func values(value: EncodableValue, json: String) throws {
    #expect(String(decoding: try EventValue(encoding: value).json, as: UTF8.self) == json)
  }

  struct EncodableValue: Encodable, Sendable, CustomTestStringConvertible {
    let value: any Encodable & Sendable
    init(_ value: some Encodable & Sendable) { self.value = value }
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    var testDescription: String { "\(value)" }
  }

  struct Nothing: Encodable {
    func encode(to encoder: any Encoder) {}
  }

  /// Encodes by hand, as seldom as that is needed.
  private class Base: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode("base", forKey: .name)
    }
    enum Key: String, CodingKey { case name, nested, list }
  }

  private final class Derived: Base {
    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      var nested = container.nestedContainer(keyedBy: Key.self, forKey: .nested)
      try nested.encode(1, forKey: .name)
      var list = container.nestedUnkeyedContainer(forKey: .list)
      try list.encode(2 as UInt8)
      var inner = list.nestedContainer(keyedBy: Key.self)
      try inner.encodeNil(forKey: .name)
      var innerList = list.nestedUnkeyedContainer()
      try innerList.encodeNil()
      #expect(list.count == 3)
      try super.encode(to: container.superEncoder())
      // A second container of the same keys adds to the first.
      var again = encoder.container(keyedBy: Key.self)
      try again.encode("derived", forKey: .name)
    }
  }

  @Test("Nested containers, superclasses and containers requested twice are encoded")
  func containers() throws {
    let event = try AnalyticsEvent(encoding: Derived())
    #expect(
      String(decoding: event.json, as: UTF8.self)
        == #"{"nested":{"name":1},"list":[2,{"name":null},[null]],"super":{"name":"base"},"name":"derived"}"#)
  }

  private final class Chain: Encodable {
    var next: Chain?
    init(_ next: Chain?) { self.next = next }
  }

  @Test("A value that is not an event is an error")
  func errors() {
    #expect(throws: EncodingError.self) { try AnalyticsEvent(encoding: [1]) }
    #expect(throws: EncodingError.self) { try AnalyticsEvent(encoding: "text") }
    #expect(throws: EncodingError.self) { try AnalyticsEvent(encoding: ["a": Double.nan]) }
    #expect(throws: EncodingError.self) { try AnalyticsEvent(encoding: ["a": -Float.infinity]) }
    let chain = (0..<600).reduce(Chain(nil)) { chain, _ in Chain(chain) }
    #expect(throws: EncodingError.self) { try AnalyticsEvent(encoding: chain) }
  }

  @Test("Types may define their form in events")
  func convertible() throws {
    struct Money: Encodable, EventValueConvertible {
      var cents: Int
      var eventValue: EventValue { .string("\(cents) ct") }
    }
    #expect(try EventValue(encoding: ["a": [Money(cents: 5)]]) == ["a": ["5 ct"]])
  }

  @Test("JSON is read from Data, buffers and lazy sequences")
  func bytes() throws {
    let json = Array(#"{"a":[1,"é"]}"#.utf8)
    let expected = try AnalyticsEvent(json: json)
    #expect(try AnalyticsEvent(json: Data(json)) == expected)
    #expect(try AnalyticsEvent(json: json[...]) == expected)
    #expect(try AnalyticsEvent(json: json.lazy.map { $0 }) == expected)
    #expect(try json.withUnsafeBufferPointer { try AnalyticsEvent(json: $0) } == expected)
  }
}
