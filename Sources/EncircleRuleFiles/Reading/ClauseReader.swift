import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText

/// All reasons why a value is not a clause.
package struct ClauseErrors: Error, Sendable {
  package struct Problem: Sendable {
    package let message: String
    /// The place of the value, as a JSON Pointer.
    package let pointer: String
    /// The column of the problem in the text, counted from 1; nil if it concerns all of the text.
    package let column: Int?
  }

  /// The problems; not empty.
  package let problems: [Problem]
}

/// Reads a clause of a rule from values, such as a request's, with the reader of rule files, so that the syntax and the
/// messages are the same as for files.
///
/// Besides the keys of a clause, the value may have the keys of a rule that change its selection: `unless` and `sameKind`. A list
/// stands for the clauses of a rule, one of which must hold.
package enum ClauseReader {
  /// The id of the rules that are made of clauses.
  package static let ruleID = "clause"

  /// Returns an include rule with the clause, or with the clauses of a list.
  ///
  /// - Parameter pointer: The place of the value, as a JSON Pointer.
  /// - Complexity: O(size of the value), for a bounded depth.
  package static func rule(
    _ value: EventValue, at pointer: String, in style: PathStyleName
  ) throws(ClauseErrors) -> SelectionRule {
    var nodes = ValueNodes(at: pointer)
    var rule = [nodes.member("id", .string(ruleID))]
    if case .object(let members) = value {
      // Members that stand twice are left to the nodes, which name them.
      func isOfRule(_ member: EventObject.Member) -> Bool {
        ["unless", "sameKind"].contains { $0.hasSameBytes(as: member.name) }
      }
      let clause = EventObject(members.members.filter { !isOfRule($0) })
      rule.append(nodes.member("include", nodes.node(.object(clause), at: pointer)))
      for member in members.members where isOfRule(member) { rule.append(nodes.member(member, of: pointer)) }
      nodes.noteRepetitions(members.members.filter(isOfRule), of: pointer)
    } else {
      rule.append(nodes.member("include", nodes.node(value, at: pointer)))
    }
    let file = nodes.mapping([
      nodes.member("version", 1), nodes.member("style", .string(style.rawValue)),
      nodes.member("rules", nodes.sequence([nodes.mapping(rule)])),
    ])
    if !nodes.repetitions.isEmpty { throw ClauseErrors(problems: nodes.repetitions) }
    var expressions = ExpressionBudget()
    var builder = RuleSetBuilder([])
    builder.add(RuleFileReader.read(file, &expressions))
    builder.checkTogether()
    guard builder.diagnostics.isEmpty, let result = builder.finish().rules.first else {
      throw ClauseErrors(
        problems: RuleFileErrors(builder.diagnostics, isMissingInput: false).diagnostics.map { nodes.problem($0) })
    }
    return result
  }
}

/// Makes nodes from values, like the nodes of documents. The line of a node is the number of its place.
private struct ValueNodes {
  private var pointers: [String] = []
  /// The names that stand twice in one object.
  private(set) var repetitions: [ClauseErrors.Problem] = []
  private let root: String

  init(at pointer: String) { root = pointer }

  /// Returns the location of a new node; nodes that do not correspond to a value get the location of the root.
  private mutating func location(_ pointer: String) -> SourceLocation {
    pointers.append(pointer)
    return SourceLocation(line: pointers.count, column: 1)
  }

  // MARK: - Nodes

  // Readers of JSON bound the depth of values.
  mutating func node(_ value: EventValue, at pointer: String) -> Node {
    let place = location(pointer)
    switch value {
    case .list(let values):
      let nodes = values.enumerated().map { node($1, at: "\(pointer)/\($0)") }
      return Node(content: .sequence(nodes), tag: "", location: place)
    case .object(let object):
      noteRepetitions(object.members, of: pointer)
      return Node(content: .mapping(object.members.map { member($0, of: pointer) }), tag: "", location: place)
    default: return Node(scalar: value, at: place)
    }
  }

  mutating func member(_ member: EventObject.Member, of pointer: String) -> (key: Node, value: Node) {
    let place = JSONPointer.member(member.name, of: pointer)
    return (node(.string(member.name), at: place), node(member.value, at: place))
  }

  mutating func member(_ name: String, _ value: Node) -> (key: Node, value: Node) {
    (node(.string(name), at: root), value)
  }

  mutating func member(_ name: String, _ value: EventValue) -> (key: Node, value: Node) {
    member(name, node(value, at: root))
  }

  mutating func mapping(_ members: [(key: Node, value: Node)]) -> Node {
    Node(content: .mapping(members), tag: "", location: location(root))
  }

  mutating func sequence(_ nodes: [Node]) -> Node {
    Node(content: .sequence(nodes), tag: "", location: location(root))
  }

  // MARK: - Problems

  /// Notes names that stand twice.
  mutating func noteRepetitions(_ members: [EventObject.Member], of pointer: String) {
    var known: Set<UTF8String> = []
    for member in members where !known.insert(UTF8String(member.name)).inserted {
      repetitions.append(
        ClauseErrors.Problem(
          message: JSONDocument.repeatedName(member.name),
          pointer: JSONPointer.member(member.name, of: pointer), column: nil))
    }
  }

  /// Returns the problem in a node's diagnostic.
  func problem(_ diagnostic: Diagnostic) -> ClauseErrors.Problem {
    let location = diagnostic.location
    let number = (location?.line ?? 0) - 1
    return ClauseErrors.Problem(
      message: diagnostic.messageWithSuggestion, pointer: pointers.indices.contains(number) ? pointers[number] : root,
      column: location.flatMap { $0.column > 1 ? $0.column : nil })
  }
}
