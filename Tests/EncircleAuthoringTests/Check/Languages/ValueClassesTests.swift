import EncircleEvents
import EncircleRules
import EncircleTestSupport
import EncircleText
import Testing

@testable import EncircleAuthoring

@Suite struct ValueClassesTests {
  static func random(_ random: inout SeededGenerator, depth: Int = 0) throws -> Condition {
    let texts = ["a", "ab", "b", "aB", "k", "5.2", "aba", "UIButton", "5", "加", "é"]
    func text() -> UTF8String { UTF8String(random.pick(texts)) }
    let expressions = [
      "^a", "b$", "[0-9]", "a|b", "^[0-9.]+$", "^(ab?)*$", "^[a-z]$", "^.{2}$", "^[^a]", "k", "^5\\.", "\\ba", "加|é",
      "^UI\\w+$",
    ]
    func number() -> DecimalNumber {
      random.pick([0, 1, 5, -2, DecimalNumber("5.25") ?? 0, DecimalNumber("1e30") ?? 0])
    }
    let fold = random.oneIn(4)
    switch Int.random(in: 0..<(depth < 2 ? 17 : 11), using: &random) {
    case 0: return .isOneOf([.string(text())], fold: fold)
    case 1: return .isOneOf([.string(text()), .number(number()), .bool(true), .null], fold: fold)
    case 2: return .text(.prefix, text(), fold: fold)
    case 3: return .text(.suffix, text(), fold: fold)
    case 4: return .text(.contains, text(), fold: fold)
    case 5: return .text(.glob, UTF8String(random.pick(["a*", "*b", "a*b", "*", "5.*", "*a*b*"])), fold: fold)
    case 6: return .matches(try RegularExpression(random.pick(expressions), foldsCase: fold))
    case 7: return .exists(random.oneIn(2))
    case 8: return .number(random.pick(Condition.Comparison.allCases), number())
    case 9:
      let ranges = [">=5.2", "<5.2", ">=5.2 <6", "5.2", ">5.2-rc <=5.2", "!=5.2", ">6 <5", ">5.2-rc <5.2-rc.0"]
      return .version(try #require(VersionRange(parsing: random.pick(ranges))))
    case 10: return .kindOf([UTF8String(random.pick(["UIControl", "UIButton", "UIView", "UISwitch", "Odd"]))])
    case 11: return .not(try Self.random(&random, depth: depth + 1))
    case 12: return .all([try Self.random(&random, depth: depth + 1), try Self.random(&random, depth: depth + 1)])
    case 13: return .any([try Self.random(&random, depth: depth + 1), try Self.random(&random, depth: depth + 1)])
    case 14: return .items(random.oneIn(2) ? .any : .all, try Self.random(&random, depth: depth + 1))
    case 15:
      let condition = Condition.number(random.pick(Condition.Comparison.allCases), number())
      return .numberInText(
        random.oneIn(2) ? condition : .all([condition, .not(.isOneOf([.number(number())], fold: false))]))
    default:
      let salt: UTF8String = random.oneIn(2) ? "" : "s"
      let millionths = random.pick([100_000, 500_000])
      return .sample(try #require(ValueSample(millionths: millionths, salt: salt)))
    }
  }

  static let values: [EventValue?] = {
    let texts = [
      "", "a", "A", "b", "B", "ab", "AB", "aB", "aab", "bab", "abab", "K", "\u{212A}", "k", "5", "5.2", "5.2.0",
      "5.2.1", "5.1",
      "6", "5.2-rc", "5.2-rc.0", "5.2-rc.1", "0", "aba", "xabax", "UIButton", "UIControl", "UISwitch", "UIView", "zz",
      "加",
      "加入", "é", "e\u{301}", "É", "5.2b", "a5.2", "0-0", "0-a", "7.0.1-beta",
      "5." + String(repeating: "0", count: 300), "5.2-" + String(repeating: "b", count: 300), "05.3", "5.2+b",
      "UIOther", "¥5.25 a", "-2", "1,000 b", "k6",
    ]
    let numbers = ["0", "1", "5", "5.25", "5.250000001", "-2", "-2.5", "-1", "4.9", "1e30", "1e31", "-1e40", "0.5"]
    let others: [EventValue?] = [
      nil, .null, .bool(true), .bool(false), .object([:]), .list([]), .list([.string("a")]),
      .list([.string("a"), .number(5)]), .list([.string("ab"), .string("5.2"), .null]),
      .list([.number(0), .number(6)]),
      .list([.bool(true), .object([:])]), .list([.list([.string("a")])]),
      .list([.list([]), .list([.number(1)]), .string("加")]),
    ]
    return others + texts.map { .string($0) }
      + numbers.compactMap { DecimalNumber($0).map { .number($0) } }
  }()

  @Test("every value is in a class, and every example in its own class", arguments: TestSize.scaled(0..<40))
  func classes(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<25 {
      let conditions = try (0..<Int.random(in: 1...3, using: &random)).map { _ in try Self.random(&random) }
      let shown = conditions.map(\.description).joined(separator: "; ")
      guard let classes = ValueClasses(of: conditions) else { continue }
      let probes = conditions.map { ConditionProbe($0) }
      func matching(_ value: EventValue?) -> Bits {
        var bits = Bits(count: conditions.count)
        for (i, probe) in probes.enumerated() where probe.holds(value) { bits[i] = true }
        return bits
      }
      let known = Set(classes.classes.map(\.matching))
      for value in Self.values {
        #expect(known.contains(matching(value)), "\(String(describing: value)): \(shown)")
      }
      for part in classes.classes {
        switch part.example {
        case .absent: #expect(matching(nil) == part.matching, "absent: \(shown)")
        case .value(let value):
          #expect(matching(value) == part.matching, "\(value): \(shown)")
        case .unknown: break
        }
      }
    }
  }

  @Test(
    "conditions that no value can meet",
    arguments: [
      "all of prefix a, suffix b, equals aa", "version", "numbers", "numbers of the same value", "texts and numbers",
      "tags",
      "absent and a text", "folded", "numbers in a text", "an item and a text", "items", "no item", "samples",
    ])
  func empty(name: String) throws {
    let conditions: [Condition] = try {
      switch name {
      case "all of prefix a, suffix b, equals aa":
        return [
          .text(.prefix, "a", fold: false), .text(.suffix, "b", fold: false), .isOneOf([.string("aa")], fold: false),
        ]
      case "version": return [.version(try #require(VersionRange(parsing: ">=6 <5.9")))]
      case "numbers": return [.number(.less, 3), .number(.greaterOrEqual, 3)]
      case "numbers of the same value": return [.number(.greater, 3), .isOneOf([.number(3)], fold: false)]
      case "texts and numbers": return [.number(.less, 3), .text(.prefix, "2", fold: false)]
      case "tags": return [.version(try #require(VersionRange(parsing: ">1-a <1-a.0")))]
      case "absent and a text": return [.exists(false), .text(.glob, "*", fold: false)]
      case "numbers in a text": return [.numberInText(.number(.greater, 5)), .numberInText(.number(.less, 3))]
      case "an item and a text":
        return [.items(.any, .isOneOf([.string("a")], fold: false)), .text(.prefix, "a", fold: false)]
      case "items": return [.items(.any, .number(.less, 3)), .items(.all, .number(.greater, 5))]
      case "no item": return [.items(.any, .all([.number(.less, 3), .number(.greater, 5)]))]
      case "samples":
        let tenth = try #require(ValueSample(millionths: 100_000))
        let fifth = try #require(ValueSample(millionths: 200_000))
        return [.sample(tenth), .not(.sample(fifth))]
      default: return [.text(.prefix, "A", fold: false), .text(.prefix, "b", fold: true)]
      }
    }()
    let classes = try #require(ValueClasses(of: [.all(conditions)])).classes
    #expect(!classes.contains { $0.matching[0] })
  }

  @Test("a list of unknown classes is compared, too")
  func unknownKinds() throws {
    let names = (0..<12).map { UTF8String("Unknown\($0)") }
    let conditions: [Condition] = [
      .kindOf(names), .kindOf(Array(names.prefix(3))), .text(.prefix, "Unknown1", fold: false),
    ]
    let classes = try #require(ValueClasses(of: conditions)).classes
    #expect(classes.contains { $0.matching[0] && !$0.matching[1] && $0.matching[2] })
  }

  @Test("conditions that few values meet are satisfiable")
  func nearlyEmpty() throws {
    let rows: [Condition] = [
      .all([.text(.prefix, "a", fold: false), .text(.suffix, "b", fold: false)]),
      .version(try #require(VersionRange(parsing: ">=5.9 <5.9.0.1"))),
      .version(try #require(VersionRange(parsing: ">1-a <1-a.0.0"))),
      .all([.number(.less, 3), .number(.greater, DecimalNumber("2.999999999999999999999999") ?? 0)]),
      .all([.number(.less, DecimalNumber("-1e300") ?? 0), .number(.greater, DecimalNumber("-1.0001e300") ?? 0)]),
      .all([.text(.contains, "SS", fold: true), .text(.contains, "ß", fold: false)]),
      .all([.not(.text(.contains, "a", fold: false)), .text(.prefix, "A", fold: true)]),
      .not(.isOneOf(["a", "b", "x", "y", "z", "q", "w", "X", "Y", "Z"].map { .string($0) }, fold: false)),
    ]
    for row in rows {
      #expect(try #require(ValueClasses(of: [row])).classes.contains { $0.matching[0] }, "\(row)")
    }
  }
}
