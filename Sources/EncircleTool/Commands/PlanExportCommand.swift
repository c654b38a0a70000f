import ArgumentParser
import EncircleAuthoring
import EncircleRuleFiles
import EncircleRules
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
      """)

  @OptionGroup var options: PlanOptions

  @Option(help: "The headers and words: en, zh, amplitude, segment or sensors.")
  var headers = PlanHeaders.en

  @Option(help: "The encoding of the table: utf-8, with a byte order mark, or gb18030.")
  var tableEncoding = TableFile.Encoding.utf8

  @Option(help: "A file with events, as for `encircle plan status`; may be repeated.", completion: .file())
  var events: [String] = []

  @Option(help: "The time with which those of events are compared, as in 2026-03-01. Default: now.")
  var now: Moment?

  @Option(name: .shortAndLong, help: "The file to write. Default: standard output.", completion: .file())
  var output: String?

  func run() throws {
    let ruleSet = try options.rules.loadRules()
    let plan = TrackingPlan(ruleSet, try options.loadPlan(for: ruleSet))
    let (dictionary, screens) = try options.rules.elements.loadScreens(for: ruleSet)
    var counter = PlanStatusCounter(
      plan, ruleSet, dictionary: dictionary, now: now?.milliseconds ?? Int64(Date().timeIntervalSince1970 * 1000))
    for (name, screen) in screens { counter.add(screen, name: name) }
    let status = try EventInput.forEach(of: events, projection: counter.projection) { reader, file, line in
      counter.add(eventOf: reader, PlanReport.Place(file: file, line: line))
    }
    guard var bytes = TableFile.bytes(PlanExport.text(plan, headers, report: counter.finish()), tableEncoding) else {
      printError("error: this system cannot write \(tableEncoding.rawValue)")
      throw ExitCode(ExitStatus.badData.rawValue)
    }
    if let output {
      try FileReplacement.save(bytes, as: output)
    } else {
      let writer = ResultWriter()
      try writer.write(&bytes)
      try writer.flush()
    }
    try status.exit()
  }
}
