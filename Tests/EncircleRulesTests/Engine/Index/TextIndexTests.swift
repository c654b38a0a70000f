import EncircleEvents
import EncircleText
import Testing

@testable import EncircleRules

/// Lookups by the texts of a property.
@Suite struct TextIndexTests {
  /// The entries under a text and its parts, on a page, and the tests that are reported to hold.
  private static func found(
    _ builder: TextIndex.Builder, in text: String, page: UInt32?
  ) -> (entries: [UInt32], tests: [UInt32]) {
    let index = TextIndex(builder, seed: 7) { $0 == Array("ab".utf8) ? 70 : nil }
    var scratch = TextAutomaton.Scratch()
    var entries: [UInt32] = []
    var tests: [UInt32] = []
    Array(text.utf8).withUnsafeBufferPointer { text in
      index.forEachEntry(value: UInt64(text.count), page: page) { entries.append($0) }
      index.forEachEntry(partsOf: text, page: page, &scratch, holds: { tests.append($0) }) { entries.append($0) }
    }
    return (entries.sorted(), tests)
  }

  @Test(
    "parts are found on the pages on which they are asked for, and on any",
    arguments: [
      ("xabx", nil, [1]), ("xabx", 3, [1, 2]), ("xabx", 4, [1, 2]), ("xabx", 5, [1]), ("bc", 3, [3]), ("bc", 4, []),
      ("bc", nil, []), ("abc", 3, [1, 2, 3]), ("", 3, []), ("xyzxyz", 3, []), ("xyzxyz", 6, [9]), ("xyzxyz", nil, []),
    ] as [(String, UInt32?, [UInt32])])
  func pages(text: String, page: UInt32?, entries: [UInt32]) {
    var builder = TextIndex.Builder()
    builder.add(part: Array("ab".utf8), pages: nil, entry: 1)
    builder.add(part: Array("ab".utf8), pages: [3, 4], entry: 2)
    builder.add(part: Array("bc".utf8), pages: [3], entry: 3)
    // The length of the text stands for its hash.
    builder.add(value: 6, pages: [6], entry: 9)
    let found = Self.found(builder, in: text, page: page)
    #expect(found.entries == entries)
    #expect(found.tests == (text.contains("ab") ? [70] : []))
  }

  @Test("a text is not read on pages where no rule tests a part of it")
  func unread() {
    var builder = TextIndex.Builder()
    builder.add(part: Array("ab".utf8), pages: [2, 5], entry: 1)
    for (page, isRead) in [(nil, false), (0, false), (2, true), (3, false), (5, true), (6, false), (.max, false)]
      as [(UInt32?, Bool)]
    {
      #expect(Self.found(builder, in: "ab", page: page).tests == (isRead ? [70] : []))
    }
    builder.add(part: Array("x".utf8), pages: nil, entry: 2)
    #expect(Self.found(builder, in: "ab", page: nil).tests == [70])
  }

  @Test("tests of texts are indexed with the pages of their rules")
  func indexedByPage() throws {
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
    let pages = matcher.programs[0].program.pointee.index.values.entries.map(\.keys.pages)
    #expect(pages.count == 40)
    #expect(pages.allSatisfy { $0?.count == 1 })
    var decider = Decider(matcher)
    for (page, text, rules) in [
      ("Page0", "a part 3.", ["106"]), ("Page1", "a part 3.", ["107"]), ("Page2", "a part 3.", []),
      ("Page0", "part 1part 12", ["102", "124"]), ("Page0", "", []),
    ] {
      let event = AnalyticsEvent(name: "e", properties: ["$screen_name": .string(page), "text": .string(text)])
      #expect(decider.decide(event).rules.map(\.text) == rules)
    }
  }
}
