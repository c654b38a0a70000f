import ArgumentParser
import EncircleAuthoring
import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleTree

/// `encircle coverage`
struct CoverageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coverage",
    abstract: "Report how much of each screen is circled, and the tapped elements without a rule.",
    discussion: """
      Prints, for each screen and in total, the share of taps and of tracked elements that some include rule takes, \
      and the elements that no rule is about, the most tapped first. Elements in the same place of other rows of a \
      list count as one. Elements and taps of exclude rules or excluded pages count for neither side, nor do elements \
      that a file x.coverage.yaml beside the rules sets aside with a reason.

      Without --events, elements are counted alone. Exit status 1 if the share is below --fail-under, 65 if a line is not an event.
      """)

  /// The formats of the result.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, markdown
  }

  @OptionGroup var rules: RuleOptions

  @OptionGroup var elements: KnownElementOptions

  @OptionGroup var formats: InputFormatOptions

  @Option(help: .eventFiles, completion: .file())
  var events: [String] = []

  @Option(help: "The format of the result.")
  var format = Format.text

  @Option(parsing: .unconditional, help: "The most elements that text and Markdown list.")
  var limit = 20

  @Option(
    parsing: .unconditional,
    help: """
      Exit with status 1 if rules take less than this share, in percent: of taps, or without --events of elements.
      """)
  var failUnder: Double?

  func validate() throws {
    guard limit >= 0 else { throw ValidationError("--limit takes a number from 0 on.") }
    if let failUnder, !(0...100).contains(failUnder) {
      throw ValidationError("--fail-under takes a share from 0 to 100.")
    }
    if events.isEmpty, elements.captures.isEmpty {
      throw ValidationError("Name captures or events, or both: --captures PATH, --events FILE.")
    }
    try StandardInput.requireOneUse(in: events + rules.rules + elements.captures + formats.inputPaths)
    try formats.requireCaptures(elements.captures)
  }

  func run() throws {
    let ruleSet = try rules.loadRules()
    let setAside = try RuleOptions.setAside(besides: rules.rules, for: ruleSet)
    let (dictionary, screens) = try elements.loadScreens(formats, for: ruleSet)
    var coverage = ScreenCoverage(ruleSet, dictionary: dictionary, setAside: setAside)
    for (name, screen) in screens {
      if let unmet = coverage.add(screen, name: name) {
        printError("\(name): note: is not counted, because a style of the rules cannot serve this capture: \(unmet)")
      } else if !events.isEmpty, let page = screen.tree.web, page.url == nil {
        printError(
          "\(name): note: lacks the address of the page, which --page gives: taps there count apart from its elements")
      }
    }
    var status = try EventInput.forEach(of: events, projection: coverage.projection) { reader, _, _ in
      coverage.add(eventOf: reader)
    }
    let report = coverage.finish()
    let output = ResultWriter()
    switch format {
    case .text: try output.write(CoverageText.text(report, limit: limit))
    case .json: try output.write(CoverageJSON.text(report))
    case .markdown: try output.write(CoverageMarkdown.text(report, limit: limit))
    }
    try output.flush()
    if report.beyondLimits > 0 {
      printError(
        "note: \(report.beyondLimits) times, a person or an element of an event was not counted, as there are too many")
    }
    if let failUnder {
      let (share, what) =
        events.isEmpty ? (report.totals.elements.share, "elements") : (report.totals.taps.share, "taps")
      if share.map({ $0 * 100 < failUnder }) ?? true {
        printError(
          share == nil
            ? "no \(what) count, so that --fail-under has nothing to compare"
            : "rules take \(CoverageText.percent(share)) of \(what), which is less than --fail-under")
        status = status.joined(with: .findings)
      }
    }
    try status.exit()
  }
}
