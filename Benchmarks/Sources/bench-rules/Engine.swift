import EncircleEvents
import EncircleInput
import EncircleRules

/// The engine under test: all that the benchmark asks of it is asked here, so that a change of its interface ends here.
final class Engine {
  private let matcher: Matcher
  /// The share of events whose candidates were remembered, from 0 to 1, in the last pass end to end; nil where the library
  /// does not say.
  private(set) var memoHitRate: Double?

  /// Events that have been read, so that what is left to do is to match them.
  typealias PreparedEvents = [Event]

  /// Compiles rules.
  init(_ ruleSet: RuleSet) { matcher = Matcher(ruleSet) }

  /// What the compiled rules take, in bytes; nil where the library does not say.
  var memoryInBytes: Int? { nil }

  /// Takes down what a match state tells about itself at the end of a pass; nothing so far.
  private func note(_ state: MatchState) { memoHitRate = nil }

  /// Reads events without deciding anything; the number of records.
  func read(_ lines: [UInt8]) throws -> Int {
    var reader = EventReader(ByteSource(lines))
    var records = 0
    while try reader.next() != nil { records += 1 }
    return records
  }

  /// Decides events end to end, from bytes, with a new match state.
  ///
  /// - Parameter afterEach: Told of each record the ids of the rules that match, to be asked for only when wanted; false
  ///   ends the pass.
  func decide(_ lines: [UInt8], afterEach: (() -> [Int]) -> Bool) throws -> Answers {
    var reader = EventReader(ByteSource(lines))
    var state = MatchState(for: matcher)
    var answers = Answers()
    while let record = try reader.next() {
      answers.records += 1
      if case .event = record {
        let decision = matcher.decide(eventOf: reader, using: &state)
        answers.add(decision)
        if !afterEach({ Self.ids(decision) }) { break }
      } else {
        answers.rejected += 1
        if !afterEach({ [] }) { break }
      }
    }
    return answers
  }

  /// Decides events end to end, from bytes, with a new match state.
  func decide(_ lines: [UInt8]) throws -> Answers {
    var reader = EventReader(ByteSource(lines))
    var state = MatchState(for: matcher)
    var answers = Answers()
    while let record = try reader.next() {
      answers.records += 1
      if case .event = record {
        answers.add(matcher.decide(eventOf: reader, using: &state))
      } else {
        answers.rejected += 1
      }
    }
    note(state)
    return answers
  }

  /// Reads events; what is rejected is left out.
  func prepare(_ lines: [UInt8]) throws -> PreparedEvents {
    var reader = EventReader(ByteSource(lines))
    var events: [Event] = []
    while let record = try reader.next() {
      if case .event = record { events.append(try reader.withEvent { try Event(json: Array($0)) }) }
    }
    return events
  }

  /// Decides events that have been read, with a new match state.
  func decide(_ events: PreparedEvents) -> Answers {
    var state = MatchState(for: matcher)
    var answers = Answers()
    for event in events { answers.add(matcher.decide(event, using: &state)) }
    return answers
  }

  private static func ids(_ decision: Decision) -> [Int] {
    (decision.rules + decision.excludedBy).map { Int($0.text) ?? -1 }.sorted()
  }
}

/// What an engine has said about a stream, in numbers that must always be the same.
struct Answers: Equatable {
  /// Lines that are not blank.
  var records = 0
  /// Records that are no events.
  var rejected = 0
  /// Pairs of an event and a rule that matches it.
  var pairs = 0
  /// Events that are selected.
  var kept = 0

  fileprivate mutating func add(_ decision: Decision) {
    pairs += decision.rules.count + decision.excludedBy.count
    kept += decision.isSelected ? 1 : 0
  }
}
