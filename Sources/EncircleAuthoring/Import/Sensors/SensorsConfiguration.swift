import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText

/// Reads the configuration of visual events that Sensors' SDKs fetch: `/config/visualized/iOS.conf`, `Android.conf` or `Web.conf`.
///
/// Source: the SDKs for iOS, Android and JavaScript, which compare events with it.
struct SensorsConfiguration {
  enum System {
    case iOS, android, web
  }

  private static let texts = [
    "screen_name", "element_path", "element_content", "element_selector", "element_field", "function", "url_host",
    "url_path",
  ]
  private static let flags = ["limit_element_position", "limit_element_content", "h5", "unlimited_div"]

  private let root: DefinitionNode
  private let file: String
  private let system: System?
  private let ruleFile: ImportRuleFile
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
      ruleFile = ImportRuleFile("sensors-ios.yaml", header)
    case "Android":
      (system, prefix) = (.android, "sensors.android.")
      header["style"] = .string(PathStyleName.sensorsAndroid.rawValue)
      header["app"] = app
      ruleFile = ImportRuleFile("sensors-android.yaml", header)
    case "Web", "web", "JS":
      (system, prefix) = (.web, "sensors.web.")
      header["style"] = .string(PathStyleName.sensorsWeb.rawValue)
      ruleFile = ImportRuleFile("sensors-web.yaml", header)
    default:
      (system, prefix) = (nil, "sensors.")
      ruleFile = ImportRuleFile("sensors.yaml", header)
    }
  }

  /// Returns the definitions; entries with the same name are alternatives of one event.
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
      pointer: item.pointer, ruleFile: ruleFile)
    func skip(_ code: ImportReason.Code, _ pointer: String, _ detail: String? = nil) -> ImportedDefinition {
      definition.reasons.append(ImportReason(code, .skipped, pointer, detail))
      return definition
    }
    guard !name.isEmpty, let event = item["event"], event.isObject else { return skip(.unknownForm, item.pointer) }
    if let wrong = event.mistyped(texts: Self.texts, labels: ["element_position"], flags: Self.flags) {
      return skip(.unknownForm, wrong.pointer)
    }
    let isPage = event["h5"]?.isTrue ?? false
    let tap: String
    switch item["event_type"]?.words {
    case "appclick": tap = isPage ? "$WebClick" : "$AppClick"
    case "webclick": tap = "$WebClick"
    case let other: return skip(.unknownForm, item.pointer + "/event_type", other)
    }
    guard let system else { return skip(.unknownForm, "/os", root["os"]?.label) }
    if !isPage || system == .web { definition.circled = Self.circled(event, system, id: definition.ruleID) }
    let forms =
      system == .web
      ? SensorsWebEvent(event, tap: tap).forms
      : SensorsAppEvent(event, tap: tap, isPage ? nil : system).forms
    definition.forms = forms
    for item in item["properties"]?.items ?? [] {
      let property = SensorsProperty(item, of: event)
      let name = property.name
      if system == .iOS, !isPage, definition.properties.members.count < RuleProperty.maximumPerRule,
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

extension SensorsConfiguration {
  /// Returns the facts about the circled element in an event.
  private static func circled(_ event: DefinitionNode, _ system: System, id: String) -> RecordedElement {
    let text = event["element_content"]?.words.map { UTF8String($0) }
    let path = event["element_path"]?.words ?? ""
    guard system == .web else {
      return RecordedElement(
        id: UTF8String(id), style: system == .android ? .sensorsAndroid : .sensors,
        page: event["screen_name"]?.words.map { UTF8String($0) }, text: text, path: path)
    }
    var circled = RecordedElement(
      id: UTF8String(id), style: .sensorsWeb, page: event["url_path"]?.words.map { UTF8String($0) }, text: text)
    // The selector is more specific than the path.
    if let selector = event["element_selector"]?.words {
      circled.add(selector: selector)
    } else {
      let root = "html/"
      let inner = path.beginsWithBytes(of: root) ? String(Substring(path.utf8.dropFirst(root.utf8.count))) : path
      circled.add(selector: inner.replacingBytes(of: "/", with: " > "))
    }
    return circled
  }
}

/// The conditions on position and content, which a visual event has only if they are switched on.
struct SensorsLimits {
  private(set) var tests: EventObject = [:]
  /// The position, if it is asked for.
  private(set) var position: String?
  /// This is true if a requested member is missing in the file.
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

  /// Adds the host and the path of the page's address, and returns the names of members that are missing.
  ///
  /// The SDK compares the host with that of the page, on any port. Its events have the host in the address only.
  mutating func addAddress(of event: DefinitionNode) -> [String] {
    let (host, path) = (event["url_host"]?.words, event["url_path"]?.words)
    if let host { add("$url", test: ["matches": .string("^https?://\(RegularExpression.quoting(host))(:[0-9]+)?/")]) }
    if let path {
      // The SDK compares it percent-encoded, but sends it decoded.
      let decoded = WebAddress.decoded(path)
      let paths = decoded.hasSameBytes(as: path) ? [path] : [decoded, path]
      add("$url_path", test: ImportTests.oneOf(paths.map { .string($0) }))
    }
    return [host == nil ? "url_host" : nil, path == nil ? "url_path" : nil].compactMap { $0 }
  }

  /// Adds the position, if it is asked for. The SDK for web pages sends it as a number or as a text.
  mutating func addPosition(ofPage isPage: Bool) {
    guard let position else { return }
    var values: [EventValue] = [.string(position)]
    if isPage, let number = Int(position) { values.append(.number(DecimalNumber(number))) }
    add("$element_position", test: ImportTests.oneOf(values))
  }

  mutating func add(_ name: String, test: EventValue) {
    tests.members.append(.init(name: name, value: test))
  }

  /// Returns a form without clauses, for a definition in which the element is missing.
  static func nothing(_ pointer: String) -> ImportedForm {
    var form = ImportedForm(.literal)
    form.reasons = [ImportReason(.unknownForm, .skipped, pointer, "no element")]
    return form
  }
}
