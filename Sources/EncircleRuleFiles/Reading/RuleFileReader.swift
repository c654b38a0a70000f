import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText

/// Reads one rule file. It goes on after each problem, so that all are reported together.
struct RuleFileReader {
  var nodes: NodeReader
  var file: RuleFile
  // The places of the parts of the rule that is being read; nil if they are not wanted.
  var source: RuleSource?
  // The places of the values of the condition that is being read; nil if they are not wanted.
  var condition: RuleSource.ConditionSource?
  // The place of the name of the test that is being read.
  var testKey: SourceLocation?
  let keepsSources: Bool
  // The class names of selectors.
  let names = UTF8StringPool()
  // The cost of all regular expressions in the rule set so far.
  var expressions: ExpressionBudget
  // The named definitions of the rule set.
  var definitions = Definitions()
  // This is true if definitions are being read.
  var isDefining = false
  // The style of the rule that is being read.
  var style = RuleClause.Style.unstated
  // The identities that the current rule names.
  var ownIdentities: [RuleFile.Placed<UTF8String>] = []

  /// Reads a file: its rules, and all that is wrong with it.
  ///
  /// - Parameter keepsSources: True to keep the places of the parts of rules.
  static func read(
    _ text: String, name: String, keepsSources: Bool, _ definitions: Definitions, _ expressions: inout ExpressionBudget
  ) -> RuleFile {
    var nodes = NodeReader(text, name: name)
    let root = nodes.root()
    return read(root, of: &nodes, sourcesOf: keepsSources ? text : nil, definitions, &expressions)
  }

  /// Reads a file whose text has been read.
  static func read(
    _ document: RuleFileDocument, keepsSources: Bool, _ definitions: Definitions, _ expressions: inout ExpressionBudget
  ) -> RuleFile {
    guard let root = document.nodes else {
      return read(document.text, name: document.name, keepsSources: keepsSources, definitions, &expressions)
    }
    var nodes = NodeReader(document.text, name: document.name)
    return read(root.first, of: &nodes, sourcesOf: keepsSources ? document.text : nil, definitions, &expressions)
  }

  /// Reads a file whose nodes are made of values.
  static func read(_ root: Node, name: String = "<values>", _ expressions: inout ExpressionBudget) -> RuleFile {
    var nodes = NodeReader(ofValues: name)
    return read(root, of: &nodes, Definitions(), &expressions)
  }

  /// Reads a file from nodes, which may be of a document of another kind. The rules keep the places in that document, and problems
  /// also go to that document's reader.
  ///
  /// - Parameters:
  ///   - root: The document; nil if it is empty or, which was reported, not YAML.
  ///   - text: The text of the file, to keep the places of the parts of rules; nil to keep none.
  static func read(
    _ root: Node?, of document: inout NodeReader, sourcesOf text: String? = nil, _ definitions: Definitions,
    _ expressions: inout ExpressionBudget
  ) -> RuleFile {
    var reader = RuleFileReader(
      nodes: document, file: RuleFile(name: document.document.name), keepsSources: text != nil,
      expressions: expressions, definitions: definitions)
    if let root {
      reader.file.isDocument = true
      reader.readFile(root)
    } else if reader.nodes.diagnostics.isEmpty {
      reader.nodes.report("the file is empty: expected at least 'version: 1' and 'rules'")
    }
    (document, expressions) = (reader.nodes, reader.expressions)
    reader.file.diagnostics = document.diagnostics
    if let text, reader.file.diagnostics.isEmpty { reader.file.suppressions = SuppressionComment.all(in: text) }
    return reader.file
  }

  // MARK: - File

  private mutating func readFile(_ root: Node) {
    guard let members = nodes.members(of: root, "a rule file", allowed: RuleFileKeys.file, mistaken: .file) else {
      return
    }
    nodes.checkVersion(members, of: root)
    if let apps = members["app"] {
      for app in nodes.oneOrMore(apps, "apps") {
        guard let name = nodes.name(app, "the identifier of an app"), !file.apps.contains(name) else { continue }
        file.apps.append(name)
        note(.app, name, app)
      }
    }
    if let track = members["track"], let word = nodes.name(track, "'selected' or 'all'") {
      if let value = RuleSet.Tracking(rawValue: word.text) {
        file.track = nodes.document.placed(value, at: track)
      } else {
        nodes.reportUnknown(
          word.text, "value '\(word)' of 'track'", among: RuleSet.Tracking.allCases.map(\.rawValue), at: track,
          expected: "'selected' or 'all'")
      }
    }
    if let style = members["style"], case .only(let value) = readStyle(style, allowsAny: false) {
      file.style = nodes.document.placed(value, at: style)
    }
    if let classes = members["classes"] { readClasses(classes) }
    if let pages = members["pages"] { readPages(pages) }
    if let identity = members["identity"] { readIdentity(identity) }
    if let fields = members["fields"] { readFields(fields) }
    if let checks = members["checks"] { file.checks = readChecks(checks) }
    if let rules = members["rules"] {
      if let sequence = rules.sequence {
        for rule in sequence { readRule(rule) }
      } else if nodes.isNull(rules) {
        file.emptyRulesLine = nodes.location(of: rules).line
      } else {
        nodes.report("expected a list of rules, each with '- ' in front of its first key", at: rules)
      }
    }
  }

  /// Reads the style of a file, a rule or a clause; unstated if it is unknown.
  mutating func readStyle(_ node: Node, allowsAny: Bool) -> RuleClause.Style {
    guard let word = nodes.name(node, "the name of a path style") else { return .unstated }
    if allowsAny, word == "any" { return .any }
    guard let value = PathStyleName(rawValue: word.text) else {
      let names = PathStyleName.allCases.map(\.rawValue) + (allowsAny ? ["any"] : [])
      if word == "any" {
        nodes.report(
          "a file has one style, in which selectors are read; rules and clauses without selectors may have 'style: any'",
          at: node)
      } else {
        nodes.reportUnknown(
          word.text, "path style '\(word)'", among: names, at: node, expected: NodeReader.list(names))
      }
      return .unstated
    }
    if allowsAny { file.ownStyles.append(nodes.document.placed(value, at: node)) }
    return .only(value)
  }

  private mutating func readClasses(_ node: Node) {
    guard let mapping = node.mapping else {
      return nodes.reportNoMapping("a mapping from class names to superclasses", at: node)
    }
    for (key, value) in mapping {
      guard let name = nodes.name(key, "a class name"), let superclass = nodes.name(value, "the name of a superclass")
      else {
        continue
      }
      file.classes.append(nodes.document.placed((name, superclass), at: key))
      note(.className, name, key)
      note(.superclass, superclass, value)
    }
  }

  private mutating func readPages(_ node: Node) {
    guard let members = nodes.members(of: node, "pages", allowed: RuleFileKeys.pages) else { return }
    if let defaults = members["defaults"], let value = nodes.flag(defaults) {
      file.excludesDefaultPages = nodes.document.placed(value, at: defaults)
    }
    guard let exclude = members["exclude"] else { return }
    for page in nodes.oneOrMore(exclude, "pages") {
      if page.mapping != nil {
        readPageWithExceptions(page)
        continue
      }
      if let name = nodes.name(page, "the class name of a page") {
        for app in file.eachApp { file.excludedPages.append(ExcludedPage(name, app: app)) }
        note(.excludedPage, name, page)
      }
    }
  }

  /// Reads an excluded page with exceptions. It becomes an exclude rule whose id is derived from the page.
  private mutating func readPageWithExceptions(_ node: Node) {
    let allowed = RuleFileKeys.excludedPage
    guard let members = nodes.members(of: node, "an excluded page", allowed: allowed, mistaken: .excludedPage) else {
      return
    }
    for key in allowed where !members.mayHave(key) && !members.hasExplained {
      nodes.report(
        key == "page"
          ? "the page that is excluded is missing: expected 'page: CLASS' beside 'unless'"
          : "expected 'unless' with the clauses for which the page is not excluded, or the class name of the page alone",
        at: node)
    }
    guard let page = members["page"], let name = nodes.name(page, "the class name of a page"),
      let exceptions = members["unless"]
    else { return }
    source = keepsSources ? RuleSource(file: file.name) : nil
    style = .unstated
    for part in [RuleSource.Part.id, .clause(.clauses, 0), .page(.clauses, 0)] { note(part, page) }
    var clause = RuleClause()
    clause.page = .kindOf([name])
    var rule = SelectionRule(UTF8String("pages.exclude.\(name)"), .exclude, [clause])
    rule.unless = readClauses(exceptions, .unless)
    rule.apps = file.apps
    rule.location = "\(file.name):\(nodes.document.location(of: page))"
    file.rules.append(nodes.document.placed(rule, at: page))
    if let source { file.sources[rule.id] = source }
  }

  /// Reads the options for identities: whether they contain the title of all pages, or of some.
  private mutating func readIdentity(_ node: Node) {
    guard let members = nodes.members(of: node, "identity", allowed: RuleFileKeys.identity),
      let pages = members["screenTitle"]
    else { return }
    switch pages.scalar?.string {
    case "true": file.titledPages = file.eachApp.map { IdentityOptions.Page(app: $0) }
    case "false": break
    default:
      for page in nodes.oneOrMore(pages, "pages") {
        guard let name = nodes.name(page, "true, false or the class name of a page") else { continue }
        for app in file.eachApp { file.titledPages.append(IdentityOptions.Page(name, app: app)) }
      }
    }
  }

  private mutating func readFields(_ node: Node) {
    guard let mapping = node.mapping else {
      return nodes.reportNoMapping("a mapping from fields to properties", at: node)
    }
    for (key, value) in mapping {
      guard let word = nodes.name(key, "the name of a field") else { continue }
      guard let field = EventFields.Field(rawValue: word.text) else {
        nodes.reportUnknown(word.text, "field '\(word)'", among: RuleFileKeys.fields, at: key)
        continue
      }
      let places = nodes.oneOrMore(value, "properties").compactMap { node in
        let reference = nodes.reference(node)
        if case .property(let name)? = reference { note(.property(field), name, node) }
        return reference
      }
      if !places.isEmpty {
        file.fields.append(nodes.document.placed((field, places), at: key))
      }
    }
  }

  /// Remembers where a part of the rule is.
  mutating func note(_ part: RuleSource.Part, _ node: Node) {
    source?.set(part, nodes.document.place(of: node))
  }

  /// Reads a condition and keeps the places of its values.
  mutating func noting(
    _ part: RuleSource.Part, _ node: Node, _ read: (inout RuleFileReader) -> Condition?
  ) -> Condition? {
    guard source != nil else { return read(&self) }
    condition = RuleSource.ConditionSource()
    defer { condition = nil }
    let result = read(&self)
    // With 'use', some tests are in the braces of a definition instead of these.
    if let condition, condition.values.allSatisfy({ $0.place.file == nil }) {
      self.condition?.braces = nodes.document.placeOfBraces(node)
    }
    if let condition { source?.set(part, condition) }
    return result
  }
}
