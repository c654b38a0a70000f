import EncircleText
import Testing

@Suite struct StableSortTests {
  @Test func `elements are sorted by the first number that differs, and equal ones stay in order`() {
    let words = ["pear", "fig", "plum", "date", "apple", "kiwi", "nut"]
    #expect(words.stablySorted { [$0.utf8.count] } == ["fig", "nut", "pear", "plum", "date", "kiwi", "apple"])
    let byBoth = words.stablySorted { [$0.contains("p") ? 0 : 1, -$0.utf8.count] }
    #expect(byBoth == ["apple", "pear", "plum", "date", "kiwi", "fig", "nut"])
  }
}
