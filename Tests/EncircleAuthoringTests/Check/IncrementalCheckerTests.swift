import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import Testing

@testable import EncircleAuthoring

@Suite struct IncrementalCheckerTests {
  private static let now: Int64 = 1_790_000_000_000

  private static func lines(_ findings: [Finding]) -> [String] {
    findings.map { finding in
      "\(finding.place.location.line):\(finding.place.location.column) \(finding.code) \(finding.rule) \(finding.message); "
        + "\(finding.example ?? "-"); \(finding.suggestion ?? "-"); \(finding.edit?.replacement ?? "-")"
    }
  }

  private static func findings(_ text: String, _ captures: StoredCaptures) throws -> [String] {
    let sourced = try RuleFiles(text: text, name: "rules.yaml").ruleSetWithSources()
    var checker = RuleChecker(sourced)
    let settings = SelectionSettings(sourced.ruleSet)
    try captures.forEachCapture {
      checker.add(settings.identified($0.screen), name: $0.name)
      return true
    }
    return lines(checker.check(at: now).findings)
  }

  private static func rules(_ rules: [String: String], _ style: String = "hubbledata") -> String {
    let texts = rules.sorted { $0.key < $1.key }.map { "  - id: \($0.key)\n    \($0.value)\n" }
    return "version: 1\nstyle: \(style)\nrules:\n" + texts.joined()
  }

  @Test
  func `after each edit and each capture the findings equal a fresh check`() throws {
    let names = PackageFolder.smallCaptureNames.filter { $0.hasSuffix(".xml") }
    try #require(names.count > 6)
    let captures = try StoredCaptures(Array(TestSize.isFull ? names.dropLast(2) : names.prefix(4)))
    var checker = IncrementalChecker()
    var random = SeededGenerator(seed: 29)
    let choices = [
      "include: { event: $AppClick, selector: UIButton }",
      "include: { event: $AppClick, selector: '**/ProductCell(section:* row:*)/**/UIButton(0)' }",
      "include: { event: $AppClick, page: HomeViewController, selector: UIButtonLabel }",
      "include: { event: $AppClick, selector: UIButton, where: { $element_content: 加入 } }",
      "include: { event: $AppClick, page: CartViewController, where: { $element_content: 无此文字 } }",
      "include: { event: $AppClick, selector: NoSuchView }",
      "include: { event: $AppClick, selector: ':UIControl' }",
      "exclude: { page: LoginViewController }",
      "include: { event: $AppClick, eventID: 41787074e818fe9d2b2d5c2b6e6ba5d7a2f5c8e3d9a7b1c4e6f8a0b2c4d6e8f0 }",
      "include: { event: $AppClick, selector: UIButton }\n    unless: { page: CartViewController }",
      "include: { event: $AppClick, selector: UITableViewCell }\n    properties: { title: { element: UILabel } }",
    ]
    var rules: [String: String] = [:]
    for number in 0..<8 { rules["r\(number)"] = choices[number % choices.count] }
    for step in 0..<TestSize.scaled(60) {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: rules["r\(Int.random(in: 0..<12, using: &random))"] = nil
      case 1 where step > 4: try captures.add(names[names.count - 1 - step % 2])
      case 2: captures.remove(names[names.count - 1 - step % 2])
      case 3: try captures.replace(names[0], by: names[1 + step % 3])
      default: rules["r\(Int.random(in: 0..<12, using: &random))"] = choices.randomElement(using: &random)
      }
      let text = Self.rules(rules)
      let sourced = try checker.read(NamedRules(text: text, name: "rules.yaml"))
      let found = try checker.check(sourced, on: captures, at: Self.now) {}
      #expect(Self.lines(found.findings) == (try Self.findings(text, captures)), "step \(step)")
    }
  }

  @Test
  func `captures are read again for a changed rule, not after a removal or a change of owner`() throws {
    let captures = try StoredCaptures(Array(PackageFolder.smallCaptureNames.prefix(4)))
    var checker = IncrementalChecker()
    func given(_ rules: [String: String], _ style: String = "hubbledata") throws -> Int {
      let sourced = try checker.read(NamedRules(text: Self.rules(rules, style), name: "rules.yaml"))
      _ = try checker.check(sourced, on: captures, at: Self.now) {}
      return captures.given
    }
    let button = "include: { event: $AppClick, selector: UIButton }"
    #expect(try given(["a": button, "b": button]) == 4)
    #expect(try given(["a": button, "b": button]) == 0)
    #expect(try given(["a": button + "\n    owner: shop", "b": button]) == 0)
    #expect(try given(["a": button]) == 0)
    #expect(try given(["a": "include: { event: $AppClick, selector: UILabel }"]) == 4)
    #expect(try given(["a": "include: { event: $AppClick, selector: UILabel }"], "lede") == 4)
    captures.remove(PackageFolder.smallCaptureNames[0])
    #expect(try given(["a": "include: { event: $AppClick, selector: UILabel }"], "lede") == 3)
  }

  @Test
  func `a check that throws leaves the previous result in place`() throws {
    struct Enough: Error {}
    let captures = try StoredCaptures(Array(PackageFolder.smallCaptureNames.prefix(4)))
    var checker = IncrementalChecker()
    let text = Self.rules(["a": "include: { event: $AppClick, selector: NoSuchView }"])
    let sourced = try checker.read(NamedRules(text: text, name: "rules.yaml"))
    #expect(throws: Enough.self) { try checker.check(sourced, on: captures, at: Self.now) { throw Enough() } }
    let found = try checker.check(sourced, on: captures, at: Self.now) {}
    #expect(Self.lines(found.findings) == (try Self.findings(text, captures)))
  }
}
