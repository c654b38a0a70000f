import ArgumentParser
import EncircleAuthoring
import EncircleRules
import EncircleText
import EncircleWorkbook
import Foundation

extension PlanHeaders: ExpressibleByArgument {}

/// `encircle plan export`
struct PlanExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the plan as a table, which `encircle plan import` takes back.",
    discussion: """
      A row for each event of the plan and of the rules, followed by one for each of its properties. --headers chooses the headers and \
      words: en, zh, or those that Amplitude, Segment or Sensors take. With --events and --captures the columns about what was seen are \
      filled.

      A workbook has the sheets events and properties, and with --captures also screens, each with its picture, and undefined: the elements \
      that no rule is about. Events have the picture that is planned of them, or the part of a screen that shows them.
      """)

  /// The formats of the table.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case csv, xlsx
  }

  @OptionGroup var rules: RuleOptions

  @OptionGroup var elements: KnownElementOptions

  @OptionGroup var formats: InputFormatOptions

  @OptionGroup var options: PlanOptions

  @Option(help: "The headers and words: en, zh, amplitude, segment or sensors.")
  var headers = PlanHeaders.en

  @Option(help: "The format: csv, or xlsx, a workbook. Default: by the ending of --output, else csv.")
  var format: Format?

  @Option(help: "The encoding of a table in csv: utf-8, with a byte order mark, or gb18030.")
  var tableEncoding = TableFile.Encoding.utf8

  @Option(help: "A file with events, as for `encircle plan status`; may be repeated.", completion: .file())
  var events: [String] = []

  @Option(help: "The time with which the times of events are compared, such as 2026-03-01. Default: now.")
  var now: Moment?

  @Option(name: .shortAndLong, help: "The file to write. Default: standard output.", completion: .file())
  var output: String?

  func validate() throws {
    try StandardInput.requireOneUse(in: events + rules.rules + elements.captures + options.plan + formats.inputPaths)
    try formats.requireCaptures(elements.captures)
    if isWorkbook, tableEncoding != .utf8 {
      throw ValidationError("--table-encoding is for comma-separated values: a workbook has an encoding of its own.")
    }
  }

  private var isWorkbook: Bool { format ?? (output.map(WorkbookFile.isName) == true ? .xlsx : .csv) == .xlsx }

  func run() throws {
    let file = try output.map { try OutputFile($0, option: "--output", of: self, isNoneOf: events) }
    let ruleSet = try rules.loadRules()
    // Facts that belong in rules are exported, so that an import of the table can move them.
    let plan = TrackingPlan(ruleSet, try options.loadPlan(rules, for: RuleSet()))
    if isWorkbook {
      return try exportWorkbook(plan, ruleSet, to: file)
    }
    let (dictionary, screens) = try elements.loadScreens(formats, for: ruleSet)
    var counter = PlanStatusCounter(
      plan, ruleSet, dictionary: dictionary, now: (now ?? .now).milliseconds)
    for (name, screen) in screens { counter.add(screen, name: name) }
    let status = try EventInput.forEach(of: events, projection: counter.projection) { reader, file, line in
      counter.add(eventOf: reader, PlanReport.Place(file: file, line: line))
    }
    guard let bytes = TableFile.bytes(PlanExport.text(plan, headers, report: counter.finish()), tableEncoding) else {
      throw ExitStatus.badData.failure("error: this system cannot write \(tableEncoding.rawValue)")
    }
    try TableFile.write(bytes, to: file)
    try status.exit()
  }

  private func exportWorkbook(_ plan: TrackingPlan, _ ruleSet: RuleSet, to file: OutputFile?) throws {
    let (dictionary, screens) = try elements.loadScreens(formats, for: ruleSet)
    var counter = PlanStatusCounter(
      plan, ruleSet, dictionary: dictionary, now: (now ?? .now).milliseconds)
    let setAside = try RuleOptions.setAside(besides: rules.rules, for: ruleSet)
    var coverage = ScreenCoverage(ruleSet, dictionary: dictionary, setAside: setAside)
    var board = ScreenBoard(ruleSet, plan: plan, dictionary: dictionary)
    var pictures = BoardPictures()
    for (name, screen) in screens {
      counter.add(screen, name: name)
      coverage.add(screen, name: name)
      board.add(screen, name: name, screenshot: pictures.picture(of: name, named: screen.tree.header.screenshot))
    }
    let status = try EventInput.forEach(of: events, projection: counter.projection) { reader, file, line in
      guard let decided = counter.decided(eventOf: reader) else { return }
      counter.add(decided, PlanReport.Place(file: file, line: line))
      board.add(decided)
      coverage.add(eventOf: reader)
    }
    let report = counter.finish()
    let hasScreens = !elements.captures.isEmpty
    try WorkbookFile.write(
      PlanWorkbook.workbook(
        plan, headers, report: report, board: hasScreens ? board.finish(report) : nil,
        coverage: hasScreens ? coverage.finish() : nil, pictures: pictures.pictures(of: plan)),
      to: file)
    try status.exit()
  }
}
