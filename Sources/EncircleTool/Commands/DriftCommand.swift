import ArgumentParser
import EncircleAuthoring
import EncircleEvents
import EncircleIdentity
import EncircleInput
import EncircleText

/// `encircle drift`
struct DriftCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drift",
    abstract: "Find by the events alone which rules a release has broken.",
    discussion: """
      Prints for each rule the share of users whose events it selects, version by version on each platform, and names \
      the rules whose share differs between a version and the one before by more than chance explains: by Fisher's exact \
      test, whose probability is multiplied by the number of tests and must be below 0.01. For rules that fell to zero, \
      it names the elements that have appeared on the page in the version, with the features that they share with the \
      rule's old elements.

      Users are distinguished by the event's distinct id, versions by its app version. Exit status 65 if a line is no \
      event.
      """)

  /// The formats of the result.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  /// The conditions for exit status 1.
  enum Failure: String, CaseIterable, ExpressibleByArgument {
    /// A rule fell to zero.
    case zero
    /// The share of a rule has changed.
    case changed
  }

  @OptionGroup var rules: RuleOptions

  @OptionGroup var elements: KnownElementOptions

  @OptionGroup var formats: InputFormatOptions

  @Option(
    parsing: .upToNextOption,
    help: "Files with events of several versions, JSON objects as for `encircle match`; - is standard input.",
    completion: .file())
  var events: [String] = []

  @Option(help: "The format of the result.")
  var format = Format.text

  @Option(help: "Exit with status 1 if a rule fell to zero, or if the share of one has changed.")
  var failOn: Failure?

  func validate() throws {
    if events.isEmpty { throw ValidationError("Name the events: --events FILE.") }
    try StandardInput.requireOneUse(in: events + rules.rules + elements.captures + formats.inputPaths)
    try formats.requireCaptures(elements.captures)
  }

  func run() throws {
    var drift = StreamDrift(try rules.loadMatcher(elements, formats))
    var status = try EventInput.forEach(of: events, projection: drift.projection) { reader, _, _ in
      drift.add(eventOf: reader)
    }
    let report = drift.finish()
    let output = ResultWriter()
    switch format {
    case .text: try output.write(StreamDriftText.text(report))
    case .json: try output.write(StreamDriftText.json(report))
    }
    try output.flush()
    if report.beyondLimits > 0 {
      printError(
        "note: \(report.beyondLimits) times, a version, user or element of an event was not counted: there are too many"
      )
    }
    let fails =
      switch failOn {
      case nil: false
      case .zero: report.changes.contains { $0.isZero }
      case .changed: !report.changes.isEmpty
      }
    if fails { status = status.joined(with: .findings) }
    try status.exit()
  }
}
