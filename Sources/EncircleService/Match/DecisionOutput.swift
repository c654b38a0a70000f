import EncircleEvents
import EncircleRules
import EncircleText

/// The form in which decisions are written.
enum DecisionForm: String, CaseIterable, Sendable {
  /// The decision.
  case decisions
  /// The event with its decision as `$encircle`.
  case events
}

/// Writes the decisions on a reader's events, one per line, as `encircle match` does.
enum DecisionOutput {
  /// Appends the decision on the event that a reader has just returned.
  static func append(
    _ reader: borrowing EventReader, line: Int, _ worker: ActiveRules.Worker, _ matcher: borrowing Matcher,
    _ output: DecisionForm, to bytes: inout [UInt8]
  ) {
    worker.record.decide(eventOf: reader, &worker.decider, matcher)
    switch output {
    case .decisions: worker.record.appendLine(line, matcher, to: &bytes)
    case .events: worker.record.appendEvent(of: reader, matcher, to: &bytes)
    }
  }

  /// Appends the reason why `line`, or several lines from there on, are not an event.
  static func append(
    _ reason: Rejection.Reason, line: Int, at location: SourceLocation, to bytes: inout [UInt8]
  ) {
    var json = JSONBuilder()
    json.object {
      $0.member("line", line)
      $0.object("error") {
        $0.member("code", "bad-event")
        $0.member("message", reason.message)
        $0.object("location") {
          $0.member("line", location.line)
          $0.member("column", location.column)
        }
      }
    }
    bytes += json.bytes
    bytes.append(UInt8(ascii: "\n"))
  }

  static func append(_ rejection: Rejection, to bytes: inout [UInt8]) {
    append(rejection.reason, line: rejection.line, at: rejection.location, to: &bytes)
  }

  /// Appends the error that ends the stream of decisions.
  static func append(_ error: any Error, to bytes: inout [UInt8]) {
    let answer: ErrorAnswer =
      switch error {
      case let error as ServiceError: ErrorAnswer(error)
      case let error as ErrorAnswer: error
      default: ErrorAnswer(.malformed("The body has not been read to its end.", code: "interrupted"))
      }
    var json = JSONBuilder()
    json.object {
      $0.object("error") {
        $0.member("code", answer.code)
        $0.member("message", answer.message)
      }
    }
    bytes += json.bytes
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Returns the decisions on whole lines.
  ///
  /// - Parameter line: The number of the first line, from 1.
  static func lines(
    _ lines: [UInt8], firstLine line: Int, by rules: ActiveRules, _ output: DecisionForm
  ) -> [UInt8] {
    rules.withWorker { worker in
      let matcher = rules.matcher
      let block = lines.withUnsafeBufferPointer { LineBlocks.Block(lines: $0, firstLine: line) }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(output == .events ? lines.count * 3 / 2 : lines.count / 2)
      worker.blocks.begin(block)
      // Reading a block cannot fail.
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

/// Decides the events of a text that cannot be split at line feeds: an array, an event over several lines, compressed bytes.
///
/// Only one thread at a time may use it.
final class DocumentDecider: @unchecked Sendable {
  private var reader: EventReader
  private let rules: ActiveRules
  private let output: DecisionForm
  /// The number of bytes of decisions after which deciding pauses, so that they can be sent.
  private static let step = 256 << 10

  init(_ rules: ActiveRules, _ output: DecisionForm, lengthLimit: Int) {
    self.rules = rules
    self.output = output
    reader = EventReader(projection: rules.matcher.projection, lengthLimit: lengthLimit)
  }

  func append(_ bytes: [UInt8]) { reader.append(bytes) }

  func finish() { reader.finish() }

  /// Decides events until the input, or the space for one step, is used up.
  ///
  /// - Returns: The decisions, and whether there are more decisions without more input.
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
          ServiceError.malformed("The body cannot be decompressed: \(error).", code: "bad-compression"), to: &bytes)
      }
      return (bytes, false)
    }
  }
}
