import EncircleEvents
import EncircleInput
import EncircleRules
import EncircleText

/// Decides on the events of readers, and writes what comes of them; each thread has its own.
struct EventDecider: ~Copyable {
  /// What all threads do alike.
  struct Plan: Sendable {
    let matcher: Matcher
    let output: MatchCommand.Output
    /// Whether decisions and rejections are for a file rather than for people.
    let rejectionsAreRecords: Bool
    /// The limit of the cache of elements of one thread, in bytes.
    let cacheLimit: Int
  }

  /// What is read.
  struct Input: Sendable {
    /// The name, for people.
    let name: String
    /// The member of decisions that names it, with a comma behind; empty if none does.
    let member: [UInt8]

    init(_ path: String, isNamed: Bool) {
      name = path == "-" ? "<stdin>" : path
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
  private var decider: Decider
  // The names of the last event, for use again.
  private var names: [DecisionText.EmitName] = []
  private(set) var summary: MatchSummary

  init(_ plan: Plan) {
    self.plan = plan
    decider = Decider(plan.matcher, cacheLimit: plan.cacheLimit)
    summary = MatchSummary(ruleCount: plan.matcher.ruleCount)
  }

  /// Decides on all events of a reader.
  ///
  /// - Parameters:
  ///   - pending: Where the texts go.
  ///   - limit: With more bytes than that `flush` is called, to empty it.
  mutating func decideAll(
    _ reader: inout EventReader, of input: Input, to pending: PendingOutput, limit: Int, flush: () throws -> Void
  ) throws {
    // Copied once, and then lent: copying it counts references, by which threads get in each other's way.
    let matcher = plan.matcher
    while let record = try reader.next() {
      switch record {
      case .event(let line): decide(reader, line, input, matcher, &pending.output.results)
      case .rejection(let rejection):
        summary.countRejection()
        RejectionText.append(
          rejection, file: input.name, asRecord: plan.rejectionsAreRecords, to: &pending.output.rejections)
      }
      if pending.output.count >= limit { try flush() }
    }
  }

  private mutating func decide(
    _ reader: borrowing EventReader, _ line: Int, _ input: Input, _ matcher: borrowing Matcher, _ bytes: inout [UInt8]
  ) {
    let isSelected = decider.selects(eventOf: reader)
    let eventID = plan.output == .selected ? nil : decider.eventID(ofEventOf: reader)
    let resolution = decider.resolution(ofEventOf: reader)
    let rules = decider.matchedNumbers
    let pages = decider.matchedPages
    names.removeAll(keepingCapacity: true)
    if isSelected { DecisionText.collectNames(of: rules, matcher, into: &names) }
    summary.count(isSelected: isSelected, rules, pages: pages, names, resolution: resolution, matcher)

    switch plan.output {
    case .selected:
      if isSelected { reader.withEvent { DecisionText.appendLine($0, to: &bytes) } }
    case .decisions:
      bytes.append("{")
      bytes.append(contentsOf: input.member)
      bytes.append("\"line\":")
      DecisionText.append(line, to: &bytes)
      bytes.append(",")
      DecisionText.appendMembers(eventID, isSelected, rules, pages: pages, names, matcher, to: &bytes)
      bytes.append("}\n")
    case .events:
      reader.withEvent { DecisionText.appendOpen($0, to: &bytes) }
      DecisionText.appendMembers(eventID, isSelected, rules, pages: pages, names, matcher, to: &bytes)
      bytes.append("}}\n")
    }
  }
}

/// Bytes that have not been written yet.
struct MatchOutput: Sendable {
  /// For standard output.
  var results: [UInt8] = []
  /// For the file of rejections, or standard error.
  var rejections: [UInt8] = []
  /// For standard error, after the rejections.
  var problem: String?

  var count: Int { results.count + rejections.count }
  /// The bytes for which there is room already.
  var capacity: Int { results.capacity + rejections.capacity }
  var isEmpty: Bool { results.isEmpty && rejections.isEmpty && problem == nil }
}

/// Output that one thread fills and another function of the same thread may take in between.
final class PendingOutput {
  var output = MatchOutput()
}
