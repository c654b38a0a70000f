import EncircleEvents
import EncircleText
import Testing

@testable import EncircleRules

/// What is found by the texts of a property.
@Suite struct TextIndexTests {
  /// The leaves under what a text is or contains, on a page, and the tests that are said to hold.
  private static func found(
    _ builder: TextIndex.Builder, in text: String, page: UInt32?
  ) -> (leaves: [UInt32], tests: [UInt32]) {
    var index = TextIndex(builder, seed: 7) { $0 == Array("ab".utf8) ? 70 : nil }
    var scratch = TextAutomaton.Scratch()
    var leaves: [UInt32] = []
    var tests: [UInt32] = []
    withUnsafeMutablePointer(to: &index) { index in
      Array(text.utf8).withUnsafeBufferPointer { text in
        index.forEachLeaf(value: UInt64(text.count), page: page) { leaves.append($0) }
        index.forEachLeaf(partsOf: text, page: page, &scratch, holds: { tests.append($0) }) { leaves.append($0) }
      }
    }
    return (leaves.sorted(), tests)
  }

  @Test(
    "parts are found on the pages on which they are asked for, and on any",
    arguments: [
      ("xabx", nil, [1]), ("xabx", 3, [1, 2]), ("xabx", 4, [1, 2]), ("xabx", 5, [1]), ("bc", 3, [3]), ("bc", 4, []),
      ("bc", nil, []), ("abc", 3, [1, 2, 3]), ("", 3, []), ("xyzxyz", 3, []), ("xyzxyz", 6, [9]), ("xyzxyz", nil, []),
    ] as [(String, UInt32?, [UInt32])])
  func pages(text: String, page: UInt32?, leaves: [UInt32]) {
    var builder = TextIndex.Builder()
    builder.add(part: Array("ab".utf8), pages: nil, leaf: 1)
    builder.add(part: Array("ab".utf8), pages: [3, 4], leaf: 2)
    builder.add(part: Array("bc".utf8), pages: [3], leaf: 3)
    // By the length of the text, which stands for its hash.
    builder.add(value: 6, pages: [6], leaf: 9)
    let found = Self.found(builder, in: text, page: page)
    #expect(found.leaves == leaves)
    #expect(found.tests == (text.contains("ab") ? [70] : []))
  }

  @Test("a text is not read on pages on which no part is asked for")
  func unread() {
    var builder = TextIndex.Builder()
    builder.add(part: Array("ab".utf8), pages: [2, 5], leaf: 1)
    for (page, isRead) in [(nil, false), (0, false), (2, true), (3, false), (5, true), (6, false), (.max, false)]
      as [(UInt32?, Bool)]
    {
      #expect(Self.found(builder, in: "ab", page: page).tests == (isRead ? [70] : []))
    }
    builder.add(part: Array("x".utf8), pages: nil, leaf: 2)
    #expect(Self.found(builder, in: "ab", page: nil).tests == [70])
  }

  @Test("rules file what they ask of texts under their pages")
  func filed() throws {
    var ruleSet = RuleSet()
    for number in 0..<40 {
      var clause = RuleClause()
      clause.page = .isOneOf([.string(UTF8String("Page\(number % 2)"))], fold: false)
      clause.properties = [
        PropertyTest(.property("text"), .text(.contains, UTF8String("part \(number / 2)"), fold: false))
      ]
      ruleSet.rules.append(SelectionRule(UTF8String("\(100 + number)"), .include, [clause]))
    }
    let matcher = Matcher(ruleSet)
    let filed = matcher.programs[0].program.pointee.filedValues
    #expect(filed.count == 40)
    #expect(filed.allSatisfy { $0.keys.pages?.count == 1 })
    var state = MatchState(for: matcher)
    for (page, text, rules) in [
      ("Page0", "a part 3.", ["106"]), ("Page1", "a part 3.", ["107"]), ("Page2", "a part 3.", []),
      ("Page0", "part 1part 12", ["102", "124"]), ("Page0", "", []),
    ] {
      let event = AnalyticsEvent(name: "e", properties: ["$screen_name": .string(page), "text": .string(text)])
      #expect(matcher.decide(event, using: &state).rules.map(\.text) == rules)
    }
  }
}
