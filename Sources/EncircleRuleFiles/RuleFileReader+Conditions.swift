import EncircleEvents
import EncircleRules
import EncircleText
import Yams

extension RuleFileReader {
  /// A test of a name: one, a list, or tests.
  mutating func readNameCondition(_ node: Node, _ allowed: [String]) -> Condition? {
    if node.mapping != nil { return readCondition(node, allowed) }
    let names = oneOrMore(node, "names").compactMap { name($0, "a name") }
    return names.isEmpty ? nil : .isOneOf(names.map { .string($0) }, fold: false)
  }

  /// A test of a value: a scalar, which it must equal, a list, of which it must be one, or tests.
  mutating func readCondition(
    _ node: Node, _ allowed: [String], fold inherited: Bool = false, depth: Int = 1
  ) -> Condition? {
    guard depth <= Condition.maximumDepth else {
      report("tests are nested deeper than \(Condition.maximumDepth) levels", at: node)
      return nil
    }
    if let sequence = node.sequence {
      if sequence.isEmpty { report("the list of values is empty", at: node) }
      return .isOneOf(sequence.compactMap { scalar($0) }, fold: inherited)
    }
    guard let mapping = node.mapping else { return scalar(node).map { .isOneOf([$0], fold: inherited) } }

    var fold = inherited
    for (key, value) in mapping where key.scalar?.string == "fold" { fold = flag(value) ?? inherited }
    var conditions: [Condition] = []
    var hasTest = false
    for (key, value) in mapping {
      guard let word = key.scalar?.string else {
        report("expected the name of a test", at: key)
        continue
      }
      if word != "fold" { hasTest = true }
      guard allowed.contains(word) else {
        let nearest = Diagnostic.nearest(to: word, among: allowed)
        report(
          "unknown test '\(word)'" + (nearest == nil ? ": expected \(Self.list(allowed))" : ""), at: key,
          suggestion: nearest)
        continue
      }
      if let condition = readTest(word, value, allowed, fold: fold, depth: depth) { conditions.append(condition) }
    }
    if !hasTest { report("expected at least one test: \(Self.list(allowed.filter { $0 != "fold" }))", at: node) }
    return conditions.count == 1 ? conditions[0] : .all(conditions)
  }

  private mutating func readTest(
    _ word: String, _ node: Node, _ allowed: [String], fold: Bool, depth: Int
  ) -> Condition? {
    switch word {
    case "fold": return nil
    case "not": return readCondition(node, allowed, fold: fold, depth: depth + 1).map { .not($0) }
    case "equals": return scalar(node).map { .isOneOf([$0], fold: fold) }
    case "in":
      guard let sequence = node.sequence else {
        report("expected a list of values", at: node)
        return nil
      }
      if sequence.isEmpty { report("the list of values is empty", at: node) }
      return .isOneOf(sequence.compactMap { scalar($0) }, fold: fold)
    case "exists": return flag(node).map { .exists($0) }
    case "kindOf": return .kindOf(oneOrMore(node, "classes").compactMap { name($0, "a class name") })
    case "matches":
      guard let text = name(node, "a regular expression")?.text else { return nil }
      do throws(RegularExpression.SyntaxError) {
        return .matches(try RegularExpression(text, foldsCase: fold))
      } catch {
        report("in the regular expression (RE2 syntax): \(error.message)", at: node)
        return nil
      }
    case "version":
      guard let text = name(node, "a range of versions")?.text else { return nil }
      guard let range = VersionRange(parsing: text) else {
        report("expected comparisons of versions separated by spaces, such as '>=5.2 <6'", at: node)
        return nil
      }
      return .version(range)
    default: break
    }
    if let comparison = Condition.Comparison(rawValue: word) {
      guard case .number(let number)? = scalar(node) else {
        report("expected a number", at: node)
        return nil
      }
      return .number(comparison, number)
    }
    guard let test = Condition.TextTest(rawValue: word), let text = name(node, "a text") else { return nil }
    return .text(test, text, fold: fold)
  }

  /// A value as YAML types it.
  package mutating func scalar(_ node: Node) -> Scalar? {
    guard let text = node.scalar?.string else {
      report("expected a text, a number, true, false or null", at: node)
      return nil
    }
    switch ScalarTag.resolved(node) {
    case .null: return .null
    case .bool:
      if text == "true" || text == "false" { return .bool(text == "true") }
      // YAML 1.1 takes yes, no, on and off for truth values, which nobody means in a rule.
      report("'\(text)' is a truth value in YAML: quote it if the text is meant, else write true or false", at: node)
      return nil
    case .int, .float:
      if let number = Array(text.utf8).withUnsafeBufferPointer({ DecimalNumber($0) }) { return .number(number) }
      report("'\(text)' is a number in YAML, but not in JSON: quote it if the text is meant", at: node)
      return nil
    default: return .string(UTF8String(text))
    }
  }
}
