import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText

/// Reads the configuration of visual events that Sensors' SDKs fetch: `/config/visualized/iOS.conf`, `Android.conf` or `Web.conf`.
///
/// Source: the SDKs for iOS, Android and JavaScript, which compare events with it.
struct SensorsConfiguration {
  private enum System {
    case iOS, android, web
  }

  private let root: DefinitionNode
  private let file: String
  private let system: System?
  private let home: ImportHome
  private let prefix: String

  init(_ root: DefinitionNode, file: String) {
    self.root = root
    self.file = file
    var header: EventObject = ["version": 1]
    let app: EventValue? = root["app_id"]?.words.map { .string($0) }
    switch root["os"]?.text {
    case "iOS":
      (system, prefix) = (.iOS, "sensors.")
      header["style"] = .string(PathStyleName.sensors.rawValue)
      header["app"] = app
      home = ImportHome("sensors-ios.yaml", header)
    case "Android":
      (system, prefix) = (.android, "sensors.android.")
      header["app"] = app
      home = ImportHome("sensors-android.yaml", header)
    case "Web", "web", "JS":
      (system, prefix) = (.web, "sensors.web.")
      home = ImportHome("sensors-web.yaml", header)
    default:
      (system, prefix) = (nil, "sensors.")
      home = ImportHome("sensors.yaml", header)
    }
  }

  /// The definitions; entries with one name are alternatives of one event.
  func definitions() -> [ImportedDefinition] {
    var all: [ImportedDefinition] = []
    var places: [UTF8String: Int] = [:]
    for item in root["events"]?.items ?? [] {
      let definition = definition(item)
      if let known = places[UTF8String(definition.ruleID)] {
        all[known].add(alternative: definition)
      } else {
        places[UTF8String(definition.ruleID)] = all.count
        all.append(definition)
      }
    }
    return all
  }

  private func definition(_ item: DefinitionNode) -> ImportedDefinition {
    let name = item["event_name"]?.words ?? ""
    var definition = ImportedDefinition(
      origin: ImportOrigin(tool: .sensors, id: name), ruleID: prefix + name, name: name, file: file,
      pointer: item.pointer, home: home)
    func skip(_ code: ImportReason.Code, _ pointer: String, _ detail: String? = nil) -> ImportedDefinition {
      definition.reasons.append(ImportReason(code, .skipped, pointer, detail))
      return definition
    }
    guard !name.isEmpty, let event = item["event"], event.isObject else { return skip(.unknownForm, item.pointer) }
    let isPage = event["h5"]?.isTrue ?? false
    let tap: String
    switch item["event_type"]?.words {
    case "appclick": tap = isPage ? "$WebClick" : "$AppClick"
    case "webclick": tap = "$WebClick"
    case let other: return skip(.unknownForm, item.pointer + "/event_type", other)
    }
    guard let system else { return skip(.unknownForm, "/os", root["os"]?.label) }
    if system == .iOS, !isPage {
      definition.circled = CircledBefore(
        id: UTF8String(definition.ruleID), page: event["screen_name"]?.words.map { UTF8String($0) },
        text: event["element_content"]?.words.map { UTF8String($0) }, path: event["element_path"]?.words ?? "")
    }
    let forms =
      system == .web
      ? SensorsWebEvent(event, tap: tap).forms
      : SensorsAppEvent(event, tap: tap, isIOS: system == .iOS && !isPage).forms
    definition.forms = forms
    for item in item["properties"]?.items ?? [] {
      let property = SensorsProperty(item, of: event)
      let name = property.name
      if system == .iOS, !isPage, definition.properties.members.count < RuleProperty.mostOfRule,
        let value = property.value
      {
        definition.properties[name] = .object(value)
      } else {
        definition.reasons.append(ImportReason(.propertyExtraction, .exact, item.pointer, name))
      }
    }
    return definition
  }
}

/// What a visual event asks of the events of an app.
struct SensorsAppEvent {
  private let event: DefinitionNode
  private let tap: String
  private let isIOS: Bool

  init(_ event: DefinitionNode, tap: String, isIOS: Bool) {
    self.event = event
    self.tap = tap
    self.isIOS = isIOS
  }

  var forms: [ImportedForm] {
    guard let path = event["element_path"]?.words else {
      return [SensorsLimits.nothing(event.pointer + "/element_path")]
    }
    var literal = ImportedForm(.literal)
    var tests = SensorsLimits(event, of: &literal)
    guard !tests.isMissing else { return [literal] }
    tests.add("$element_path", path)
    if let position = tests.position { tests.add("$element_position", position) }
    if let screen = event["screen_name"]?.words { tests.add("$screen_name", screen) }
    literal.clauses = [["event": .string(tap), "where": .object(tests.tests)]]
    if event["screen_name"]?.words == nil {
      literal.reasons.append(ImportReason(.unknownForm, .unverified, event.pointer + "/screen_name", "no page"))
    }
    return [readable(path, reasons: literal.reasons), literal].compactMap { $0 }
  }

  /// The form with a selector, from the root view on; nil if there is none.
  private func readable(_ path: String, reasons: [ImportReason]) -> ImportedForm? {
    guard isIOS else { return nil }
    var form = ImportedForm(.readable)
    var limits = SensorsLimits(event, of: &form)
    form.reasons = reasons
    var selector = "/" + path
    if let position = limits.position {
      if let row = Self.row(in: path, position) {
        selector = "/" + row
      } else {
        limits.add("$element_position", position)
      }
    }
    guard ImportTests.isReadable(selector, in: .sensors) else { return nil }
    var clause: EventObject = ["event": .string(tap)]
    clause["page"] = event["screen_name"]?.words.map { .string($0) }
    clause["selector"] = .string(selector)
    if !limits.tests.members.isEmpty { clause["where"] = .object(limits.tests) }
    form.clauses = [clause]
    return form
  }

  /// The path with a row in place of the open one, `Cell[1][-]` and `1:4` to `Cell[1][4]`; nil if it has no such cell.
  private static func row(in path: String, _ position: String) -> String? {
    let numbers = position.splitBytes(at: ":", omittingEmptySubsequences: false)
    guard numbers.count == 2, numbers.allSatisfy({ Int($0) != nil }) else { return nil }
    let open = "[\(numbers[0])][-]"
    let components = path.splitBytes(at: "/", omittingEmptySubsequences: false)
    guard let last = components.lastIndex(where: { $0.endsWithBytes(of: "[-]") }),
      components[last].endsWithBytes(of: open)
    else { return nil }
    var result = components.map { String($0) }
    result[last] = String(Substring(components[last].utf8.dropLast(3))) + "[\(numbers[1])]"
    return result.joined(separator: "/")
  }
}

/// The conditions that a visual event has if they are switched on.
struct SensorsLimits {
  private(set) var tests: EventObject = [:]
  /// The position, if it is asked for.
  private(set) var position: String?
  /// Whether something is asked for that the file does not have.
  private(set) var isMissing = false

  init(_ event: DefinitionNode, of form: inout ImportedForm) {
    if event["limit_element_position"]?.isTrue ?? false {
      position = event["element_position"]?.label
      if position == nil {
        isMissing = true
        form.reasons.append(ImportReason(.position, .skipped, event.pointer + "/element_position"))
      }
    }
    if event["limit_element_content"]?.isTrue ?? false {
      guard let content = event["element_content"]?.text else {
        isMissing = true
        form.reasons.append(ImportReason(.unknownForm, .skipped, event.pointer + "/element_content", "no text"))
        return
      }
      add("$element_content", content)
    }
  }

  mutating func add(_ name: String, _ text: String) { add(name, test: .string(text)) }

  mutating func add(_ name: String, test: EventValue) {
    tests.members.append(.init(name: name, value: test))
  }

  /// A form without clauses, as something is missing.
  static func nothing(_ pointer: String) -> ImportedForm {
    var form = ImportedForm(.literal)
    form.reasons = [ImportReason(.unknownForm, .skipped, pointer, "no element")]
    return form
  }
}

/// What a visual event asks of the events of web pages.
struct SensorsWebEvent {
  private let event: DefinitionNode
  private let tap: String

  init(_ event: DefinitionNode, tap: String) {
    self.event = event
    self.tap = tap
  }

  var forms: [ImportedForm] {
    var form = ImportedForm(.literal)
    var limits = SensorsLimits(event, of: &form)
    guard !limits.isMissing else { return [form] }
    for (name, property) in [("url_host", "$url_host"), ("url_path", "$url_path")] {
      if let text = event[name]?.words {
        limits.add(property, text)
      } else {
        form.reasons.append(ImportReason(.unknownForm, .unverified, "\(event.pointer)/\(name)", "no \(name)"))
      }
    }
    if event["unlimited_div"]?.isTrue ?? false {
      form.reasons.append(
        ImportReason(.unlimitedDiv, .unverified, event.pointer + "/unlimited_div", event["element_path"]?.text))
    }
    guard let (name, test) = element(of: &form) else { return [form] }
    limits.add(name, test: test)
    // The SDK sends the position as a text or a number.
    if let position = limits.position {
      var values: [EventValue] = [.string(position)]
      if let number = Int(position) { values.append(.number(DecimalNumber(number))) }
      limits.add("$element_position", test: ImportTests.oneOf(values))
    }
    form.clauses = [["event": .string(tap), "where": .object(limits.tests)]]
    return [form]
  }

  /// The condition on the element.
  private func element(of form: inout ImportedForm) -> (String, EventValue)? {
    func fail(_ place: String, _ detail: String?) -> (String, EventValue)? {
      form.reasons.append(ImportReason(.unknownForm, .skipped, "\(event.pointer)/\(place)", detail))
      return nil
    }
    guard let field = event["element_field"]?.words else {
      guard let path = event["element_path"]?.words else { return fail("element_path", "no element") }
      // The form before `element_field`: a path that ends in a div also takes what is inside it.
      let isInside = path.endsWithBytes(of: "div") && !(event["limit_element_position"]?.isTrue ?? false)
      return ("$element_path", isInside ? ["contains": .string(path)] : .string(path))
    }
    guard ["element_path", "element_selector"].contains(where: field.hasSameBytes) else {
      return fail("element_field", field)
    }
    guard let text = event[field]?.words else { return fail(field, "no element") }
    switch event["function"]?.words ?? "equal" {
    case "equal": return ("$" + field, .string(text))
    case "contain": return ("$" + field, ["contains": .string(text)])
    case let other: return fail("function", other)
    }
  }
}
