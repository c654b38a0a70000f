import EncircleTestSupport
import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import Testing

/// Events of Sensors Analytics leave the row of the innermost list to `$element_position`.
@Suite struct SensorsPositionTests {
  private static let rows: [(String, String, String?, Bool)] = [
    ("Cell(section:0 row:3)/UIButton(0)", "UIView/UITableView[0]/Cell[0][-]/UIButton[0]", "0:3", true),
    ("Cell(section:0 row:3)/UIButton(0)", "UIView/UITableView[0]/Cell[0][-]/UIButton[0]", "0:4", false),
    ("Cell[0][3]/UIButton[0]", "UIView/UITableView[0]/Cell[0][-]/UIButton[0]", "0:3", true),
    ("Cell[0][-]/UIButton[0]", "UIView/UITableView[0]/Cell[0][-]/UIButton[0]", "0:3", true),
    ("Cell(section:0 row:2...5)", "UIView/UITableView[0]/Cell[0][-]", "0:3", true),
    ("Cell(section:0 row:2...5)", "UIView/UITableView[0]/Cell[0][-]", "0:6", false),
    // A position that does not belong to the cell says nothing, and neither does none.
    ("Cell(section:0 row:3)", "UIView/UITableView[0]/Cell[0][-]", "1:3", false),
    ("Cell(section:0 row:3)", "UIView/UITableView[0]/Cell[0][-]", "3", false),
    ("Cell(section:0 row:3)", "UIView/UITableView[0]/Cell[0][-]", nil, false),
    ("Cell(section:0 row:*)", "UIView/UITableView[0]/Cell[0][-]", nil, true),
    // The innermost list has the position, the outer ones have their rows in the path.
    (
      "Outer(section:0 row:2)/**/Inner(section:0 item:5)",
      "UIView/UITableView[0]/Outer[0][2]/UICollectionView[0]/Inner[0][-]", "0:5", true
    ),
    (
      "Outer(section:0 row:5)/**/Inner", "UIView/UITableView[0]/Outer[0][2]/UICollectionView[0]/Inner[0][-]", "0:5",
      false
    ),
    // A number in brackets is a row or an item, of each list for itself.
    (
      "/UIView()/UITableView[0]/Outer[0][2]/UICollectionView[0]/Inner[0][5]",
      "UIView/UITableView[0]/Outer[0][2]/UICollectionView[0]/Inner[0][-]", "0:5", true
    ),
    (
      "/UIView()/UICollectionView[0]/Outer[0][2]/UITableView[0]/Inner[0][5]",
      "UIView/UICollectionView[0]/Outer[0][2]/UITableView[0]/Inner[0][-]", "0:5", true
    ),
    (
      "/UIView()/UITableView[0]/Outer[0][2]/UICollectionView[0]/Inner[0][5]",
      "UIView/UITableView[0]/Outer[0][2]/UICollectionView[0]/Inner[0][-]", "0:6", false
    ),
    (
      "/UIView()/UITableView[0]/A[0][1]/UICollectionView[0]/B[0][2]/UITableView[0]/C[0][3]",
      "UIView/UITableView[0]/A[0][1]/UICollectionView[0]/B[0][2]/UITableView[0]/C[0][-]", "0:3", true
    ),
    ("UISegmentedControl[0]/UISegment[2]", "UIView/UISegmentedControl[0]/UISegment[-]", "2", true),
    ("UISegmentedControl[0]/UISegment[2]", "UIView/UISegmentedControl[0]/UISegment[-]", "1", false),
    ("UITabBar[0]/UITabBarButton[1]", "UIView/UITabBar[0]/UITabBarButton[-]", "1", true),
  ]

  @Test("a selector with a row matches by the position", .articles("H49"), arguments: rows)
  func position(selector: String, path: String, position: String?, expected: Bool) throws {
    let rules = """
      version: 1
      style: sensors
      rules:
        - id: a
          include: { selector: "\(selector)" }
      """
    let matcher = Matcher(try RuleFiles(text: rules).ruleSet())
    var decider = Decider(matcher)
    let position = position.map { ",\"$element_position\":\"\($0)\"" } ?? ""
    // Twice, as the cache must not confuse events whose positions differ.
    for other in ["0:99", "99"] {
      _ = try decider.decide(
        json: "{\"properties\":{\"$element_path\":\"\(path)\",\"$element_position\":\"\(other)\"}}".utf8)
      let decision = try decider.decide(json: "{\"properties\":{\"$element_path\":\"\(path)\"\(position)}}".utf8)
      #expect(decision.isSelected == expected)
    }
  }
}
