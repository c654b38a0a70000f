import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText

/// The elements that need no rule, with the reasons, from files `x.coverage.yaml` beside rules.
///
/// ```yaml
/// version: 1
/// setAside:
///   - page: HomeViewController
///     selector: UISearchBar
///     reason: Opens the search, whose own events count.
/// ```
public struct CoverageFiles: Sendable {
  /// The largest file, in bytes.
  public static let maximumFileSize = 1 << 26

  /// The reason for setting elements aside.
  public struct Reason: Sendable {
    /// The reason, in words.
    public let text: String
    /// The person or team that decided so.
    public let owner: String?
    /// The place, `file:line:column`.
    public let origin: String
  }

  /// The reasons, by the id of the rule that selects the elements.
  public let reasons: [UTF8String: Reason]
  /// The rules that select these elements.
  package let ruleSet: RuleSet

  /// Creates no files: nothing is set aside.
  public init() {
    reasons = [:]
    ruleSet = RuleSet()
  }

  #if FILES
    /// Reads the files beside rules.
    ///
    /// - Parameters:
    ///   - rules: The paths of rules, files or directories.
    ///   - ruleSet: Their rules, whose classes and fields hold here, too.
    /// - Throws: ``RuleFileErrors`` with every problem of every file.
    public init(besides rules: [String], for ruleSet: RuleSet) throws(RuleFileErrors) {
      try self.init(RuleDirectory.companions(.coverage, besides: rules), for: ruleSet)
    }

    /// Reads files.
    ///
    /// - Throws: ``RuleFileErrors`` with every problem of every file.
    public init(_ paths: [String], for ruleSet: RuleSet) throws(RuleFileErrors) {
      let read = RuleDirectory.texts(of: paths, limit: Self.maximumFileSize)
      try self.init(texts: read.texts, problems: read.problems, for: ruleSet)
    }
  #endif

  /// Reads texts.
  ///
  /// - Throws: ``RuleFileErrors`` with every problem of every text.
  package init(
    texts: [(name: String, text: String)], problems: [Diagnostic] = [], for rules: RuleSet
  ) throws(RuleFileErrors) {
    var expressions = ExpressionBudget()
    var reasons: [UTF8String: Reason] = [:]
    var problems = problems
    var files: [RuleFile] = []
    for (name, text) in texts {
      var reader = NodeReader(text, name: name)
      if let root = reader.root() {
        let file = Self.rules(root, &reader, rules.style, &reasons)
        files.append(RuleFileReader.read(file, of: &reader, Definitions(), &expressions))
      } else {
        if reader.diagnostics.isEmpty {
          reader.report("the file is empty: expected at least 'version: 1' and 'setAside'")
        }
        problems += reader.diagnostics.kept
      }
    }
    var builder = RuleSetBuilder(problems)
    for file in files { builder.add(file) }
    builder.checkTogether()
    guard builder.diagnostics.isEmpty else { throw RuleFileErrors(builder.diagnostics, isMissingInput: false) }
    var ruleSet = builder.finish()
    ruleSet.classes = rules.classes
    ruleSet.identity = rules.identity
    ruleSet.excludesDefaultPages = false
    if ruleSet.styles == rules.styles { ruleSet.fields = rules.fields }
    self.ruleSet = ruleSet
    self.reasons = reasons
  }

  /// Returns the document of a rule file in which each item is a rule, and adds the items' reasons.
  private static func rules(
    _ root: Node, _ reader: inout NodeReader, _ style: PathStyleName, _ reasons: inout [UTF8String: Reason]
  ) -> Node {
    func scalar(_ text: String) -> Node { Node(scalar: .string(text), at: root.location) }
    func mapping(_ members: [(key: Node, value: Node)], at place: Node) -> Node {
      Node(content: .mapping(members), tag: "", location: place.location)
    }
    let members = reader.members(of: root, "a coverage file", allowed: CoverageKeys.file)
    var file: [(key: Node, value: Node)] = []
    if let version = members?["version"] { file.append((scalar("version"), version)) }
    file.append((scalar("style"), members?["style"] ?? scalar(style.rawValue)))
    var rules: [Node] = []
    if let items = members?["setAside"], !reader.isNull(items) {
      if items.sequence == nil {
        reader.report("expected a list of elements, each with '- ' in front of its first key", at: items)
      }
      for item in items.sequence ?? [] {
        guard let own = reader.members(of: item, "an element that is set aside", allowed: CoverageKeys.item) else {
          continue
        }
        let clause = (item.mapping ?? []).filter { key, _ in !CoverageKeys.own.contains(key.scalar?.string ?? "") }
        var reason: UTF8String?
        if let node = own["reason"] {
          reason = reader.name(node, "a text")
        } else if !own.mayHave("reason") {
          reader.report("the element has no 'reason' for which it is set aside", at: item)
        }
        let owner = own["owner"].flatMap { reader.name($0, "a text") }
        let id = "set-aside-\(reasons.count + 1)"
        reasons[UTF8String(id)] = Reason(
          text: reason?.text ?? "", owner: owner?.text, origin: "\(reader.document.name):\(reader.location(of: item))")
        rules.append(
          mapping([(scalar("id"), scalar(id)), (scalar("include"), mapping(clause, at: item))], at: item))
      }
    }
    file.append((scalar("rules"), Node(content: .sequence(rules), tag: "", location: root.location)))
    return mapping(file, at: root)
  }
}
