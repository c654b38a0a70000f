import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

extension RuleTestReader {
  /// The maximum depth of nested values in an event.
  static let maximumDepth = 64

  /// Reads an object of an event.
  mutating func readObject(_ node: Node, _ what: String) -> EventObject? {
    guard node.mapping != nil else {
      nodes.report("expected \(what), a mapping", at: node)
      return nil
    }
    guard case .object(let object)? = readValue(node, depth: 1) else { return nil }
    return object
  }

  /// Reads the values that `with` puts into events.
  mutating func readChanges(_ node: Node) -> EventObject? {
    for (key, _) in node.mapping ?? [] where key.scalar?.string.utf8.first == UInt8(ascii: "/") {
      guard case .pointer(let pointer)? = nodes.reference(key), pointer.steps.count > Self.maximumDepth else {
        continue
      }
      nodes.report("values are nested deeper than \(Self.maximumDepth) levels", at: key)
    }
    return readObject(node, "properties")
  }

  /// Reads a value with the type that YAML gives it.
  private mutating func readValue(_ node: Node, depth: Int) -> EventValue? {
    guard depth <= Self.maximumDepth else {
      nodes.report("values are nested deeper than \(Self.maximumDepth) levels", at: node)
      return nil
    }
    if let sequence = node.sequence { return .list(sequence.compactMap { readValue($0, depth: depth + 1) }) }
    if let mapping = node.mapping {
      var object = EventObject()
      for (key, value) in mapping {
        guard let name = key.scalar?.string else {
          nodes.report("expected a name", at: key)
          continue
        }
        if let value = readValue(value, depth: depth + 1) { object.members.append(.init(name: name, value: value)) }
      }
      return .object(object)
    }
    switch nodes.scalar(node) {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .number(let value): return .number(value)
    case .string(let value): return .string(value.text)
    case nil: return nil
    }
  }

  /// Reads an expectation.
  ///
  /// - Parameter isSelector: True if the test is about a selector.
  mutating func readExpectation(
    _ node: Node, isSelector: Bool, _ test: NodeMembers, _ resources: inout TestResources
  ) -> Expectation? {
    guard let members = nodes.members(of: node, "what is expected", allowed: RuleTestKeys.expectation) else {
      return nil
    }
    for key in RuleTestKeys.expectation {
      guard let node = members[key], isSelector != (key == "elements") else { continue }
      nodes.report(
        key == "elements"
          ? "'elements' goes with 'selector'" : "'\(key)' goes with events and elements, not with 'selector'",
        at: node)
    }
    var expectation = Expectation()
    if let selected = members["selected"] { expectation.selected = nodes.flag(selected) }
    if let rules = members["rules"] { expectation.rules = readRules(rules, .include) }
    if let includes = members["includes"] { expectation.includes = readRules(includes, .include) }
    if let excludedBy = members["excludedBy"] { expectation.excludedBy = readRules(excludedBy, .exclude) }
    if let pages = members["pages"] {
      expectation.pages = readNames(pages, "the class name of a page").map(\.name).sortedUnique()
    }
    if let emit = members["emit"] { expectation.emit = readNames(emit, "a name").map(\.name).sortedUnique() }
    if let properties = members["properties"] { expectation.properties = readProperties(properties) }
    if isSelector, let elements = members["elements"], let capture = test["capture"],
      let path = capture.scalar?.string,
      let capture = try? resources.capture(
        path, page: (test["page"]?.scalar?.string).map { UTF8String($0) }, from: name)
    {
      // An empty list expects that no element matches.
      let isNone = elements.sequence?.isEmpty ?? false
      expectation.elements = isNone ? [] : readElements(elements, capture)
    }
    return expectation
  }

  /// Reads the properties that rules are to give.
  private mutating func readProperties(_ node: Node) -> [UTF8String: [UTF8String: Scalar]]? {
    guard let mapping = node.mapping else {
      nodes.reportNoMapping("a mapping from rules to properties, as in { cart.add: { price: 168 } }", at: node)
      return nil
    }
    var result: [UTF8String: [UTF8String: Scalar]] = [:]
    for (key, value) in mapping {
      guard let rule = readRules(key, .include).first else { continue }
      guard let values = value.mapping else {
        nodes.reportNoMapping("a mapping from properties to values", at: value)
        continue
      }
      for (key, value) in values {
        guard let name = nodes.name(key, "the name of a property"), let scalar = nodes.scalar(value) else { continue }
        // Such a property is always absent, so that a test which expects null would say nothing.
        if checksRules, let given = rules[rule]?.properties.map(\.name), !given.contains(name) {
          nodes.report(
            "the rule '\(rule)' gives no property '\(name)'", at: key,
            suggestion: Diagnostic.nearest(to: name.text, among: given.lazy.map(\.text)))
        }
        result[rule, default: [:]][name] = scalar
      }
    }
    return result
  }

  /// Reads names: one, or a list that may be empty.
  private mutating func readNames(_ node: Node, _ what: String) -> [(name: UTF8String, node: Node)] {
    let all = node.sequence.map { Array($0) } ?? [node]
    return all.compactMap { item in nodes.name(item, what).map { ($0, item) } }
  }

  private static let maximumCandidates = 2_000

  private mutating func readRules(_ node: Node, _ effect: SelectionRule.Effect) -> [UTF8String] {
    let names = readNames(node, "the id of a rule")
    for (name, node) in names where checksRules {
      guard let found = rules[name]?.effect else {
        // Among very many rules, no similar name is sought, because that would take long for each unknown name.
        let candidates = ruleSet.rules.prefix(Self.maximumCandidates)
        nodes.report(
          "there is no rule '\(name)'", at: node,
          suggestion: Diagnostic.nearest(to: name.text, among: candidates.lazy.map(\.id.text)))
        continue
      }
      if found != effect {
        nodes.report(
          "'\(name)' is an \(found.rawValue) rule: expected the id of an \(effect.rawValue) rule", at: node)
      }
    }
    return names.map(\.name).sortedUnique()
  }
}

extension [UTF8String] {
  /// Returns the texts in byte order, each once.
  fileprivate func sortedUnique() -> [UTF8String] { Set(self).sorted() }
}
