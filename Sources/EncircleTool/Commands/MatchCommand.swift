import ArgumentParser
import EncircleEvents
import EncircleInput
import EncircleRules
import EncircleText
import Foundation

/// `encircle match`
struct MatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match",
    abstract: "Decide which events of a stream rules select, by which rules and under which names.",
    discussion: """
      Events are JSON objects, one a line or in a JSON array; gzip is recognised. The results are in the order of the \
      events. A line that is not an event does not stop the stream: it is reported with its number, or written to the file of \
      --rejects. A summary is printed to standard error.

      With --kafka, events come from a topic and go to another one, with their decision, until the program is asked to \
      end. Events are committed after their decisions are acknowledged, so each decision is written at least once.

      Exit status 65 if lines were rejected and --rejects is not given.
      """)

  /// The results that are written for events.
  enum Output: String, CaseIterable, ExpressibleByArgument {
    case decisions, events, selected
  }

  @OptionGroup var rules: RuleOptions

  @OptionGroup var elements: KnownElementOptions

  @OptionGroup var formats: InputFormatOptions

  @OptionGroup var tolerance: ToleranceOptions

  @Argument(
    help: "Files with events; - is standard input, which is also read if no file is named.", completion: .file())
  var events: [String] = []

  @Option(
    help:
      "The output: the decisions, the events with their decision as $encircle, or the selected events as they are."
  )
  var output = Output.decisions

  @Option(
    help: "A file for lines that are not events, as JSON lines with file, line, column, reason and text.",
    completion: .file()
  )
  var rejects: String?

  @Option(
    help: ArgumentHelp(
      "A file for the counts as JSON: by rule, name, page, version of the app and hour.", valueName: "file"),
    completion: .file())
  var summary: String?

  @Flag(help: "Say in decisions how the element was found, and why one is unresolved or ambiguous.")
  var resolution = false

  @Flag(help: "Say in decisions the name, owner, tags and origin of the rules that match.")
  var details = false

  @Flag(help: "Take grouped events of GrowingIO apart, and decide each by itself.")
  var unfold = false

  @OptionGroup var kafka: KafkaOptions

  @Option(
    help: ArgumentHelp(
      "With --kafka: the group of consumers. Its members share the partitions of --kafka-raw-topic.", valueName: "name")
  )
  var kafkaGroup = MatchCommand.standardGroup

  private static let standardGroup = "encircle-match"

  @Option(
    parsing: .unconditional,
    help: "The number of threads; it does not change the output. Default: the number of processors.")
  var threads: Int?

  /// The maximum number of threads.
  private static let maximumThreads = 256
  /// The size of the element caches of all threads together, in bytes.
  private static let cacheLimit = 96 << 20

  private var inputs: [String] { events.isEmpty ? ["-"] : events }

  func validate() throws {
    try StandardInput.requireOneUse(
      in: (kafka.isUsed ? [] : inputs) + rules.rules + elements.captures + formats.inputPaths)
    try formats.requireCaptures(elements.captures)
    if let threads, !(1...Self.maximumThreads).contains(threads) {
      throw ValidationError("--threads takes a number from 1 to \(Self.maximumThreads).")
    }
    if resolution, output == .selected {
      throw ValidationError("--resolution goes with decisions: --output selected writes the events as they are.")
    }
    if details, output == .selected {
      throw ValidationError("--details goes with decisions: --output selected writes the events as they are.")
    }
    if kafka.isUsed, !events.isEmpty || rejects != nil || summary != nil || threads != nil || output != .decisions {
      throw ValidationError(
        "--kafka reads --kafka-raw-topic and writes --kafka-topic and --kafka-rejects-topic: no files, --output, --rejects, --summary or --threads go with it."
      )
    }
    if !kafka.isUsed, !kafkaGroup.hasSameBytes(as: Self.standardGroup) {
      throw ValidationError("--kafka-group goes with --kafka.")
    }
    if kafka.isUsed, unfold {
      throw ValidationError("--unfold does not go with --kafka: there, each message has one decision.")
    }
    if let summary, let rejects, Self.resolved(summary) == Self.resolved(rejects) {
      throw ValidationError("--summary and --rejects name the same file.")
    }
  }

  private static func resolved(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }

  func run() throws {
    #if Kafka
      if kafka.isUsed { return try decideTopic() }
    #endif
    let rejectsFile = try rejects.map { try OutputFile($0, option: "--rejects", of: self, isNoneOf: inputs) }
    let summaryFile = try summary.map { try OutputFile($0, option: "--summary", of: self, isNoneOf: inputs) }
    try OutputFile.checkStandardOutput(isNoneOf: inputs)
    let matcher = try tolerance.tolerating(try rules.loadMatcher(elements, formats), rules, elements, formats)
    FreedMemory.giveBack()
    // Its files must be complete.
    let writer = try MatchWriter(rejects: rejectsFile, endsIfClosed: rejects == nil && summary == nil)
    // The file is opened before anything is read, so that a wrong name is reported immediately.
    let summaryWriter = try summaryFile.map { try ResultWriter($0) }
    let progress = Progress(sharesOutput: true)
    defer { progress?.end() }
    let threads = threads ?? min(max(1, ProcessInfo.processInfo.activeProcessorCount), Self.maximumThreads)
    let plan = DecisionWriter.Plan(
      matcher: matcher, output: output, rejectionsAreRecords: rejects != nil, showsResolution: resolution,
      showsDetails: details, unfolds: unfold,
      isCounted: summary != nil, cacheLimit: Self.cacheLimit / threads,
      progress: progress.map { InputProgress($0, paths: inputs) })
    StopSignal.catchSignals()
    var (counted, status) =
      threads == 1
      ? try decideInOneThread(inputs, plan, writer) : try decide(inputs, plan, writer, threads: threads)
    // Without known elements, all event IDs would be unresolved.
    if matcher.dictionary.count > 0 {
      counted.unresolvedRules = matcher.unresolvedRules.map { matcher.ruleID($0) }.sorted()
    }
    // The progress line ends here, because it could otherwise reappear after the summary.
    progress?.end()
    printErrors(counted.text(matcher))
    if let summaryWriter {
      try summaryWriter.write(counted.json(matcher))
      try summaryWriter.flush()
    }
    var result = status
    if counted.rejected > 0, rejects == nil { result = result.joined(with: .badData) }
    try result.exit()
  }

  /// Returns the message that an input has something other than events.
  private static func problem(_ content: OtherContent, of input: DecisionWriter.Input) -> String {
    let start = "\(input.name): error: this looks like "
    return switch content {
    case .markup:
      start + "a capture, so nothing was read: 'match' decides events, which are JSON objects; 'resolve' lists the "
        + "elements of captures"
    case .format(let name):
      start + "a file in \(name), so nothing was read: 'match' decides events, which are JSON objects in UTF-8, "
        + "compressed with gzip or not"
    }
  }

  // MARK: - One thread

  private func decideInOneThread(
    _ inputs: [String], _ plan: DecisionWriter.Plan, _ writer: MatchWriter
  ) throws -> (MatchSummary, ExitStatus) {
    var decider = DecisionWriter(plan)
    let pending = PendingOutput()
    var status = ExitStatus.done
    for path in inputs where !StopSignal.isReceived {
      let input = DecisionWriter.Input(path, isNamed: inputs.count > 1)
      plan.progress?.beginInput()
      do {
        // Results are written before the reader waits for more input. The hook is safe, because all of this is in one thread.
        nonisolated(unsafe) let hook = FlushHook { try writer.write(&pending.output) }
        var reader = EventReader(
          try ByteSource(path: path) { hook.shouldStop() }, projection: plan.matcher.projection)
        if let content = reader.otherContent() {
          pending.output.problem = Self.problem(content, of: input)
          status = status.joined(with: .badData)
          try writer.write(&pending.output)
          continue
        }
        try decider.decideAll(&reader, of: input, to: pending, limit: 1 << 16) { try writer.write(&pending.output) }
        try hook.check()
      } catch let error as InputError {
        pending.output.problem = "\(input.name): error: \(error)"
        status = status.joined(with: ExitStatus(error))
      }
      try writer.write(&pending.output)
    }
    return (decider.summary, status)
  }

  // MARK: - Several threads

  private func decide(
    _ inputs: [String], _ plan: DecisionWriter.Plan, _ writer: MatchWriter, threads: Int
  ) throws -> (MatchSummary, ExitStatus) {
    let pipeline = MatchPipeline(plan, workers: threads, writer: writer)
    var status = ExitStatus.done
    var own = MatchSummary(ruleCount: plan.matcher.ruleNumberLimit)
    do {
      for path in inputs where !StopSignal.isReceived {
        let input = DecisionWriter.Input(path, isNamed: inputs.count > 1)
        plan.progress?.beginInput()
        do {
          try read(path, input, plan, pipeline, &own, &status)
        } catch let error as InputError {
          let pending = PendingOutput()
          pending.output.problem = "\(input.name): error: \(error)"
          try pipeline.put(pending, for: try pipeline.beginPiece(), isLast: true)
          status = status.joined(with: ExitStatus(error))
        }
      }
    } catch {
      pipeline.fail(error)
      _ = try pipeline.finish()
      throw error
    }
    own.add(try pipeline.finish())
    return (own, status)
  }

  /// Reads an input in this thread, and passes its lines to the deciding threads.
  private func read(
    _ path: String, _ input: DecisionWriter.Input, _ plan: DecisionWriter.Plan, _ pipeline: MatchPipeline,
    _ own: inout MatchSummary, _ status: inout ExitStatus
  ) throws {
    let pending = PendingOutput()
    // The number of the piece, once the input is known to be one document. All of this is in one thread, as above.
    var number: Int?
    nonisolated(unsafe) let hook = FlushHook {
      if let number, !pending.output.isEmpty { try pipeline.put(pending, for: number) }
    }
    var blocks = LineBlocks(
      try ByteSource(path: path) { hook.shouldStop() || pipeline.hasFailed },
      projection: plan.matcher.projection)
    if let content = blocks.otherContent {
      pending.output.problem = Self.problem(content, of: input)
      status = status.joined(with: .badData)
      return try pipeline.put(pending, for: try pipeline.beginPiece(), isLast: true)
    }
    guard blocks.isLines else {
      // An event may extend over several lines, so one reader must read all of them.
      let place = try pipeline.beginPiece()
      number = place
      var reader = blocks.documents()
      var decider = DecisionWriter(plan)
      let result = Result {
        try decider.decideAll(&reader, of: input, to: pending, limit: MatchPipeline.outputLimit) {
          try pipeline.put(pending, for: place)
        }
      }
      own.add(decider.summary)
      try hook.check()
      try pipeline.put(pending, for: place, isLast: true)
      return try result.get()
    }
    while let piece = try blocks.next(using: pipeline.takeSpareBlock()) {
      plan.progress?.report(blocks.bytesRead)
      switch piece {
      case .lines(let block): try pipeline.decide(block, of: input)
      case .rejection(let rejection):
        own.countRejection()
        RejectionText.append(
          rejection, file: input.name, asRecord: plan.rejectionsAreRecords, to: &pending.output.rejections)
        try pipeline.put(pending, for: try pipeline.beginPiece(), isLast: true)
      }
    }
  }
}

/// Writes results whenever an input is about to block, and keeps the first error.
private final class FlushHook {
  private let flush: () throws -> Void
  private var failure: (any Error)?

  init(_ flush: @escaping () throws -> Void) { self.flush = flush }

  /// Writes results; returns whether the input should end.
  func shouldStop() -> Bool {
    do { try flush() } catch { failure = failure ?? error }
    return failure != nil || StopSignal.isReceived
  }

  /// Throws the error of the first write that failed.
  func check() throws { if let failure { throw failure } }
}
