import EncircleTestSupport
import Foundation

/// A folder with rules and events, for the subcommands that take rules.
struct RulesFolder {
  private let folder: TemporaryFolder
  var url: URL { folder.url }

  static let rules = """
    version: 1
    app: com.example.shop
    classes: { CartViewController: ShopBaseViewController }
    pages: { exclude: [DebugViewController] }
    rules:
      - id: cart.quantity
        name: 数量
        include:
          page: CartViewController
          selector: "CartRowCell(section:0 row:*)/**/_UIStepperButton"
        emit: quantity
      - id: checkout
        include:
          event: $AppClick
          where: { $element_content: 去结算 }
      - id: internal
        exclude: { where: { tester: true } }
      - id: old
        enabled: false
        include: { where: { $app_version: { version: "<5" } } }
      - id: spring
        include: { event: $AppClick }
        unless: { page: { kindOf: ShopBaseViewController } }
        from: 2026-03-01
        to: 2026-05-31

    """

  static let events = [
    #"{"event":"$AppClick","time":1772352000000,"properties":{"$screen_name":"CartViewController","$element_path":"UIWindow(0)/CartRowCell(section:0 row:7)/UIStepper(0)/_UIStepperButton(1)"}}"#,
    "not JSON",
    #"{"event":"$AppClick","time":1772352000000,"properties":{"$screen_name":"CartViewController","$element_content":"去结算","tester":true}}"#,
    #"{"event":"$AppClick","time":1772352000000,"properties":{"$screen_name":"DebugViewController","$element_content":"去结算"}}"#,
    "",
    #"{"event":"$AppViewScreen","properties":{"$screen_name":"HomeViewController"}}"#,
    #"{"event":"$AppClick","event_id":"0000000000000000000000000000000000000000000000000000000000000000"}"#,
    "[1]",
    #"{"event":"$AppClick","time":1772352000000,"properties":{"$element_path":"UIWindow(0)_A_B"}}"#,
  ]

  static let decisions = """
    {"line":1,"event_id":"1e90","selected":true,"rules":["cart.quantity"],"excluded_by":[],"emit":["quantity"]}
    {"line":3,"selected":false,"rules":["checkout"],"excluded_by":["internal"],"emit":[]}
    {"line":4,"selected":false,"rules":["checkout","spring"],"excluded_by":[],"pages":["DebugViewController"],"emit":[]}
    {"line":6,"selected":false,"rules":[],"excluded_by":[],"emit":[]}
    {"line":7,"event_id":"0000","selected":false,"rules":[],"excluded_by":[],"emit":[]}
    {"line":9,"event_id":"b0c3","selected":true,"rules":["spring"],"excluded_by":[],"emit":["spring"]}

    """

  static let summary = """
    read 8 = selected 2 + excluded 2 + unresolved 1 + not selected 1 + rejected 2
    1 with an ambiguous path
    note: --captures or --dictionary says which elements event IDs stand for
    matched by include rules:
      cart.quantity  1
      checkout  2
      spring  2
    matched by exclude rules:
      internal  1
    on excluded pages:
      DebugViewController  1
    selected as:
      quantity  1
      spring  1

    """

  static let rejections = """
    events.ndjson:2:1: error: not an event: unknown word: expected null, true or false
    events.ndjson:8:1: error: not an event: expected an object

    """

  static var goodEvents: [String] { [0, 2, 3, 5, 6, 8].map { events[$0] } }

  /// Forms of input with events.
  static let forms: [String] = {
    let events = goodEvents
    var forms = [events.joined(separator: "\r\n"), "\u{FEFF}" + events.joined(separator: "\n\n\n")]
    forms.append("[" + events.joined(separator: ",") + "]")
    forms.append("[\n" + events.joined(separator: ",\n") + "\n]\n")
    let pretty = events.map { event in
      let opened = event.replacing(",\"", with: ",\n  \"").replacing("{\"", with: "{\n  \"")
      return opened.replacing("}", with: "\n}")
    }
    forms.append(pretty.joined(separator: "\n"))
    let escaped = events.map { $0.replacing("$", with: "\\u0024").replacing("/", with: "\\/") }
    forms.append(escaped.joined(separator: "\n"))
    return forms
  }()

  init() throws {
    folder = try TemporaryFolder()
    try write("rules.yaml", Self.rules)
    try write("events.ndjson", Self.events.joined(separator: "\n") + "\n")
  }

  func write(_ name: String, _ text: String) throws { try folder.write(name, text) }
  func write(_ name: String, _ bytes: [UInt8]) throws { try folder.write(name, bytes) }
  func text(_ name: String) throws -> String { try folder.text(name) }
  func remove() { folder.remove() }

  func run(_ arguments: [String], input: String = "") throws -> ToolResult {
    try Tool.run(arguments, in: url, input: Array(input.utf8))
  }

  func run(_ arguments: String, input: String = "") throws -> ToolResult {
    try run(arguments.split(separator: " ").map(String.init), input: input)
  }

  /// Runs the tool in a new folder.
  static func run(_ arguments: String, input: String = "") throws -> ToolResult {
    let folder = try RulesFolder()
    defer { folder.remove() }
    return try folder.run(arguments, input: input)
  }
}

extension ToolResult {
  /// The output with event IDs cut to four digits.
  var brief: String { text.replacing(/"event_id":"([0-9a-f]{4})[0-9a-f]{60}"/) { "\"event_id\":\"\($0.1)\"" } }
}
