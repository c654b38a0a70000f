import EncircleAuthoring
import EncircleIdentity
import EncircleRules
import EncircleSDK
import EncircleText
import EncircleTree
import Hummingbird

/// Routes for questions about selectors and clauses: their meaning, their elements, and good ones for an element.
struct SelectorRoutes: RouteGroup {
  let state: ServiceState

  private static let bodyBytes = 256 << 10
  // An answer with more elements than this contains only their number.
  private static let maximumElements = 100_000
  private static let maximumSuggestions = 20

  var routes: [Route] {
    [
      state.question("/v1/selectors/parse", "parseSelector", bodyBytes: Self.bodyBytes, parse),
      state.question("/v1/select", "select", bodyBytes: Self.bodyBytes, select),
      state.question("/v1/suggest", "suggest", bodyBytes: Self.bodyBytes, suggest),
      state.question("/v1/chips", "chips", bodyBytes: Self.bodyBytes, chips),
      state.question("/v1/relative", "relative", bodyBytes: Self.bodyBytes, relative),
    ]
  }

  // MARK: - Parsing

  private func parse(_ body: JSONBody) throws -> [UInt8] {
    try body.allow("selector", "style")
    let text = try body.required("selector")
    let style = try body.member("style")?.style ?? .hubbleData
    do {
      let selectors = try ElementSelector.parsing(try text.text, in: style).map(\.canonical)
      for selector in selectors {
        guard let step = selector.unreadableStep(in: style) else { continue }
        throw text.error(
          "Style \(style.rawValue) has no component of the form \(selector.steps[step]).", code: "bad-selector")
      }
      var json = JSONBuilder()
      json.object {
        Self.write(selectors[0], to: &$0)
        $0.array("others", Array(selectors.dropFirst())) { selector, json in
          json.object { Self.write(selector, to: &$0) }
        }
      }
      return json.bytes
    } catch let error as SelectorError {
      let diagnostic = error.diagnostic
      throw ServiceError.invalid(
        diagnostic.messageWithSuggestion, code: "bad-selector",
        location: ServiceError.Location(
          line: diagnostic.location?.line, column: diagnostic.location?.column, pointer: text.pointer))
    }
  }

  private static func write(_ selector: ElementSelector, to json: inout JSONBuilder) {
    json.member("selector", selector.description)
    json.member("anchored", selector.isAnchored)
    let meanings = SelectorMeaning.sentences(selector)
    json.array("steps", Array(zip(selector.steps, meanings))) { entry, json in
      let (step, meaning) = entry
      json.object {
        $0.member("text", step.description)
        var isKind = false
        var name: String?
        var locator: ElementSelector.LocatorPattern?
        if case .component(let pattern, let place) = step {
          locator = place
          switch pattern {
          case .any: break
          case .name(let text), .glob(let text): name = text.text
          case .kindOf(let text): (name, isKind) = (text.text, true)
          }
        }
        $0.nullable("class", name)
        $0.member("kind_of", isKind)
        $0.nullable("locator", locator.map(\.description))
        $0.member("meaning", meaning)
      }
    }
  }

  // MARK: - Selecting

  private func select(_ body: JSONBody) throws -> [UInt8] {
    try body.allow("clause", "rule", "capture", "ruleset", "draft", "style", "days")
    let context = try state.analysis.context(body)
    var settings = context.settings
    let clause = try body.required("clause")
    var rule = try clause.clauseRule(settings)
    let ruleID = try body.member("rule").map { UTF8String(try $0.text) }
    if let id = ruleID, var known = context.ruleSet.rules.first(where: { $0.id == id }) {
      // Only the clauses of the rule are changed; its exceptions and the like stay.
      known.clauses = rule.clauses
      (known.effect, known.isEnabled) = (.include, true)
      rule = known
    }
    if rule.needsTextsWithin { settings.readsScreens = true }
    let days = try body.member("days")?.number(in: 1...3_650) ?? 7
    let capture = try body.member("capture").map { try state.analysis.screen(try $0.text) }
    let revision = state.analysis.captures.revision
    let snapshot = try state.analysis.snapshot(settings, with: capture)
    // Captures have no time.
    let search = try state.analysis.search([rule.atAnyTime], settings, snapshot)
    let events = try state.analysis.counts.count(
      rule,
      ClauseCounts.Key(
        clause: clause.value.json, rule: ruleID, settings: settings.key, exclusions: context.name, days: days),
      among: context.ruleSet, snapshot, revision: revision)
    var json = JSONBuilder()
    json.object {
      $0.member("total", search.total(0))
      let here = capture.map { search.elements(0, of: $0.id) } ?? []
      $0.array("here", here) { $1.value($0.index) }
      var left = Self.maximumElements
      $0.array("captures", search.matches[0]) { match, json in
        json.object {
          $0.member("id", match.screen.id)
          $0.member("name", match.screen.name)
          $0.nullable("page", match.entries.first.flatMap { match.screen.events.page(ofEntry: $0) })
          $0.nullable("app_version", match.screen.appVersion)
          $0.member("count", match.entries.count)
          $0.array("elements", Array(match.elements.prefix(left))) { $1.value($0.index) }
          left -= min(left, match.entries.count)
        }
      }
      $0.member("captures_searched", snapshot.screens.count)
      $0.object("events") {
        $0.member("count", events.count)
        $0.member("excluded", events.excluded)
        $0.member("days", days)
        $0.member("of", events.of)
        $0.member("complete", events.isComplete)
      }
    }
    return json.bytes
  }

  // MARK: - Suggesting

  private func suggest(_ body: JSONBody) throws -> [UInt8] {
    try body.allow("capture", "element", "limit", "ruleset", "draft", "style")
    let context = try state.analysis.context(body)
    let settings = context.settings
    let limit = try body.member("limit")?.number(in: 1...Self.maximumSuggestions) ?? 5
    let named = try state.analysis.element(body, settings)
    let suggestions = SuggestedClause.all(for: named.element, in: named.identified, limit: limit, settings)
    let snapshot = try state.analysis.snapshot(settings.reading(suggestions), with: named.screen)
    let search = try state.analysis.search(suggestions.map(\.rule), settings, snapshot)
    var json = JSONBuilder()
    json.object {
      $0.member("element", named.element.index)
      $0.member("tracked", named.isTracked)
      Self.write(suggestions, context.clauseStyle, search, from: 0, named.screen, to: &$0)
    }
    return json.bytes
  }

  /// Writes suggestions. Their rules are the rules of the search from `start` on.
  private static func write(
    _ suggestions: [SuggestedClause], _ style: PathStyleName?, _ search: ScreenSearch, from start: Int,
    _ screen: StoredScreen, to json: inout JSONBuilder
  ) {
    json.array("suggestions", Array(suggestions.enumerated())) { entry, json in
      let (i, suggested) = entry
      let suggestion = suggested.suggestion
      let here = search.elements(start + i, of: screen.id).count
      json.object {
        $0.nullable("selector", suggestion.namesPlace ? suggestion.selector.description : nil)
        $0.nullable("page", suggestion.page)
        $0.member("needs_page", suggestion.needsPage)
        $0.member("summary", suggested.summary)
        $0.member("code", suggested.code.rawValue)
        $0.member("count", suggested.count)
        $0.member("unique", suggestion.isUnique)
        $0.member("stability", suggestion.stability.score)
        $0.array("reasons", suggestion.stability.reasons) { reason, json in
          let (code, arguments) = reason.coded(of: suggestion.selector)
          json.object {
            $0.member("points", reason.penalty)
            $0.member("text", reason.description(of: suggestion.selector))
            $0.member("code", code.rawValue)
            $0.member("arguments", arguments)
          }
        }
        $0.member("clause", .object(suggested.clause.naming(style)))
        $0.member("here", here)
        $0.member("elsewhere", search.total(start + i) - here)
      }
    }
  }

  // MARK: - Refining

  /// Writes whether the configuration of an app's SDK can express a clause, and why not.
  private static func writeExpressibility(
    _ rule: SelectionRule, _ settings: SelectionSettings, to json: inout JSONBuilder
  ) {
    var ruleSet = settings.ruleSet
    ruleSet.rules = [rule]
    let configuration = SDKConfiguration(ruleSet)
    json.object("told") {
      $0.member("possible", !configuration.expressible.isEmpty)
      $0.nullable("reason", configuration.others.first?.reason)
      $0.nullable("code", configuration.others.first?.code)
    }
  }

  private func chips(_ body: JSONBody) throws -> [UInt8] {
    try body.allow("capture", "element", "choices", "clause", "ruleset", "draft", "style")
    let context = try state.analysis.context(body)
    let settings = context.settings
    let choices = try body.member("choices")?.refinementChoices ?? [:]
    let named = try state.analysis.element(body, settings)
    let suggestions = SuggestedClause.all(for: named.element, in: named.identified, limit: 5, settings)
    let refinements = ClauseRefinements(of: named.element, in: named.identified, suggestions, settings)
    let snapshot = try state.analysis.snapshot(settings.reading(suggestions), with: named.screen)
    let wanted = try body.member("clause").map { try $0.object }
    let known = wanted.flatMap { refinements.narrowed(by: $0.omitting(context.clauseStyle)) }
    let narrowed =
      try known
      ?? refinements.narrowed(choices, for: named.element, in: named.identified) { rules in
        let search = try state.analysis.search(rules, settings, snapshot.only(named.screen.id))
        return rules.indices.map { search.elements($0, of: named.screen.id) }
      }
    // The clause is first written as it is, then with each refinement reversed; the suggestions follow.
    let clause = refinements.clause(narrowed: narrowed)
    let subjects = refinements.subjects
    let others = subjects.map { refinements.clause(narrowed: narrowed.symmetricDifference([$0])).rule }
    let search = try state.analysis.search(
      [clause.rule] + others + suggestions.map(\.rule), settings, snapshot)
    var json = JSONBuilder()
    json.object {
      $0.member("element", named.element.index)
      $0.member("tracked", named.isTracked)
      $0.member("clause", .object(clause.object.naming(context.clauseStyle)))
      if wanted != nil { $0.member("known", known != nil) }
      Self.writeExpressibility(clause.rule, settings, to: &$0)
      $0.array("chips", Array(refinements.refinements.enumerated())) { entry, json in
        let (i, refinement) = entry
        let choice: ClauseRefinements.Choice = narrowed.contains(refinement.subject) ? .this : .any
        json.object {
          $0.member("id", refinement.subject.id)
          $0.member("title", refinement.title)
          $0.member("value", choice.rawValue)
          $0.array("options", ClauseRefinements.Choice.allCases) { option, json in
            let rule = option == choice ? 0 : i + 1
            json.object {
              $0.member("value", option.rawValue)
              $0.member("title", refinement.title(of: option))
              $0.member("here", search.elements(rule, of: named.screen.id).count)
              $0.member("total", search.total(rule))
            }
          }
        }
      }
      Self.write(
        suggestions, context.clauseStyle, search, from: subjects.count + 1, named.screen, to: &$0)
    }
    return json.bytes
  }

  // MARK: - Properties

  /// Returns the relative name of another element on the same screen, so that a property can be read from that element.
  private func relative(_ body: JSONBody) throws -> [UInt8] {
    try body.allow("capture", "element", "other", "ruleset", "draft", "style")
    let settings = try state.analysis.settings(body)
    let named = try state.analysis.element(body, settings)
    let other = try body.required("other")
    let target = ElementID(try other.number(in: 0...named.identified.tree.count - 1))
    let style = settings.style(for: named.identified)
    guard let selector = RelativeSelector(from: named.element, to: target, in: named.identified, style) else {
      throw other.error("Paths cannot name the other element from this one.", code: "bad-selector")
    }
    let text = ElementContents(of: named.identified).shownText(of: target, named.identified)
    var json = JSONBuilder()
    json.object {
      $0.member("selector", selector.description)
      $0.nullable("text", text)
    }
    return json.bytes
  }
}

extension SelectionSettings {
  /// Returns settings for reading captures. If a suggestion tests the texts around an element, screens are read, too.
  fileprivate func reading(_ suggestions: [SuggestedClause]) -> SelectionSettings {
    var result = self
    if suggestions.contains(where: \.rule.needsTextsWithin) { result.readsScreens = true }
    return result
  }
}
