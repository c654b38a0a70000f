import EncircleEvents
import EncircleRules
import EncircleText

extension RuleFileReader {
  /// Reads a test of a name: a name, a list of names, or a mapping of tests.
  mutating func readNameCondition(_ node: Node, _ allowed: [String], _ what: String = "a name") -> Condition? {
    if node.mapping != nil { return readCondition(node, allowed, of: .name) }
    let role: RuleSource.ConditionSource.Value.Role = if case .sequence = node.content { .item } else { .alone }
    var names: [UTF8String] = []
    for node in nodes.oneOrMore(node, "names") {
      noteValue(node, role)
      if let name = nodes.name(node, what) { names.append(name) }
    }
    return names.isEmpty ? nil : .isOneOf(names.map { .string($0) }, fold: false)
  }

  /// The kinds of values that conditions are about.
  enum Tested {
    /// A text, number or another value, with the type that YAML gives it.
    case value
    /// A name, which is a text however it is written: `5` is `"5"`.
    case name
  }

  /// Reads a value that a condition names.
  private mutating func value(
    _ node: Node, _ tested: Tested, _ role: RuleSource.ConditionSource.Value.Role
  ) -> Scalar? {
    noteValue(node, role)
    return tested == .name ? nodes.name(node, "a name").map { .string($0) } : nodes.scalar(node)
  }

  /// Remembers where a value of the condition is.
  private mutating func noteValue(_ node: Node, _ role: RuleSource.ConditionSource.Value.Role) {
    guard condition != nil else { return }
    let test = role == .test ? testKey.flatMap { nodes.document.place(from: $0, through: node) } : nil
    condition?.values.append(
      RuleSource.ConditionSource.Value(role: role, place: nodes.document.place(of: node), test: test))
  }

  /// Reads a test of a value: a scalar that it must equal, a list that must contain it, or a mapping of tests.
  mutating func readCondition(
    _ node: Node, _ allowed: [String], of tested: Tested = .value, fold inherited: Bool = false, depth: Int = 1
  ) -> Condition? {
    guard depth <= Condition.maximumDepth else {
      nodes.report("tests are nested deeper than \(Condition.maximumDepth) levels", at: node)
      return nil
    }
    if let sequence = node.sequence {
      if sequence.isEmpty { nodes.report("the list of values is empty", at: node) }
      return .isOneOf(sequence.compactMap { value($0, tested, .item) }, fold: inherited)
    }
    guard let mapping = node.mapping else { return value(node, tested, .alone).map { .isOneOf([$0], fold: inherited) } }

    var fold = inherited
    for (key, value) in mapping where key.scalar?.string == "fold" { fold = nodes.flag(value) ?? inherited }
    var conditions: [Condition] = []
    var hasTest = false
    for (key, value) in mapping {
      guard let word = key.scalar?.string else {
        nodes.report("expected the name of a test", at: key)
        continue
      }
      if word != "fold" { hasTest = true }
      if word == "kindOf", !allowed.contains(word) {
        nodes.report("only 'page' has the test 'kindOf'", at: key)
        continue
      }
      guard allowed.contains(word) else {
        if let cause = nodes.document.keyWithoutColon(key, value, among: allowed) {
          nodes.report(cause, at: key)
          continue
        }
        nodes.reportUnknown(word, "test '\(word)'", among: allowed, mistaken: .tests, at: key)
        continue
      }
      testKey = key.location
      if let condition = readTest(word, value, allowed, of: tested, fold: fold, depth: depth) {
        conditions.append(condition)
      }
    }
    if !hasTest {
      nodes.report("expected at least one test: \(NodeReader.list(allowed.filter { $0 != "fold" }))", at: node)
    }
    return conditions.count == 1 ? conditions[0] : .all(conditions)
  }

  /// Returns a replacement for a text in a numeric comparison, preceded by a colon; empty if there is no suggestion.
  private static func hint(_ value: Scalar, _ comparison: Condition.Comparison) -> String {
    guard case .string(let text) = value, text.text.utf8.count <= 32 else { return "" }
    if let time = Timestamp.parse(text.text)?.lowerBound, text.text.utf8.contains(UInt8(ascii: "-")) {
      return ": times of events are milliseconds since 1970, as \(time); "
        + "a rule's own time is 'from' and 'to' beside 'include'"
    }
    let range = comparison.rawValue + text.text
    let version = VersionRange(parsing: range) == nil ? nil : "versions are compared by version: \"\(range)\""
    guard Array(text.text.utf8).withUnsafeBufferPointer({ DecimalNumber($0) }) != nil else {
      return version.map { ": \($0)" } ?? ""
    }
    // 5.10 may be either; as a number it would be 5.1.
    let mayBeVersion = text.text.utf8.contains(UInt8(ascii: "."))
    return ": \(text) without quotes" + (mayBeVersion ? version.map { "; \($0)" } ?? "" : "")
  }

  /// Reads a share of all values: `10%`, or a mapping with a salt.
  private mutating func readSample(_ node: Node) -> Condition? {
    var share = node
    var salt: UTF8String = ""
    if node.mapping != nil {
      guard let members = nodes.members(of: node, "a sample", allowed: RuleFileKeys.sample) else { return nil }
      guard let own = members["share"] else {
        if !members.mayHave("share") { nodes.report("the sample has no 'share', such as 10%", at: node) }
        return nil
      }
      share = own
      if let text = members["salt"].flatMap({ nodes.name($0, "a text") }) { salt = text }
    }
    guard let text = share.scalar?.string, let millionths = ValueSample.millionths(parsing: text),
      let sample = ValueSample(millionths: millionths, salt: salt)
    else {
      nodes.report(
        "expected a share in percent above 0, up to 100%, with at most four digits after the point, such as 10% or 0.25%",
        at: share)
      return nil
    }
    return .sample(sample)
  }

  /// Returns the test of a regular expression; nil if it cannot be compiled, which is reported.
  mutating func compile(_ expression: String, fold: Bool, at node: Node) -> Condition? {
    do {
      return try expressions.compile(expression, foldsCase: fold).map { .matches($0) }
    } catch {
      nodes.report("\(error)", at: node)
      return nil
    }
  }

  // This is enough for ranges, which have one or two comparisons. The time to compare ranges grows with the square of this
  // length.
  private static let longestVersionRange = 1_024

  private mutating func readVersionRange(_ node: Node) -> Condition? {
    noteValue(node, .test)
    guard let text = nodes.name(node, "a range of versions")?.text else { return nil }
    guard text.utf8.count <= Self.longestVersionRange else {
      nodes.report("a range of versions is at most \(Self.longestVersionRange) bytes long", at: node)
      return nil
    }
    guard let range = VersionRange(parsing: text) else {
      nodes.report(
        "expected comparisons of versions separated by spaces, such as '>=5.2 <6'", at: node,
        suggestion: VersionRange.written(otherwise: text))
      return nil
    }
    return .version(range)
  }

  private mutating func readTest(
    _ word: String, _ node: Node, _ allowed: [String], of tested: Tested, fold: Bool, depth: Int
  ) -> Condition? {
    switch word {
    case "fold": return nil
    case "use": return useValue(node, allowed, of: tested, fold: fold)
    case "not": return readCondition(node, allowed, of: tested, fold: fold, depth: depth + 1).map { .not($0) }
    case "equals":
      if node.sequence != nil {
        nodes.report("'equals' takes one value: write a list of alternatives under 'in'", at: node)
        return nil
      }
      return value(node, tested, .test).map { .isOneOf([$0], fold: fold) }
    case "in":
      guard let sequence = node.sequence else {
        nodes.report("expected a list of values", at: node)
        return nil
      }
      if sequence.isEmpty { nodes.report("the list of values is empty", at: node) }
      return .isOneOf(sequence.compactMap { value($0, tested, .item) }, fold: fold)
    case "any", "all":
      guard let test = Condition.ListTest(rawValue: word) else { return nil }
      return readCondition(node, allowed, of: tested, fold: fold, depth: depth + 1).map { .items(test, $0) }
    case "number":
      let condition = readCondition(node, RuleFileKeys.numberTest, fold: fold, depth: depth + 1)
      guard let condition else { return nil }
      guard condition.needsNumbers else {
        nodes.report("the number in a text is compared with numbers, as in number: { \">=\": 100 }", at: node)
        return nil
      }
      return .numberInText(condition)
    case "sample": return readSample(node)
    case "exists": return nodes.flag(node).map { .exists($0) }
    case "kindOf":
      let role: RuleSource.ConditionSource.Value.Role = node.sequence == nil ? .test : .item
      return .kindOf(
        nodes.oneOrMore(node, "classes").compactMap {
          noteValue($0, role)
          return nodes.name($0, "a class name")
        })
    case "matches":
      noteValue(node, .test)
      guard let text = nodes.name(node, "a regular expression")?.text else { return nil }
      return compile(text, fold: fold, at: node)
    case "version": return readVersionRange(node)
    default: noteValue(node, .test)
    }
    if let comparison = Condition.Comparison(rawValue: word) {
      guard let value = nodes.scalar(node) else { return nil }
      guard case .number(let number) = value else {
        nodes.report("expected a number" + Self.hint(value, comparison), at: node)
        return nil
      }
      return .number(comparison, number)
    }
    guard let test = Condition.TextTest(rawValue: word) else { return nil }
    let what = node.sequence == nil ? "a text" : "one text: only 'in' takes a list"
    guard let text = nodes.name(node, what) else { return nil }
    return .text(test, text, fold: fold)
  }
}

extension Condition {
  /// This is true if every value in the condition is a number.
  fileprivate var needsNumbers: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.allSatisfy(\.needsNumbers)
    case .not(let part): part.needsNumbers
    case .isOneOf(let values, _): values.allSatisfy { if case .number = $0 { true } else { false } }
    case .number: true
    default: false
    }
  }
}
