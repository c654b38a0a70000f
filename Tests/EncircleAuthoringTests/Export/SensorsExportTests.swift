import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import Foundation
import Testing

@testable import EncircleAuthoring

/// Rules as configurations of Sensors' SDKs.
@Suite struct SensorsExportTests {
  static func report(
    _ rules: String, style: String = "sensors", _ options: SensorsExport.Options = .init(),
    _ allowance: ExportAllowance = .init()
  ) throws -> ExportReport {
    let text = "version: 1\nstyle: \(style)\napp: [com.example.shop]\nrules:\n" + rules
    let files = RuleFiles(text: text, name: "rules.yaml")
    return SensorsExport(try files.ruleSetWithSources(), options, allowance).report()
  }

  private static func file(_ name: String, _ report: ExportReport) throws -> String {
    String(decoding: try #require(report.files.first { $0.name == name }).bytes, as: UTF8.self)
  }

  @Test("each system has its own file in its SDK's format")
  func systems() throws {
    let rules = """
        - id: add
          name: 加购
          style: sensors
          include: { event: $AppClick, page: Home, selector: '/UIView/UITableView(0)/Cell(section:0 row:2)' }
          properties: { price: { element: ./UILabel(0), type: number } }
          emit: add_to_cart
        - id: pay
          style: sensors-android
          include: { event: $AppClick, where: { $screen_name: a.Main|a.Cart, $element_path: 'a.A[0]/b.B[-]', $element_position: '3' } }
        - id: web
          style: sensors-web
          description: In the basket
          include:
            - { event: $WebClick, page: /cart, where: { $url_host: shop.example, $element_path: body > a, $element_content: Pay } }
            - { event: $WebClick, where: { $url_host: shop.example, $url_path: /c, $element_selector: { contains: form } } }
            - { event: $WebClick, page: /cart, selector: '#list > li:nth-of-type(2)', where: { $url_host: shop.example } }

      """
    let report = try Self.report(rules)
    #expect(
      report.rows.map { "\($0.rule) \($0.target) \($0.status.rawValue) \($0.files)" } == [
        #"add ios exported ["iOS.conf"]"#, #"pay android exported ["Android.conf"]"#, #"web web exported ["Web.conf"]"#,
      ])
    let version = #""version":"encircle-[0-9a-f]{20}","project":"default","app_id":"com.example.shop""#
    let ios = try Self.file("iOS.conf", report)
    #expect(try Regex("^\\{" + version + #","os":"iOS","events":\["#).firstMatch(in: ios) != nil, "\(ios)")
    #expect(
      ios.contains(
        #"{"event_name":"add_to_cart","event_type":"appclick","event":{"element_path":"UIView/UITableView[0]/Cell[0][-]","#
      ))
    #expect(
      ios.contains(#""element_position":"0:2""#) && ios.contains(#""properties":[{"name":"price","type":"NUMBER""#))
    let android = try Self.file("Android.conf", report)
    #expect(android.contains(#""element_path":"a.A[0]/b.B[-]","limit_element_position":true"#), "\(android)")
    #expect(
      android.contains(#""screen_name":"a.Main|a.Cart","element_position":"3""#) && android.contains(#""os":"Android""#)
    )
    let web = try Self.file("Web.conf", report)
    #expect(
      web.contains(
        #"{"event_name":"web","event_type":"webclick","event":{"url_host":"shop.example","url_path":"/cart","#
          + #""element_field":"element_path","function":"equal","element_path":"body > a","element_content":"Pay","#
          + #""limit_element_position":false,"limit_element_content":true}}"#), "\(web)")
    #expect(web.contains(#""function":"contain","element_selector":"form""#))
    #expect(web.contains(##""function":"equal","element_selector":"#list > li:nth-of-type(2)""##))
    let metadata = try Self.file("metadata.json", report)
    #expect(
      metadata.hasPrefix(
        #"[{"event_name":"add_to_cart","display_name":"加购","platform":["IOS"],"trigger_timing":"点击"#), "\(metadata)")
    #expect(metadata.contains(#"{"property_name":"price","property_display_name":"price","data_type":"NUMBER"}"#))
    #expect(metadata.contains(#""remark":"In the basket""#))
  }

  @Test(
    "elements and positions of web pages are written as the SDK sends them",
    arguments: [
      (##"selector: '#ok\.id\:3 > a:nth-of-type(1)'"##, ##""element_selector":"#ok.id:3 > a:nth-of-type(1)""##),
      ("selector: 'body > nav:nth-of-type(1)'", #""element_selector":"body > nav:nth-of-type(1)""#),
      (##"selector: 'ul#list > li > a'"##, ##""function":"equal","element_path":"ul#list > li > a""##),
      ("selector: 'body > nav > a'", #""element_path":"body > nav > a""#),
      ("where: { $element_path: body > a, $element_position: ['1', 1] }", #""element_position":"1""#),
      ("where: { $element_path: body > a, $element_position: 2 }", #""element_position":"2""#),
    ])
  func webElements(condition: String, written: String) throws {
    let host = "$url_host: shop.example"
    let clause =
      condition.contains("where: { ")
      ? condition.replacing("where: { ", with: "where: { \(host), ") : "\(condition), where: { \(host) }"
    let rule = "  - { id: a, include: { event: $WebClick, page: /a, \(clause) } }\n"
    let report = try Self.report(rule, style: "sensors-web")
    let web = try Self.file("Web.conf", report)
    #expect(web.contains(written) && web.components(separatedBy: "event_name").count == 2, "\(web)")
  }

  @Test(
    "the path of a page is percent-encoded, as the SDK compares it, and each page is written once",
    arguments: [
      "page: /商城", "page: /%E5%95%86%E5%9F%8E", "where: { $url_path: /商城 }",
      "where: { $url_path: [/商城, /%E5%95%86%E5%9F%8E] }",
    ])
  func encodedPaths(page: String) throws {
    let tests = "$url: { matches: '^https?://shop\\.example(:[0-9]+)?/' }, $element_path: body > a"
    let clause =
      page.contains("where: { ")
      ? page.replacing("where: { ", with: "where: { \(tests), ") : "\(page), where: { \(tests) }"
    let report = try Self.report("  - { id: a, include: { event: $WebClick, \(clause) } }\n", style: "sensors-web")
    let web = try Self.file("Web.conf", report)
    #expect(web.contains(#""url_host":"shop.example","url_path":"/%E5%95%86%E5%9F%8E","#), "\(web)")
    #expect(web.components(separatedBy: "event_name").count == 2, "\(web)")
  }

  @Test(
    "conditions that a system's configuration cannot express are refused at their place in the rule",
    arguments: [
      ("sensors", "{ event: $AppClick, page: Home, selector: UIButton(0) }", "", "refused floating /include/selector"),
      (
        "sensors", "{ event: [$AppClick, x], page: Home, selector: /UIView }", "", "refused other-events /include/event"
      ),
      ("sensors", "{ page: { prefix: H }, selector: /UIView }", "", "refused not-equal /include/page"),
      ("sensors", "{ selector: /UIView }", "", "refused no-page /include"),
      (
        "sensors", "{ page: H, where: { $element_path: A, $element_position: '' } }", "",
        "refused empty-text /include/where/$element_position"
      ),
      ("sensors", "{ page: H, where: { $element_path: '' } }", "", "refused empty-text /include/where/$element_path"),
      (
        "sensors", "{ page: H, selector: /UIView, where: { $app_version: x } }", "",
        "refused other-property /include/where/$app_version"
      ),
      ("sensors", "{ page: H, selector: /UIView }", "unless: { page: H }", "refused unless /unless"),
      ("sensors", "{ page: H, selector: /UIView }", "emit: 加购", "refused event-name /emit"),
      ("sensors", "{ page: H, selector: /UIView }", "tolerance: 0.9", "unsure tolerance /tolerance"),
      ("sensors", "{ page: H, selector: /UIView }", "properties: { q: 1 }", "unsure property-source /properties/q"),
      ("sensors-android", "{ page: A|B, selector: A(0) }", "", "refused android-selector /include/selector"),
      ("sensors-web", "{ event: $WebClick, page: /a, selector: button }", "", "refused web-selector /include/selector"),
      (
        "sensors-web", "{ event: $WebClick, page: /a, selector: ['body > a', '#b'] }", "",
        "refused web-selector /include/selector"
      ),
      ("sensors-web", "{ event: $WebClick, where: { $element_path: a } }", "", "refused web-host /include"),
      ("sensors-web", "{ event: $AppClick }", "", "refused other-events /include/event"),
      ("posthog", "{ event: $autocapture, selector: A }", "", "refused other-events /include/event"),
    ])
  func reasons(style: String, clause: String, more: String, expected: String) throws {
    let rule = "  - id: a\n    include: \(clause)\n" + (more.isEmpty ? "" : "    \(more)\n")
    let rows = try Self.report(rule, style: style).rows
    #expect(rows.count == 1)
    #expect(rows[0].reasons.map { "\($0.effect.rawValue) \($0.code) \($0.pointer)" } == [expected])
    #expect(rows[0].reasons[0].place?.file == "rules.yaml" && rows[0].isWritten == (rows[0].status != .refused))
  }

  @Test("each app has its own files, and rules with excluded events are written only if allowed")
  func apps() throws {
    let rules = """
        - { id: a, include: { event: $AppClick, page: Home, selector: /UIView/UIButton(0) } }
        - { id: out, exclude: { page: Home } }

      """
    let strict = try Self.report(rules)
    #expect(strict.rows.map(\.status) == [.exportedWider, .refused] && strict.files.isEmpty)
    let options = SensorsExport.Options(project: "p", apps: ["com.example.shop", "other/app"])
    let both = try Self.report(rules, options, ExportAllowance(wider: true))
    #expect(both.files.map(\.name) == ["iOS.com.example.shop.conf", "metadata.json"])
    let any = try Self.report(
      rules.replacing("id: a,", with: "id: a, emit: b,"), style: "sensors", options, .init(wider: true))
    #expect(any.rows[0].files == ["iOS.com.example.shop.conf"])
    #expect(try Self.file("iOS.com.example.shop.conf", both).contains(#""project":"p""#))
  }

  @Test("a rule in another SDK's style is written for the systems that can express it")
  func open() throws {
    let rules = """
        - { id: tap, include: { event: $AppClick, page: Home, where: { $element_path: 'UIView/UIButton[0]' } } }
        - { id: click, include: { event: $WebClick, where: { $url_host: h, $url_path: /, $element_path: a } } }
        - { id: other, include: { event: order_paid } }

      """
    let report = try Self.report(rules, style: "hubbledata")
    #expect(
      report.rows.map { "\($0.rule) \($0.target) \($0.status.rawValue)" } == [
        "tap android exported", "tap ios exported", "click web exported", "other ios refused",
      ])
  }
}
