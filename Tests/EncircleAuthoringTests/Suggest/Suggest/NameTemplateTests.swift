import EncircleRuleFiles
import EncircleTestSupport
import Testing

@testable import EncircleAuthoring

/// Ids by a template, with words for texts.
@Suite struct NameTemplateTests {
  @Test(
    "a template is filled, and separators around missing parts are merged, or dropped at the ends",
    arguments: [
      ("{page}_{element}_{action}", "cart_buy_click"), ("{element}", "buy"), ("shop.{page}-{element}", "shop.cart-buy"),
      ("{page}_{row}_{element}", "cart_buy"), ("{row}_{page}", "cart"), ("{page}.{row}", "cart"), ("A{page}", "Acart"),
      ("{page}__{element}", "cart_buy"), ("{row}", ""), ("-{row}_.{page}-", "cart"),
    ])
  func filled(template: String, name: String) throws {
    let values: [NameTemplate.Placeholder: String] = [.page: "cart", .element: "buy", .action: "click"]
    #expect(try NameTemplate(template).name { values[$0] ?? "" } == name)
  }

  @Test(
    "a template that cannot be read says what is wrong",
    arguments: [
      ("{pgae}", "unknown placeholder '{pgae}' (did you mean {page}?): expected {page}, {page_title}, "),
      ("{page", "'{' without '}'"), ("cart", "a template has a placeholder"),
      ("", "a template has a placeholder"), ("{}", "unknown placeholder '{}'"), ("加{page}", "'加' in the template"),
      ("{page} {element}", "' ' in the template"), ("{{page}}", "unknown placeholder '{{page}'"),
      (String(repeating: "{page}", count: 40), "at most 200 bytes"),
    ])
  func mistakes(template: String, message: String) {
    let error = #expect(throws: NameTemplate.ParsingError.self) { try NameTemplate(template) }
    #expect(error?.description.contains(message) ?? false, "\(error?.description ?? "none")")
  }

  @Test("names are bounded and do not end with a separator")
  func longest() throws {
    let name = try NameTemplate("{page}_{element}").name { $0 == .page ? String(repeating: "a", count: 119) : "b" }
    #expect(name == String(repeating: "a", count: 119))
    let long = try NameTemplate("{page}{page}").name { _ in String(repeating: "a", count: 100) }
    #expect(long.utf8.count == NameTemplate.longestName)
  }

  @Test("a name already in use gets the first free number")
  func unique() {
    var names = UniqueNames(taken: ["a", "b_2"])
    #expect(["a", "a", "b", "b", "c"].map { names.unique($0) } == ["a_2", "a_3", "b", "b_3", "c"])
  }

  // MARK: - Words

  private static let words = """
    首页: home
    加入: add
    购物车: cart
    加入购物车: add_to_cart
    café: cafe
    in: inside
    """

  @Test(
    "a text is translated whole, else by its longest parts; leftover letters give no name",
    arguments: [
      ("首页", "home"), ("加入购物车", "add_to_cart"), ("加入首页", "add_home"), ("加入购物车(3)", "add_to_cart_3"),
      ("加入 · 购物车 →", "add_cart"), ("café", "cafe"), ("Log in", "log_inside"), ("login", "login"),
      ("Buy now!", "buy_now"),
      ("addToCart", "add_to_cart"), ("去首页", nil), ("价格", nil), ("(3)", nil), ("", nil), ("…", nil),
      // Decomposed.
      ("cafe\u{301}", nil), ("e\u{301}", nil), (String(repeating: "加入", count: 14), nil),
    ] as [(String, String?)])
  func translated(text: String, name: String?) throws {
    #expect(try WordList(yaml: Self.words).name(for: text) == name)
  }

  @Test("without words, ASCII text becomes a name")
  func noWords() {
    #expect(WordList().name(for: "Buy now") == "buy_now")
    #expect(WordList().name(for: "首页") == nil)
  }

  @Test(
    "problems of a word list have places",
    arguments: [
      ("- 首页", "words.yaml:1:1: error: expected a mapping of texts to words"),
      ("首页: 家", "words.yaml:1:5: error: a word has ASCII letters"),
      ("首页: [home]", "words.yaml:1:5: error: expected a word"), ("首页:", "words.yaml:1:4: error: expected a word"),
      ("a: b\n首页: 12", "words.yaml:2:5: error: a word has ASCII letters"),
      ("首页: \(String(repeating: "a", count: 65))", "a word has at most 64 bytes"),
      (
        "\(String(repeating: "a", count: 201)): a", "words.yaml:1:1: error: a text of a word list has at most 200 bytes"
      ),
      ("首页: home\n首页: house", "occurs twice"), ("首页: {", "words.yaml:"),
      ("[a]: b", "words.yaml:1:1: error: expected a text"),
    ])
  func wordMistakes(text: String, message: String) {
    let error = #expect(throws: RuleFileErrors.self) { try WordList(yaml: text, name: "words.yaml") }
    #expect(error?.description.contains(message) ?? false, "\(error?.description ?? "none")")
  }

  @Test("every problem is reported, and too many words are a problem")
  func bounded() {
    let bad = #expect(throws: RuleFileErrors.self) { try WordList(yaml: "a: 家\nb: 家") }
    #expect(bad?.count == 2)
    let many = (0...WordList.maximumWords).map { (text: "text \($0)", word: "a") }
    #expect(throws: WordList.InvalidWord.self) { try WordList(many) }
    #expect(throws: Never.self) { try WordList(many.dropLast()) }
  }
}
