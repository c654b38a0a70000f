import Encircle
import Foundation
import Testing

@Suite("Errors say in words what is wrong")
struct ErrorTests {
  private func text(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return error.localizedDescription
    }
  }

  @Test("A capture's error has its file and place")
  func captures() throws {
    let path = NSTemporaryDirectory() + "encircle-\(UUID().uuidString).xml"
    try Data("<viewTree version=\"1\">\n<thing/></viewTree>".utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(
      text { _ = try CaptureReader().read(contentsOf: path) } == "\(path):2:1: error: unknown element: expected 'view'")
    #expect(text { _ = try CaptureReader().read([]) } == "error: is empty")
  }

  @Test("A selector's error shows the place")
  func selectors() {
    #expect(
      text { _ = try ElementSelector(parsing: "Cell(rwo:1)") }
        == """
        1:6: error: expected one of the fields section, row, item, indexx, indexy, text and id, found 'rwo'; did you mean 'row'?
          Cell(rwo:1)
               ^
        """)
  }

  @Test("Rule files report all their problems")
  func ruleFiles() {
    let files = RuleFiles(text: "version: 2\nrules: [{ id: a }]", name: "a.yaml")
    #expect(
      text { _ = try files.ruleSet() }
        == """
        a.yaml:1:10: error: unknown version: expected 1
          version: 2
                   ^
        a.yaml:2:9: error: the rule has neither 'include' nor 'exclude'
          rules: [{ id: a }]
                  ^
        """)
  }

  @Test("Other errors have descriptions, too")
  func others() throws {
    #expect(text { _ = try Matcher(compiled: []) } == "not a file of compiled rules")
    #expect(text { _ = try DictionaryReader(path: "/no/such/file") } == "no such file")
    #expect(text { _ = try EventReader(path: "/no/such/file") } == "no such file")
    #expect(text { _ = try AnalyticsEvent(json: "{\"a\"}") } == "expected ':' after the member's name (byte 4)")
    #expect(text { _ = try ElementPath(parsing: "A//B") } == "expected a class name (byte 2)")
    #expect(
      text { _ = try ElementPath(parsing: "UIWindow(0)_UINavigationBar(0)_Shop_Button") }
        == "ambiguous, 2 readings: UIWindow(0)/UINavigationBar(0)/Shop_Button, UIWindow(0)/UINavigationBar(0)/Shop/Button"
    )
    #expect(text { _ = try PathStyleName.sensors.style.read("") } == "a path has at least one component (byte 0)")
    #expect(
      text { _ = try RegularExpression("(") } == "in the regular expression (RE2 syntax): missing ): (")
    var reader = EventReader(bytes: "{}x".utf8)
    guard case .rejection(let rejection) = try reader.next() else {
      Issue.record("the line was taken for an event")
      return
    }
    #expect(text { throw rejection } == "1:3: unexpected text after the value")
  }
}

@Suite("Foundation's types in events")
struct FoundationEventTests {
  @Test("Foundation's values are encoded as events expect")
  func values() throws {
    struct Properties: Encodable {
      var price = Decimal(string: "79228162514264337593.543950335")
      var time = Date(timeIntervalSince1970: 1_767_225_600.123)
      var page = URL(string: "https://example.com/a?b")
      var token = Data([1, 2, 3])
      var id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    }
    let event = try AnalyticsEvent(encoding: Properties())
    #expect(
      String(decoding: event.json, as: UTF8.self)
        == #"{"price":79228162514264337593.543950335,"time":1767225600123,"page":"https://example.com/a?b","#
        + #""token":"AQID","id":"01020304-0506-0708-090A-0B0C0D0E0F10"}"#)
  }
}
