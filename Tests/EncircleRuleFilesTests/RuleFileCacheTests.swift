import EncircleTestSupport
import EncircleText
import Testing

@testable import EncircleRuleFiles

/// Reading in parts gives what reading as a whole gives.
@Suite struct RuleFileCacheTests {
  private static let file = """
    # A file.
    version: 1
    app: com.example.shop
    track: selected
    classes: { ProductCell: UITableViewCell }
    rules: # all of them
      # The first one.
      - id: one
        include: { page: A, selector: "ProductCell(section:0 row:*)/UIButton(0)" }

      - id: two
        name: |
          - id: no rule
            #
        include:
          - page: [A, B]
            where:
              $element_content: { matches: '^\\d+' }
        emit: two

      -
        id: three
        sameKind: true
        include: { identity: "path(UIWindow(0)_UIView(0))&controller(A)" }
    pages:
      exclude: [C]
    checks: { exact-row: note }

    """

  /// The compared results: the rules with all their places, or the problems.
  private static func result(_ load: () throws(RuleFileErrors) -> SourcedRuleSet) -> [String] {
    do throws(RuleFileErrors) {
      let rules = try load()
      var lines = rules.ruleSet.rules.map { "\($0)" }
      for rule in rules.ruleSet.rules {
        guard let source = rules.sources[rule.id] else { continue }
        var parts: [RuleSource.Part] = [.id, .from, .to]
        for section in [RuleSource.Section.clauses, .unless] {
          for clause in 0..<3 {
            parts += [.clause(section, clause), .event(section, clause), .page(section, clause)]
            for i in 0..<3 {
              parts += [.selector(section, clause, i), .element(section, clause, i), .property(section, clause, i)]
            }
          }
        }
        lines += parts.map { "\(rule.id) \($0) \(source[$0])" }
      }
      lines.append("\(rules.fileChecks) \(rules.ruleSet.classes.count) \(rules.ruleSet.excludedPages)")
      return lines
    } catch {
      return [error.description]
    }
  }

  private static func whole(_ text: String) -> [String] {
    result { () throws(RuleFileErrors) in try RuleFiles(text: text, name: "a.yaml").ruleSetWithSources() }
  }

  private static func isDocument(_ text: String) -> Bool {
    var nodes = NodeReader(text, name: "a.yaml")
    return nodes.root() != nil
  }

  @Test("a file in block style has as many parts as rules") func parts() throws {
    let parts = try #require(RuleFileParts(Self.file))
    #expect(parts.rules.count == 3 && parts.keyLine == 6)
    #expect(parts.around.utf8.count(where: { $0 == 0x0A }) == Self.file.utf8.count(where: { $0 == 0x0A }))
    for text in [
      "", "rules:\n", "version: 1\nrules: []\n", "---\nrules:\n- a\n", "rules:\n- a\nrules:\n- b\n", "rules:\r- a\r",
    ] {
      #expect(RuleFileParts(text) == nil, "\(text)")
    }
  }

  @Test(
    "a text over several rules, an alias and a second document are read as a whole",
    arguments: [
      "version: 1\nrules:\n  - { id: a, name: &x n, include: { page: A } }\n  - { id: b, name: *x, include: { page: A } }\n",
      "version: 1\nrules:\n  - { id: a, include: { page: A }, name: \"x\n  - y\" }\n",
      "version: 1\nrules:\n  - { id: a, include: { page: [A,\n  - B] } }\n",
      "version: 1\napp: \"x\nrules:\n  - id: a\n\"\n",
      "version: 1\nrules:\n  - id: a\n    include: { page: A }\n---\nversion: 1\n",
      "version: 1\nrules:\n  - id: a\n    include: { page: A }\n - id: b\n",
      "{ version: 1, rules: [] }\n",
    ])
  func whole(text: String) {
    var cache = RuleFileCache()
    #expect(Self.result { () throws(RuleFileErrors) in try cache.load([("a.yaml", text)]) } == Self.whole(text))
  }

  @Test("definitions are known as soon as their file is valid YAML") func correctedDefinitions() throws {
    let text = "version: 1\ndefine:\n  clauses: { t: { page: A } }\nrules:\n  - { id: a, include: { use: t } }\n"
    let other = "version: 1\nrules:\n  - { id: b, include: { use: t } }\n"
    var cache = RuleFileCache()
    let broken = Self.result { () throws(RuleFileErrors) in
      try cache.load([("a.yaml", text + "  - *b\n"), ("b.yaml", other)])
    }
    #expect(broken.count == 1 && broken[0].contains("refers to an anchor") && !broken[0].contains("no clause"))
    let rules = try cache.load([("a.yaml", text), ("b.yaml", other)])
    #expect(rules.ruleSet.rules.count == 2)
  }

  @Test("a problem of one rule names lines of the file, also in its text") func linesInWords() {
    let broken = Self.file.replacing("page: [A, B]", with: "page: [A, B")
    var cache = RuleFileCache()
    for text in [Self.file, broken, "# one more line\n" + broken] {
      let found = Self.result { () throws(RuleFileErrors) in try cache.load([("a.yaml", text)]) }
      #expect(found == Self.whole(text))
    }
  }

  @Test(
    "after any edits the rules, their places and their problems equal a reading of the whole file",
    arguments: TestSize.scaled(1...200 as ClosedRange<UInt64>))
  func edits(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var cache = RuleFileCache()
    var text = Self.file
    let pieces = [
      "\n", " ", "x", "- id: four\n", "  - id: one\n    include: { page: D }\n", "inclde", "#", "\r\n", "加", "rules:\n",
      "  - { id: five, exclude: { selector: 'A(' } }\n", "version: 2\n", "&a ", "*a", "'", "style: sensors\n", "[0]",
    ]
    for _ in 0..<40 {
      var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let line = Int.random(in: 0..<lines.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: lines.remove(at: line)
      case 1: lines.swapAt(line, Int.random(in: 0..<lines.count, using: &random))
      case 2: lines[line] += pieces.randomElement(using: &random) ?? ""
      case 3: lines.insert(pieces.randomElement(using: &random) ?? "", at: line)
      default: lines[line] = lines[line].replacing("A", with: "B")
      }
      let edited = lines.joined(separator: "\n")
      let found = Self.result { () throws(RuleFileErrors) in try cache.load([("a.yaml", edited)]) }
      if Self.isDocument(edited) {
        #expect(found == Self.whole(edited), "\(edited)")
        // A text that loads is edited further.
        if found.count > 1 || Bool.random(using: &random) { text = edited }
      } else {
        #expect(found.count == 1 && found[0].contains("error"), "\(edited)")
      }
    }
  }
}
