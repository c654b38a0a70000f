import EncircleEvents
import EncircleRules
import EncircleText

// The properties that a rule gives events.

extension RuleFileReader {
  /// Reads the `properties` of a rule: for each name, a constant or the source of the value.
  mutating func readGivenProperties(_ node: Node, _ effect: SelectionRule.Effect) -> [RuleProperty] {
    guard effect == .include else {
      nodes.report("an exclude rule cannot have 'properties': the events that it excludes are not selected", at: node)
      return []
    }
    guard let mapping = node.mapping else {
      nodes.reportNoMapping("a mapping from names to what the properties are read from", at: node)
      return []
    }
    if mapping.isEmpty { nodes.report("'properties' is empty", at: node) }
    if mapping.count > RuleProperty.maximumPerRule {
      nodes.report("a rule gives at most \(RuleProperty.maximumPerRule) properties", at: node)
      return []
    }
    var properties: [RuleProperty] = []
    for (key, value) in mapping {
      if let cause = nodes.document.keyWithoutColon(key, value) {
        nodes.report(cause, at: key)
        continue
      }
      guard let name = nodes.name(key, "the name of a property") else { continue }
      guard name.text.utf8.first != UInt8(ascii: "$") else {
        nodes.report(
          "names that begin with '$' are the SDK's own: a condition on '\(name)' stands under 'where' in a clause",
          at: key)
        continue
      }
      if let property = readGivenProperty(name, value) {
        note(.given(properties.count), key)
        properties.append(property)
      }
    }
    return properties
  }

  private mutating func readGivenProperty(_ name: UTF8String, _ node: Node) -> RuleProperty? {
    guard node.mapping != nil else {
      if node.sequence != nil {
        nodes.report("a property has one value: expected a text, a number, true or false", at: node)
        return nil
      }
      return constant(node).map { RuleProperty(name, .constant($0)) }
    }
    let sources = RuleFileKeys.propertySources
    guard
      let members = nodes.members(of: node, "a property", allowed: RuleFileKeys.property, mistaken: .property)
    else { return nil }
    let named = sources.filter { members[$0] != nil }
    guard named.count == 1, let key = named.first, let value = members[key] else {
      if named.count > 1 {
        nodes.report("a property is read from one thing, not from \(NodeReader.list(named))", at: node)
      } else if !sources.contains(where: { members.mayHave($0) }), !members.hasExplained {
        nodes.report(
          "the property has no source: expected one of \(NodeReader.list(sources))", at: node)
      }
      return nil
    }
    guard let source = readSource(key, value) else { return nil }
    var property = RuleProperty(name, source)
    for other in ["extract", "type"] where key == "value" || key == "path" {
      guard let node = members[other] else { continue }
      nodes.report("'\(other)' goes with 'property' and 'element', not with '\(key)'", at: node)
    }
    if let node = members["extract"], let text = nodes.name(node, "a regular expression")?.text {
      do {
        property.expression = try expressions.compile(text, foldsCase: false)
      } catch {
        nodes.report("\(error)", at: node)
      }
    }
    if let node = members["type"], let word = nodes.name(node, "'text' or 'number'")?.text {
      property.type = RuleProperty.ValueType(rawValue: word)
      if property.type == nil {
        nodes.reportUnknown(
          word, "type '\(word)'", among: RuleProperty.ValueType.allCases.map(\.rawValue), at: node,
          expected: "'text' or 'number'")
      }
    }
    return property
  }

  private mutating func readSource(_ key: String, _ node: Node) -> RuleProperty.Source? {
    switch key {
    case "value": return constant(node).map { .constant($0) }
    case "property": return nodes.reference(node).map { .property($0) }
    case "path":
      guard let word = nodes.name(node, "'row', 'section' or 'index'")?.text else { return nil }
      // In a collection it is called the item.
      if let number = RuleProperty.PathNumber(rawValue: word == "item" ? "row" : word) { return .path(number) }
      nodes.reportUnknown(
        word, "number '\(word)' of a path", among: RuleProperty.PathNumber.allCases.map(\.rawValue), at: node,
        expected: "'row', 'section' or 'index'")
      return nil
    default: return readRelativeSelector(node).map { .element($0) }
    }
  }

  private mutating func constant(_ node: Node) -> Scalar? {
    guard let value = nodes.scalar(node) else { return nil }
    if value == .null {
      nodes.report("a property needs a value: expected a text, a number, true or false", at: node)
      return nil
    }
    return value
  }

  private mutating func readRelativeSelector(_ node: Node) -> RelativeSelector? {
    guard let text = nodes.name(node, "a selector, relative to the element as in ../UILabel(1)")?.text else {
      return nil
    }
    do throws(SelectorError) {
      let selector = try RelativeSelector(parsing: text)
      if text.utf8.contains(UInt8(ascii: "[")) || selector.readings.contains(where: \.hasTexts) {
        file.styledSelectors.append(StyledSelector(node, nodes.document, style, isRelative: true))
      }
      return selector
    } catch {
      nodes.report("in the selector: \(error.message)", at: node, offset: error.offset, suggestion: error.suggestion)
      return nil
    }
  }

  /// Reads the name under which events are selected.
  mutating func readEmit(_ node: Node) -> String? {
    guard let name = nodes.name(node, "a name")?.text else { return nil }
    guard !EmitTemplate.isOne(name) else {
      nodes.report(
        "'emit' is one name, not a template: what varies is a property of the event, as in "
          + "properties: { price: { element: ../UILabel(1) } }", at: node)
      return nil
    }
    return name
  }
}

/// Names with placeholders, which `emit` does not accept.
package enum EmitTemplate {
  /// Returns whether a text contains a placeholder, in the syntax of a common template language.
  package static func isOne(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    if let open = bytes.firstIndex(of: UInt8(ascii: "{")), bytes[open...].contains(UInt8(ascii: "}")) { return true }
    return ["%@", "%s", "%d", "<%"].contains { text.containsBytes(of: $0) }
  }
}
