import ArgumentParser
import EncircleAuthoring
import EncircleEvents
import EncircleInput
import EncircleRuleFiles
import EncircleRules
import EncircleText
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

      Exit status 65 if a line is no event.
      """)

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

  @Option(
    name: .shortAndLong, help: "The file of the page. Default: standard output.",
    completion: .file(extensions: ["html"]))
  var output: String?

  /// The largest picture, in bytes, and the most bytes of all.
  private static let mostPictureBytes = 16 << 20
  private static let mostBytes = 256 << 20

  func validate() throws {
    if options.rules.elements.captures.isEmpty {
      throw ValidationError("Name the screens that are to be shown: --captures PATH.")
    }
    try StandardInput.requireOneUse(in: events + options.rules.rules + options.rules.elements.captures + options.plan)
    if let output {
      try OutputFile.check(
        output, option: "--output",
        isNoneOf: events + options.rules.rules + options.rules.elements.captures + options.plan)
    }
  }

  func run() throws {
    let ruleSet = try options.rules.loadRules()
    let (dictionary, screens) = try options.rules.elements.loadScreens(for: ruleSet)
    let plan = TrackingPlan(ruleSet, try options.loadPlan(for: ruleSet))
    var board = ScreenBoard(ruleSet, plan: plan, dictionary: dictionary)
    var counter = PlanStatusCounter(
      plan, ruleSet, dictionary: dictionary, now: now?.milliseconds ?? Int64(Date().timeIntervalSince1970 * 1000))
    var left = Self.mostBytes
    for (name, screen) in screens {
      if plan.hasPlan { counter.add(screen, name: name) }
      let picture = withoutPictures ? nil : Self.picture(of: name, named: screen.tree.header.screenshot, &left)
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
    let html = BoardHTML.text(report, title: title)
    if let output {
      try FileReplacement.save(Array(html.utf8), as: output)
    } else {
      let writer = ResultWriter()
      try writer.write(html)
      try writer.flush()
    }
    if report.beyondLimits > 0 {
      printError("note: \(report.beyondLimits) times, an event had a page or a person too many to be kept")
    }
    try status.exit()
  }

  private static func picture(of capture: String, named name: String?, _ left: inout Int) -> Screenshot? {
    for path in Screenshot.paths(of: capture, named: name) {
      guard var source = try? ByteSource(path: path), let bytes = try? source.readAll(limit: mostPictureBytes) else {
        continue
      }
      guard bytes.count <= left, let picture = try? Screenshot(bytes) else {
        printError("\(path): note: is not shown: no whole picture in PNG or JPEG, or one too large")
        continue
      }
      left -= bytes.count
      return picture
    }
    return nil
  }
}
