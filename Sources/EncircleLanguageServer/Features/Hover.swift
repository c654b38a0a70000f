import EncircleAuthoring
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree

extension LanguageServer {
  // The maximum number of captures that are listed.
  private static let maximumCaptures = 10
  // The maximum number of elements that an answer visits.
  private static let maximumVisits = 20_000_000
  private static let noCaptures = "No captures are known: name some with `--captures`."

  /// Returns what a selector matches, which element an event ID or identity names, or what a finding's code means.
  func hover(_ params: LSP.PositionParams) -> LSP.Hover? {
    guard let (path, document) = document(params.textDocument.uri) else { return nil }
    let text = document.text
    let cursor = text.offset(of: params.position, encoding)
    guard let place = YAMLPlace(at: cursor, in: text.bytes), !place.token.isEmpty else { return nil }
    let role = RuleRole(place.path, inFile: path.text)
    let value = place.text(in: text.bytes)
    var lines: [String]?
    if place.hasColon {
      if role == .checks, let code = CheckCode(rawValue: value) {
        lines = [code.documentation.title, "", code.documentation.explanation]
      } else if role == .expectedProperties {
        lines = describe(rule: value, project(of: path))
      }
    } else if place.mayBeValue {
      switch role {
      case .selectors: lines = describe(selector: value, at: place, project(of: path))
      case .pageName, .pageNames, .test(.page), .value(.page): lines = describe(page: value)
      case .className where known.pages[UTF8String(value)] != nil: lines = describe(page: value)
      case .ruleIDs: lines = describe(rule: value, project(of: path))
      case .usedValue:
        lines = project(of: path)?.lastRules.definedValues[UTF8String(value)].map { [code($0)] }
      case .eventIDs: lines = EventID(hexadecimal: value).map { describe($0) }
      case .identities:
        lines = IdentityString(parsing: value).map {
          ["event ID \(code($0.eventID.description))", ""] + describe($0.eventID)
        }
      case .elements where !value.utf8.allSatisfy(isDigit) || value.utf8.count == 64:
        lines =
          EventID(hexadecimal: value).map { describe($0) }
          ?? describe(selector: value, at: place, project(of: path))
      default:
        if place.path.last == .key("id"), RuleRole(Array(place.path.dropLast()), inFile: path.text) == .rule {
          lines = describe(rule: value, project(of: path))
        }
      }
    }
    guard let lines else { return nil }
    return LSP.Hover(
      contents: .init(kind: writesMarkdown ? "markdown" : "plaintext", value: lines.joined(separator: "\n")),
      range: text.range(place.token, encoding))
  }

  /// Returns text from captures or rules in a form that Markdown shows literally.
  private func code(_ text: String) -> String {
    let text = VisibleText.escaping(VisibleText.shortened(text, columns: 200))
    return writesMarkdown ? "`" + text.replacingBytes(of: "`", with: "'") + "`" : text
  }

  // MARK: - Pages and rules

  private func describe(page: String) -> [String]? {
    if known.isEmpty { return [Self.noCaptures] }
    let key = UTF8String(page)
    guard let count = known.pages[key] else { return ["no capture has the page \(code(page))"] }
    var lines = ["\(counted(count, "element")) on this page", ""]
    var captures = 0
    for known in known.screens where known.pages.contains(key) {
      captures += 1
      if captures <= Self.maximumCaptures { lines.append("- \(code(known.name))") }
    }
    if captures > Self.maximumCaptures { lines.append("- and \(captures - Self.maximumCaptures) more captures") }
    return lines
  }

  private func describe(rule id: String, _ project: RuleProject?) -> [String]? {
    guard let project else { return nil }
    let key = UTF8String(id)
    guard let rule = project.lastRules.rules.first(where: { $0.id == key }) else {
      let isWritten = index(of: project).items.contains { !$0.isTest && $0.id.hasSameBytes(as: id) }
      return [isWritten ? "nothing is known about this rule until the rules load" : "there is no rule with this id"]
    }
    var lines = [
      "\(rule.effect == .include ? "include" : "exclude") rule" + (rule.name.map { " \(code($0))" } ?? ""), "",
    ]
    if let summary = rule.summary { lines += [VisibleText.escaping(summary), ""] }
    if !rule.emit.hasSameBytes(as: id) { lines.append("- emits \(code(rule.emit))") }
    if let owner = rule.owner { lines.append("- owner \(code(owner))") }
    if let origin = rule.origin { lines.append("- from \(code(origin.tool.text)) \(code(origin.id.text))") }
    let tests = index(of: project).testCount(ofRule: key)
    lines.append(tests == 0 ? "- no tests" : "- \(counted(tests, "test"))")
    if let count = matchCounts(project)?[key] {
      lines.append(
        "- matches " + (count == 0 ? "no element" : counted(count, "element")) + " of "
          + counted(known.screens.count, "capture"))
    }
    return lines
  }

  // MARK: - Selectors

  private func describe(selector text: String, at place: YAMLPlace, _ project: RuleProject?) -> [String]? {
    let own = SelectorSettings(project?.lastRules ?? RuleSet(), at: place)
    // For a relative selector, only the steps are looked up, wherever they begin.
    let steps = RelativeSelector.steps(of: text)
    guard let selectors = try? ElementSelector.reading(steps, in: own.style) else { return nil }
    if known.isEmpty { return [Self.noCaptures] }
    var lines: [String] = []
    var total = 0
    var matching = 0
    var looked = 0
    var visits = Self.maximumVisits
    let settings = SelectionSettings(own.ruleSet)
    for (number, known) in known.screens.enumerated() where own.areFor(known.screen) {
      visits -= known.screen.tree.count
      guard visits > 0 else { break }
      looked += 1
      let elements = Set(selectors.flatMap { settings.elements(matching: $0, in: known.screen) })
      guard let first = elements.min() else { continue }
      total += elements.count
      matching += 1
      guard matching <= Self.maximumCaptures else { continue }
      lines.append(
        "- \(code(known.name)): \(elements.count), the first is "
          + describe(KnownScreens.Place(screen: number, element: first)))
    }
    if matching > Self.maximumCaptures { lines.append("- and \(matching - Self.maximumCaptures) more captures") }
    var summary =
      "\(total == 0 ? "no" : String(total)) element\(total == 1 ? "" : "s") in \(matching) of "
      + counted(looked, "capture")
    if looked < known.screens.count { summary += ", the others were not looked at" }
    if let dictionary = known.dictionary, dictionary.style == .hubbleData, own.style == .hubbleData {
      let matchers = selectors.map { SelectorMatcher($0, hierarchy: dictionary.hierarchy) }
      var count = 0
      var entries = 0
      dictionary.forEachEntry { _, entry in
        entries += 1
        if entries <= Self.maximumVisits / 10, matchers.contains(where: { $0.matches(entry.path) }) { count += 1 }
      }
      summary += "; \(count) of \(entries) in the dictionary"
    }
    return [summary, ""] + lines
  }

  // MARK: - Elements

  private func describe(_ id: EventID) -> [String] {
    if let place = known.places[id] {
      let screen = known.screens[place.screen]
      var lines = [
        "element \(place.element) of \(code(screen.name)): \(describe(place))", "",
        code(screen.screen.path(of: place.element).written(.slashes)),
      ]
      let count = screen.screen.tree.elements.count { screen.screen.eventID(of: $0) == id }
      if count > 1 { lines.append("\n\(count) elements of this capture share it") }
      return lines
    }
    if let entry = known.dictionary?[id] {
      return [
        "an element of the dictionary" + (entry.page.map { " on \(code($0))" } ?? ""), "",
        code(entry.path.written(.slashes)),
      ]
    }
    return [known.isEmpty ? Self.noCaptures : "no element of the captures has this event ID"]
  }

  /// Returns an element in a few words: class, content and page.
  func describe(_ place: KnownScreens.Place) -> String {
    let screen = known.screens[place.screen].screen
    var text = "\(code(screen.className(of: place.element)))"
    if let content = ElementContents(of: screen).content(of: place.element), !content.isEmpty {
      text += " \(code(VisibleText.shortened(content, columns: 40)))"
    }
    if let page = screen.page(of: place.element, in: known.settings.style(of: screen)) { text += " on \(code(page))" }
    return text
  }
}
