import EncircleEvents
import EncircleRules
import EncircleText

/// Reads circled elements and pages of GrowingIO's product generations 2 and 3, as the app's circling window reads them.
///
/// `filter` is the condition, `attrs` describes the element that was clicked to circle it. Source:
/// growingio-sdk-ios-saas.
struct GrowingIODefinitions {
  let file: String

  /// The places of fields in events of these generations.
  private static let ruleFile = ImportRuleFile(
    "growingio.yaml",
    [
      "version": 1,
      "fields": ["event": "/t", "time": "/tm", "distinct_id": "/u", "page": "/p", "app": "/d"],
    ])

  /// The events of elements: taps, views, changes of fields, and forms that are sent.
  static let elementEvents = ["clck", "imp", "chng", "sbmt"]

  /// The longest text in events, in characters.
  private static let longestText = 100

  func definition(_ item: DefinitionNode) -> ImportedDefinition {
    let id = item["id"]?.label
    var definition = ImportedDefinition(
      origin: ImportOrigin(tool: .growingio, id: id ?? ""), ruleID: "growingio.\(id ?? "")",
      name: item["name"]?.text ?? "", file: file, pointer: item.pointer, ruleFile: Self.ruleFile)
    guard id != nil, let filter = item["filter"], filter.isObject else {
      definition.reasons = [ImportReason(.unknownForm, .skipped, item.pointer, id == nil ? "no id" : "no filter")]
      return definition
    }
    definition.details["tags"] = item["platform"]?.words.map { .list([.string($0)]) }
    if let status = item["status"]?.words, !status.hasSameBytes(as: "activated"), !status.hasSameBytes(as: "active") {
      definition.details["enabled"] = false
      definition.reasons.append(ImportReason(.inactive, .exact, item.pointer + "/status"))
    }
    if item["screenshot"] != nil {
      definition.reasons.append(ImportReason(.screenshot, .exact, item.pointer + "/screenshot"))
    }
    definition.picture = Self.picture(item)
    definition.circled = Self.circled(item, definition.picture, id: definition.ruleID)
    var form = ImportedForm(.literal)
    let texts = ["domain", "pg", "href", "path", "query", "content", "xpath"]
    if let wrong = filter.mistyped(texts: texts, labels: ["index"], flags: ["isContentEncoded"]) {
      form.reasons = [ImportReason(.unknownForm, .skipped, wrong.pointer)]
      definition.forms = [form]
      return definition
    }
    switch item["eventType"]?.words {
    case "elem": addClauses("clck", filter, to: &form)
    // The definition names the event itself, such as `imp`, instead of `elem`.
    case let event? where Self.elementEvents.contains(where: event.hasSameBytes): addClauses(event, filter, to: &form)
    case "page": addClauses("page", filter, to: &form)
    case let other?: form.reasons = [ImportReason(.eventType, .skipped, item.pointer + "/eventType", other)]
    case nil: form.reasons = [ImportReason(.unknownForm, .skipped, item.pointer + "/eventType")]
    }
    definition.forms = [form]
    return definition
  }

  private func addClauses(_ event: String, _ filter: DefinitionNode, to form: inout ImportedForm) {
    var clause: EventObject = ["event": .string(event)]
    var tests = EventObject()
    for (name, place) in [("domain", "/d"), ("pg", "/pg"), ("href", "/h")] {
      guard let text = filter[name]?.words else { continue }
      if text.containsBytes(of: "::") {
        form.reasons.append(ImportReason(.nativeWebJoint, .exact, "\(filter.pointer)/\(name)", text))
      }
      tests.members.append(.init(name: place, value: .string(text)))
    }
    if let path = filter["path"]?.words {
      clause["page"] = Self.pattern(path, isForm: path.containsBytes(of: "*"))
    }
    if let query = filter["query"]?.words {
      tests.members.append(.init(name: "/q", value: Self.pattern(query, isForm: query.containsBytes(of: "*"))))
    }
    if let index = filter["index"]?.label {
      let values: [EventValue] = [.string(index)] + (Int(index).map { [.number(DecimalNumber($0))] } ?? [])
      tests.members.append(.init(name: "/idx", value: ImportTests.oneOf(values)))
    }
    let isElement = Self.elementEvents.contains(where: event.hasSameBytes)
    // Among events of elements, only taps are sure to have the text: views encode it, and fields have the typed text, if any.
    addContent(filter, isSure: !isElement || event.hasSameBytes(as: "clck"), to: &tests, of: &form)
    guard let path = filter["xpath"]?.words else {
      if isElement {
        form.reasons.append(ImportReason(.unknownForm, .skipped, filter.pointer + "/xpath", "no element"))
        return
      }
      guard clause["page"] != nil || !tests.members.isEmpty else {
        form.reasons.append(ImportReason(.matchesEverything, .skipped, filter.pointer))
        return
      }
      if !tests.members.isEmpty { clause["where"] = .object(tests) }
      form.clauses = [clause]
      return
    }
    for test in paths(path, filter.pointer + "/xpath", of: &form) {
      var whole = clause
      whole["where"] = .object(EventObject(tests.members + [.init(name: "/x", value: test)]))
      form.clauses.append(whole)
    }
  }

  private func addContent(
    _ filter: DefinitionNode, isSure: Bool, to tests: inout EventObject, of form: inout ImportedForm
  ) {
    guard let content = filter["content"]?.words else { return }
    let place = filter.pointer + "/content"
    var text = content
    if content.unicodeScalars.count > Self.longestText {
      text = String(String.UnicodeScalarView(content.unicodeScalars.prefix(Self.longestText)))
      form.reasons.append(ImportReason(.cutText, .unverified, place))
    } else if !isSure || filter["isContentEncoded"]?.isTrue ?? false {
      form.reasons.append(ImportReason(.cutText, .unverified, place))
    }
    tests.members.append(.init(name: "/v", value: .string(text)))
  }

  /// Returns the tests for a list of paths: one for all paths without `*`, and one for each path with it.
  private func paths(_ text: String, _ pointer: String, of form: inout ImportedForm) -> [EventValue] {
    var plain: [EventValue] = []
    var patterns: [EventValue] = []
    for path in text.splitBytes(at: ",") {
      let path = String(path)
      if path.containsBytes(of: "::") {
        form.reasons.append(ImportReason(.nativeWebJoint, .exact, pointer, path))
      }
      var forms = [path]
      if let untagged = Self.withoutTags(path) {
        forms.append(untagged)
        form.reasons.append(ImportReason(.tagPart, .exact, pointer, path))
      }
      for path in forms {
        if path.containsBytes(of: "*") {
          patterns.append(Self.pattern(path, isForm: true))
        } else {
          plain.append(.string(path))
        }
      }
    }
    if plain.isEmpty, patterns.isEmpty {
      form.reasons.append(ImportReason(.unknownForm, .skipped, pointer, text))
    }
    return (plain.isEmpty ? [] : [ImportTests.oneOf(plain)]) + patterns
  }

  /// Returns the native part of a path without the names behind `#` that developers have set; nil if it has none. In a page,
  /// `#` is an id.
  private static func withoutTags(_ path: String) -> String? {
    let joint = "::"
    let bytes = Array(path.utf8)
    let end = bytes.indices.first { bytes[$0...].starts(with: joint.utf8) } ?? bytes.count
    guard bytes[..<end].contains(UInt8(ascii: "#")) else { return nil }
    var result: [UInt8] = []
    var isTag = false
    for byte in bytes[..<end] {
      if byte == UInt8(ascii: "/") { isTag = false } else if byte == UInt8(ascii: "#") { isTag = true }
      if !isTag { result.append(byte) }
    }
    return String(decoding: result + bytes[end...], as: UTF8.self)
  }

  /// Returns the test for a text in which `*` matches any characters and, only if there are several stars, `?` matches one.
  private static func pattern(_ text: String, isForm: Bool) -> EventValue {
    guard isForm else { return .string(text) }
    let stars = text.utf8.count { $0 == UInt8(ascii: "*") }
    guard stars > 1, text.containsBytes(of: "?") else { return ["glob": .string(text)] }
    let expression = RegularExpression.quoting(text)
      .replacingBytes(of: "\\*", with: ".*").replacingBytes(of: "\\?", with: ".")
    return ["matches": .string("(?s)^\(expression)$")]
  }
}
