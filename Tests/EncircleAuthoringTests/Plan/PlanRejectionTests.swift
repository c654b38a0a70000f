import Testing

@testable import EncircleAuthoring

/// Rows and tables of the plan that are rejected.
@Suite struct PlanRejectionTests {
  @Test(
    "a table that breaks off within its last row is not taken for complete",
    arguments: [
      ("Event Name,Platforms,Owner\nrefund,ios,lin\norder_p", "line 3: the table breaks off here, after 1 of 3 cells"),
      (
        "Event Name,Platforms,Owner\nrefund,ios,lin\norder_paid,ios",
        "line 3: the table breaks off here, after 2 of 3 cells"
      ),
      ("Event Name,Platforms,Owner\nrefund\n", nil), ("Event Name,Platforms,Owner\nrefund,ios,lin", nil),
    ])
  func brokenOff(table: String, reason: String?) throws {
    let (result, _) = try PlanTableFiles().importing(table)
    #expect(result.rejected.count == (reason == nil ? 0 : 1))
    if let reason { #expect(PlanImportText.text(result).contains(reason)) }
  }

  @Test("what the table has is not missing in it, even if its row is rejected, whatever the reason")
  func rejectedIsNotMissing() throws {
    let table = """
      Object Type,Event Name,Property Name,Platforms,Action
      Event,add_to_cart,,,Delete
      Property,add_to_cart,price,,Delete
      Property,add_to_cart,channel,,,extra
      Event,order_paid,,windows,
      """
    let (result, _) = try PlanTableFiles().importing(table)
    #expect(result.rejected.count == 4 && result.missing.isEmpty, "\(PlanImportText.text(result))")
    let shorter = "Event Name,Owner,Platforms\nadd_to_cart,cart\norder_paid,lin"
    let brokenOff = try PlanTableFiles().importing(shorter).result
    #expect(brokenOff.rejected.count == 1, "\(PlanImportText.text(brokenOff))")
    #expect(!brokenOff.missing.contains(.init(event: "order_paid", property: nil)))
  }

  @Test("wrong rows are rejected with the reason, others are taken, and the rejected table can be read again")
  func rejected() throws {
    let table = """
      Event Name,Platforms,Since Version,Until Version,Status,App,Property Name,Property Value Type,Enum Values,Regex,Action
      add_to_cart,"ios, windows",,,,,,,,,
      order_paid,ios,,,,,,,,,
      order_paid,ios,,,,,,,,,
      a,,new,,,,,,,,
      b,,3.0,2,,,,,,,
      c,,,,finished,,,,,,
      add_more,,,,,com.other,,,,,
      ,ios,,,,,,,,,
      x,,,,,,p,,,,
      order_paid,,,,,,p,number,a,,
      order_paid,,,,,,q,,,(,
      order_paid,,,,,,r,integr,,,
      y,,,,,,,,,,Delete
      z,,,,,,,,,,Remove
      d,,,,,,,,,,,extra
      ok,web,,,,,,,,,
      """
    let (result, after) = try PlanTableFiles().importing(table)
    let reasons = result.rejected.map { row -> String in
      guard case .rejected(let column, let reason) = row.outcome else { return "" }
      return "\(row.line) \(column): \(reason)"
    }
    let expected = [
      "2 Platforms: unknown platform 'windows'", "4 Event Name: line 3 has it already",
      "5 Since Version: expected a version",
      "6 Until Version: the first version without the event", "7 Status: unknown status 'finished'",
      "8 App: the rules that emit the event are not for 'com.other'", "9 Event Name: the row does not name an event",
      "11 Enum Values: a is no number", "12 Regex: in the regular expression",
      "13 Property Value Type: unknown type 'integr'; did you mean 'integer'?",
      "14 Action: expected nothing, Ignore or Remove",
      "15 Action: there is nothing with that name", "16 : cell 12 has no header",
    ]
    #expect(reasons.count == expected.count, "\(reasons)")
    for (reason, start) in zip(reasons, expected) { #expect(reason.hasPrefix(start), "\(reason)") }
    #expect(after.plan.contains("- event: ok") && after.plan.contains("platforms: [ios]"), "\(after.plan)")
    #expect(!after.plan.contains("event: a\n") && after.rules == PlanTableFiles.rules)
    let again = try after.importing(result.rejectedTable)
    #expect(again.result.rows.count == expected.count)
    #expect(result.rejectedTable.hasPrefix("\u{FEFF}Event Name,Platforms,"))
    #expect(result.rejectedTable.contains(",Action,Error\r\n"))
    #expect(again.result.headers.last == "Error", "a table of rejected rows can be read again")
  }

  @Test("nothing of a rejected or ignored row is taken, and the rows below it belong to its event")
  func partsOfRows() throws {
    let head = "Action,事件英文变量名,应埋点平台,触发时机,创建人,属性英文变量名,属性值类型\n"
    func plan(_ rows: String) throws -> (PlanImport, String) {
      let (result, after) = try PlanTableFiles(rules: "version: 1\nrules: []\n", plan: "version: 1\n").importing(
        head + rows)
      return (result, after.plan)
    }
    let (moved, plan1) = try plan(
      ",alpha,IOS,x,me,pa,字符串\n,beta,WINDOWSPHONE,x,me,pb,字符串\n,,,,,pc,字符串\n")
    #expect(moved.rows.map(\.event) == ["alpha", "beta", "beta"] && moved.rejected.count == 2)
    #expect(!plan1.contains("pc") && plan1.contains("pa") && !plan1.contains("beta"), "\(plan1)")
    let (ignored, plan2) = try plan(",alpha,IOS,x,me,pa,字符串\nIgnore,gamma,IOS,changed,me,pg,字符串\n")
    #expect(ignored.rejected.isEmpty && !plan2.contains("gamma") && !plan2.contains("changed"), "\(plan2)")
    let (rejected, plan3) = try plan(",gamma,IOS,x,me,pg,NONSENSE\n,alpha,IOS,x,me,pa,字符串\n")
    #expect(rejected.rejected.count == 1 && !plan3.contains("gamma") && plan3.contains("alpha"), "\(plan3)")
  }

  @Test(
    "a file that is not a table is refused",
    arguments: [
      ("", "the table is empty"), ("a,b\n1,2\n", "no column has the names of events"),
      ("Event Name,Event Name\n", "two columns"), ("Event name,event Name\n", "two columns"),
      ("Event Name\n\"a", "2:1: the quote"),
    ])
  func failures(table: String, message: String) throws {
    let plan = try PlanTableFiles().joined()
    #expect { try PlanImport(table, into: plan) } throws: { "\($0)".contains(message) }
  }

  @Test("rows of an event that cannot be changed on its own are rejected with the place, and the other rows are taken")
  func shared() throws {
    let files = PlanTableFiles(
      rules: """
        version: 1
        rules:
          - { id: c, tags: &t [x], include: { page: P }, emit: charlie }
          - { id: d, tags: *t, include: { page: Q }, emit: delta }

        """,
      plan: """
        version: 1
        events:
          - { event: alpha, platforms: &p [ios] }
          - { event: beta, platforms: *p }
          - event: charlie

        """)
    let table = """
      Object Type,Event Name,Platforms,Tags,Property Name
      Event,alpha,web,,
      Property,alpha,,,price
      Event,beta,ios,,
      Event,charlie,web,"x, y",
      Event,delta,web,x,
      Event,echo,web,,
      """
    let (result, after) = try files.importing(table)
    let text = PlanImportText.text(result)
    #expect(result.rejected.map(\.line) == [2, 3, 5], "\(text)")
    for place in ["line 2: r.plan.yaml:3:32: '&p' is used again as '*p'", "line 5: r.yaml:3:20: '&t' is used again"] {
      #expect(text.contains(place), "\(text)")
    }
    #expect(after.plan.contains("{ event: alpha, platforms: &p [ios] }\n"), "\(after.plan)")
    #expect(!after.plan.contains("price") && !after.plan.contains("charlie\n    platforms"), "\(after.plan)")
    let plan = try after.joined()
    #expect(plan.entry(of: "beta")?.planned?.platforms == [.ios])
    #expect(plan.entry(of: "delta")?.tags == ["x"] && plan.entry(of: "charlie")?.tags == ["x"], "\(after.rules)")
    #expect(plan.entry(of: "echo")?.planned?.platforms == [.web])
  }

  @Test("a fact that cannot move into its rule is an error with the place, also if the table changes nothing")
  func unmovable() throws {
    let files = PlanTableFiles(
      rules: "version: 1\nrules:\n  - { id: a, include: { page: P }, emit: alpha }\n",
      plan: """
        version: 1
        events:
          - { event: alpha, owner: &o ana, platforms: [ios] }
          - { event: beta, owner: *o }

        """)
    let plan = try files.lenient()
    func changed(_ table: String) throws -> [PlanImport.ChangedFile] {
      var result = try PlanImport(table, into: plan)
      return try result.files(
        of: plan, [("r.plan.yaml", files.plan)], home: "r.plan.yaml", rules: files.ruleFiles)
    }
    for table in ["Event Name\nbeta\n", "Event Name,Platforms\nalpha,ios\n", "Event Name,Platforms\nalpha,web\n"] {
      #expect { try changed(table) } throws: {
        "\($0)".hasPrefix("r.plan.yaml:3:28: error: '&o' is used again as '*o'")
      }
    }
  }

  @Test("one table cannot give two names to a rule that emits two events")
  func contradiction() throws {
    let rules = "version: 1\nrules:\n  - { id: a, name: A, include: { page: P }, emit: [x, y] }\n"
    let files = PlanTableFiles(rules: rules, plan: "version: 1\n")
    let both = try files.importing("Event Name,Event Display Name\nx,B\ny,B\n")
    #expect(both.files.rules.contains("{ id: a, name: B,") && both.result.rejected.isEmpty)
    let other = try files.importing("Event Name,Event Display Name\nx,B\ny,C\n")
    #expect(other.result.rejected.map(\.event) == ["y"])
  }
}
