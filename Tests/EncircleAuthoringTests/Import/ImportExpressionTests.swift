import EncircleEvents
import EncircleRules
import EncircleTestSupport
import EncircleText
import Testing

@testable import EncircleAuthoring

/// Expressions that stand for another tool's comparisons, against the slow obvious way.
@Suite struct ImportExpressionTests {
  private static func matches(_ expression: String, _ text: String) throws -> Bool {
    let expression = try RegularExpression(expression)
    var text = text
    return text.withUTF8 { expression.matches($0) }
  }

  private static func text(_ signs: [String], _ length: Int, _ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...length, using: &random)).map { _ in random.pick(signs) }.joined()
  }

  /// `LIKE` by recursion over both texts.
  private static func isLike(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
    guard let sign = pattern.first else { return text.isEmpty }
    let rest = Array(pattern.dropFirst())
    if sign == UInt8(ascii: "%") {
      return (0...text.count).contains { isLike(Array(text.dropFirst($0)), rest) }
    }
    guard let first = text.first else { return false }
    if sign == UInt8(ascii: "\\"), let next = rest.first, "%_\\".utf8.contains(next) {
      return first == next && isLike(Array(text.dropFirst()), Array(rest.dropFirst()))
    }
    return (sign == UInt8(ascii: "_") || sign == first) && isLike(Array(text.dropFirst()), rest)
  }

  @Test("'contains' is LIKE with wildcards", arguments: TestSize.scaled(0..<30))
  func like(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<40 {
      let pattern = Self.text(["a", "b", "%", "_", "\\", "."], 5, &random)
      let text = Self.text(["a", "b", "%", "_", "\\", ".", "\n"], 7, &random)
      // A lone backslash at the end escapes the sign that is put behind.
      guard pattern.utf8.last != UInt8(ascii: "\\") else { continue }
      let found = try Self.matches("(?s)" + LikeText(pattern).expression(), text)
      #expect(found == Self.isLike(Array(text.utf8), Array("%\(pattern)%".utf8)), "seed \(seed): \(pattern) in \(text)")
    }
  }

  /// The server's matches in a chain: every `name="…"` after a colon or quotation mark, from the left.
  private static func values(_ name: String, in chain: String) -> [String] {
    var values: [String] = []
    var rest = Substring(chain)
    while let start = rest.firstRange(ofAny: [":\(name)=\"", "\"\(name)=\""]) {
      rest = rest[start.upperBound...]
      guard let end = rest.firstIndex(of: "\"") else { break }
      values.append(String(rest[..<end]))
      rest = rest[rest.index(after: end)...]
    }
    return values
  }

  @Test("the first href of a chain is found in any form of the chain", arguments: TestSize.scaled(0..<30))
  func firstReference(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let pieces = [
      "a", ";", ":", "\"", "h", "hr", "hre", "href", "href=", "href=\"", "href=\"x\"", ":href=\"x\"", "text=\"h\"",
    ]
    let expression = TextInChain.firstReference(.exact("x"))
    for _ in 0..<60 {
      let chain = Self.text(pieces, 8, &random)
      let expected = Self.values("href", in: chain).first == "x"
      #expect(try Self.matches(expression, chain) == expected, "seed \(seed): \(chain)")
    }
  }

  @Test("two tests of one value in one mapping hold if both do, even if the value is missing")
  func both() throws {
    let texts = [
      #""a""#, #"["a","B"]"#, #"{"contains":"a"}"#, #"{"contains":"b","fold":true}"#,
      #"{"not":{"contains":"B","fold":true}}"#,
      #"{"matches":"^a"}"#, #"{"not":["a","ab"]}"#, #"{"exists":true}"#, #"{"not":{"matches":"b$"}}"#,
      #"{"contains":"B"}"#,
    ]
    let tests = try texts.map { try EventValue(json: $0.utf8) }
    let values: [EventValue?] = [nil, .null, "a", "A", "ab", "aB", "AB", "b", "B", "ba", "", 7]
    var rules: [EventValue] = []
    func add(_ id: String, _ test: EventValue) {
      rules.append(["id": .string(id), "include": ["where": ["p": test]]])
    }
    for (i, test) in tests.enumerated() { add("\(i)", test) }
    var pairs: [(Int, Int)] = []
    for i in tests.indices {
      for j in tests.indices {
        guard let both = ImportTests.both(tests[i], tests[j]) else { continue }
        add("\(i) \(j)", .object(both))
        pairs.append((i, j))
      }
    }
    #expect(pairs.count > tests.count * tests.count / 2)
    let file: EventValue = ["version": 1, "rules": .list(rules)]
    let text = String(decoding: file.json, as: UTF8.self)
    var decider = Decider(Matcher(try RuleFileLoading.ruleSet([("f", text)])))
    for value in values {
      let properties = EventObject(value.map { [EventObject.Member(name: "p", value: $0)] } ?? [])
      let found = Set(decider.decide(AnalyticsEvent(name: "e", properties: properties)).rules.map(\.text))
      for (i, j) in pairs {
        let expected = found.contains("\(i)") && found.contains("\(j)")
        #expect(found.contains("\(i) \(j)") == expected, "\(texts[i]) and \(texts[j]) of \(String(describing: value))")
      }
    }
  }

  @Test(
    "an expression for a text stays within its quotation marks, or is refused",
    arguments: [
      ("a.c", ["abc"], ["a", "ac"]), ("^a", ["ab"], ["ba"]), ("a$", ["ba"], ["ab"]), ("^[^x]+$", ["ab"], ["axb", ""]),
      ("(?i)pay", ["PAY now"], ["p"]), ("a|b", ["xb"], ["c"]), ("^(?:a|b)$", ["a", "b"], ["ab"]),
      ("\\S{3}", ["abc"], ["a b"]), ("[.*]", ["a.b", "*"], ["ab"]), ("\\.", ["1.5"], ["15"]), ("", ["", "x"], []),
    ] as [(String, [String], [String])])
  func bounded(expression: String, takes: [String], leaves: [String]) throws {
    let value = try #require(TextInChain.Value.matches(expression))
    let whole = TextInChain.expression("text", value)
    for (texts, isTaken) in [(takes, true), (leaves, false)] {
      for text in texts {
        // Text beside the tested one must not help.
        let chain = "b:text=\"\(text)\"nth-child=\"abc.PAYa xb*\";c"
        #expect(try Self.matches(whole, chain) == isTaken, "\(text)")
      }
    }
  }

  @Test(
    "expressions that may match beyond a text are refused",
    arguments: [
      "a^b", "a$b", "\\bx", "\\x22", "^a|b$", "[!-~]", "[\\t-z]", "[\\!-z]", "[[:print:]]", "\\pL", "(?s:a)", "a\"b",
      "\\", "[a",
    ])
  func unbounded(expression: String) { #expect(TextInChain.Value.matches(expression) == nil) }
}

extension Substring {
  /// The first of several words.
  fileprivate func firstRange(ofAny words: [String]) -> Range<Index>? {
    words.compactMap { firstRange(of: $0) }.min { $0.lowerBound < $1.lowerBound }
  }
}
