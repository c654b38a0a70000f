import EncircleText
import Testing

/// Errors of rule files as YAML.
@Suite struct YAMLErrorTests {
  @Test(
    "YAML's traps are errors that say what to do",
    arguments: [
      (
        "    include: { where: { p: ▶yes } }",
        ["'yes' is a truth value in YAML: quote it if the text is meant, else write true or false"]
      ),
      (
        "    include: { where: { p: { in: [▶on, ▶Off] } } }",
        [
          "'on' is a truth value in YAML: quote it if the text is meant, else write true or false",
          "'Off' is a truth value in YAML: quote it if the text is meant, else write true or false",
        ]
      ),
      (
        "    include: { where: { p: ▶0x1F } }",
        ["'0x1F' is a number in YAML, but not in JSON: quote it if the text is meant"]
      ),
      (
        "    include: { where: { p: ▶1_000 } }",
        ["'1_000' is a number in YAML, but not in JSON: quote it if the text is meant"]
      ),
      (
        "    include: { where: { p: ▶.inf } }",
        ["'.inf' is a number in YAML, but not in JSON: quote it if the text is meant"]
      ),
      (
        "    include: { where: { p: ▶12:30 } }",
        ["'12:30' is a number in YAML, but not in JSON: quote it if the text is meant"]
      ),
      ("▶version: 1\nversion: 1", ["the key 'version' occurs twice in one mapping"]),
      (
        "version: 1\nrules:\n  - ▶id: a\n    id: b\n    include: { event: a }",
        ["the key 'id' occurs twice in one mapping; in a list, each item begins with '- '"]
      ),
      ("version: 1\nrules: [\n▶", ["expected a value, or the bracket that ends this"]),
      ("version: 1\nrules: ▶'a\n", ["this quote is never closed"]),
      (
        "version: 1\nrules: []\n▶---\nversion: 1\nrules: []",
        ["a file is one document: the part after '---' belongs in a separate file"]
      ),
      ("version: 1\n? ▶[a]\n: b", ["expected a key of a rule file"]),
      (
        "    include: { ▶<<: { event: a } }",
        ["merge keys are not read: what several rules share has a name under 'define', by which 'use' takes it"]
      ),
      (
        "    include: { selector: ▶*/UIButton }",
        ["'*' refers to an anchor in YAML, and no anchor above has this name: quote the text, as in '*/UIButton'"]
      ),
      (
        "    include: { event: ▶*undefined }",
        ["'*' refers to an anchor in YAML, and no anchor above has this name: quote the text, as in '*undefined'"]
      ),
      (
        "   ▶include: { event: a }",
        ["expected '- ' and the next item of the list, indented as those above it"]
      ),
      (
        "version: 1\nrules: &a [▶*a]",
        ["'*' refers to an anchor in YAML, and no anchor above has this name: quote the text, as in '*a'"]
      ),
      (
        "    description: |\n      https://wiki.example.com\n    include: { page: ▶@A }",
        ["no text begins with '@' in YAML: quote it, as in '@A'"]
      ),
      (
        "    name: [VIP] ▶会员\n    include: { event: a }",
        ["nothing follows a closing bracket: quote a text that begins with '[' or '{'"]
      ),
      (
        "    include: { event: a }\n    emit: {page}▶_click",
        ["nothing follows a closing bracket: quote a text that begins with '[' or '{'"]
      ),
      ("    include: { event: a } ▶}", ["this '}' closes nothing"]),
      (
        "version: 1\n▶\u{FEFF}rules: []",
        ["a byte order mark (U+FEFF, which is not seen) within the file: remove it"]
      ),
    ] as [(String, [String])])
  func yamlErrors(marked: String, messages: [String]) {
    checkProblems(marked, messages)
  }

  @Test("an empty file is a rule file", arguments: ["", "\n\n", "# a comment\n", "\u{FEFF}"])
  func empty(text: String) {
    #expect(
      problems(text) == "rules.yaml: error: the file is empty: expected at least 'version: 1' and 'rules'")
  }

  @Test("tabs do not indent")
  func tabs() {
    #expect(
      problems("version: 1\nrules:\n\t- id: a\n")
        == "rules.yaml:3:1: error: YAML is indented with spaces: replace this tab\n  \t- id: a\n  ^"
    )
    #expect(
      problems("version:\t1\nrules:\n  -\tid: a\n")
        == "rules.yaml:3:4: error: YAML is indented with spaces: replace this tab\n    -\tid: a\n     ^"
    )
  }

  @Test("a control character is refused where it is", arguments: ["\0", "\u{1}", "\u{1B}"])
  func controlCharacters(character: String) {
    let shown = VisibleText.escaping(character)
    let code = String(character.unicodeScalars.map(\.value).reduce(0, +), radix: 16, uppercase: true)
    let name = String(repeating: "0", count: 4 - code.count) + code
    #expect(
      problems("version: 1\r\nrules:\r\n  - id: 中\(character)b\r\n")
        == "rules.yaml:3:10: error: not valid YAML: control characters are not allowed; U+\(name) is written \"\\u\(name)\"\n    - id: 中\(shown)b\n          \u{3000}^"
    )
  }
}
