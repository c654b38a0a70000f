import ArgumentParser
import EncircleAuthoring
import EncircleRuleFiles
import EncircleRules
import EncircleText
import Foundation

/// `encircle plan status`
struct PlanStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the status of events: which are live, missing, wrong or not in the plan.",
    discussion: """
      For each event, platform and version of the app, one of: planned, defined, live, missing, wrong, unexpected, stale, deprecated, \
      archived; with the evidence in words. Properties are compared with the plan: required, type, values and pattern.

      Exit status 1 if something is missing, wrong or unexpected, as --fail-on says; 65 if a line is not an event.
      """)

  /// The formats of the result.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, markdown, junit
  }

  @OptionGroup var rules: RuleOptions

  @OptionGroup var elements: KnownElementOptions

  @OptionGroup var formats: InputFormatOptions

  @OptionGroup var options: PlanOptions

  @Option(help: .eventFiles, completion: .file())
  var events: [String] = []

  @Option(help: "The format of the result.")
  var format = Format.text

  @Option(
    help: ArgumentHelp(
      "List only events of these statuses, separated by commas, in text and Markdown.", valueName: "statuses"),
    transform: { try StatusList(parsing: $0) })
  var only: StatusList?

  @Flag(help: "Print only three lines that say how it stands.")
  var summary = false

  @Option(
    help: ArgumentHelp("Exit with status 1 if an event is of these statuses; none for never.", valueName: "statuses"),
    transform: { try StatusList(parsing: $0) })
  var failOn = StatusList(statuses: [.missing, .wrong, .unexpected])

  @Option(
    parsing: .unconditional,
    help: """
      An event that was not seen for this many days has stopped. It is missing then, if --missing-people have used its \
      version meanwhile; an archived one is unexpected until then.
      """)
  var liveDays = PlanThresholds().liveDays

  @Option(parsing: .unconditional, help: "An event is stale if it was not seen for this many days.")
  var staleDays = PlanThresholds().staleDays

  @Option(
    parsing: .unconditional,
    help: """
      A planned event is missing in a version that has been out for this many days and that --missing-people have used.
      """)
  var missingAfterDays = PlanThresholds().missingAfterDays

  @Option(parsing: .unconditional, help: "The people who must have used a version for an event to be missing in it.")
  var missingPeople = PlanThresholds().missingPeople

  @Option(help: "The time with which the times of events are compared, such as 2026-03-01. Default: now.")
  var now: Moment?

  mutating func validate() throws {
    let days = [liveDays, staleDays, missingAfterDays]
    guard days.allSatisfy({ (0...36_500).contains($0) }), missingPeople >= 0 else {
      throw ValidationError("Numbers of days are from 0 to 36500, numbers of people from 0 on.")
    }
    if summary, format != .text {
      throw ValidationError("--summary prints three lines of text, so --format does not go with it.")
    }
    if only != nil, summary || [.json, .junit].contains(format) {
      let other = summary ? "--summary" : "--format \(format.rawValue)"
      throw ValidationError("--only lists some events of text and Markdown: it does not go with \(other).")
    }
    guard liveDays <= staleDays else { throw ValidationError("--live-days is at most --stale-days.") }
    try StandardInput.requireOneUse(in: events + rules.rules + elements.captures + options.plan + formats.inputPaths)
    try formats.requireCaptures(elements.captures)
  }

  func run() throws {
    let ruleSet = try rules.loadRules()
    let plan = TrackingPlan(ruleSet, try options.loadPlan(rules, for: ruleSet))
    let (dictionary, screens) = try elements.loadScreens(formats, for: ruleSet)
    var thresholds = PlanThresholds()
    (thresholds.liveDays, thresholds.staleDays) = (liveDays, staleDays)
    (thresholds.missingAfterDays, thresholds.missingPeople) = (missingAfterDays, missingPeople)
    var counter = PlanStatusCounter(
      plan, ruleSet, dictionary: dictionary, thresholds: thresholds,
      now: (now ?? .now).milliseconds)
    for (name, screen) in screens { counter.add(screen, name: name) }
    let read = try EventInput.forEach(of: events, projection: counter.projection) { reader, file, line in
      counter.add(eventOf: reader, PlanReport.Place(file: file, line: line))
    }
    let report = counter.finish()
    try ResultWriter.print(text(report))
    if !plan.hasPlan {
      printError("note: there is no plan beside the rules, so that no event is missing or unexpected")
    }
    if report.beyondLimits > 0 {
      printError(
        "note: \(report.beyondLimits) times, a name, version or person of an event was not counted: there are too many")
    }
    let isBad = report.events.contains { event in event.rows.contains { failOn.statuses.contains($0.status) } }
    try read.joined(with: isBad ? .findings : .done).exit()
  }

  private func text(_ report: PlanReport) -> String {
    if summary { return PlanEvidence.summary(report).map { VisibleText.escaping($0) + "\n" }.joined() }
    return switch format {
    case .text: PlanText.text(report, statuses: only?.statuses)
    case .json: PlanJSON.text(report)
    case .markdown: PlanMarkdown.text(report, statuses: only?.statuses)
    case .junit: JUnitText.text(report, failOn: failOn.statuses)
    }
  }
}

/// Statuses on the command line, separated by commas.
struct StatusList {
  let statuses: Set<PlanReport.Status>

  init(statuses: Set<PlanReport.Status>) { self.statuses = statuses }

  init(parsing text: String) throws {
    var statuses = Set<PlanReport.Status>()
    for word in text.splitBytes(at: ",", omittingEmptySubsequences: false) where !word.hasSameBytes(as: "none") {
      guard let status = PlanReport.Status(rawValue: String(word)) else {
        let known = PlanReport.Status.allCases.map(\.rawValue)
        let nearest = Diagnostic.nearest(to: String(word), among: known)
        throw ValidationError(
          "There is no status '\(word)'"
            + (nearest.map { ": did you mean '\($0)'?" } ?? ": one of \(known.joined(separator: ", "))."))
      }
      statuses.insert(status)
    }
    self.statuses = statuses
  }
}
