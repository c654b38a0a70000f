import ArgumentParser
import EncircleAuthoring
import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree
import Foundation

/// `encircle suggest`
struct SuggestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "suggest",
    abstract: "Suggest selectors for an element of a capture, or of an event, the most stable first.",
    discussion: """
      The element is named by its pre-order number, by its event ID or at least the first 8 digits of it, by a point x,y in \
      window coordinates, which names the trackable element drawn last there, or by a text that it shows. --by says which of \
      these it is, for a text that looks like a number. With --event it is the element of an event, and there is no capture.

      A suggestion is unique if it selects only the element or, with a free row (row:*), only the element in every \
      row. If the first suggestion has a free row, the second has the row of the element. A suggestion that also needs \
      the page or a text says so. If the first suggestion is not unique, no rule can distinguish the element from \
      others; the exit status is 1.

      With --all, each tracked element of the capture that no rule takes gets a rule that selects it in any row, and nothing else.
      """)

  /// The ways to name an element.
  enum Naming: String, CaseIterable, ExpressibleByArgument {
    case number
    case eventID = "event-id"
    case point, text
  }

  /// The criteria by which suggestions are ordered.
  enum Preference: String, CaseIterable, ExpressibleByArgument {
    case id, stability
  }

  /// The formats of the suggestions.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  @Argument(help: "The capture: a file, or - for standard input.", completion: .file())
  var capture: String?

  @Argument(
    help: "The element: its number, its event ID, a point x,y, a text, or the id that developers gave it.",
    completion: .custom { words, _, _ in ElementCompletion.numbers(in: words) })
  var element: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Begin from an event instead of a capture. Without a line, it is the file's first event; - is standard input.",
      valueName: "file[:line]"), completion: .file())
  var event: String?

  @Option(
    help:
      "How the element is named. Default: judged by its form."
  )
  var by: Naming?

  @Option(
    help: """
      A file or directory with captures in which to try the suggestions; may be repeated. Suggestions that select the same kind \
      of element there, too, come first.
      """, completion: .file())
  var against: [String] = []

  @Flag(help: "Print the first suggestion as a rule file.")
  var rulesYaml = false

  @Option(
    help: ArgumentHelp(
      """
      Also say how a rule reads a property off another element, named as the element is; with --rules-yaml the rule does. May \
      be repeated.
      """, valueName: "name=element"))
  var property: [String] = []

  @Option(
    help: ArgumentHelp(
      "With --rules-yaml: also write the anchor of the rule into this file, to those that it has; see `encircle anchor`.",
      valueName: "file"), completion: .file())
  var anchor: String?

  @Option(
    help: "The style of the paths that events have. Default: hubbledata; with --event, the style of the event.")
  var style: PathStyleName?

  @Option(
    help: "The first suggestions if paths of the style carry developers' ids: with ids, or the most stable ones.")
  var prefer = Preference.id

  @Option(parsing: .unconditional, help: "The maximum number of suggestions.")
  var limit = 5

  @Option(help: "The format of the suggestions.")
  var format = Format.text

  @OptionGroup var many: SuggestAllOptions

  @OptionGroup var formats: InputFormatOptions

  // The maximum number of suggestions that are tried in other captures. In styles other than hubbledata it is smaller, because
  // trials are slower there.
  private static let maximumTried = 20
  private static let maximumTriedInOtherStyles = 8

  func validate() throws {
    guard limit >= 1 else { throw ValidationError("--limit is at least 1.") }
    if rulesYaml, format == .json {
      throw ValidationError("--rules-yaml prints YAML, so --format does not go with it.")
    }
    if anchor != nil, !rulesYaml || event != nil {
      throw ValidationError("--anchor goes with --rules-yaml and a capture.")
    }
    if let anchor { try OutputFile.requireName(anchor, option: "--anchor") }
    if many.all { return try validateAll() }
    // The view controllers are read again for the other captures.
    let controllers = against.isEmpty ? formats.inputPaths : formats.inputPaths + formats.inputPaths
    try StandardInput.requireOneUse(in: [event.map(EventFile.path), capture].compactMap { $0 } + against + controllers)
    var names: Set<UTF8String> = []
    for property in property {
      let name = try SuggestedProperty.parts(of: property).name
      guard names.insert(UTF8String(name)).inserted else {
        throw ValidationError("--property names '\(name)' twice: a rule gives an event each property once.")
      }
    }
    if event != nil {
      if !property.isEmpty {
        throw ValidationError("--property goes with a capture: an event does not say what else is on the screen.")
      }
      guard capture == nil, by == nil else {
        throw ValidationError("--event names the element, so there is no capture; --against names captures to try in.")
      }
      return try formats.requireCaptures(against)
    }
    guard let capture, let element else {
      throw ValidationError("Missing expected argument '\(capture == nil ? "<capture>" : "<element>")'.")
    }
    if element.isEmpty { throw ValidationError("Name an element: its number, its event ID, a point x,y, or a text.") }
    let files = FileManager.default
    if capture != "-", !files.fileExists(atPath: capture), files.fileExists(atPath: element) {
      throw ValidationError("The capture comes first: encircle suggest \(element) \(capture)")
    }
    _ = try query(element)
  }

  private func query(_ element: String) throws -> ElementQuery {
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
    if many.all, let capture { return try runAll(capture) }
    if let event { return try runEvent(event) }
    guard let capture, let text = element else { return }
    let style = try style ?? ProjectDefaults.load().style ?? .hubbleData
    let (name, screen) = try readCapture(capture)
    let query = try query(text)
    let found = try query.onlyElement(
      text, in: screen, name, style, hint: "; --by text looks for it as a text")
    let element = screen.trackedElement(around: found, in: style) ?? found
    noteInnerElement(of: element, query, in: screen, name)
    try requireEvents(of: element, in: screen, name, style)
    let tap = ElementEvents(of: screen, style: style).event(of: element)
    let exclusion = exclusion(of: tap, style, ClassHierarchy(of: screen))
    if let exclusion { printError("\(name): warning: \(exclusion)") }
    let properties = try property.map { try SuggestedProperty($0, beside: element, in: screen, name, style) }
    let most =
      against.isEmpty ? limit : max(limit, style == .hubbleData ? Self.maximumTried : Self.maximumTriedInOtherStyles)
    var suggestions = TapSuggester(screen, SelectionSettings(style: style).ruleSet).suggestions(
      for: element, limit: most, prefersIDs: prefer == .id, withTexts: !against.isEmpty)
    guard !suggestions.isEmpty else {
      throw ExitStatus.findings.failure(
        """
        \(name): error: element \(element) has no path in style \(style.rawValue), one too long for a selector, or none by \
        which a rule could select its tap
        """)
    }
    var trial = SuggestionTrial(
      suggestions, style: style, ranking: TransferRanking(suggestions, for: element, in: screen, style: style))
    let trialStatus = try trial.run(
      against, formats, without: capture, page: screen.page(of: element, in: style))
    trial.keepBest(limit)
    suggestions = trial.suggestions
    let first = suggestions[0]
    if !first.isUnique {
      let others = first.elements.filter { $0 != element }
      let list = NameList.shortened(others.map(\.description), atMost: 10)
      printError(
        "\(name): warning: no rule can distinguish element \(element) from others with the same identity: \(list)")
    }
    let status = first.isUnique ? trialStatus : trialStatus == .done ? ExitStatus.findings : trialStatus
    let output = ResultWriter()
    if rulesYaml {
      var rule = SuggestedRule(first, for: element, in: screen, style: style)
      let origin = "Suggested for element \(element) of \(VisibleText.escaping(name))."
      rule.properties = properties.map { ($0.name, $0.selector) }
      rule.comments = [origin] + comments(first, trial) + Self.comments(exclusion) + rule.comments
      if let anchor {
        try AnchorPath.add([UTF8String(rule.id)], on: NamedScreen(name: name, screen: screen), to: anchor)
      }
      try output.write(rule.yaml)
    } else {
      let report = SuggestionReport(
        subject: .element(element, of: screen, capture: name), style: style, suggestions: suggestions,
        others: trial.others, properties: properties)
      try output.write(format == .text ? report.text : report.json)
    }
    try output.flush()
    try status.exit()
  }

  /// Prints a note if no events of an Android app are in the style of the suggestions.
  static func noteOtherPlatform(of screen: IdentifiedTree, _ name: String, _ style: PathStyleName) {
    guard style == .hubbleData, screen.tree.web == nil, !screen.isOnPlatform(of: style) else { return }
    let styles = PathStyleName.allCases.filter { screen.isOnPlatform(of: $0) }.map { "--style \($0.rawValue)" }
    printError(
      "\(name): note: no event of an Android app is in style hubbledata, which is for iOS: use \(NameList.text(styles))"
    )
  }

  /// Prints what the events of an element lack; ends the command if the capture lacks something that the style needs.
  private func requireEvents(
    of element: ElementID, in screen: IdentifiedTree, _ name: String, _ style: PathStyleName
  ) throws {
    let refusal = style.refusal(of: screen)
    let trackingType =
      refusal == nil
      ? ElementEvents(of: screen, style: style).trackingType(of: element)
      : screen.trackingType(of: element, in: style)
    if trackingType == nil {
      let isOtherStyle = screen.tree.web != nil && !style.isWeb
      printError(
        "\(name): note: element \(element) is nothing that SDKs track, so no event may have its path"
          + (isOtherStyle ? "; web pages have --style sensors-web or posthog-web" : ""))
    }
    Self.noteOtherPlatform(of: screen, name, style)
    if style == .hubbleData, screen.isBarItemWithoutActions(element) {
      printError(
        "\(name): note: the capture lacks the actions of bar items, so the event ID of element \(element) differs in events"
      )
    }
    if let refusal {
      throw ExitStatus.findings.failure("\(name): error: \(refusal)")
    }
  }

  private func comments(_ suggestion: Suggestion, _ trial: SuggestionTrial) -> [String] {
    let first =
      switch suggestion.uniqueness {
      case .element: "Selects nothing else there; stability \(suggestion.stability.score) of 100."
      case .kind(let count):
        "Selects \(count) of the same kind there, in any row; stability \(suggestion.stability.score) of 100."
      case .shared(let count): "Selects \(count) elements there, which no rule can distinguish."
      }
    guard !trial.others.isEmpty else { return [first] }
    let wrong = trial.others.count { $0.outcomes.first == .other }
    return [
      first,
      "Of \(counted(trial.others.count, "other capture")), it selects another element in \(wrong).",
    ]
  }

  /// Returns why no rule selects an event: it is on a page that is excluded by default. Nil if it is not.
  private func exclusion(
    of event: AnalyticsEvent, _ style: PathStyleName, _ hierarchy: ClassHierarchy = .builtIn
  ) -> String? {
    var ruleSet = SelectionSettings(style: style).ruleSet
    ruleSet.excludesDefaultPages = true
    let explainer = Explainer(ruleSet, dictionary: ElementDictionary(hierarchy: hierarchy, style: style))
    return explainer.explain(event).defaultPages.first.map { page in
      "\(page) is excluded by default: no rule selects events on it unless a rule file has 'pages: { defaults: false }'"
    }
  }

  private static func comments(_ exclusion: String?) -> [String] {
    exclusion.map { ["The page \(VisibleText.escaping($0))."] } ?? []
  }

  // MARK: - Events

  private func runEvent(_ argument: String) throws {
    let file = try EventFile.read(argument)
    let subject = EventSubject(file.event, style: style)
    let suggester = EventSuggester(subject)
    let most = against.isEmpty ? limit : max(limit, Self.maximumTriedInOtherStyles)
    var suggestions = suggester.suggestions(limit: most)
    if suggestions.isEmpty, subject.writtenPath != nil {
      printError(
        "\(file.place): note: the event's path is not one of style \(subject.style.rawValue), so it gets no selector")
    }
    guard suggester.rule(for: suggestions.first) != nil else {
      throw ExitStatus.findings.failure(
        "\(file.place): error: the event has no name, no page, no path and no event ID: nothing names it")
    }
    let exclusion = exclusion(of: file.event, subject.style)
    if let exclusion { printError("\(file.place): warning: \(exclusion)") }
    var status = ExitStatus.done
    var trial = SuggestionTrial(
      suggestions, style: subject.style, ranking: TransferRanking(suggestions, style: subject.style))
    if !suggestions.isEmpty {
      status = try trial.run(against, formats, without: nil, page: subject.page)
      trial.keepBest(limit)
      suggestions = trial.suggestions
    }
    let output = ResultWriter()
    if rulesYaml || (suggestions.isEmpty && format == .text), var rule = suggester.rule(for: suggestions.first) {
      let stability = suggestions.first.map { ["Matches the event; stability \($0.stability.score) of 100."] }
      rule.comments =
        ["Suggested for the event of \(VisibleText.escaping(file.place))."]
        + (stability ?? [
          subject.eventID == nil
            ? "The event has neither a path nor an event ID: this takes all with its "
              + (subject.namingValue == nil ? "name and page." : "name, page, and id or text.")
            : "The event has no path: this names the element by its event ID."
        ]) + Self.comments(exclusion)
      try output.write(rule.yaml)
    } else {
      let report = SuggestionReport(
        subject: .event(subject, place: file.place), style: subject.style, suggestions: suggestions,
        others: trial.others)
      try output.write(format == .text ? report.text : report.json)
    }
    try output.flush()
    try status.exit()
  }

  // MARK: - Input

  func readCapture(_ capture: String) throws -> (String, IdentifiedTree) {
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
}
