import EncircleEvents
import EncircleInput
import EncircleRules
import EncircleText

/// Decides the events of readers and writes the decisions; each thread has its own.
struct DecisionWriter: ~Copyable {
  /// The settings that all threads share.
  struct Plan: Sendable {
    let matcher: Matcher
    let output: MatchCommand.Output
    /// This is true if decisions and rejections are for a file rather than for people.
    let rejectionsAreRecords: Bool
    /// This is true if decisions state how the element was found.
    let showsResolution: Bool
    /// This is true if decisions have the names, owners, tags and origins of the matching rules.
    let showsDetails: Bool
    /// This is true if grouped events are split.
    let unfolds: Bool
    /// This is true if events are counted by page, version and hour.
    let isCounted: Bool
    /// The limit of one thread's element cache, in bytes.
    let cacheLimit: Int
    /// The progress to report; nil if none is shown.
    let progress: InputProgress?
  }

  /// The events on so many lines of an input, and at most so many events of a document, are checked for properties in a text: an export
  /// writes them in all events or in none.
  private static let maximumChecked = 100
  /// The number of records between two reports of progress.
  private static let reportInterval = 4096

  /// A file or stream of events.
  struct Input: Sendable {
    /// The name in messages.
    let name: String
    /// The member of decisions that names the input, followed by a comma; empty if decisions do not name it.
    let member: [UInt8]

    init(_ path: String, isNamed: Bool) {
      name = EventInput.name(of: path)
      var member: [UInt8] = []
      if isNamed {
        member.append("\"file\":")
        JSONText.append(name, to: &member)
        member.append(",")
      }
      self.member = member
    }
  }

  private let plan: Plan
  // The parts of the plan that every event needs.
  private let output: MatchCommand.Output
  private let isCounted: Bool
  private var decider: Decider
  private var record: DecisionRecord
  private var counted: MatchSummary
  private var checkedEvents = 0

  init(_ plan: Plan) {
    self.plan = plan
    output = plan.output
    isCounted = plan.isCounted
    decider = Decider(plan.matcher, cacheLimit: plan.cacheLimit)
    record = DecisionRecord(for: plan.matcher)
    counted = MatchSummary(ruleCount: plan.matcher.ruleNumberLimit)
    counted.counts = isCounted ? SelectionCounts() : nil
  }

  /// The counts so far.
  var summary: MatchSummary {
    var summary = counted
    summary.cacheHits = decider.cacheHits
    summary.cacheMisses = decider.cacheMisses
    summary.hasPagePaths = decider.hasMetPagePath
    return summary
  }

  /// Decides all events of a reader.
  ///
  /// - Parameters:
  ///   - pending: The output to which results are appended.
  ///   - limit: The number of pending bytes beyond which `flush` is called to write them.
  mutating func decideAll(
    _ reader: inout EventReader, of input: Input, to pending: PendingOutput, limit: Int, flush: () throws -> Void
  ) throws {
    // Copied once and then lent. A copy counts references, and threads that count the same references slow each other down.
    let matcher = plan.matcher
    checkedEvents = 0
    var records = 0
    while let record = try reader.next() {
      switch record {
      case .event(let line):
        if plan.unfolds, let (items, count) = Self.items(reader) {
          let decided = try decide(items, line, input, matcher, pending, limit: limit, flush: flush)
          counted.itemsLeftOut += count - decided
        } else {
          decide(reader, line, nil, input, matcher, &pending.output.results)
        }
      case .rejection(let rejection):
        counted.countRejection()
        RejectionText.append(
          rejection, file: input.name, asRecord: plan.rejectionsAreRecords, to: &pending.output.rejections)
      }
      if pending.output.count >= limit { try flush() }
      records += 1
      // A reader of blocks has read no bytes itself, so nothing is reported here: the thread that reads the input reports.
      if records % Self.reportInterval == 0, reader.bytesRead > 0 { plan.progress?.report(reader.bytesRead) }
    }
  }

  /// Returns the events of a group, and the number of its items; nil if the event is not grouped.
  private static func items(_ reader: borrowing EventReader) -> (events: [GroupedEvents.Item], count: Int)? {
    reader.withEvent { bytes in
      guard let message = try? AnalyticsEvent(json: Array(bytes)) else { return nil }
      guard let items = GroupedEvents.items(of: message), let count = GroupedEvents.itemCount(of: message) else {
        return nil
      }
      return (items, count)
    }
  }

  /// Decides the events of a group, each with the members beside the group, and returns the number of decided events.
  private mutating func decide(
    _ items: [GroupedEvents.Item], _ line: Int, _ input: Input, _ matcher: borrowing Matcher,
    _ pending: PendingOutput, limit: Int, flush: () throws -> Void
  ) throws -> Int {
    var size = 0
    var decided = 0
    for item in items {
      let json = EventValue.object(item.event.members).json
      size += json.count
      guard size <= GroupedEvents.maximumSize else { break }
      var reader = EventReader(
        bytes: json, projection: matcher.projection, lengthLimit: GroupedEvents.maximumSize + 1)
      guard case .event? = try reader.next() else { continue }
      decide(reader, line, item.number, input, matcher, &pending.output.results)
      decided += 1
      if pending.output.count >= limit { try flush() }
    }
    return decided
  }

  private static func hasTextProperties(_ reader: borrowing EventReader) -> Bool {
    reader.withParsedEvent { text, tape in
      tape.member("properties", of: 0, in: text).map { tape[$0].kind == .string } ?? false
    }
  }

  private mutating func decide(
    _ reader: borrowing EventReader, _ line: Int, _ item: Int?, _ input: Input, _ matcher: borrowing Matcher,
    _ bytes: inout [UInt8]
  ) {
    record.decide(eventOf: reader, &decider, matcher, findingEventID: output != .selected)
    let isSelected = record.isSelected
    counted.count(record, matcher)
    if line <= Self.maximumChecked, checkedEvents < Self.maximumChecked {
      checkedEvents += 1
      if Self.hasTextProperties(reader) { counted.hasTextProperties = true }
    }
    if isCounted {
      let fields = decider.fieldPlaces
      reader.withEvent { counted.counts?.count($0, fields, isSelected: isSelected) }
    }

    switch output {
    case .selected:
      if isSelected { reader.withEvent { DecisionText.appendLine($0, to: &bytes) } }
    case .decisions:
      record.appendLine(
        line, item: item, input: input.member, showsResolution: plan.showsResolution, showsDetails: plan.showsDetails,
        matcher,
        to: &bytes)
    case .events:
      record.appendEvent(
        of: reader, showsResolution: plan.showsResolution, showsDetails: plan.showsDetails, matcher, to: &bytes)
    }
  }
}

/// Bytes that have not been written yet.
struct OutputBytes: Sendable {
  /// The bytes for standard output.
  var results: [UInt8] = []
  /// The bytes for the file of rejections, or for standard error.
  var rejections: [UInt8] = []
  /// A message for standard error, after the rejections.
  var problem: String?

  var count: Int { results.count + rejections.count }
  /// The number of bytes for which memory is allocated.
  var capacity: Int { results.capacity + rejections.capacity }
  var isEmpty: Bool { results.isEmpty && rejections.isEmpty && problem == nil }
}

/// Output that one function fills and another function of the same thread may take in between.
final class PendingOutput {
  var output = OutputBytes()
}
