import EncircleEvents
import EncircleTestSupport
import EncircleText
import Foundation
import Testing

/// Foundation's parser is another implementation of the same grammar.
@Suite("JSON is read as Foundation reads it")
struct DifferentialTests {
  private struct Writer {
    var generator: SeededGenerator

    mutating func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: 0..<choices.count, using: &generator)] }

    mutating func space() -> String { pick(["", "", "", " ", "  ", "\n", "\t", "\r\n", "          "]) }

    mutating func value(depth: Int) -> String {
      let kind = Int.random(in: 0...(depth > 0 ? 9 : 5), using: &generator)
      switch kind {
      case 0: return pick(["null", "true", "false"])
      case 1, 2: return number()
      case 3, 4, 5: return string()
      case 6, 7:
        let elements = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
          space() + value(depth: depth - 1) + space()
        }
        return "[" + elements.joined(separator: ",") + (elements.isEmpty ? space() : "") + "]"
      default:
        let members = (0..<Int.random(in: 0...4, using: &generator)).map { i in
          // Names are distinct, because which of two duplicates Foundation takes is not specified.
          let name = string().dropLast() + "\(i)\""
          return space() + name + space() + ":" + space() + value(depth: depth - 1) + space()
        }
        return "{" + members.joined(separator: ",") + (members.isEmpty ? space() : "") + "}"
      }
    }

    mutating func number() -> String {
      let digits = String(Int.random(in: 0...999_999, using: &generator))
      return pick(["", "-"]) + pick(["0", digits]) + pick(["", "", ".5", ".0", ".\(digits)"])
        + pick(["", "", "e1", "E-2", "e+10"])
    }

    mutating func string() -> String {
      let pieces = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        pick([
          "a", "plain text", "0123456789abcdef", "é", "中文", "加入购物车", "😀", #"\n"#, #"\""#, #"\\"#, #"\/"#, #"\u00e9"#,
          #"\u4e2d"#,
          #"\ud83d\ude00"#, "\u{7F}", "e\u{301}",
        ])
      }
      return "\"" + pieces.joined() + "\""
    }
  }

  /// Foundation's opinion of a text.
  private func foundation(_ text: [UInt8]) -> Any? {
    try? JSONSerialization.jsonObject(with: Data(text), options: [.fragmentsAllowed])
  }

  private func parses(_ text: [UInt8]) -> Bool {
    var tape = JSONTape()
    return text.withUnsafeBufferPointer { (try? tape.parse($0)) != nil }
  }

  /// Returns whether a value is the same in both representations.
  private func same(_ value: EventValue, _ other: Any) -> Bool {
    switch (value, other) {
    case (.null, is NSNull): return true
    case (.string(let a), let b as String): return a.hasSameBytes(as: b)
    case (.list(let a), let b as [Any]): return a.count == b.count && zip(a, b).allSatisfy { same($0, $1) }
    case (.object(let a), let b as [String: Any]):
      return a.members.count == b.count
        && a.members.allSatisfy { member in b[member.name].map { same(member.value, $0) } ?? false }
    case (.bool(let a), let b as NSNumber): return a == b.boolValue
    case (.number(let a), let b as NSNumber): return Double(a.description) == b.doubleValue
    default: return false
    }
  }

  @Test("Random JSON has the same values, also after writing them", arguments: [1, 2, 3, 4] as [UInt64])
  func values(seed: UInt64) throws {
    var writer = Writer(generator: SeededGenerator(seed: seed))
    for _ in 0..<TestSize.scaled(500) {
      let text = writer.space() + writer.value(depth: 5) + writer.space()
      let value = try EventValue(json: Array(text.utf8))
      guard let other = foundation(Array(text.utf8)) else {
        Issue.record("Foundation refuses \(text), seed \(seed)")
        continue
      }
      #expect(same(value, other), "\(text), seed \(seed)")
      #expect(try EventValue(json: value.json) == value, "\(text), seed \(seed)")
    }
  }

  /// Where Foundation may differ, the text contains one of these.
  private func mayDiffer(_ text: [UInt8]) -> Bool {
    let string = String(decoding: text, as: UTF8.self)
    // Foundation guesses UTF-16 and UTF-32 from zero bytes and byte order marks.
    return text.contains(0) || string.utf8.starts(with: [0xEF, 0xBB, 0xBF]) || text.starts(with: [0xFF])
      || text.starts(with: [0xFE])
      // Foundation takes a comma behind the last element or member.
      || string.contains(/,\s*[\]}]/)
      // Foundation refuses lone surrogates.
      || string.contains(/\\u[dD][89a-fA-F]/)
      // Foundation refuses numbers that no Double holds.
      || string.contains(/[eE][+-]?[0-9]{3}|[0-9]{18}/)
  }

  @Test(
    "JSON with a few bytes changed is accepted or refused alike", arguments: TestSize.scaled([1, 2, 3, 4] as [UInt64]))
  func mutations(seed: UInt64) {
    var writer = Writer(generator: SeededGenerator(seed: seed))
    let interesting =
      Array("{}[]:,\"\\ \n\t-+.0123456789eEutfalsn/\u{1}".utf8) + [0x80, 0xC0, 0xC3, 0xE4, 0xED, 0xF4, 0xFF, 0x0C]
    var accepted = 0
    var refused = 0
    for _ in 0..<2_500 {
      var text = Array(writer.value(depth: 3).utf8)
      for _ in 0..<Int.random(in: 1...3, using: &writer.generator) where !text.isEmpty {
        let place = Int.random(in: 0..<text.count, using: &writer.generator)
        let byte = writer.pick(interesting)
        switch Int.random(in: 0...3, using: &writer.generator) {
        case 0: text.remove(at: place)
        case 1: text.insert(byte, at: place)
        case 2: text.insert(text[Int.random(in: 0..<text.count, using: &writer.generator)], at: place)
        default: text[place] = byte
        }
      }
      let ours = parses(text)
      if ours { accepted += 1 } else { refused += 1 }
      if ours == (foundation(text) != nil) { continue }
      #expect(mayDiffer(text), "\(String(decoding: text, as: UTF8.self)) \(text), seed \(seed)")
    }
    // Both happen often enough to mean something.
    #expect(accepted > 200 && refused > 200)
  }

  @Test("Differences from Foundation are known")
  func differences() {
    func both(_ text: String) -> [Bool] { [parses(Array(text.utf8)), foundation(Array(text.utf8)) != nil] }
    // A lone surrogate is grammatical (RFC 8259 §8.2): U+FFFD here, refused there.
    #expect(both(#""\ud800""#) == [true, false])
    // Any exponent is grammatical.
    #expect(both("1e999") == [true, false])
    // A comma behind the last element is not grammatical.
    #expect(both("[1,]") == [false, true])
    #expect(both(#"{"a":1,}"#) == [false, true])
    // A byte order mark is not JSON; readers of files skip it.
    #expect(both("\u{FEFF}1") == [false, true])
  }

  @Test("An array that arrives in pieces gives the same records as a whole one", arguments: [1, 2] as [UInt64])
  func pieces(seed: UInt64) {
    var writer = Writer(generator: SeededGenerator(seed: seed))
    for _ in 0..<TestSize.scaled(60) {
      let object = Array(("[" + writer.value(depth: 4) + "]").utf8)
      let results = ByteInputs.split(object)
      #expect(Set(results).count == 1, "\(String(decoding: object, as: UTF8.self)), seed \(seed)")
    }
  }
}
