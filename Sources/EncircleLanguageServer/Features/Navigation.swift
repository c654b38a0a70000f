import EncircleAuthoring
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

extension LanguageServer {
  /// The maximum number of symbols in a response.
  private static let maximumSymbols = 1_000

  // MARK: - Definition and references

  /// The kinds of names to which other places can refer.
  private enum ReferencedSymbol {
    case rule, emittedName, clause, value

    func uses(of name: UTF8String, in index: RuleIndex) -> [RuleIndex.Entry] {
      switch self {
      case .rule: index.uses(ofRule: name)
      case .emittedName: index.uses(ofName: name)
      case .clause: index.uses(ofClause: name)
      case .value: index.uses(ofValue: name)
      }
    }
  }

  /// Returns the definition of the name at a place: of a rule, an emitted name, or an entry under `define`.
  func definition(_ params: LSP.PositionParams) -> [LSP.Location]? {
    guard let (project, word, thing) = referencedSymbol(at: params) else { return nil }
    let found = thing.uses(of: word, in: index(of: project)).filter { entry in
      switch entry.role {
      case .definition, .definedClause, .definedValue: true
      case .emit: thing == .emittedName
      case .expectedRule, .expectedName, .usedClause, .usedValue: false
      }
    }
    return locations(found, project)
  }

  /// Returns the places that name a rule, its emitted name, or a definition.
  func references(_ params: LSP.ReferenceParams) -> [LSP.Location]? {
    guard let (project, word, thing) = referencedSymbol(at: params.place) else { return nil }
    let takesDefinitions = params.context?.includeDeclaration ?? true
    let found = thing.uses(of: word, in: index(of: project)).filter { entry in
      switch entry.role {
      case .definition, .emit, .definedClause, .definedValue: takesDefinitions
      case .expectedRule, .expectedName, .usedClause, .usedValue: true
      }
    }
    return locations(found, project)
  }

  /// Returns the name at a place, with its project and kind.
  private func referencedSymbol(at params: LSP.PositionParams) -> (RuleProject, UTF8String, ReferencedSymbol)? {
    guard let (path, document) = document(params.textDocument.uri), let project = project(of: path) else { return nil }
    let offset = document.text.offset(of: params.position, encoding)
    guard let place = YAMLPlace(at: offset, in: document.text.bytes), !place.token.isEmpty else { return nil }
    let word = UTF8String(place.text(in: document.text.bytes))
    let role = RuleRole(place.path, inFile: path.text)
    if place.hasColon {
      // The path of a key is the path of the mapping that contains it.
      switch role {
      case .namedClauses: return (project, word, .clause)
      case .namedValues: return (project, word, .value)
      case .expectedProperties: return (project, word, .rule)
      default: return nil
      }
    }
    guard place.mayBeValue else { return nil }
    switch role {
    case .ruleIDs: return (project, word, .rule)
    case .emits: return (project, word, .emittedName)
    case .usedClause: return (project, word, .clause)
    case .usedValue: return (project, word, .value)
    default: break
    }
    let isItem = place.path.last == YAMLPlace.Step.item
    // A name in a list is one level deeper.
    let steps = Array(place.path.dropLast(isItem ? 1 : 0))
    guard let key = steps.last, RuleRole(Array(steps.dropLast()), inFile: path.text) == .rule else { return nil }
    if key == .key("id"), !isItem { return (project, word, .rule) }
    return key == .key("emit") ? (project, word, .emittedName) : nil
  }

  private func locations(_ entries: [RuleIndex.Entry], _ project: RuleProject) -> [LSP.Location] {
    let texts = DocumentTexts(project, documents)
    let places = entries.prefix(Self.maximumSymbols).map { entry in
      LSP.Location(uri: uri(of: entry.file), range: range(of: entry.node, in: texts[entry.file]))
    }
    // Aliases repeat the places of their anchors.
    var seen: Set<LSP.Location> = []
    return places.filter { seen.insert($0).inserted }
  }

  /// Returns the range of a scalar in the text; for any other node, the empty range at its beginning.
  private func range(of node: Node, in text: DocumentText) -> LSP.Range {
    let start = text.offset(of: node.location)
    return text.range(text.range(of: node) ?? start..<start, encoding)
  }

  // MARK: - Symbols

  /// Returns the rules, or the tests, of a document.
  func documentSymbols(_ params: LSP.DocumentParams) -> [LSP.DocumentSymbol]? {
    guard let (path, document) = document(params.textDocument.uri) else { return nil }
    let text = document.text
    var index = RuleIndex()
    index.add(text.whole, of: path.text)
    let starts = index.items.map { text.offset(of: $0.whole.location) }
    return index.items.prefix(Self.maximumSymbols).enumerated().map { i, item in
      // An item ends where the next one begins.
      let end = i + 1 < starts.count ? starts[i + 1] : text.bytes.count
      var last = max(starts[i], end)
      while last > starts[i], [0x20, 0x0A, 0x0D, UInt8(ascii: "-")].contains(text.bytes[last - 1]) { last -= 1 }
      let own = range(of: item.node, in: text)
      var whole = text.range(min(starts[i], text.offset(of: item.node.location))..<last, encoding)
      whole.end = max(whole.end, own.end)
      return LSP.DocumentSymbol(
        name: Self.symbolName(item.id), detail: item.name.map(Self.symbolName),
        kind: item.isTest ? .method : .event, range: whole, selectionRange: own)
    }
  }

  /// Returns the rules and tests of all projects whose id or name contains a text.
  func workspaceSymbols(_ params: LSP.WorkspaceSymbolParams) -> [LSP.WorkspaceSymbol]? {
    var result: [LSP.WorkspaceSymbol] = []
    let query = params.query.lowercased()
    for project in projects {
      let texts = DocumentTexts(project, documents)
      for item in index(of: project).items where result.count < Self.maximumSymbols {
        guard query.isEmpty || item.id.lowercased().contains(query) || item.name?.lowercased().contains(query) == true
        else { continue }
        result.append(
          LSP.WorkspaceSymbol(
            name: Self.symbolName(item.id), kind: item.isTest ? .method : .event,
            location: LSP.Location(uri: uri(of: item.file), range: range(of: item.node, in: texts[item.file])),
            containerName: item.name.map(Self.symbolName)))
      }
    }
    return result
  }

  private static func symbolName(_ text: String) -> String {
    text.isEmpty ? "?" : VisibleText.escaping(VisibleText.shortened(text, columns: 200))
  }

  // MARK: - Code lenses

  /// Returns, for each rule of a document, the number of its tests and the number of captured elements that it matches.
  func codeLenses(_ params: LSP.DocumentParams) -> [LSP.CodeLens]? {
    guard let (path, document) = document(params.textDocument.uri), let project = project(of: path),
      !RuleTestFiles.isTestFile(path.text)
    else { return nil }
    let text = document.text
    let index = index(of: project)
    let counts = matchCounts(project)
    var lenses: [LSP.CodeLens] = []
    for item in index.items.prefix(Self.maximumSymbols) where item.file.hasSameBytes(as: path.text) {
      let id = UTF8String(item.id)
      let tests = index.testCount(ofRule: id)
      var title = tests == 0 ? "no tests" : counted(tests, "test")
      if let count = counts?[id] {
        title += count == 0 ? ", no element" : ", \(counted(count, "element"))"
      }
      // Without a command the client shows the title alone.
      lenses.append(LSP.CodeLens(range: range(of: item.node, in: text), command: .init(title: title, command: "")))
    }
    return lenses
  }

  /// Returns the number of captured elements whose taps each rule matches, of the rules that have loaded; nil if no captures are
  /// known.
  ///
  /// - Complexity: O(elements) decisions, once for each state of the rules and captures.
  func matchCounts(_ project: RuleProject) -> [UTF8String: Int]? {
    guard !known.screens.isEmpty else { return nil }
    if let counts = project.matchCounts { return counts }
    var counts = Dictionary(project.lastRules.rules.map { ($0.id, 0) }) { first, _ in first }
    var left = Self.maximumCounted
    let styles = project.lastRules.styles
    for style in styles {
      // The events of a capture's elements have one style, so the capture is only counted in that style.
      let screens = known.screens.map(\.screen).filter { screen in
        screen.eventStyle(among: styles) == style && style.style.unmetRequirement(for: screen) == nil
      }
      let part = project.lastRules.atAnyTime.part(of: style)
      // All rules are treated as include rules, so that exclude rules are counted, too, and remove no elements.
      let rules = part.rules.map { rule in
        var counted = rule
        counted.effect = .include
        return counted
      }
      var search = RuleSearch(rules, SelectionSettings(part), dictionary(for: part, screens)).finder()
      for screen in screens where left > 0 {
        left -= screen.tree.count
        let events = ElementEvents(of: screen, style: style, fields: part.fields)
        for element in screen.tree.elements where events.trackingType(of: element) != nil {
          for rule in search.rules(selecting: events.event(of: element)) { counts[rules[rule].id, default: 0] += 1 }
        }
      }
    }
    project.matchCounts = counts
    return counts
  }

  /// Returns the dictionary in which rules look up elements.
  private func dictionary(for rules: RuleSet, _ screens: [IdentifiedTree]) -> ElementDictionary {
    if !rules.readsScreens, let dictionary = known.dictionary, dictionary.style == rules.style { return dictionary }
    var dictionary = ElementDictionary(style: rules.style, knowsScreens: rules.readsScreens)
    if rules.readsScreens { for screen in screens { dictionary.insert(screen) } }
    return dictionary
  }

  // The maximum number of elements that are counted.
  private static let maximumCounted = 200_000
}
