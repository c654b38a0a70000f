import ArgumentParser
import EncircleIdentity
import EncircleRuleTesting
import EncircleRules
import EncircleSuggest
import EncircleText
import EncircleTree
import Foundation

/// `encircle suggest`
struct SuggestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "suggest",
    abstract: "Suggest selectors for an element of a capture, the most stable first.",
    discussion: """
      The element is named by its pre-order number, by its event ID or at least the first 8 digits of it, by a point x,y in \
      window coordinates, which names the trackable element drawn last there, or by a text that it shows. --by says which of \
      these it is, for a text that looks like a number.

      A suggestion is unique if it selects only the element or, with a free row (row:*), only the element in every row. If \
      the first suggestion has a free row, the second has the row of the element. A suggestion that also needs the page or a \
      text says so. If the first suggestion is not unique, no rule can tell the element from others; the exit status is 1.
      """)

  /// The ways to name an element.
  enum Naming: String, CaseIterable, ExpressibleByArgument {
    case number
    case eventID = "event-id"
    case point, text
  }

  /// What comes first.
  enum Preference: String, CaseIterable, ExpressibleByArgument {
    case id, stability
  }

  /// The formats of the suggestions.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  @Argument(help: "The capture: a file, or - for standard input.")
  var capture: String

  @Argument(help: "The element: its number, its event ID, a point x,y, or a text.")
  var element: String

  @Option(
    help:
      "How the element is named. Default: judged by its form."
  )
  var by: Naming?

  @Option(help: "A file or directory with captures in which to count what the suggestions match; may be repeated.")
  var against: [String] = []

  @Flag(help: "Print the first suggestion as a rule file.")
  var rulesYaml = false

  @Option(help: "The style of the paths that events have.")
  var style = PathStyleName.hubbleData

  @Option(
    help: "What comes first where the style's paths carry ids that developers give: these, or what is most stable.")
  var prefer = Preference.id

  @Option(help: "The maximum number of suggestions.")
  var limit = 5

  @Option(help: "The format of the suggestions.")
  var format = Format.text

  @OptionGroup var formats: InputFormatOptions

  func validate() throws {
    guard limit >= 1 else { throw ValidationError("--limit is at least 1.") }
    if rulesYaml, format == .json {
      throw ValidationError("--rules-yaml prints YAML, so --format does not go with it.")
    }
    if rulesYaml, !against.isEmpty {
      throw ValidationError("--rules-yaml prints a rule alone, so --against does not go with it.")
    }
    if element.isEmpty { throw ValidationError("Name an element: its number, its event ID, a point x,y, or a text.") }
    _ = try query()
  }

  private func query() throws -> ElementQuery {
    func required(_ query: ElementQuery?, _ form: String) throws -> ElementQuery {
      guard let query else { throw ValidationError("'\(element)' is not \(form).") }
      return query
    }
    switch by {
    case nil: return ElementQuery(element)
    case .number: return try required(Int(element).flatMap { $0 >= 0 ? .number($0) : nil }, "the number of an element")
    case .eventID: return try required(ElementQuery.eventID(element), "an event ID: 8 to 64 hexadecimal digits")
    case .point: return try required(ElementQuery.point(element), "a point: two numbers with a comma between them")
    case .text: return .text(element)
    }
  }

  func run() throws {
    let (name, screen) = try readCapture()
    let query = try query()
    let found = try find(query, in: screen, name)
    let element = screen.trackedElement(around: found) ?? found
    noteInnerElement(of: element, query, in: screen, name)
    if screen.trackingType(of: element) == nil {
      printError("\(name): note: element \(element) is nothing that SDKs track, so no event may have its path")
    }
    if let lack = style.style.lack(of: screen) {
      printError("\(name): error: style \(style.rawValue) cannot serve this capture: \(lack)")
      throw ExitCode(ExitStatus.findings.rawValue)
    }
    let suggestions =
      style == .hubbleData
      ? Suggester(screen).suggestions(for: element, limit: limit)
      : StyledSuggester(screen, style: style).suggestions(for: element, limit: limit, prefersIDs: prefer == .id)
    guard let first = suggestions.first else {
      printError(
        "\(name): error: element \(element) has no path in style \(style.rawValue), or one too long for a selector")
      throw ExitCode(ExitStatus.findings.rawValue)
    }
    if !first.isUnique {
      let others = first.elements.filter { $0 != element }
      let list = others.prefix(10).map(\.description).joined(separator: ", ") + (others.count > 10 ? ", …" : "")
      printError("\(name): warning: no rule can tell element \(element) from those with the same identity: \(list)")
    }
    let output = ResultWriter()
    var status = first.isUnique ? ExitStatus.done : .findings
    if rulesYaml {
      var rule = SuggestedRule(first, for: element, in: screen)
      rule.style = style
      rule.comments = ["Suggested for element \(element) of \(VisibleText.escaping(name))."] + comments(first)
      try output.write(rule.yaml)
    } else {
      let report = try SuggestionReport(
        capture: name, screen: screen, element: element, suggestions: suggestions,
        others: counts(of: suggestions, page: screen.page(of: element, in: style), &status))
      try output.write(format == .text ? report.text : report.json)
    }
    try output.flush()
    try status.exit()
  }

  private func comments(_ suggestion: Suggestion) -> [String] {
    switch suggestion.uniqueness {
    case .element: ["Selects nothing else there; stability \(suggestion.stability.score) of 100."]
    case .kind(let count):
      ["Selects \(count) of the same kind there, in any row; stability \(suggestion.stability.score) of 100."]
    case .shared(let count): ["Selects \(count) elements there, which no rule can tell apart."]
    }
  }

  // MARK: - Input

  private func readCapture() throws -> (String, IdentifiedTree) {
    var source = CaptureSource(paths: [capture], formats)
    var result: (String, IdentifiedTree)?
    var count = 0
    try source.forEach { name, screen in
      count += 1
      if count == 1 { result = (name, screen) }
    }
    try source.status.exit()
    guard let result, count == 1 else {
      printError("error: suggest takes one capture, \(capture) has \(count)")
      throw ExitCode(ExitCode.validationFailure.rawValue)
    }
    return result
  }

  private func find(_ query: ElementQuery, in screen: IdentifiedTree, _ name: String) throws -> ElementID {
    let found = query.elements(of: screen)
    if found.count == 1 { return found[0] }
    if found.isEmpty {
      let what =
        switch query {
        case .number(let number): "there is no element \(number): the capture has 0 to \(screen.tree.count - 1)"
        case .eventID(let prefix): "no element has event ID \(prefix); --by text looks for it as a text"
        case .point: "no trackable element is at \(element)"
        case .text: "no element says '\(element)'"
        }
      printError("\(name): error: \(what)")
    } else {
      printError("\(name): error: \(found.count) elements are meant by '\(element)'; name one by its number:")
      let contents = ElementContents(of: screen)
      for element in found.prefix(20) {
        printError("  " + VisibleText.shortened(SuggestionReport.line(element, screen, contents), columns: 110))
      }
      if found.count > 20 { printError("  … and \(found.count - 20) more") }
    }
    throw ExitCode(ExitStatus.findings.rawValue)
  }

  /// Counts the matches of the suggestions in the captures of `--against`, without the capture itself.
  private func counts(
    of suggestions: [Suggestion], page: String?, _ status: inout ExitStatus
  ) throws -> [SuggestionReport.Other] {
    guard !against.isEmpty else { return [] }
    let own = capture == "-" ? nil : URL(fileURLWithPath: capture).resolvingSymlinksInPath().path
    var source = CaptureSource(paths: against, formats)
    var others: [SuggestionReport.Other] = []
    let evaluator = SelectorEvaluator(style: style)
    try source.forEach { name, screen in
      if let own, URL(fileURLWithPath: name).resolvingSymlinksInPath().path == own { return }
      if let lack = style.style.lack(of: screen) {
        printError("\(name): note: style \(style.rawValue) cannot serve this capture: \(lack)")
        return
      }
      let matches = suggestions.map { suggestion in
        evaluator.elements(matching: suggestion.selector, in: screen).map { screen.page(of: $0, in: style) }
      }
      let hasPage =
        page != nil && screen.tree.elements.contains { SuggestionReport.same(screen.page(of: $0, in: style), page) }
      others.append(SuggestionReport.Other(capture: name, hasPage: hasPage, matches: matches))
    }
    status = status == .findings && source.status != .done ? source.status : status.joined(with: source.status)
    return others
  }
}
