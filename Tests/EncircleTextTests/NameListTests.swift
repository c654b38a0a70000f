import EncircleText
import Testing

@Suite struct NameListTests {
  @Test(
    "only the first names are given, with the number of the others or an ellipsis",
    arguments: [
      ([], "", ""), (["a"], "a", "a"), (["a", "b"], "a, b", "a, b"), (["a", "b", "c"], "a, b and 1 more", "a, b, …"),
    ] as [([String], String, String)])
  func list(names: [String], counted: String, shortened: String) {
    #expect(NameList.text(names, atMost: 2) == counted)
    #expect(NameList.shortened(names, atMost: 2) == shortened)
  }

  @Test("the number of all names can be given") func count() {
    #expect(NameList.text(["a", "b", "c"], atMost: 2, of: 10) == "a, b and 8 more")
  }
}
