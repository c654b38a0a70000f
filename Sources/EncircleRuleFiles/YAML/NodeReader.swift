import EncircleEvents
import EncircleRules
import EncircleText

/// Reads the nodes of a YAML document and reports their problems, with the same messages for rule files and test files.
///
/// Reading continues after each problem, so that all are reported together.
package struct NodeReader {
  let document: YAMLText
  /// The problems found so far.
  package private(set) var diagnostics = DiagnosticList()

  /// Creates a reader of a text.
  ///
  /// - Parameter name: The file name that problems have.
  package init(_ text: String, name: String) { document = YAMLText(text, name: name) }

  /// Creates a reader of nodes that are made of values.
  init(ofValues name: String) { document = YAMLText(ofValues: name) }

  /// Returns the document; nil if it is empty or, which is then reported, not YAML.
  package mutating func root() -> Node? {
    do throws(Diagnostic.Failure) {
      return try document.parse()
    } catch {
      diagnostics.append(error.diagnostic)
      return nil
    }
  }

  /// Returns the place of a node.
  package func location(of node: Node) -> SourceLocation { document.location(of: node) }

  // MARK: - Problems

  /// Reports a problem of the file as a whole.
  package mutating func report(_ message: String) { diagnostics.append(Diagnostic(message, file: document.name)) }

  /// Reports a problem of a node, or `offset` bytes within the text of a scalar.
  package mutating func report(_ message: String, at node: Node, offset: Int = 0, suggestion: String? = nil) {
    diagnostics.append(document.diagnostic(message, at: node, offset: offset, suggestion: suggestion))
  }

  /// Reports a word that is not allowed, and suggests the allowed word that was probably meant.
  ///
  /// - Parameters:
  ///   - what: The kind of word, followed by the word.
  ///   - mistaken: Words of other languages that authors might use here.
  ///   - expected: The text that describes the allowed words; nil lists them all if none is similar.
  /// - Returns: The word that was probably meant; an empty text if the message explains something else; nil without a suggestion.
  @discardableResult package mutating func reportUnknown(
    _ word: String, _ what: String, among allowed: [String], mistaken: ForeignKeywords = .none, at node: Node,
    expected: String? = nil
  ) -> String? {
    if node.scalar?.style == .plain, word.unicodeScalars.contains("：") {
      report(YAMLProblem.fullWidthColon, at: node)
      return ""
    }
    if let cause = YAMLProblem.key(word) {
      report(cause, at: node)
      return ""
    }
    var nearest: String?
    switch mistaken.meaning(of: word) {
    case .other(let sentence):
      report("unknown \(what): \(sentence)", at: node)
      return ""
    case .word(let word) where allowed.contains(word): nearest = word
    default: nearest = Diagnostic.nearest(to: word, among: allowed)
    }
    let expected = expected ?? (nearest == nil ? Self.list(allowed) : nil)
    report("unknown \(what)" + (expected.map { ": expected \($0)" } ?? ""), at: node, suggestion: nearest)
    return nearest
  }

  /// Reports that a node is not a mapping, though one is expected.
  package mutating func reportNoMapping(_ what: String, at node: Node) {
    let cause = node.scalar.flatMap { $0.style == .plain ? YAMLProblem.inPlaceOfMapping($0.string) : nil }
    report(cause ?? "expected \(what)", at: node)
  }

  /// Reports that a node is not the mapping with some keys that is expected.
  mutating func reportNoMapping(_ what: String, with keys: [String], at node: Node) {
    reportNoMapping("\(what), a mapping with \(Self.list(keys))", at: node)
  }

  /// Returns words in quotes, separated by commas.
  package static func list(_ words: [String]) -> String { words.map { "'\($0)'" }.joined(separator: ", ") }

  // MARK: - Nodes

  /// Returns the members of a mapping by key; unknown keys are reported.
  ///
  /// - Parameter mistaken: Keys of other languages that may stand there.
  package mutating func members(
    of node: Node, _ what: String, allowed: [String], mistaken: ForeignKeywords = .none
  ) -> NodeMembers? {
    guard let mapping = node.mapping else {
      reportNoMapping(what, with: allowed, at: node)
      return nil
    }
    var members = NodeMembers()
    members.reserveCapacity(mapping.count)
    for (key, value) in mapping {
      guard let scalar = key.scalar else {
        report("expected a key of \(what)", at: key)
        continue
      }
      if !allowed.contains(scalar.string) {
        if let cause = document.keyWithoutColon(key, value, among: allowed) {
          report(cause, at: key)
          members.noteMisspelt("")
          members.append(scalar.string, value)
          continue
        }
        let meant = reportUnknown(
          scalar.string, "key '\(scalar.string)' in \(what)", among: allowed, mistaken: mistaken, at: key)
        if let meant { members.noteMisspelt(meant) }
      }
      // Unknown members are added as well, so that the mapping does not count as empty.
      members.append(scalar.string, value)
    }
    return members
  }

  /// Reports a file without `version: 1`.
  package mutating func checkVersion(_ members: NodeMembers, of root: Node) {
    if let version = members["version"] {
      if version.scalar?.string != "1" { report("unknown version: expected 1", at: version) }
    } else if !members.mayHave("version") {
      report("the file has no 'version': expected 'version: 1'", at: root)
    }
  }

  /// Returns the nodes of a list, or the node itself; an empty list is reported.
  package mutating func oneOrMore(_ node: Node, _ what: String) -> [Node] {
    guard let sequence = node.sequence else { return [node] }
    if sequence.isEmpty { report("the list of \(what) is empty", at: node) }
    return Array(sequence)
  }

  /// Returns whether a node is null.
  package func isNull(_ node: Node) -> Bool { ScalarTag.isNull(node) }

  /// Returns the text of a scalar, whatever type YAML gives it; an empty one is reported.
  package mutating func name(_ node: Node, _ what: String) -> UTF8String? {
    guard let scalar = node.scalar, !isNull(node), !scalar.string.isEmpty else {
      report(document.mistakenValue(node) ?? Self.textWithColon(node) ?? "expected \(what)", at: node)
      return nil
    }
    return UTF8String(scalar.string)
  }

  /// Returns the problem of a mapping that YAML makes of an unquoted text with a colon at its end, as in `- addToCart:`; nil for other
  /// nodes.
  private static func textWithColon(_ node: Node) -> String? {
    guard let mapping = node.mapping, mapping.count == 1, let (key, value) = mapping.first, let name = key.scalar,
      name.style == .plain, let text = value.scalar, text.style == .plain, text.string.isEmpty
    else { return nil }
    return YAMLProblem.endsWithColon(name.string)
  }

  /// Returns the place in events that a scalar names; a malformed pointer is reported.
  package mutating func reference(_ node: Node) -> PropertyReference? {
    guard let text = name(node, "the name of a property")?.text else { return nil }
    guard let reference = PropertyReference(parsing: text) else {
      report("expected a JSON Pointer (RFC 6901): '~' is written '~0' and '/' in a name '~1'", at: node)
      return nil
    }
    return reference
  }

  /// Returns a truth value; anything else is reported.
  package mutating func flag(_ node: Node) -> Bool? {
    switch node.scalar?.string {
    case "true" where node.scalar?.style == .plain: return true
    case "false" where node.scalar?.style == .plain: return false
    case "true", "false":
      // The schema, too, takes a text for another type.
      report("expected true or false without quotes", at: node)
      return nil
    default:
      report("expected true or false", at: node)
      return nil
    }
  }

  /// Returns a value with its type in YAML; reports a value without a clear type.
  package mutating func scalar(_ node: Node) -> Scalar? {
    guard let text = node.scalar?.string else {
      report(Self.textWithColon(node) ?? "expected a text, a number, true, false or null", at: node)
      return nil
    }
    switch ScalarTag(of: node) {
    case .null:
      guard let mistake = document.mistakenValue(node) else { return .null }
      report(mistake, at: node)
      return nil
    case .bool:
      if text == "true" || text == "false" { return .bool(text == "true") }
      // YAML 1.1 takes yes, no, on and off for truth values, which nobody means in a rule.
      report("'\(text)' is a truth value in YAML: quote it if the text is meant, else write true or false", at: node)
      return nil
    case .int, .float:
      if let number = Array(text.utf8).withUnsafeBufferPointer({ DecimalNumber($0) }) { return .number(number) }
      report("'\(text)' is a number in YAML, but not in JSON: quote it if the text is meant", at: node)
      return nil
    default:
      if !node.tag.isEmpty, let mistake = document.mistakenValue(node) {
        report(mistake, at: node)
        return nil
      }
      return .string(UTF8String(text))
    }
  }
}
