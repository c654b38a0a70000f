import EncircleEvents
import EncircleRules
import EncircleText

/// What is written for each event.
enum MatchOutput: String, CaseIterable, Sendable {
  /// The decision.
  case decisions
  /// The event with its decision as `$encircle`.
  case events
}

/// Writes the decisions on a reader's events, one a line, as `encircle match` does.
enum DecisionOutput {
  /// Appends the decision on the event that a reader has returned last.
  static func append(
    _ reader: borrowing EventReader, line: Int, _ worker: ActiveRules.Worker, _ matcher: borrowing Matcher,
    _ output: MatchOutput, to bytes: inout [UInt8]
  ) {
    let isSelected = worker.decider.selects(eventOf: reader)
    let eventID = worker.decider.eventID(ofEventOf: reader)
    let rules = worker.decider.matchedNumbers
    let pages = worker.decider.matchedPages
    worker.names.removeAll(keepingCapacity: true)
    if isSelected { DecisionText.collectNames(of: rules, matcher, into: &worker.names) }
    switch output {
    case .decisions:
      bytes.append("{\"line\":")
      DecisionText.append(line, to: &bytes)
      bytes.append(",")
      DecisionText.appendMembers(eventID, isSelected, rules, pages: pages, worker.names, matcher, to: &bytes)
      bytes.append("}\n")
    case .events:
      reader.withEvent { DecisionText.appendOpen($0, to: &bytes) }
      DecisionText.appendMembers(eventID, isSelected, rules, pages: pages, worker.names, matcher, to: &bytes)
      bytes.append("}}\n")
    }
  }

  /// Appends why what begins in a line is no event.
  static func append(
    _ reason: Rejection.Reason, line: Int, at location: SourceLocation, to bytes: inout [UInt8]
  ) {
    bytes.append("{\"line\":")
    DecisionText.append(line, to: &bytes)
    bytes.append(",\"error\":{\"code\":\"bad-event\",\"message\":")
    JSONText.append(reason.message, to: &bytes)
    bytes.append(",\"location\":{\"line\":")
    DecisionText.append(location.line, to: &bytes)
    bytes.append(",\"column\":")
    DecisionText.append(location.column, to: &bytes)
    bytes.append("}}}\n")
  }

  static func append(_ rejection: Rejection, to bytes: inout [UInt8]) {
    append(rejection.reason, line: rejection.line, at: rejection.location, to: &bytes)
  }

  /// Appends why nothing more is decided.
  static func append(_ error: ServiceError, to bytes: inout [UInt8]) {
    bytes.append("{\"error\":{\"code\":")
    JSONText.append(error.code, to: &bytes)
    bytes.append(",\"message\":")
    JSONText.append(error.message, to: &bytes)
    bytes.append("}}\n")
  }

  /// The decisions on whole lines.
  ///
  /// - Parameter line: The number of the first, from 1.
  static func lines(
    _ lines: [UInt8], firstLine line: Int, by rules: ActiveRules, _ output: MatchOutput
  ) -> [UInt8] {
    rules.withWorker { worker in
      let matcher = rules.matcher
      let block = lines.withUnsafeBufferPointer { LineBlocks.Block(lines: $0, firstLine: line) }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(output == .events ? lines.count * 3 / 2 : lines.count / 2)
      worker.blocks.begin(block)
      // A block cannot fail to be read.
      while let record = try? worker.blocks.next() {
        switch record {
        case .event(let line): append(worker.blocks, line: line, worker, matcher, output, to: &bytes)
        case .rejection(let rejection): append(rejection, to: &bytes)
        }
      }
      worker.blocks.end(block)
      return bytes
    }
  }
}

/// Decides the events of a text that cannot be divided at its lines: an array, an event over several lines, compressed ones.
///
/// One thread at a time may use it.
final class DocumentDecider: @unchecked Sendable {
  private var reader: EventReader
  private let rules: ActiveRules
  private let output: MatchOutput
  /// The bytes of decisions after which there is a pause, so that they can be sent.
  private static let step = 256 << 10

  init(_ rules: ActiveRules, _ output: MatchOutput, lengthLimit: Int) {
    self.rules = rules
    self.output = output
    reader = EventReader(projection: rules.matcher.projection, lengthLimit: lengthLimit)
  }

  func append(_ bytes: [UInt8]) { reader.append(bytes) }

  func finish() { reader.finish() }

  /// Decides events until that is enough for now.
  ///
  /// - Returns: The decisions, and whether there are more to come without more input.
  func decide() -> (bytes: [UInt8], isPaused: Bool) {
    rules.withWorker { worker in
      let matcher = rules.matcher
      var bytes: [UInt8] = []
      do {
        while let record = try reader.next() {
          switch record {
          case .event(let line): DecisionOutput.append(reader, line: line, worker, matcher, output, to: &bytes)
          case .rejection(let rejection): DecisionOutput.append(rejection, to: &bytes)
          }
          if bytes.count >= Self.step { return (bytes, true) }
        }
      } catch {
        DecisionOutput.append(
          ServiceError.badRequest("The body cannot be decompressed: \(error).", code: "bad-compression"), to: &bytes)
      }
      return (bytes, false)
    }
  }
}
