import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree
import Hummingbird

/// Questions about selectors and clauses: what they mean, what they select, which are good for an element.
struct SelectorRoutes: RouteGroup {
  let state: ServiceState

  private static let bodyBytes = 256 << 10
  // Of more elements than this, the answer has the number alone.
  private static let mostElements = 100_000
  private static let mostSuggestions = 20

  var routes: [Route] {
    [
      state.question("/v1/selectors/parse", "parseSelector", bodyBytes: Self.bodyBytes, parse),
      state.question("/v1/select", "select", bodyBytes: Self.bodyBytes, select),
      state.question("/v1/suggest", "suggest", bodyBytes: Self.bodyBytes, suggest),
      state.question("/v1/chips", "chips", bodyBytes: Self.bodyBytes, chips),
    ]
  }

  // MARK: - Parsing

  private func parse(_ body: JSONBody) throws -> [UInt8] {
    try body.allow("selector", "style")
    let text = try body.required("selector")
    let style = try body.member("style").map(RuleSettings.style) ?? .hubbleData
    do {
      let selector = try ElementSelector(parsing: try text.text).canonical
      if let step = selector.unreadableStep(in: style) {
        throw text.error(
          "Style \(style.rawValue) has no component of the form \(selector.steps[step]).", code: "bad-selector")
      }
      return SelectorMeaning.answer(selector)
    } catch let error as SelectorError {
      let diagnostic = error.diagnostic
      throw ServiceError.invalid(
        diagnostic.messageWithSuggestion, code: "bad-selector",
        location: ServiceError.Location(
          line: diagnostic.location?.line, column: diagnostic.location?.column, pointer: text.pointer))
    }
  }

  // MARK: - Selecting

  private func select(_ body: JSONBody) throws -> [UInt8] {
    try body.allow("clause", "capture", "ruleset", "style", "days")
    let settings = try state.analysis.settings(body)
    let clause = try body.required("clause")
    let rule = try ClauseReader.rule(clause, settings)
    let days = try body.member("days")?.number(in: 1...3_650) ?? 7
    let capture = try body.member("capture").map { try state.analysis.screen(try $0.text) }
    let snapshot = try state.analysis.taps.snapshot(settings)
    let search = try ClauseSearch([rule], settings, snapshot)
    let events = try state.analysis.counts.count(
      rule, ClauseCounts.Key(clause: clause.value.json, settings: settings.key, days: days), settings, snapshot)
    var json = JSONBuilder()
    json.object {
      $0.member("total", search.total(0))
      let here = capture.map { search.elements(0, of: $0.id) } ?? []
      $0.array("here", here) { $1.value($0) }
      var left = Self.mostElements
      $0.array("captures", search.matches[0]) { match, json in
        json.object {
          $0.member("id", match.screen.id)
          $0.member("name", match.screen.name)
          $0.nullable("page", match.entries.first.flatMap { match.screen.page(ofEntry: $0) })
          $0.nullable("app_version", match.screen.appVersion)
          $0.member("count", match.entries.count)
          $0.array("elements", Array(match.elements.prefix(left))) { $1.value($0) }
          left -= min(left, match.entries.count)
        }
      }
      $0.member("captures_searched", snapshot.screens.count)
      $0.object("events") {
        $0.member("count", events.count)
        $0.member("days", days)
        $0.member("of", events.of)
        $0.member("complete", events.isComplete)
      }
    }
    return json.bytes
  }

  // MARK: - Suggesting

  private func suggest(_ body: JSONBody) throws -> [UInt8] {
    try body.allow("capture", "element", "limit", "ruleset", "style")
    let settings = try state.analysis.settings(body)
    let limit = try body.member("limit")?.number(in: 1...Self.mostSuggestions) ?? 5
    let (screen, identified, element, isTracked) = try state.analysis.element(body, settings)
    let suggestions = SuggestedClause.all(for: element, in: identified, limit: limit, settings)
    let snapshot = try state.analysis.taps.snapshot(settings)
    let search = try ClauseSearch(suggestions.map(\.rule), settings, snapshot)
    var json = JSONBuilder()
    json.object {
      $0.member("element", element.index)
      $0.member("tracked", isTracked)
      Self.write(suggestions, search, from: 0, screen, to: &$0)
    }
    return json.bytes
  }

  private static func write(
    _ suggestions: [SuggestedClause], _ search: ClauseSearch, from start: Int, _ screen: StoredScreen,
    to json: inout JSONBuilder
  ) {
    json.array("suggestions", Array(suggestions.enumerated())) { entry, json in
      let (i, suggestion) = entry
      let here = search.elements(start + i, of: screen.id).count
      suggestion.write(here: here, elsewhere: search.total(start + i) - here, to: &json)
    }
  }

  // MARK: - Chips

  private func chips(_ body: JSONBody) throws -> [UInt8] {
    try body.allow("capture", "element", "choices", "ruleset", "style")
    let settings = try state.analysis.settings(body)
    let choices = try ClauseChips.choices(try body.member("choices"))
    let (screen, identified, element, isTracked) = try state.analysis.element(body, settings)
    let suggestions = SuggestedClause.all(for: element, in: identified, limit: 5, settings)
    let chips = ClauseChips(element, in: identified, suggestions, settings)
    let snapshot = try state.analysis.taps.snapshot(settings)
    let narrowed = try chips.narrowed(choices, for: element, in: identified) { rules in
      guard let taps = snapshot.screens.first(where: { $0.id == screen.id }) else { return rules.map { _ in [] } }
      return try ClauseSearch.elements(of: taps, rules, settings, snapshot.dictionary)
    }
    // The clause as it is, then with each chip the other way, then the suggestions.
    let subjects = chips.chips.map(\.subject)
    let rules =
      [chips.clause(narrowed: narrowed).rule]
      + subjects.map { chips.clause(narrowed: narrowed.symmetricDifference([$0])).rule }
      + suggestions.map(\.rule)
    let search = try ClauseSearch(rules, settings, snapshot)
    var json = JSONBuilder()
    json.object {
      $0.member("element", element.index)
      $0.member("tracked", isTracked)
      $0.member("clause", .object(chips.clause(narrowed: narrowed).object))
      $0.array("chips", Array(chips.chips.enumerated())) { entry, json in
        let (i, chip) = entry
        let isThis = narrowed.contains(chip.subject)
        json.object {
          $0.member("id", chip.subject.id)
          $0.member("title", chip.title)
          $0.member("value", isThis ? "this" : "any")
          $0.array("options", ClauseChips.Choice.allCases) { choice, json in
            let rule = (choice == .this) == isThis ? 0 : i + 1
            json.object {
              $0.member("value", choice.rawValue)
              $0.member("title", choice == .this ? chip.this : chip.any)
              $0.member("here", search.elements(rule, of: screen.id).count)
              $0.member("total", search.total(rule))
            }
          }
        }
      }
      Self.write(suggestions, search, from: subjects.count + 1, screen, to: &$0)
    }
    return json.bytes
  }
}
