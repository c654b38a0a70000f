import ArgumentParser
import EncircleAuthoring
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// `encircle plan accept`
struct PlanAcceptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept",
    abstract: "Tick off the planned events of a release as they arrive, with their properties checked.",
    discussion: """
      The events are those of a person who has tested the release. Each planned event of the version is ticked off on each of its \
      platforms if it has arrived and all its properties are as planned. Problems are listed with the event, without texts that \
      are not planned. Events that are set to planned need not be there.

      Exit status 1 unless all is accepted, and if the plan has no event of the version and platforms; 65 if a line is not an event.
      """)

  /// The formats of the result.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, markdown, html, json, junit
  }

  @OptionGroup var rules: RuleOptions

  @OptionGroup var elements: KnownElementOptions

  @OptionGroup var formats: InputFormatOptions

  @OptionGroup var options: PlanOptions

  @Option(help: .eventFiles, completion: .file())
  var events: [String]

  @Option(help: "The version of the app that is to be accepted. Events of others do not count. Default: all.")
  var appVersion: String?

  @Option(
    help: ArgumentHelp(
      "The platform that is to be accepted: ios, android, web, mini-program, server or other; may be repeated.",
      valueName: "platform"))
  var platform: [PlannedEvent.Platform] = []

  @Option(help: "Who has tried it, for the report.")
  var tester: String?

  @Option(help: "The format of the result.")
  var format = Format.text

  @Option(name: .shortAndLong, help: "The file to write. Default: standard output.", completion: .file())
  var output: String?

  func validate() throws {
    try StandardInput.requireOneUse(in: events + rules.rules + elements.captures + options.plan + formats.inputPaths)
    try formats.requireCaptures(elements.captures)
    if let appVersion, VersionNumber(appVersion) == nil {
      throw ValidationError("--app-version is a version of the app, such as 5.2.")
    }
  }

  func run() throws {
    let file = try output.map { try OutputFile($0, option: "--output", of: self, isNoneOf: events) }
    let ruleSet = try rules.loadRules()
    let plan = TrackingPlan(ruleSet, try options.loadPlan(rules, for: ruleSet))
    guard plan.hasPlan else {
      throw ExitStatus.noInput.failure("error: there is no plan beside the rules, so that there is nothing to accept")
    }
    let (dictionary, _) = try elements.loadScreens(formats, for: ruleSet)
    var acceptance = PlanAcceptance(
      plan, ruleSet, of: .init(version: appVersion, platforms: Set(platform)), dictionary: dictionary)
    let read = try EventInput.forEach(of: events, projection: acceptance.projection) { reader, file, line in
      acceptance.add(eventOf: reader, PlanReport.Place(file: file, line: line))
    }
    var report = acceptance.finish()
    report.tester = tester
    if let file {
      try FileReplacement.save(Array(text(report).utf8), as: file)
      printError(PlanAcceptanceText.summary(report))
    } else {
      try ResultWriter.print(text(report))
    }
    if report.items.isEmpty { printError(nothingToAccept(in: plan)) }
    try read.joined(with: report.isAccepted ? .done : .findings).exit()
  }

  /// Returns the message for an empty list, with the versions and platforms of the events that the plan has.
  private func nothingToAccept(in plan: TrackingPlan) -> String {
    let planned = plan.entries.compactMap(\.planned).filter(\.isActive)
    var message = "error: the plan has no event to accept"
    var facts: [String] = []
    if let appVersion {
      message += " in version \(appVersion)"
      let versions = Set(planned.compactMap(\.since)).sorted(by: VersionNumber.areInOrder)
      if !versions.isEmpty { facts.append("versions with new events: \(NameList.text(versions))") }
    }
    if !platform.isEmpty {
      message += " on \(platform.map(\.rawValue).joined(separator: ", "))"
      let platforms = Set(planned.flatMap(\.platforms)).sorted().map(\.rawValue)
      if !platforms.isEmpty { facts.append("platforms of its events: \(platforms.joined(separator: ", "))") }
    }
    return facts.isEmpty ? message : "\(message); \(facts.joined(separator: "; "))"
  }

  private func text(_ report: PlanAcceptanceReport) -> String {
    switch format {
    case .text: PlanAcceptanceText.text(report)
    case .markdown: PlanAcceptanceText.markdown(report)
    case .html: PlanAcceptanceHTML.text(report, title: appVersion.map { "Acceptance of \($0)" } ?? "Acceptance")
    case .json: PlanAcceptanceJSON.text(report)
    case .junit: JUnitText.text(report)
    }
  }
}

extension PlannedEvent.Platform: ExpressibleByArgument {}
