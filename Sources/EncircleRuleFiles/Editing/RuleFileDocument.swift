import EncircleEvents
import EncircleText

/// A rule file as plain data: what its YAML or JSON says, whether or not the rules in it are right.
package struct RuleFileDocument: Sendable {
  /// All of the file; null for an empty one.
  package let value: EventValue

  /// Reads a text.
  ///
  /// - Throws: ``RuleFileErrors`` with the one problem of a text that is neither YAML nor JSON.
  /// - Complexity: O(*n*), *n* bytes; recursion goes no deeper than the readers' limits.
  package init(_ text: String, name: String = "<rules>") throws(RuleFileErrors) {
    do throws(Diagnostic.Failure) {
      value = try YAMLText(text, name: name).parse(resolvesTags: false)?.value ?? .null
    } catch {
      throw RuleFileErrors([error.diagnostic], isMissingInput: false)
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
  /// The node as JSON has it; what is not JSON, such as infinity, is the text as it is written.
  fileprivate var value: EventValue {
    switch content {
    case .scalar(let scalar):
      switch ScalarTag.resolved(self) {
      case .null: return .null
      case .bool where scalar.string == "true": return true
      case .bool where scalar.string == "false": return false
      case .int, .float: return DecimalNumber(scalar.string).map { .number($0) } ?? .string(scalar.string)
      default: return .string(scalar.string)
      }
    case .sequence(let nodes): return .list(nodes.map(\.value))
    case .mapping(let members):
      return .object(
        EventObject(members.map { EventObject.Member(name: $0.key.scalar?.string ?? "", value: $0.value.value) }))
    }
  }
}
