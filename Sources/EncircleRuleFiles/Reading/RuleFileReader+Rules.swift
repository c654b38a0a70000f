import EncircleEvents
import EncircleRules
import EncircleText

extension RuleFileReader {
  mutating func readRule(_ node: Node) {
    let before = nodes.diagnostics.count
    guard let members = nodes.members(of: node, "a rule", allowed: RuleFileKeys.rule, mistaken: .rule) else { return }
    source = keepsSources ? RuleSource(file: file.name) : nil
    ownIdentities.removeAll()
    let place = members["id"] ?? node
    note(.id, place)
    if let from = members["from"] { note(.from, from) }
    if let to = members["to"] { note(.to, to) }
    if let sameKind = members["sameKind"] { note(.sameKind, sameKind) }
    if let tolerance = members["tolerance"] { note(.tolerance, tolerance) }
    var id: UTF8String?
    if let node = members["id"] {
      id = nodes.name(node, "an id")
    } else if !members.mayHave("id") {
      nodes.report("the rule has no 'id'", at: node)
    }

    style = members["style"].map { readStyle($0, allowsAny: true) } ?? .unstated
    var effect = SelectionRule.Effect.include
    var clauses: [RuleClause] = []
    switch (members["include"], members["exclude"]) {
    case (let include?, nil): clauses = readClauses(include, .clauses)
    case (nil, let exclude?):
      effect = .exclude
      clauses = readClauses(exclude, .clauses)
    case (_?, let exclude?): nodes.report("a rule has either 'include' or 'exclude', not both", at: exclude)
    case (nil, nil) where members.mayHave("include") || members.mayHave("exclude") || members.hasExplained: break
    case (nil, nil): nodes.report("the rule has neither 'include' nor 'exclude'", at: node)
    }
    var rule = SelectionRule(id ?? "", effect, clauses)
    if let unless = members["unless"] { rule.unless = readClauses(unless, .unless) }
    if let emit = members["emit"] { readNames(emit, &rule) }
    if let properties = members["properties"] { rule.properties = readGivenProperties(properties, effect) }
    if let enabled = members["enabled"] { rule.isEnabled = nodes.flag(enabled) ?? true }
    if let sameKind = members["sameKind"] { rule.sameKind = nodes.flag(sameKind) ?? false }
    if let tolerance = members["tolerance"] { rule.tolerance = readTolerance(tolerance, effect) }
    if let from = members["from"] { rule.from = time(from)?.lowerBound }
    if let to = members["to"] { rule.to = time(to)?.upperBound }
    if let from = rule.from, let to = rule.to, from > to, let node = members["to"] {
      nodes.report("'to' is before 'from'", at: node)
    }
    if let during = members["during"] { readWindows(during, members, &rule) }
    if let name = members["name"] { rule.name = nodes.name(name, "a text")?.text }
    if let text = members["description"] { rule.summary = nodes.name(text, "a text")?.text }
    if let owner = members["owner"] { rule.owner = nodes.name(owner, "a text")?.text }
    if let tags = members["tags"] {
      rule.tags = nodes.oneOrMore(tags, "tags").compactMap { nodes.name($0, "a word")?.text }
    }
    if let origin = members["origin"] { rule.origin = readOrigin(origin) }
    if let checks = members["checks"] {
      let settings = readChecks(checks)
      source?.checks = settings
    }
    if rule.sameKind { checkSameKind(rule, members["include"] ?? members["exclude"] ?? node) }
    rule.apps = file.apps
    rule.location = "\(file.name):\(nodes.document.location(of: place))"
    if nodes.diagnostics.count == before || id != nil {
      file.rules.append(nodes.document.placed(rule, at: place))
      if let id, let source { file.sources[id] = source }
    }
  }

  /// Reads the names under which a rule selects events.
  private mutating func readNames(_ node: Node, _ rule: inout SelectionRule) {
    if node.mapping != nil {
      nodes.report("expected a name, or a list of names: a name is a constant", at: node)
      return
    }
    var names: [String] = []
    for node in nodes.oneOrMore(node, "names") {
      guard let name = readEmit(node) else { continue }
      if names.contains(where: { $0.hasSameBytes(as: name) }) {
        nodes.report("the rule has the name '\(name)' twice", at: node)
      }
      names.append(name)
    }
    guard let first = names.first else { return }
    rule.emit = first
    rule.otherNames = Array(names.dropFirst())
  }

  /// Reads the spans of time of a rule that has several.
  private mutating func readWindows(_ node: Node, _ members: NodeMembers, _ rule: inout SelectionRule) {
    for key in ["from", "to"] {
      guard let other = members[key] else { continue }
      nodes.report("a rule has either 'during' or 'from' and 'to': add this span to the list", at: other)
    }
    note(.from, node)
    note(.to, node)
    for item in nodes.oneOrMore(node, "spans of time") {
      guard let span = nodes.members(of: item, "a span of time", allowed: RuleFileKeys.window) else { continue }
      let window = SelectionRule.Window(
        from: span["from"].flatMap { time($0)?.lowerBound }, to: span["to"].flatMap { time($0)?.upperBound })
      if span.isEmpty { nodes.report("the span has no bound: expected 'from', 'to' or both", at: item) }
      if let from = window.from, let to = window.to, from > to, let node = span["to"] {
        nodes.report("'to' is before 'from'", at: node)
      }
      rule.windows.append(window)
    }
    rule.from = rule.windows.contains { $0.from == nil } ? nil : rule.windows.compactMap(\.from).min()
    rule.to = rule.windows.contains { $0.to == nil } ? nil : rule.windows.compactMap(\.to).max()
    if rule.windows.count == 1 { rule.windows = [] }
  }

  /// Reads the minimum confidence at which a rule selects an element approximately.
  private mutating func readTolerance(_ node: Node, _ effect: SelectionRule.Effect) -> Double? {
    guard effect == .include else {
      nodes.report("an exclude rule cannot have a 'tolerance': only certain matches may be excluded", at: node)
      return nil
    }
    guard let text = node.scalar?.string, let number = DecimalNumber(text).flatMap({ Double($0.description) }),
      number > 0, number <= 1
    else {
      nodes.report("expected a confidence above 0, up to 1, such as 0.8", at: node)
      return nil
    }
    return number
  }

  /// Limits the size to which a rule with `sameKind` expands, and records its identities. Their paths are read after all files.
  private mutating func checkSameKind(_ rule: SelectionRule, _ node: Node) {
    var count = 0
    for clause in rule.clauses { count += (clause.eventIDs.count + 1) * max(1, clause.selectors.count) }
    if count > RuleClause.maximumSameKindSelectors {
      nodes.report(
        "'sameKind' makes more than \(RuleClause.maximumSameKindSelectors) selectors of the rule's selectors and event IDs",
        at: node)
    }
    file.identities += ownIdentities
  }

  private mutating func time(_ node: Node) -> ClosedRange<Int64>? {
    guard let text = node.scalar?.string, let time = Timestamp.parse(text) else {
      nodes.report(
        "expected a date, a time as in 2026-03-01T08:00:00Z, or milliseconds since 1970 with at least 10 digits",
        at: node,
        suggestion: node.scalar.flatMap { Self.date(ofDigits: $0.string) })
      return nil
    }
    return time
  }

  /// Returns the date that somebody wrote without hyphens, as in 20260301; nil if the text is not a date.
  private static func date(ofDigits text: String) -> String? {
    guard text.utf8.count == 8 else { return nil }
    let date = "\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.suffix(2))"
    return Timestamp.parse(date) == nil ? nil : date
  }
}
