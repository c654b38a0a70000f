import ArgumentParser
import EncircleEvents
import EncircleInput
import EncircleRules
import EncircleTree

/// `encircle match`
struct MatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match",
    abstract: "Decide for each event of a stream whether rules select it, by which rules, and under which names.",
    discussion: """
      Events are JSON objects, one a line, or in a JSON array; gzip is recognised. The results stand in the order of the \
      events. A line that is no event is reported with its number, or written to the file that --rejects names, and \
      never stops the stream; what was counted is told on standard error.

      Exit status 65 if something was rejected, unless --rejects says where it went.
      """)

  /// What is written for each event.
  enum Output: String, CaseIterable, ExpressibleByArgument {
    case decisions, events, selected
  }

  @OptionGroup var rules: RuleOptions

  @Argument(help: "Files with events; - or nothing is standard input.")
  var events: [String] = []

  @Option(
    help: """
      What to write: decisions, the events with their decision as $encircle, or the selected events as they are: \
      \(Output.allCases.map(\.rawValue).joined(separator: ", ")).
      """)
  var output = Output.decisions

  @Option(help: "File for what is no event, as JSON lines with line, column, reason and text.")
  var rejects: String?

  func run() throws {
    let (matcher, captureStatus) = try rules.loadMatcher()
    let rejections = try RejectionWriter(path: rejects)
    StopSignal.catchSignals()
    var run = Run(matcher, output, rejections, namesFiles: events.count > 1)
    var status = captureStatus
    for file in events.isEmpty ? ["-"] : events where !StopSignal.isReceived {
      let name = file == "-" ? "<stdin>" : file
      do {
        try run.process(file, name: name)
      } catch let error as InputError {
        printError("\(name): error: \(error)")
        status = status.joined(with: ExitStatus(error))
      }
    }
    try run.finish()
    if run.summary.rejected > 0, rejects == nil { status = status.joined(with: .badData) }
    try status.exit()
  }

  /// One run over all inputs.
  private struct Run: ~Copyable {
    private let matcher: Matcher
    private let output: Output
    private let rejections: RejectionWriter
    private let namesFiles: Bool
    private let results = ResultWriter()
    private var state: MatchState
    private(set) var summary = MatchSummary()

    init(_ matcher: Matcher, _ output: Output, _ rejections: RejectionWriter, namesFiles: Bool) {
      self.matcher = matcher
      self.output = output
      self.rejections = rejections
      self.namesFiles = namesFiles
      state = MatchState(for: matcher)
    }

    mutating func process(_ file: String, name: String) throws {
      // Before it waits for more input, what is known already is handed on. All in one thread.
      nonisolated(unsafe) let results = results
      var reader = EventReader(
        try ByteSource(path: file) {
          results.flushIfPossible()
          return StopSignal.isReceived
        })
      while let record = try reader.next() {
        switch record {
        case .event(let line):
          let decision = matcher.decide(eventOf: reader, using: &state)
          summary.count(decision)
          try reader.withEvent { text in
            switch output {
            case .decisions:
              DecisionText.append(decision, line: line, file: namesFiles ? name : nil, to: &results.buffer)
            case .events: DecisionText.append(decision, to: text, &results.buffer)
            case .selected: if decision.isSelected { DecisionText.appendLine(text, to: &results.buffer) }
            }
            try results.flushIfLarge()
          }
        case .rejection(let rejection):
          summary.countRejection()
          try rejections.write(rejection, file: name)
        }
      }
    }

    func finish() throws {
      try results.flush()
      try rejections.flush()
      printError(summary.description)
    }
  }
}
