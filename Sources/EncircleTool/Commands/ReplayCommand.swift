import ArgumentParser
import EncircleInput
import EncircleSessions
import EncircleText

/// `encircle replay`
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Write the events that an SDK would have sent in recorded sessions.",
    discussion: """
      A session is a file of JSON objects, one a line: the configuration of the app, then what happened in it \
      (launches, notifications, pages, taps, calls of the SDK). docs/sessions.md has the format. The events are \
      written as NDJSON, with the line of the signal that caused them and the number of the process. Between them are \
      the numbers of events sent (flush), and notes.

      Exit status 65 if a line is not a signal; then the rest of that session is left out.
      """)

  @Argument(help: "Sessions, plain or compressed by gzip; - is standard input.", completion: .file())
  var sessions: [String]

  @Option(
    help: """
      The SDK whose events are wanted: sensors is the one of Sensors for iOS, hubbledata and lede are NetEase's. whitepaper and \
      article004 are no products, but what articles say of a simple SDK with five events, article004 with other starts and ends.
      """)
  var sdk = SessionSDK.sensors

  @Option(
    help: "A file with a JSON object like the first line of a session; it overrides that line.",
    completion: .file())
  var config: String?

  @Flag(help: "Say on standard error for every signal why it did or did not become an event, naming the rule.")
  var explain = false

  @Flag(help: "Leave out signals with an unknown action, and count them.")
  var lenient = false

  @Flag(help: "Write events only, for other commands to read.")
  var eventsOnly = false

  func validate() throws {
    try StandardInput.requireOneUse(in: sessions + [config].compactMap { $0 })
  }

  func run() throws {
    let output = ResultWriter(endsIfClosed: true)
    var status = ExitStatus.done
    let model = sdk.model
    for path in sessions {
      do {
        try replay(path, with: model, to: output)
      } catch let error as SessionError {
        try output.flush()
        status = status.joined(with: report(error))
      }
    }
    try output.flush()
    try status.exit()
  }

  /// Prints the reason why a session cannot be replayed; returns the exit status.
  private func report(_ error: SessionError) -> ExitStatus {
    switch error {
    case .input(let problem, let file):
      printError("\(file): error: \(problem)")
      return ExitStatus(problem)
    case .invalid(let diagnostic): printErrors(diagnostic.description)
    case .unknownAction(let diagnostic):
      printErrors(diagnostic.description)
      printError("note: --lenient leaves such signals out")
    }
    return .badData
  }

  private func replay<Model: SDKModel>(_ path: String, with _: Model.Type, to output: ResultWriter) throws {
    let reader = try SessionReader(path: path, skipsUnknown: lenient)
    let name = reader.name
    var configuration = reader.configuration
    if let config { try configuration.apply(contentsOf: config) }
    var replay = try SessionReplay<Model>(reader, configuration: configuration, explains: explain)
    let session = sessions.count > 1 ? name : nil
    while let step = try replay.next() {
      for record in step.output.records {
        if eventsOnly, !record.isEvent { continue }
        record.append(line: step.signal.line, life: step.life, session: session, to: &output.buffer)
      }
      if explain { self.explain(step.output.reasons, line: step.signal.line, name) }
      try output.flushIfLarge()
    }
    for diagnostic in replay.skippedLines { printError("\(name):\(diagnostic.location?.line ?? 0): note: left out") }
    if replay.skipped > 0 {
      let signals = counted(replay.skipped, "signal with an unknown action was", "signals with unknown actions were")
      printError("\(name): note: \(signals) left out")
    }
  }

  private func explain(_ reasons: [ReplayReason], line: Int, _ name: String) {
    for reason in reasons {
      let verdict = reason.isSent ? "event" : "no event"
      let event = reason.event.map { " \($0)" } ?? ""
      printError("\(name):\(line): \(verdict)\(event): \(reason.rule): \(reason.text)")
    }
  }
}

extension SessionSDK: ExpressibleByArgument {}
