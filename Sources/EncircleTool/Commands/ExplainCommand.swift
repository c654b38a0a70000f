import ArgumentParser
import EncircleAuthoring
import EncircleCapture
import EncircleEvents
import EncircleIdentity
import EncircleInput
import EncircleRules
import EncircleText
import EncircleTree

/// `encircle explain`
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain why an event or an element of a capture is or is not selected, rule by rule and test by test.",
    discussion: """
      The event is given as JSON, as a file, of which the first event counts, or as FILE:LINE; - is standard input. For an element of a capture \
      an event is made up: a $AppClick with the path, page, event ID, type, content and position of the element.

      The rules that match come first, then the three that nearly do; --all shows the others, too.
      """)

  @OptionGroup var rules: RuleOptions

  @OptionGroup var elements: KnownElementOptions

  @OptionGroup var formats: InputFormatOptions

  @Option(
    parsing: .unconditional,
    help: "The event: JSON, a file, whose first event is taken, or FILE:LINE; - is standard input.",
    completion: .file())
  var event: String?

  @Option(help: "A capture, instead of an event.", completion: .file())
  var capture: String?

  @Option(
    help:
      "The element of the capture, named as in 'suggest': by its number, its event ID, a point x,y, a text or its id.",
    completion: .custom { words, _, _ in ElementCompletion.numbers(in: words) })
  var element: String?

  @Option(help: "The name of the event that is made up for the element.")
  var eventName: String?

  @Option(
    name: .customLong("rule"), help: "Explain only the rule with this id; may be repeated.",
    completion: .custom { words, _, _ in RuleOptions.ruleIDs(in: words) })
  var ruleIDs: [String] = []

  @Flag(help: "Explain all rules, also those that are far from matching.")
  var all = false

  @Option(help: "The format of the explanation.")
  var format = Format.text

  @OptionGroup var tolerance: ToleranceOptions

  @OptionGroup var colors: ColorOptions

  /// The formats of the explanation.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  func validate() throws {
    guard (event == nil) != (capture == nil) else {
      throw ValidationError("Name either --event, or --capture and --element.")
    }
    guard (capture == nil) == (element == nil) else { throw ValidationError("--capture and --element go together.") }
    if eventName != nil, capture == nil {
      throw ValidationError("--event-name goes with --capture: --event has a name, or none.")
    }
    let inputs = [event.map(EventFile.path), capture].compactMap { $0 }
    try StandardInput.requireOneUse(in: inputs + rules.rules + elements.captures + formats.inputPaths)
    try formats.requireCaptures(elements.captures + [capture].compactMap { $0 })
  }

  func run() throws {
    let ruleSet = try rules.loadRules()
    for id in ruleIDs where !ruleSet.rules.contains(where: { $0.id == UTF8String(id) }) {
      let nearest = Diagnostic.nearest(to: id, among: ruleSet.rules.map(\.id.text))
      throw ExitStatus.findings.failure(
        "error: there is no rule '\(id)'" + (nearest.map { "; did you mean '\($0)'?" } ?? ""))
    }
    let dictionary = try elements.loadDictionary(formats, for: ruleSet, decides: false)
    var explainer = Explainer(ruleSet, dictionary: dictionary)
    if tolerance.isAsked(with: elements) {
      let matcher = try tolerance.tolerating(
        Matcher(ruleSet, dictionary: dictionary), rules, elements, formats)
      if let table = matcher.toleranceTable { explainer = explainer.tolerating(table) }
    }
    let explanation = explainer.explain(try loadEvent(ruleSet))
    let wanted = Set(ruleIDs.map { UTF8String($0) })
    let named = explanation.rules.filter { wanted.isEmpty || wanted.contains($0.rule.id) }
    let output = ResultWriter()
    switch format {
    case .text:
      let (shown, left) = all || !wanted.isEmpty ? (named.inOrderOfInterest, 0) : named.mostInteresting
      let text = ExplanationText.text(explanation, shown, left: left)
      try output.write(colors.isColored ? Color.paintMarks(in: text) : text)
    case .json: try output.write(ExplanationText.json(explanation, named))
    }
    try output.flush()
    let decision = explanation.decision
    if event != nil, decision.resolution == .unresolved, decision.eventID != nil, dictionary.count == 0 {
      printError("note: --captures or --dictionary says which element the event ID stands for")
    }
    // A tap on an element of a capture is decided like an event from an app, which brings no capture.
    if let capture, elements.inputPaths.isEmpty, ruleSet.rules.contains(where: { $0.isEnabled && $0.needsTextsWithin })
    {
      printError("note: 'within' looks texts up in --captures: name \(capture) there, too")
    }
  }

  private func loadEvent(_ ruleSet: RuleSet) throws -> AnalyticsEvent {
    if let capture, let element {
      let tree = try read(capture)
      let screen = IdentifiedTree(tree, options: ruleSet.identity)
      let ruleSet = ruleSet.part(for: screen)
      let style = ruleSet.style
      if let refusal = style.refusal(of: screen) {
        throw ExitStatus.findings.failure("\(capture): error: \(refusal)")
      }
      let query = ElementQuery(element)
      let found = try query.onlyElement(element, in: screen, capture, style)
      noteInnerElement(of: screen.trackedElement(around: found, in: style) ?? found, query, in: screen, capture)
      return ElementEvents(of: screen, style: style, fields: ruleSet.fields).event(of: found, named: eventName)
    }
    return try EventFile.read(event ?? "").event
  }

  private func read(_ path: String) throws -> ViewTree {
    let reader = try formats.readerOrExit()
    do throws(CaptureError) {
      return try reader.read(contentsOf: path)
    } catch {
      printErrors(error.description)
      throw ExitCode(ExitStatus(error).rawValue)
    }
  }
}
