import EncircleAuthoring
import EncircleRuleFiles
import EncircleTestSupport
import Testing

/// Comments that silence findings.
@Suite struct SuppressionTests {
  private static let list = """
    <view class="UIWindow"><view class="UITableView" controller="CartViewController">
      <view class="CartCell" superclasses="UITableViewCell" indexPath="0 0"><view class="BuyButton"/></view>
      <view class="CartCell" superclasses="UITableViewCell" indexPath="0 1"><view class="BuyButton"/></view>
      <view class="CartCell" superclasses="UITableViewCell" indexPath="0 2"><view class="BuyButton"/></view>
    </view></view>
    """

  /// `code rule line:column` of the findings of exact rows and of comments.
  private static func found(_ rules: String, captures: [String] = [list]) throws -> [String] {
    let codes: Set<CheckCode> = [.exactRow, .uselessSuppression]
    return Checked.lines(try Checked.findings(rules, captures: captures).filter { codes.contains($0.code) })
      .map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
  }

  private static let places: [(claim: String, rules: String)] = [
    (
      "at the end of the line",
      """
      rules:
        - id: a
          include:
            selector: CartCell(section:0 row:0)/BuyButton # encircle: off exact-row - it is the banner
      """
    ),
    (
      "before the key",
      """
      rules:
        - id: a
          include:
            page: CartViewController
            # encircle: off exact-row - it is the banner

            # and more about it
            selector: CartCell(section:0 row:0)/BuyButton
      """
    ),
    (
      "before the rule, in another layout, with other dashes and several codes",
      """
      rules:
      #encircle:  off fragile-index,exact-row — it is the banner
      - name: 横幅
        id: a
        include:
        - selector:
          - "CartCell(section:0 row:0)/BuyButton"
          - CartCell(section:0 row:1)/BuyButton
      """
    ),
    (
      "before a rule in braces",
      """
      rules:
        # encircle: off exact-row - it is the banner
        - { id: a, include: { selector: CartCell(section:0 row:0)/BuyButton } }
      """
    ),
    (
      "in braces that go over lines",
      """
      rules: [
        { id: a, include: { # of the banner
            selector: CartCell(section:0 row:0)/BuyButton, # encircle: off exact-row - it is the banner
            page: CartViewController } } ]
      """
    ),
    (
      "on the first line of the rule",
      """
      rules:
        - id: a # encircle: off exact-row - it is the banner
          include: { selector: CartCell(section:0 row:0)/BuyButton }
      """
    ),
    (
      "before all rules",
      """
      # encircle: off exact-row - rows are meant
      rules:
        - { id: a, include: { selector: CartCell(section:0 row:0)/BuyButton } }
        - { id: b, include: { selector: CartCell(section:0 row:1)/BuyButton } }
      """
    ),
  ]

  @Test("a comment silences findings on its line and on the lines indented beneath", arguments: places.indices)
  func silences(number: Int) throws {
    let (claim, rules) = Self.places[number]
    // A code without a finding is reported, which shows that the comment is read.
    #expect(try Self.found(rules).filter { $0.contains("exact-row") }.isEmpty, "\(claim)")
    #expect(try Self.found(rules.replacing("exact-row", with: "exact-rows")).count >= 2, "\(claim)")
  }

  @Test(
    "a comment counts in the line of a value, too, where that stands below its property",
    arguments: [
      "$app_version:\n          \">=\": 5.2 # C", "$app_version: # C\n          \">=\": 5.2",
      "$app_version:\n          # C\n          \">=\": 5.2",
    ])
  func below(test: String) throws {
    let rules = "rules:\n  - id: a\n    include:\n      where:\n        \(test)\n"
    let silenced = rules.replacing("# C", with: "# encircle: off wrong-type - as it was")
    #expect(Checked.lines(try Checked.findings(rules)).map { $0.contains("wrong-type") } == [true])
    #expect(Checked.lines(try Checked.findings(silenced)) == [])
  }

  @Test("a comment silences nothing outside its lines and nothing with another code")
  func elsewhere() throws {
    let rules = """
      rules:
        - id: a
          include:
            # encircle: off exact-row - of the first clause
            - selector: CartCell(section:0 row:0)/BuyButton
            - selector: CartCell(section:0 row:1)/BuyButton
        # encircle: off other-pages - of another kind
        - id: b
          include: { selector: CartCell(section:0 row:0)/BuyButton }
      """
    #expect(
      try Self.found(rules) == [
        "exact-row a 7:19", "useless-suppression b 8:3", "exact-row b 10:26",
      ])
  }

  @Test(
    "a wrong comment is reported with its place and what is expected",
    arguments: [
      ("off exact-rows - why", "unknown finding 'exact-rows'; did you mean 'exact-row'?"),
      ("off xyzzy - why", "unknown finding 'xyzzy'"),
      ("off exact-row", "a finding is silenced with a reason: expected '# encircle: off exact-row - …'"),
      ("off exact-row - ", "a finding is silenced with a reason: expected '# encircle: off exact-row - …'"),
      ("off exact-row the banner", "a finding is silenced with a reason: expected '# encircle: off exact-row - …'"),
      ("off - why", "expected the code of a finding, as in '# encircle: off exact-row - the reason'"),
      ("on exact-row", "expected 'off' after 'encircle:', as in '# encircle: off exact-row - the reason'"),
      ("", "expected 'off' after 'encircle:', as in '# encircle: off exact-row - the reason'"),
    ])
  func wrong(comment: String, message: String) throws {
    let rules = """
      rules:
        - id: a
          # encircle: \(comment)
          include: { selector: CartCell(section:0 row:0)/BuyButton }
      """
    let findings = try Checked.findings(rules, captures: [Self.list])
    let finding = try #require(findings.first { $0.code == .uselessSuppression })
    #expect(finding.message == message)
    #expect(finding.place.location.line == 4 && finding.place.location.column == 5)
    #expect(finding.rule == "a" && finding.severity == .warning)
    #expect(findings.contains { $0.code == .exactRow })
  }

  @Test("text that only looks like such a comment is ignored in texts, block texts and keys")
  func noComments() throws {
    let rules = #"""
      rules:
        - id: a
          name: "x # encircle: off exact-row - in quotes"
          description: |
            of the rows
            # encircle: off exact-row - in a block text
          owner: x#encircle: off
          tags: ['# encircle: off exact-row - in quotes']
          include: { selector: CartCell(section:0 row:0)/BuyButton }
      """#
    // A key with a colon in its plain text is no rule file; so the owner is quoted.
    let valid = rules.replacing("x#encircle: off", with: "'x#encircle: off'")
    #expect(try Self.found(valid) == ["exact-row a 10:26"])
  }

  @Test("a comment after all rules precedes nothing, and one without a rule names none")
  func noRule() throws {
    #expect(try Self.found("rules: []\n# encircle: off exact-row - why") == ["useless-suppression 3:1"])
  }

  @Test("a comment for findings that this check cannot make is not reported")
  func scope() throws {
    let rules = """
      rules:
        - id: a
          # encircle: off exact-row, matches-nothing - only captures tell
          include: { selector: CartCell(section:0 row:*)/BuyButton }
          # encircle: off out-of-time - it is over
      """
    #expect(try Self.found(rules, captures: []) == ["useless-suppression a 6:5"])
    #expect(try Self.found(rules) == ["useless-suppression a 4:5", "useless-suppression a 6:5"])
    let off = "checks: { useless-suppression: { severity: off, reason: captures are few } }\n" + rules
    #expect(try Self.found(off).isEmpty)
  }

  @Test("formatting keeps comments, which silence the same findings")
  func formatted() throws {
    for (claim, rules) in Self.places {
      let formatted = try RuleFileFormatter.format(rules)
      #expect(
        try Self.found(formatted).filter { $0.contains("exact-row") }.isEmpty, "\(claim):\n\(formatted)")
    }
  }

  @Test("very many comments before ever deeper lines are all found")
  func many() throws {
    var rules = "rules:\n"
    let count = TestSize.scaled(3_000)
    for i in 0..<count {
      rules += "  # encircle: off exact-row - why\n  - { id: a\(i), include: { event: e\(i) } }\n"
    }
    rules += "  - id: z\n    include: { event: z }\n    description:\n"
    for depth in 0..<TestSize.scaled(2_000) { rules += String(repeating: " ", count: 6 + depth) + "x\n" }
    #expect(try Self.found(rules).count == count)
  }
}
