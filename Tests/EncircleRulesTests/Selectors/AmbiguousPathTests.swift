import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

/// Selectors are matched against all readings of an ambiguous path at once.
@Suite struct AmbiguousPathTests {
  private func isMatch(_ selector: String, _ path: String, _ known: [String] = []) throws -> Bool {
    var vocabulary = ClassVocabulary()
    for name in known { vocabulary.insert(name) }
    return try SelectorMatcher(ElementSelector(parsing: selector)).matches(
      ElementPath.graph(parsing: path, notation: .underscores, vocabulary: vocabulary))
  }

  @Test(
    "a selector matches if one of the readings does, however many there are",
    arguments: [
      ("/A*a/B*b/C*c/D*d/E*e/F*f(0)", "Aa_Bb_Cc_Dd_Ee_Ff(0)", true), ("/A/B/C/D/E/F(0)", "A_B_C_D_E_F(0)", true),
      ("/A_B/*/D_E_F(0)", "A_B_C_D_E_F(0)", true), ("/A/C/**", "A_B_C_D_E_F(0)", false),
      ("E_F(0)", "A_B_C_D_E_F(0)", true), ("E(0)/F(0)", "A_B_C_D_E_F(0)", false), ("F(1)", "A_B_C_D_E_F(0)", false),
      ("/A/**/F(0)", "A_B_C_D_E_F(0)", true), ("/A*/**/*F(0)", "A_B_C_D_E_F(0)", true),
      ("/*/*/*/*/*/*(0)", "A_B_C_D_E_F(0)", true), ("/*/*/*/*/*/*/*(0)", "A_B_C_D_E_F(0)", false),
      ("/**/A_*_F(0)", "A_B_C_D_E_F(0)", true), ("B*C*E/F(0)", "A_B_C_D_E_F(0)", true),
      ("B*E*C/F(0)", "A_B_C_D_E_F(0)", false), (":UIControl/**", "X_UIButton_Y_Z(0)", true),
      (":UIControl/Z(0)", "X_UIButton_Y_Z(0)", false), ("/X/:UIView/Y_Z(0)", "X_UIButton_Y_Z(0)", true),
      ("/A/_B", "A__B", true), ("/A_/B", "A__B", true), ("/A/*/B", "A__B", false), ("/A__B", "A__B", true),
      ("C/D", "A_B(0)_C_D", true), ("B(0)/C_D", "A_B(0)_C_D", true), ("A_B(0)/**", "A_B(0)_C_D", true),
      ("B(0)/**", "A_B(1)_C_D", false),
    ] as [(String, String, Bool)])
  func readings(selector: String, path: String, expected: Bool) throws {
    #expect(try isMatch(selector, path) == expected)
  }

  @Test("known names decide between readings for selectors, too")
  func vocabulary() throws {
    #expect(try isMatch("/A_B/C", "A_B_C", ["A_B", "C"]))
    #expect(try !isMatch("/A/B_C", "A_B_C", ["A_B", "C"]))
    #expect(try isMatch("/A/B/C", "A_B_C", ["A_B", "C", "A", "B"]))
    #expect(try !isMatch("/A/B_C", "A_B_C", ["A_B", "C", "A", "B"]))
  }

  @Test("each of Sensors' cells is a row or an item independently")
  func sensorsCells() throws {
    let path = "UIView/MyList[0]/MyCell[0][1]/Other[0]/MyCell[1][2]/UIButton[0]"
    let rules = [
      "MyCell(section:0 row:1)/**/MyCell(section:1 item:2)/*", "MyCell(section:0 item:1)/**/MyCell(section:1 row:2)/*",
      "MyCell(section:0 row:1)/**/MyCell(section:1 row:2)/*", "MyCell(section:0 item:1)/**/MyCell(section:1 item:2)/*",
      "MyCell(section:0 item:2)/**/MyCell(section:1 item:2)/*",
    ].enumerated().map { "  - {id: rule.\($0), include: {selector: '\($1)'}}" }
    let decision = try decide(
      "style: sensors\nrules:\n" + rules.joined(separator: "\n"),
      #"{"event":"$AppClick","properties":{"$element_path":"\#(path)"}}"#)
    #expect(decision.rules == ["rule.0", "rule.1", "rule.2", "rule.3"])
  }

  @Test(
    "each component of an Android path may be named with its resource id or without",
    arguments: [
      ("'A#x(0)/B(1)/C(0)'", true), ("'A(0)/B#y(1)/C(0)'", true), ("'A#x(0)/B#y(1)/C(0)'", true),
      ("'A(0)/B(1)/C(0)'", true),
      ("'A#y(0)/B(1)/C(0)'", false), ("'A#x(0)/B(1)/C#z(0)'", false),
    ] as [(String, Bool)])
  func resourceIDs(selector: String, expected: Bool) throws {
    let decision = try decide(
      "style: hubbledata-android\nrules: [ { id: a, include: { selector: \(selector) } } ]",
      #"{"event":"$AppClick","properties":{"$element_path":"Main:A[0]#x/B[1]#y/C[0]"}}"#)
    #expect(decision.isSelected == expected)
  }

  private static let pieces = ["A", "B", "AB", "_", "_", "_", "UIView", "UIButton"]

  private func text(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 1...3, using: &random)).map { _ in
      let name = (0..<Int.random(in: 1...7, using: &random)).map { _ in random.pick(Self.pieces) }.joined()
      return "X" + name + "Y" + random.pick(["(0)", "(1)", "(section:0 row:1)"])
    }.joined(separator: "_") + random.pick(["", "", "_A_B"])
  }

  private func selector(_ random: inout SeededGenerator) throws -> ElementSelector {
    let classes = [
      "A", "B", "AB", "A_B", "XA", "*", "*", "*", "A*", "*B", "*_*", "X*", "*Y", "*A*B*", "X*_*Y", "XAB_*", ":UIView",
      ":UIControl", "**", "**",
    ]
    let steps = (0..<Int.random(in: 1...5, using: &random)).map { _ in
      let name = random.pick(classes)
      return name == "**" ? name : name + random.pick(["", "", "", "(0)", "(*)", "(section:0 row:*)"])
    }
    return try ElementSelector(parsing: random.pick(["", "/"]) + steps.joined(separator: "/"))
  }

  @Test(
    "matching all readings at once agrees with matching one after the other",
    arguments: TestSize.scaled(1...60 as ClosedRange<UInt64>))
  func agreement(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      let path = text(&random)
      var vocabulary = ClassVocabulary()
      if random.oneIn(3) { ["A", "B", "XA", "BY", "XABY", "X"].forEach { vocabulary.insert($0) } }
      let graph = try ElementPath.graph(parsing: path, notation: .underscores, vocabulary: vocabulary)
      let readings = graph.readings(limit: .max)
      #expect(readings.count == graph.count, "seed \(seed): \(path)")
      for _ in 0..<10 {
        let selector = try selector(&random)
        let expected = readings.contains { selector.matches($0, hierarchy: .builtIn) }
        #expect(SelectorMatcher(selector).matches(graph) == expected, "seed \(seed): \(selector) on \(path)")
      }
    }
  }
}
