import EncircleText
import Testing

@Suite struct CountedNounTests {
  @Test(
    "a noun is in the singular only for 1",
    arguments: [(0, "0 rules"), (1, "1 rule"), (2, "2 rules"), (21, "21 rules")])
  func number(number: Int, text: String) { #expect(counted(number, "rule") == text) }

  @Test("a plural can be given") func plural() {
    #expect(counted(1, "person", "people") == "1 person")
    #expect(counted(3 as Int64, "person", "people") == "3 people")
  }
}
