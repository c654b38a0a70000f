import EncircleColumns
import Testing

/// Rows under rules in several path styles.
@Suite struct RowStyleTests {
  @Test(
    "with rules in several styles, the properties of a row determine its style",
    arguments: [RowFormat.rowBinary, .jsonEachRow])
  func styles(format: RowFormat) throws {
    let rules = """
      version: 1
      rules:
        - id: join
          include:
            - { style: posthog, page: Groups, selector: UIButton, where: { $el_text: Join } }
            - { style: sensors, page: Groups, selector: UIButton(0), where: { $element_content: Join } }
            - { style: sensors-web, page: /groups, selector: "#join" }

      """
    let folder = try VersionsFolder(["v1": rules])
    defer { folder.remove() }
    let columns: [EventColumn] = [.field(.page), .field(.path), .field(.content), .properties]
    let rows: [(library: String, values: [String?])] = [
      ("iOS", ["Groups", "UIView/UIButton[0]", "Join"]),
      ("js", ["/groups", "body > div#join", "Join"]),
      ("posthog-ios", ["Groups", "UIButton;UIWindow", "Join"]),
      ("iOS", ["/groups", "UIView/UIButton[0]", "Join"]),
      ("js", ["Groups", "body > div#join", "Join"]),
      ("posthog-ios", ["Groups", "UIButton;UIWindow", "Leave"]),
    ]
    let bytes = rows.flatMap { row in
      TestRow(version: "v1", values: row.values + [nil], properties: [("$lib", row.library)]).bytes(format, columns)
    }
    let answers = try folder.answers(format, columns, bytes)
    #expect(answers.map(\.selected) == [true, true, true, false, false, false])
    #expect(answers.allSatisfy { $0.error.isEmpty })
  }

  @Test("rows from PostHog's apps and pages are recognised by the library or the system")
  func stylesOfPostHog() throws {
    let clauses = "[{ style: posthog, page: Groups }, { style: posthog-web, page: /groups }]"
    let folder = try VersionsFolder(["v1": "version: 1\nrules:\n  - { id: join, include: \(clauses) }\n"])
    defer { folder.remove() }
    let columns: [EventColumn] = [.field(.page), .field(.path), .propertiesJSON]
    let rows = [
      ["Groups", "UIButton;UIWindow", #"{"$lib":"posthog-ios"}"#], ["/groups", "button;body", #"{"$lib":"web"}"#],
      ["/groups", "UIButton;UIWindow", #"{"$lib":"posthog-ios"}"#], ["Groups", "button;body", #"{"$lib":"web"}"#],
    ].map { TestRow(version: "v1", values: $0) }
    let answers = try folder.answers(.tsvRaw, columns, rows.flatMap { $0.bytes(.tsvRaw, columns) })
    #expect(answers.map(\.selected) == [true, true, false, false])
  }

  @Test(
    "with styles that columns do not distinguish, rows get an answer that says so, and whole events are decided",
    arguments: [
      ("growingio", #"{"eventType":"VIEW_CLICK"}"#), ("lede", #"{"eventName":"click"}"#),
      ("posthog-web", #"{"event":"$autocapture","properties":{"$elements_chain":"a","$lib":"web"}}"#),
    ])
  func untoldStyles(style: String, event: String) throws {
    let clauses = "[{ style: sensors, page: Home }, { style: \(style), event: [VIEW_CLICK, click, $autocapture] }]"
    let folder = try VersionsFolder(["v1": "version: 1\nrules:\n  - { id: home, include: \(clauses) }\n"])
    defer { folder.remove() }
    let columns: [EventColumn] = [.field(.event), .field(.page)]
    let row = TestRow(version: "v1", values: ["$AppClick", "Home"])
    let answers = try folder.answers(.tsvRaw, columns, row.bytes(.tsvRaw, columns))
    #expect(answers.map(\.selected) == [false])
    #expect(
      answers.allSatisfy { $0.error.hasSuffix("which only whole events distinguish: pass them as the column json") })
    let events = [#"{"event":"$AppClick","properties":{"$screen_name":"Home"}}"#, event, "{}"]
    let bytes = events.flatMap { TestRow(version: "v1", values: [$0]).bytes(.tsvRaw, [.event]) }
    #expect(try folder.answers(.tsvRaw, [.event], bytes).map(\.selected) == [true, true, false])
  }
}
