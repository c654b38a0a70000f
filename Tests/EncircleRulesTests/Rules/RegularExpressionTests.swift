import EncircleRules
import Testing

@Suite struct RegularExpressionTests {
  @Test("a quoted text matches just itself", arguments: ["a", "a.b", #"\.+*?()|[]{}^$-/"#, "加入 é\n", "(?i)a"])
  func quoting(text: String) throws {
    let expression = try RegularExpression("^(?:\(RegularExpression.quoting(text)))$")
    #expect(expression.firstMatch(in: text) == text)
    for other in [text + "x", text.uppercased() + "b", "ab"] { #expect(expression.firstMatch(in: other) == nil) }
  }
}
