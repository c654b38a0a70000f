import ArgumentParser
import EncircleAuthoring
import EncircleEvents
import EncircleInput
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleWorkbook
import Foundation

/// `encircle board`
struct BoardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "board",
    abstract: "Draw the screens of an app, each with the events that it can cause, as one page of HTML.",
    discussion: """
      Each screen has numbered rings around the elements that rules select, and a table of their events. The picture of a capture is the \
      one that it names, or screenshots/NAME.png beside NAME.xml; without one, its frames are drawn. With --events, screens come in the \
      order in which people come to them, each event with its count, and with its status if there is a plan. The page needs no other file, and prints on A4 in landscape.

      Exit status 65 if a line is not an event.
      """)

  @OptionGroup var rules: RuleOptions

  @OptionGroup var elements: KnownElementOptions

  @OptionGroup var formats: InputFormatOptions

  @OptionGroup var options: PlanOptions

  @Option(
    help: """
      A file with events in the order of time, JSON objects as for `encircle match`; may be repeated; - is standard input.
      """,
    completion: .file())
  var events: [String] = []

  @Option(help: "The heading of the page.")
  var title = "Screens and events"

  @Option(help: "The time by which the plan's events are live or missing, as in 2026-03-01. Default: now.")
  var now: Moment?

  @Flag(help: "Draw frames also where there are pictures.")
  var withoutPictures = false

  @Option(help: "The format: html, or xlsx, a workbook with pictures. Default: by the ending of --output, else html.")
  var format: Format?

  @Option(
    name: .shortAndLong, help: "The file of the page. Default: standard output.",
    completion: .file(extensions: ["html", "xlsx"]))
  var output: String?

  /// The formats of the board.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case html, xlsx
  }

  func validate() throws {
    if elements.captures.isEmpty {
      throw ValidationError("Name the screens that are to be shown: --captures PATH.")
    }
    try StandardInput.requireOneUse(in: events + rules.rules + elements.captures + options.plan + formats.inputPaths)
  }

  func run() throws {
    let file = try output.map { try OutputFile($0, option: "--output", of: self, isNoneOf: events) }
    let ruleSet = try rules.loadRules()
    let (dictionary, screens) = try elements.loadScreens(formats, for: ruleSet)
    let plan = TrackingPlan(ruleSet, try options.loadPlan(rules, for: ruleSet))
    var board = ScreenBoard(ruleSet, plan: plan, dictionary: dictionary)
    var counter = PlanStatusCounter(
      plan, ruleSet, dictionary: dictionary, now: (now ?? .now).milliseconds)
    var pictures = BoardPictures()
    for (name, screen) in screens {
      if plan.hasPlan { counter.add(screen, name: name) }
      let picture = withoutPictures ? nil : pictures.picture(of: name, named: screen.tree.header.screenshot)
      if let unmet = board.add(screen, name: name, screenshot: picture) {
        printError("\(name): note: is not shown: a style of the rules cannot serve this capture: \(unmet)")
      }
    }
    let status = try EventInput.forEach(of: events, projection: board.projection) { reader, file, line in
      guard plan.hasPlan else { return board.add(eventOf: reader) }
      guard let decided = counter.decided(eventOf: reader) else { return }
      board.add(decided)
      counter.add(decided, PlanReport.Place(file: file, line: line))
    }
    let report = board.finish(plan.hasPlan ? counter.finish() : nil)
    if format ?? (output.map(WorkbookFile.isName) == true ? .xlsx : .html) == .xlsx {
      try WorkbookFile.write(PlanWorkbook.workbook(report), to: file)
    } else {
      try TableFile.write(Array(BoardHTML.text(report, title: title).utf8), to: file)
    }
    if report.beyondLimits > 0 {
      printError(
        "note: \(report.beyondLimits) times, a page or a person of an event was not counted, as there are too many")
    }
    try status.exit()
  }
}
