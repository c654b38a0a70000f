import EncircleAuthoring
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree

/// A completion for a place.
struct Proposal {
  var label: String
  var kind: LSP.CompletionItem.Kind
  var detail: String?
  /// Proposals with a higher rank come first.
  var rank = 0
  /// The proposed text, if it differs from the label.
  var text: String?
  /// This is true if YAML needs no quotes around the text, as for a number, a truth value or a word of the rule language.
  var isPlain = false
  /// The text that is inserted after it.
  var ending = ""
}

/// A place for which completions are requested.
struct CompletionPlace {
  let text: DocumentText
  let place: YAMLPlace
  let cursor: Int
  /// This is true if the file is JSON, which needs double quotes around keys and texts.
  let isJSON: Bool

  /// Returns what a proposal inserts instead of a range of bytes.
  func insertion(of proposal: Proposal, replacing range: Range<Int>) -> String {
    let text = proposal.text ?? proposal.label
    // Inside a scalar, the quotes around it stay.
    guard range.lowerBound == place.token.lowerBound else { return place.escaped(text) }
    let written: String
    if isJSON {
      let isLiteral = proposal.isPlain && (try? EventValue(json: Array(text.utf8))) != nil
      written = isLiteral ? text : String(decoding: EventValue.string(text).json, as: UTF8.self)
    } else {
      written = (isBehindIndicator ? " " : "") + (proposal.isPlain ? text : ScalarSpelling.written(text))
    }
    return written + proposal.ending
  }

  /// Returns the whole text at the place, in quotes, if a proposal for a part of it has characters for which YAML needs them.
  func quoted(with proposal: Proposal, replacing range: Range<Int>) -> String? {
    let token = place.token
    guard !isJSON, place.quote == nil, range.lowerBound > token.lowerBound else { return nil }
    let inserted = proposal.text ?? proposal.label
    let end = max(cursor, range.upperBound)
    let whole =
      text.string(token.lowerBound..<range.lowerBound) + inserted + text.string(end..<max(end, token.upperBound))
    let isUnsafe =
      inserted.utf8.contains { ",[]{}".utf8.contains($0) } || whole.containsBytes(of: " #")
      || whole.containsBytes(of: ": ")
    return isUnsafe ? ScalarSpelling.written(whole) : nil
  }

  /// This is true directly behind the `:` of a key or the `-` of an item, where YAML needs a space.
  private var isBehindIndicator: Bool {
    guard place.token.isEmpty, place.token.lowerBound > 0 else { return false }
    let before = text.bytes[place.token.lowerBound - 1]
    return before == UInt8(ascii: ":") || before == UInt8(ascii: "-")
  }
}

extension LanguageServer {
  /// The maximum number of proposals in a response.
  static let maximumProposals = 500

  /// Returns the completions for a place.
  func complete(_ params: LSP.PositionParams) -> LSP.CompletionList? {
    guard let (path, document) = document(params.textDocument.uri) else { return nil }
    let text = document.text
    let cursor = text.offset(of: params.position, encoding)
    let project = project(of: path)
    guard project?.contains(path.text) == true || RuleFileText.mayBecomeRules(text.text),
      let place = YAMLPlace(at: cursor, in: text.bytes)
    else { return nil }
    let role = RuleRole(place.path, inFile: path.text)
    let rules = project?.lastRules ?? RuleSet()
    let site = CompletionPlace(
      text: text, place: place, cursor: cursor, isJSON: path.text.endsWithBytes(of: ".json"))
    if place.mayBeValue, !place.hasColon {
      if role == .selectors || role == .elements { return completeSelector(at: site, rules) }
      if role == .identities, let list = completePartOfIdentity(at: site) { return list }
    }
    var proposals: [Proposal] = []
    if place.mayBeKey { proposals += keys(of: role, place, rules) }
    if place.mayBeValue, !place.hasColon {
      let start = place.content(in: text.bytes).lowerBound
      let typed = start < cursor ? text.string(start..<cursor) : ""
      proposals += values(of: role, at: place, rules, startingWith: typed)
    }
    return list(proposals, replacing: place.token, at: site)
  }

  /// Returns the list of proposals that match the typed text.
  func list(_ proposals: [Proposal], replacing range: Range<Int>, at site: CompletionPlace) -> LSP.CompletionList {
    let (text, place, cursor) = (site.text, site.place, site.cursor)
    let quoteLength = place.quote != nil && range.lowerBound == place.token.lowerBound ? 1 : 0
    let typedStart = min(cursor, range.lowerBound + quoteLength)
    let typed = text.bytes[typedStart..<cursor].map(lowercased)
    // Every editor filters in its own way, so this only omits proposals that certainly do not match. Proposals that begin with
    // the typed text come first, then those that contain it.
    let found = proposals.compactMap { proposal in
      Self.closeness(of: typed, in: proposal.label).map { (proposal, closeness: $0) }
    }
    let chosen = found.sorted {
      ($1.closeness, $1.0.rank, UTF8String($0.0.label)) < ($0.closeness, $0.0.rank, UTF8String($1.0.label))
    }.map(\.0)
    let isCut = chosen.count > Self.maximumProposals
    let edited = text.range(range.lowerBound..<max(cursor, range.upperBound), encoding)
    let quote = text.string(range.lowerBound..<typedStart)
    let whole = text.range(place.token.lowerBound..<max(cursor, place.token.upperBound), encoding)
    let before = text.string(place.token.lowerBound..<typedStart)
    let items = chosen.prefix(Self.maximumProposals).enumerated().map { number, proposal in
      let quoted = site.quoted(with: proposal, replacing: range)
      return LSP.CompletionItem(
        label: VisibleText.shortened(proposal.label, columns: 200), kind: proposal.kind, detail: proposal.detail,
        sortText: zeroPadded(number, to: 6), filterText: (quoted == nil ? quote : before) + proposal.label,
        textEdit: LSP.TextEdit(
          range: quoted == nil ? edited : whole, newText: quoted ?? site.insertion(of: proposal, replacing: range)))
    }
    return LSP.CompletionList(isIncomplete: isCut, items: items)
  }

  /// Returns 2 if a text begins with the typed bytes, 1 if it contains them, 0 if it contains them in the same order with others
  /// between them; nil for any other text.
  private static func closeness(of typed: [UInt8], in text: String) -> Int? {
    let bytes = text.utf8.map(lowercased)
    if bytes.starts(with: typed) { return 2 }
    guard contains(text, typed) else { return nil }
    guard let first = typed.first, typed.count <= bytes.count else { return 0 }
    let isPart = (0...bytes.count - typed.count).contains { bytes[$0] == first && bytes[$0...].starts(with: typed) }
    return isPart ? 1 : 0
  }

  /// Returns whether a text contains bytes in their order, possibly with others between them, ignoring the case of ASCII letters.
  private static func contains(_ text: String, _ typed: [UInt8]) -> Bool {
    var next = 0
    for byte in text.utf8 where next < typed.count && lowercased(byte) == typed[next] { next += 1 }
    return next == typed.count
  }

  // MARK: - Keys

  private func keys(of role: RuleRole, _ place: YAMLPlace, _ rules: RuleSet) -> [Proposal] {
    var names = role.keys.filter { $0 != "$schema" }.enumerated().map { number, name in
      Proposal(label: name, kind: .field, rank: -number)
    }
    switch role {
    case .properties: names += properties(rules)
    case .expectedProperties: names += ruleIDs(rules, .include)
    case .classes:
      names += known.classes.map { Proposal(label: $0.key.text, kind: .class, rank: $0.value) }
      names += known.controllers.map { Proposal(label: $0.text, kind: .class) }
    default: break
    }
    let present = Set(place.siblings.map { UTF8String($0) })
    return names.filter { !present.contains(UTF8String($0.label)) }.map { proposal in
      var proposal = proposal
      let opensBlock = place.path.isEmpty && ["rules", "tests"].contains(proposal.label)
      proposal.ending = place.hasColon ? "" : opensBlock ? ":" : ": "
      return proposal
    }
  }

  private func properties(_ rules: RuleSet) -> [Proposal] {
    var counts = known.values.mapValues { $0.values.reduce(0, +) }
    for places in rules.fields.references.values {
      for case .property(let name) in places where counts[name] == nil { counts[name] = 0 }
    }
    for rule in rules.rules {
      for clause in rule.clauses + rule.unless {
        for test in clause.properties {
          if case .property(let name) = test.property { counts[name, default: 0] += 1 }
        }
      }
    }
    return counts.map { name, count in
      let count = known.values[name]?.count ?? 0
      return Proposal(
        label: name.text, kind: .property, detail: count > 0 ? "\(counted(count, "value")) known" : nil,
        rank: counts[name] ?? 0)
    }
  }

  // MARK: - Values

  private func values(
    of role: RuleRole, at place: YAMLPlace, _ rules: RuleSet, startingWith typed: String
  ) -> [Proposal] {
    func words(_ words: [String]) -> [Proposal] {
      words.enumerated().map { Proposal(label: $1, kind: .enum, rank: -$0, isPlain: true) }
    }
    switch role {
    case .version: return words(["1"])
    case .tracking: return words(RuleSet.Tracking.allCases.map(\.rawValue))
    case .style: return words(PathStyleName.allCases.map(\.rawValue))
    case .ownStyle: return words(PathStyleName.allCases.map(\.rawValue) + ["any"])
    case .sample: return words(["1%", "10%", "50%"])
    case .usedClause: return rules.definedClauses.map { Proposal(label: $0.text, kind: .reference) }
    case .usedValue:
      return rules.definedValues.map { Proposal(label: $0.key.text, kind: .reference, detail: $0.value) }
    case .flag: return words(["true", "false"])
    case .originTool: return words(RuleOrigin.knownTools)
    case .tolerance: return tolerances()
    case .pathNumber: return words(RuleProperty.PathNumber.allCases.map(\.rawValue))
    case .valueType: return words(RuleProperty.ValueType.allCases.map(\.rawValue))
    case .severity, .checkSetting: return words(["off"] + Severity.allCases.map(\.rawValue))
    case .app: return known.apps.map { Proposal(label: $0.text, kind: .module) }
    case .className, .pageName, .pageNames:
      return (role == .className ? classes() : []) + pages()
    case .titledPages: return words(["true", "false"]) + pages()
    case .property: return properties(rules)
    case .test(let subject), .value(let subject): return values(of: subject, rules)
    case .eventIDs: return eventIDs(startingWith: typed)
    case .identities: return identities()
    case .ruleIDs: return ruleIDs(rules, place.path.contains(.key("excludedBy")) ? .exclude : .include)
    case .emits:
      let names = rules.rules.filter { $0.effect == .include }.flatMap { $0.names.map { UTF8String($0) } }
      return Set(names).map { Proposal(label: $0.text, kind: .event) }
    default: return []
    }
  }

  /// Proposes the minimum confidence at which a rule selects an element approximately.
  private func tolerances() -> [Proposal] {
    let levels = [("0.8", "hardly a wrong element"), ("0.9", "safer"), ("0.45", "more elements"), ("1", "never")]
    return levels.enumerated().map { Proposal(label: $1.0, kind: .value, detail: $1.1, rank: -$0, isPlain: true) }
  }

  private func values(of subject: RuleRole.Subject, _ rules: RuleSet) -> [Proposal] {
    switch subject {
    case .page: return pages()
    case .event:
      var names: Set<UTF8String> = ["$AppClick", "$AppViewScreen", "$AppStart", "$AppEnd"]
      for rule in rules.rules {
        for clause in rule.clauses {
          if case .isOneOf(let values, _)? = clause.event {
            for case .string(let name) in values { names.insert(name) }
          }
        }
      }
      return names.map { Proposal(label: $0.text, kind: .event) }
    case .saying:
      return known.shownTexts.map { Proposal(label: $0.text, kind: .value) }
    case .property(let name):
      var proposals: [Proposal] = []
      for (value, count) in known.values[UTF8String(name)] ?? [:] {
        let detail = counted(count, "element")
        if case .string(let text) = value {
          // Editors cannot show an item without a label.
          if text.text.isEmpty { continue }
          proposals.append(Proposal(label: text.text, kind: .value, detail: detail, rank: count))
        } else {
          proposals.append(
            Proposal(label: value.description, kind: .value, detail: detail, rank: count, isPlain: true))
        }
      }
      // Captures provide pages and actions even if no tracked element has them.
      if rules.fields.places(of: .page).contains(.property(UTF8String(name))), proposals.isEmpty { return pages() }
      if rules.fields.places(of: .actions).contains(.property(UTF8String(name))) {
        let listed = Set(proposals.map { UTF8String($0.label) })
        proposals += actions().filter { !listed.contains(UTF8String($0.label)) }
      }
      return proposals
    }
  }

  private func ruleIDs(_ rules: RuleSet, _ effect: SelectionRule.Effect) -> [Proposal] {
    rules.rules.filter { $0.effect == effect }.map { Proposal(label: $0.id.text, kind: .reference, detail: $0.name) }
  }

  private func pages() -> [Proposal] {
    known.pages.map { name, count in
      Proposal(label: name.text, kind: .module, detail: counted(count, "element"), rank: count)
    }
  }

  private func classes() -> [Proposal] {
    known.classes.map { Proposal(label: $0.key.text, kind: .class, detail: "\($0.value)", rank: $0.value) }
  }

  private func actions() -> [Proposal] {
    known.actions.map { Proposal(label: $0.key.text, kind: .value, detail: "action", rank: $0.value) }
  }

  private func eventIDs(startingWith typed: String) -> [Proposal] {
    known.identities.values.compactMap { place in
      let screen = known.screens[place.screen].screen
      let id = screen.eventID(of: place.element).description
      // The digits of an ID mean nothing, so people only ever type its beginning.
      guard id.utf8.starts(with: typed.lowercased().utf8) else { return nil }
      return Proposal(label: id, kind: .reference, detail: describe(place), isPlain: true)
    }
  }

  private func identities() -> [Proposal] {
    known.identities.map { Proposal(label: $0.key.text, kind: .reference, detail: describe($0.value)) }
  }

  /// Completes the actions or the controller inside an unfinished identity.
  private func completePartOfIdentity(at site: CompletionPlace) -> LSP.CompletionList? {
    let (text, place, cursor) = (site.text, site.place, site.cursor)
    let typed = text.bytes[place.token.lowerBound..<cursor]
    guard let open = typed.lastIndex(of: UInt8(ascii: "(")) else { return nil }
    let before = String(decoding: typed[..<open], as: UTF8.self)
    // A class name cannot contain these.
    let delimiters = Array(",)&\"'".utf8)
    var start = cursor
    while start > open + 1, !delimiters.contains(text.bytes[start - 1]) { start -= 1 }
    guard !typed[(open + 1)...].contains(UInt8(ascii: ")")) else { return nil }
    var end = cursor
    while end < place.token.upperBound, !delimiters.contains(text.bytes[end]) { end += 1 }
    let proposals: [Proposal]
    if before.endsWithBytes(of: "&actions") {
      proposals = actions()
    } else if before.endsWithBytes(of: "&controller") {
      proposals = known.controllers.map { Proposal(label: $0.text, kind: .module) }
    } else {
      return nil
    }
    return list(proposals, replacing: start..<end, at: site)
  }
}
