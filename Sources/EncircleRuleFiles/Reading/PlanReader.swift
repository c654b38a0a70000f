import EncircleEvents
import EncircleRules
import EncircleText

/// Reads plans, one text after the other, and collects their problems.
struct PlanReader {
  private(set) var events: [PlannedEvent] = []
  private(set) var problems = DiagnosticList()
  private(set) var suppressions: [UTF8String: [SuppressionComment]] = [:]
  private let emitted: EmittedNames
  private var expressions = ExpressionBudget()
  private var numbers: [UTF8String: Int] = [:]

  init(_ emitted: EmittedNames, _ problems: [Diagnostic]) {
    self.emitted = emitted
    for problem in problems { self.problems.append(problem) }
  }

  mutating func read(_ text: String, name: String) {
    var nodes = NodeReader(text, name: name)
    if let root = nodes.root() {
      read(root, &nodes)
    } else if nodes.diagnostics.isEmpty {
      nodes.report("the file is empty: expected at least 'version: 1' and 'events'")
    }
    problems.append(contentsOf: nodes.diagnostics)
    guard nodes.diagnostics.isEmpty else { return }
    let comments = SuppressionComment.all(in: text)
    if !comments.isEmpty { suppressions[UTF8String(name)] = comments }
  }

  private mutating func read(_ root: Node, _ nodes: inout NodeReader) {
    guard let members = nodes.members(of: root, "a plan", allowed: PlanKeys.file) else { return }
    nodes.checkVersion(members, of: root)
    guard let list = members["events"], !nodes.isNull(list) else { return }
    guard let items = list.sequence else {
      return nodes.report("expected a list of events, each with '- ' in front of its first key", at: list)
    }
    for item in items { readEvent(item, &nodes) }
  }

  // MARK: - Events

  private mutating func readEvent(_ node: Node, _ nodes: inout NodeReader) {
    guard let members = nodes.members(of: node, "an event", allowed: PlanKeys.event) else { return }
    guard let key = members["event"] else {
      if !members.mayHave("event") {
        nodes.report("the event has no 'event', the name under which it is sent", at: node)
      }
      return
    }
    guard let name = nodes.name(key, "the name of an event") else { return }
    var event = PlannedEvent(name, file: nodes.document.name, at: nodes.location(of: key))
    event.place = nodes.document.place(of: key)
    reportOwnedByRules(members, name, &nodes)
    event.name = text(members["name"], &nodes)
    event.summary = text(members["description"], &nodes)
    event.owner = text(members["owner"], &nodes)
    event.tags = members["tags"].map { texts($0, "tags", &nodes) } ?? []
    for item in members["platforms"].map({ nodes.oneOrMore($0, "platforms") }) ?? [] {
      guard let platform: PlannedEvent.Platform = word(item, "platform", &nodes) else { continue }
      if !event.platforms.contains(platform) { event.platforms.append(platform) }
    }
    event.since = version(members["since"], &nodes)
    event.until = version(members["until"], &nodes)
    if let since = event.since.flatMap({ VersionNumber($0) }), let until = event.until.flatMap({ VersionNumber($0) }),
      since >= until, let node = members["until"]
    {
      nodes.report("'until' is the first version without the event, and must come after 'since'", at: node)
    }
    event.trigger = text(members["trigger"], &nodes)
    event.category = text(members["category"], &nodes)
    event.tracking = members["tracking"].flatMap { word($0, "way of tracking", &nodes) }
    event.status = members["status"].flatMap { readStatus($0, &nodes) }
    event.picture = text(members["picture"], &nodes)
    event.remark = text(members["remark"], &nodes)
    event.columns = members["columns"].map { columns($0, &nodes) } ?? []
    if let list = members["properties"], !nodes.isNull(list) { event.properties = properties(list, &nodes) }
    add(event, at: key, &nodes)
  }

  private mutating func add(_ event: PlannedEvent, at node: Node, _ nodes: inout NodeReader) {
    guard let known = numbers[event.event] else {
      numbers[event.event] = events.count
      return events.append(event)
    }
    nodes.report("the event '\(event.event)' is planned already, at \(events[known].origin)", at: node)
  }

  /// Reports members that must be stated in a rule instead.
  private func reportOwnedByRules(_ members: NodeMembers, _ name: UTF8String, _ nodes: inout NodeReader) {
    guard let rule = emitted.rules(emitting: name).first else { return }
    let place = rule.location.map { " (\($0))" } ?? ""
    for key in PlanKeys.ofRules {
      guard let node = members[key] else { continue }
      nodes.report(
        "the \(key) of '\(name)' belongs in the rule '\(rule.id)'\(place), which emits it: each fact is stated in one place; "
          + "the import of a table moves it there",
        at: node)
    }
  }

  private func readStatus(_ node: Node, _ nodes: inout NodeReader) -> PlannedEvent.Status? {
    if let known = node.scalar.flatMap({ PlannedEvent.Status(rawValue: $0.string) }) { return known }
    guard let text = nodes.name(node, "a status")?.text else { return nil }
    let computed = ["defined", "live", "missing", "wrong", "unexpected", "stale", "unused"]
    if computed.contains(where: { $0.hasSameBytes(as: text) }) {
      nodes.report(
        "the status '\(text)' follows from rules and events: a plan says 'planned', 'deprecated' or 'archived'",
        at: node)
    } else {
      nodes.reportUnknown(text, "status '\(text)'", among: PlannedEvent.Status.allCases.map(\.rawValue), at: node)
    }
    return nil
  }

  // MARK: - Properties

  private mutating func properties(_ list: Node, _ nodes: inout NodeReader) -> [PlannedProperty] {
    guard let items = list.sequence else {
      nodes.report("expected a list of properties, each with '- ' in front of its first key", at: list)
      return []
    }
    var properties: [PlannedProperty] = []
    var places: [UTF8String: SourceLocation] = [:]
    for item in items {
      guard let members = nodes.members(of: item, "a property", allowed: PlanKeys.property) else { continue }
      guard let key = members["property"] else {
        if !members.mayHave("property") { nodes.report("the property has no 'property', its key in events", at: item) }
        continue
      }
      guard let name = nodes.name(key, "the key of a property") else { continue }
      let location = nodes.location(of: key)
      if let first = places.updateValue(location, forKey: name) {
        nodes.report("the property '\(name)' of this event is planned already, at \(first)", at: key)
      }
      var property = readProperty(members, name, at: location, &nodes)
      property.place = nodes.document.place(of: key)
      properties.append(property)
    }
    return properties
  }

  private mutating func readProperty(
    _ members: NodeMembers, _ name: UTF8String, at location: SourceLocation, _ nodes: inout NodeReader
  ) -> PlannedProperty {
    var property = PlannedProperty(name, at: location)
    property.name = text(members["name"], &nodes)
    property.summary = text(members["description"], &nodes)
    property.type = members["type"].flatMap { word($0, "type", &nodes) }
    property.isList = members["list"].flatMap { nodes.flag($0) } ?? false
    property.isRequired = members["required"].flatMap { nodes.flag($0) } ?? false
    for node in members["values"].map({ nodes.oneOrMore($0, "values") }) ?? [] {
      guard let value = nodes.scalar(node) else { continue }
      if let type = property.type, !type.takes(value) {
        nodes.report("the value is no \(type.rawValue), which is the type of the property", at: node)
      }
      property.values.append(value)
    }
    if let node = members["pattern"], let text = nodes.name(node, "a regular expression")?.text {
      do {
        property.pattern = try expressions.compile(text, foldsCase: false)
      } catch {
        nodes.report("\(error)", at: node)
      }
      if let type = property.type, type != .string, type != .any {
        nodes.report("a pattern is for texts, and the type of the property is \(type.rawValue)", at: node)
      }
    }
    property.remark = text(members["remark"], &nodes)
    property.columns = members["columns"].map { columns($0, &nodes) } ?? []
    return property
  }

  // MARK: - Values

  private func text(_ node: Node?, _ nodes: inout NodeReader) -> String? {
    node.flatMap { nodes.name($0, "a text") }?.text
  }

  private func texts(_ node: Node, _ what: String, _ nodes: inout NodeReader) -> [String] {
    nodes.oneOrMore(node, what).compactMap { nodes.name($0, "a text")?.text }
  }

  private func version(_ node: Node?, _ nodes: inout NodeReader) -> String? {
    guard let node, let text = nodes.name(node, "a version of the app")?.text else { return nil }
    if VersionNumber(text) == nil {
      nodes.report("expected a version of the app, such as 5.2 or 6.0-beta.2", at: node)
      return nil
    }
    return text
  }

  private func word<Word: RawRepresentable<String> & CaseIterable>(
    _ node: Node, _ what: String, _ nodes: inout NodeReader
  ) -> Word? {
    guard let text = nodes.name(node, "a \(what)")?.text else { return nil }
    if let word = Word(rawValue: text) { return word }
    if let meant = Word(rawValue: text.lowercased()) {
      nodes.report("unknown \(what) '\(text)'", at: node, suggestion: meant.rawValue)
      return nil
    }
    nodes.reportUnknown(text, "\(what) '\(text)'", among: Word.allCases.map(\.rawValue), at: node)
    return nil
  }

  private func columns(_ node: Node, _ nodes: inout NodeReader) -> [PlannedEvent.Column] {
    guard let mapping = node.mapping else {
      nodes.report("expected a mapping from the headers of columns to texts", at: node)
      return []
    }
    return mapping.compactMap { key, value in
      guard let header = nodes.name(key, "the header of a column"), let text = nodes.name(value, "a text") else {
        return nil
      }
      return .init(header: header, text: text.text)
    }
  }
}

extension PlannedProperty.ValueType {
  /// Returns whether a value, or an item of a list, is of the type. Null is only of type `any`.
  public func takes(_ value: Scalar) -> Bool {
    switch (self, value) {
    case (.any, _), (.string, .string), (.number, .number), (.boolean, .bool): true
    case (.datetime, .string(let text)): Timestamp.parse(text.text) != nil
    // The number must be a time in milliseconds. A small number is something else.
    case (.datetime, .number(let number)): number >= 1_000_000_000
    default: false
    }
  }
}
