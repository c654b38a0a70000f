import EncircleRules
import EncircleText

/// The named clauses and values that the files of a rule set define for use in rules.
///
/// Definitions are read before any rule, so that a rule can use the definitions of every file. A definition cannot use others.
struct Definitions: Sendable {
  /// A clause with a name.
  struct NamedClause: Sendable {
    let clause: RuleClause
    /// The places of its parts, as if it were the first clause of a rule.
    let source: RuleSource
    let styledSelectors: [StyledSelector]
    let identities: [RuleFile.Placed<UTF8String>]
  }

  /// A named value, which may follow a property in `where`.
  struct NamedValue {
    let condition: Condition
    let source: RuleSource.ConditionSource
    let file: String
  }

  var clauses: [UTF8String: NamedClause] = [:]
  var values: [UTF8String: NamedValue] = [:]
  /// The problems of the definitions themselves.
  private(set) var problems = DiagnosticList()
  /// The names of files that are not valid YAML, so that their definitions are unknown.
  private(set) var unreadFiles: [UTF8String] = []
  private var places: [UTF8String: Diagnostic.Note] = [:]

  /// Reads the definitions of files. Files that do not contain the word `define` are skipped.
  init(of files: [(name: String, text: String)], _ expressions: inout ExpressionBudget) {
    for file in files where Self.mayDefine(file.text) {
      let own = RuleFileReader.definitions(in: file.text, name: file.name, &expressions)
      problems.append(contentsOf: own.diagnostics)
      if !own.isRead { unreadFiles.append(UTF8String(file.name)) }
      for entry in own.clauses { add(entry.name, "clause", file.name) { $0.clauses[entry.name.value] = entry.value } }
      for entry in own.values { add(entry.name, "value", file.name) { $0.values[entry.name.value] = entry.value } }
    }
  }

  /// Creates an empty set of definitions.
  init() {}

  private mutating func add(
    _ name: RuleFile.Placed<UTF8String>, _ kind: String, _ file: String, _ set: (inout Definitions) -> Void
  ) {
    let key = UTF8String("\(kind) \(name.value)")
    if let other = places[key] {
      var diagnostic = name.diagnostic("there are two \(kind)s with the name '\(name.value)'")
      diagnostic.notes = [other]
      problems.append(diagnostic)
      return
    }
    places[key] = Diagnostic.Note(
      message: "the first \(kind) with the name '\(name.value)'", file: file, location: name.location)
    set(&self)
  }

  /// Returns whether a text may have definitions.
  static func mayDefine(_ text: String) -> Bool { text.containsBytes(of: "define") }

  /// Returns the parts of files that contain definitions. If they are equal, the definitions and their places are the same.
  static func key(of files: [(name: String, text: String)]) -> [String] {
    files.filter { mayDefine($0.text) }.flatMap { [$0.name, section(of: $0.text) ?? $0.text] }
  }

  /// Returns the number of lines before the key `define`, and the lines of that key; nil if it shares lines with others.
  private static func section(of text: String) -> String? {
    var section = ""
    var isInside = false
    var count = 0
    for (number, line) in text.splitBytes(at: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.utf8.starts(with: "define:".utf8) {
        count += 1
        isInside = true
        section += "\(number)\n"
      } else if let first = line.utf8.first, first != 0x20, first != UInt8(ascii: "#"), first != 0x0D {
        isInside = false
      }
      if isInside { section += line + "\n" }
    }
    return count == 1 ? section : nil
  }
}

extension RuleFileReader {
  /// The definitions of one file, in their order, and their problems.
  struct OwnDefinitions {
    var clauses: [(name: RuleFile.Placed<UTF8String>, value: Definitions.NamedClause)] = []
    var values: [(name: RuleFile.Placed<UTF8String>, value: Definitions.NamedValue)] = []
    var diagnostics = DiagnosticList()
    /// This is true if the file is valid YAML.
    var isRead = true
  }

  /// Reads the definitions of a file. Problems of the file itself are reported when the whole file is read.
  static func definitions(
    in text: String, name: String, _ expressions: inout ExpressionBudget
  ) -> OwnDefinitions {
    var reader = RuleFileReader(
      nodes: NodeReader(text, name: name), file: RuleFile(name: name), keepsSources: true, expressions: expressions)
    defer { expressions = reader.expressions }
    let root = reader.nodes.root()
    guard let define = root?.mapping?.first(where: { $0.key.scalar?.string == "define" }) else {
      return OwnDefinitions(isRead: reader.nodes.diagnostics.isEmpty)
    }
    reader.isDefining = true
    var own = reader.readDefinitions(define.value)
    own.diagnostics = reader.nodes.diagnostics
    return own
  }

  private mutating func readDefinitions(_ node: Node) -> OwnDefinitions {
    var own = OwnDefinitions()
    guard let members = nodes.members(of: node, "define", allowed: RuleFileKeys.define) else { return own }
    if let clauses = members["clauses"] {
      for (name, node) in named(clauses, "clauses") {
        source = RuleSource(file: file.name)
        style = .unstated
        ownIdentities = []
        file.styledSelectors = []
        guard let clause = readClause(node, .clauses, 0), let source else { continue }
        own.clauses.append(
          (
            name,
            Definitions.NamedClause(
              clause: clause, source: source, styledSelectors: file.styledSelectors.map(\.absolute),
              identities: ownIdentities.map(\.absolute))
          ))
      }
    }
    if let values = members["values"] {
      for (name, node) in named(values, "values") {
        condition = RuleSource.ConditionSource()
        let allowed = RuleFileKeys.test + ["kindOf"]
        if let read = readCondition(node, allowed), let condition {
          own.values.append(
            (name, Definitions.NamedValue(condition: read, source: condition.inFile(file.name), file: file.name)))
        }
        condition = nil
      }
    }
    return own
  }

  private mutating func named(
    _ node: Node, _ what: String
  ) -> [(name: RuleFile.Placed<UTF8String>, node: Node)] {
    guard let mapping = node.mapping else {
      nodes.reportNoMapping("a mapping from names to \(what)", at: node)
      return []
    }
    return mapping.compactMap { key, value in
      nodes.name(key, "a name").map { (nodes.document.placed($0, at: key), value) }
    }
  }

  // MARK: - Using

  /// Adds the conditions of named clauses to a clause that uses them.
  mutating func use(
    _ node: Node, _ section: RuleSource.Section, _ number: Int, _ clause: inout RuleClause
  ) {
    if isDefining {
      nodes.report("a definition cannot use another one: write out its conditions", at: node)
      return
    }
    var (events, pages) = ([clause.event], [clause.page])
    for node in nodes.oneOrMore(node, "names") {
      guard let name = nodes.name(node, "the name of a clause under 'define'") else { continue }
      guard let named = definitions.clauses[name] else {
        reportUndefined(name, "clause", Array(definitions.clauses.keys), definitions.values[name] != nil, at: node)
        continue
      }
      merge(named, name, section, number, &clause, at: node)
      events.append(named.clause.event)
      pages.append(named.clause.page)
    }
    // All conditions are joined in one step, so that the nesting does not grow with the number of clauses used.
    (clause.event, clause.page) = (Self.joined(events), Self.joined(pages))
  }

  private static func joined(_ conditions: [Condition?]) -> Condition? {
    let conditions = conditions.compactMap { $0 }
    return conditions.count > 1 ? .all(conditions) : conditions.first
  }

  private mutating func reportUndefined(
    _ name: UTF8String, _ kind: String, _ known: [UTF8String], _ isOther: Bool, at node: Node
  ) {
    // The name may be defined in a file that is not valid YAML, which is a problem of its own.
    guard definitions.unreadFiles.isEmpty else { return }
    let other = kind == "clause" ? "value" : "clause"
    let hint =
      isOther
      ? ": there is a \(other) with this name, which is used in \(other == "value" ? "a test" : "a clause")"
      : known.isEmpty ? ": 'define: { \(kind)s: { \(name): … } }' defines one, in any file of the rule set" : ""
    nodes.report(
      "no \(kind) is defined as '\(name)'\(hint)", at: node,
      suggestion: isOther ? nil : Diagnostic.nearest(to: name.text, among: known.map(\.text).sorted()))
  }

  private mutating func merge(
    _ named: Definitions.NamedClause, _ name: UTF8String, _ section: RuleSource.Section, _ number: Int,
    _ clause: inout RuleClause, at node: Node
  ) {
    let other = named.clause
    if !clause.selectors.isEmpty && !other.selectors.isEmpty || !clause.eventIDs.isEmpty && !other.eventIDs.isEmpty {
      nodes.report(
        "the clause and '\(name)' both say which element: a clause says it once; write alternatives as a list of clauses",
        at: node)
      return
    }
    if other.style != .unstated {
      if clause.style != .unstated, clause.style != other.style {
        nodes.report("the clause and '\(name)' are for events of different styles", at: node)
        return
      }
      clause.style = other.style
      file.statesStyles = true
    }
    let (hadSelectors, hadIDs, propertyCount) = (
      !clause.selectors.isEmpty, !clause.eventIDs.isEmpty, clause.properties.count
    )
    clause.selectors += other.selectors
    clause.eventIDs += other.eventIDs
    clause.properties += other.properties
    file.styledSelectors += named.styledSelectors.map { selector in
      var selector = selector
      selector.style = clause.style
      return selector
    }
    if section == .clauses { ownIdentities += named.identities }
    source?.add(named.source) { part in
      switch part {
      case .event: .event(section, number)
      case .page: .page(section, number)
      case .selector(_, _, let i): hadSelectors ? nil : .selector(section, number, i)
      case .element(_, _, let i): hadIDs ? nil : .element(section, number, i)
      case .property(_, _, let i): .property(section, number, propertyCount + i)
      case .id, .from, .to, .sameKind, .tolerance, .clause, .given: nil
      }
    }
  }

  /// Returns the condition that a named value stands for.
  ///
  /// - Parameter fold: True if its tests ignore case here, as the other tests beside `use` do.
  mutating func useValue(_ node: Node, _ allowed: [String], of tested: Tested, fold: Bool) -> Condition? {
    if isDefining {
      nodes.report("a definition cannot use another one: write out its conditions", at: node)
      return nil
    }
    guard let name = nodes.name(node, "the name of a value under 'define'") else { return nil }
    guard let named = definitions.values[name] else {
      reportUndefined(name, "value", Array(definitions.values.keys), definitions.clauses[name] != nil, at: node)
      return nil
    }
    if let word = named.condition.firstWord(notIn: allowed) {
      nodes.report("the value '\(name)' has the test '\(word)', which cannot be used here", at: node)
      return nil
    }
    condition?.values += named.source.values
    let used = tested == .name ? named.condition.ofNames : named.condition
    return fold ? folding(used, at: node) : used
  }

  /// Returns a condition whose tests all ignore case; nil if a regular expression cannot be compiled again, which is reported.
  private mutating func folding(_ condition: Condition, at node: Node) -> Condition? {
    switch condition {
    case .all(let parts): return .all(parts.compactMap { folding($0, at: node) })
    case .any(let parts): return .any(parts.compactMap { folding($0, at: node) })
    case .not(let part): return folding(part, at: node).map { .not($0) }
    case .items(let test, let part): return folding(part, at: node).map { .items(test, $0) }
    case .isOneOf(let values, _): return .isOneOf(values, fold: true)
    case .text(let test, let text, _): return .text(test, text, fold: true)
    case .matches(let expression): return compile(expression.description, fold: true, at: node)
    case .numberInText(let part): return folding(part, at: node).map { .numberInText($0) }
    case .exists, .number, .version, .kindOf, .sample: return condition
    }
  }
}

extension Condition {
  /// Returns the name of a test in the condition that is not among the allowed ones; nil if all are allowed.
  fileprivate func firstWord(notIn allowed: [String]) -> String? {
    switch self {
    case .all(let parts), .any(let parts): return parts.lazy.compactMap { $0.firstWord(notIn: allowed) }.first
    case .not(let part): return part.firstWord(notIn: allowed)
    case .items(let test, let part):
      return allowed.contains(test.rawValue) ? part.firstWord(notIn: allowed) : test.rawValue
    case .numberInText: return allowed.contains("number") ? nil : "number"
    case .sample: return allowed.contains("sample") ? nil : "sample"
    case .kindOf: return allowed.contains("kindOf") ? nil : "kindOf"
    case .text(let test, _, _): return allowed.contains(test.rawValue) ? nil : test.rawValue
    case .matches: return allowed.contains("matches") ? nil : "matches"
    case .exists: return allowed.contains("exists") ? nil : "exists"
    case .version: return allowed.contains("version") ? nil : "version"
    case .isOneOf, .number: return nil
    }
  }

  /// The condition with each value that it compares with turned into a text, because names are texts.
  fileprivate var ofNames: Condition {
    switch self {
    case .all(let parts): .all(parts.map(\.ofNames))
    case .any(let parts): .any(parts.map(\.ofNames))
    case .not(let part): .not(part.ofNames)
    case .isOneOf(let values, let fold):
      .isOneOf(
        values.map { value in
          if case .string = value { value } else { .string(UTF8String(value.description)) }
        }, fold: fold)
    default: self
    }
  }
}
