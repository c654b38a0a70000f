import EncircleEvents
import EncircleText

/// A rule file as plain data: the contents of its YAML or JSON, whether or not the rules are valid.
package struct RuleFileDocument: Sendable {
  /// The contents of a text.
  private enum Content: Sendable {
    case value(EventValue)
    /// The nodes with their places; nil for an empty text.
    case nodes(Node?)
  }

  /// The file as it is written.
  package let text: String
  package let name: String
  private let content: Content

  /// All of the file; null for an empty one.
  ///
  /// - Complexity: O(1); O(*n*) for a document that keeps its nodes.
  package var value: EventValue {
    switch content {
    case .value(let value): value
    case .nodes(let root): root?.value ?? .null
    }
  }

  /// The nodes of a document that keeps them; an empty array for an empty document, nil for a document that keeps none.
  var nodes: [Node]? { if case .nodes(let root) = content { root.map { [$0] } ?? [] } else { nil } }

  /// Reads a text.
  ///
  /// - Parameter keepsNodes: True to keep the nodes for loading the rules without parsing the text again.
  /// - Throws: ``RuleFileErrors`` with one problem if the text is not YAML or JSON, or is neither a mapping nor empty: only a
  ///   mapping or an empty text can say that there are no rules. With `keepsNodes`, a text that is not a mapping is reported
  ///   when its rules are loaded, together with all other problems.
  /// - Complexity: O(*n*), *n* bytes; recursion goes no deeper than the readers' limits.
  package init(_ text: String, name: String = "<rules>", keepsNodes: Bool = false) throws(RuleFileErrors) {
    (self.text, self.name) = (text, name)
    var nodes = NodeReader(text, name: name)
    let root = nodes.root()
    if !keepsNodes, let root, root.mapping == nil {
      nodes.reportNoMapping("a rule file", with: RuleFileKeys.file, at: root)
    }
    guard nodes.diagnostics.isEmpty else { throw RuleFileErrors(nodes.diagnostics, isMissingInput: false) }
    content = keepsNodes ? .nodes(root) : .value(root?.value ?? .null)
  }

  /// Returns whether the file has this value, apart from the order of members.
  ///
  /// - Complexity: O(size of the value) if members are in the same order.
  func says(_ value: EventValue) -> Bool {
    switch content {
    case .value(let own): value.means(own)
    case .nodes(let root): root?.says(value) ?? (value == .null)
    }
  }

  /// The objects in its list of rules, in their order.
  package var rules: [EventObject] {
    guard case .object(let file) = value, case .list(let rules)? = file["rules"] else { return [] }
    return rules.compactMap { if case .object(let rule) = $0 { rule } else { nil } }
  }

  /// The rules by id, of equal ids the first.
  package var rulesByID: [UTF8String: EventObject] {
    Dictionary(rules.compactMap { rule in rule.ruleID.map { (UTF8String($0), rule) } }) { first, _ in first }
  }
}

extension EventObject {
  /// The id, of an object that is a rule; nil if it has none.
  package var ruleID: String? { if case .string(let id)? = self["id"] { id } else { nil } }
}

extension Node {
  /// The node as JSON; a value that JSON lacks, such as infinity, becomes its text as written.
  fileprivate var value: EventValue {
    switch content {
    case .scalar(let scalar):
      switch ScalarTag(of: self) {
      case .null: return .null
      case .bool where scalar.string == "true": return true
      case .bool where scalar.string == "false": return false
      case .int, .float: return DecimalNumber(scalar.string).map { .number($0) } ?? .string(scalar.string)
      default: return .string(scalar.string)
      }
    case .sequence(let nodes): return .list(nodes.map(\.value))
    case .mapping(let members):
      return .object(EventObject(members.map { EventObject.Member(name: $0.key.memberName, value: $0.value.value) }))
    }
  }

  /// The name of the member whose key it is.
  private var memberName: String { scalar?.string ?? "" }

  /// Returns whether the node has a given value.
  fileprivate func says(_ wanted: EventValue) -> Bool {
    switch (content, wanted) {
    case (.sequence(let nodes), .list(let values)):
      return nodes.count == values.count && zip(nodes, values).allSatisfy { $0.says($1) }
    case (.mapping(let members), .object(let object)):
      guard members.count == object.members.count else { return false }
      return object.members.indices.allSatisfy { i in
        let (name, value) = (object.members[i].name, object.members[i].value)
        if members[i].key.memberName.hasSameBytes(as: name) { return members[i].value.says(value) }
        return members.first { $0.key.memberName.hasSameBytes(as: name) }?.value.says(value) ?? false
      }
    case (.scalar, .list), (.scalar, .object), (.sequence, _), (.mapping, _): return false
    case (.scalar, _): return value == wanted
    }
  }
}
