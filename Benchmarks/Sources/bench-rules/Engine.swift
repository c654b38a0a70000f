import EncircleEvents
import EncircleInput
import EncircleRules
import Foundation

/// The engine under test. All calls of the library are here, so that a change of its interface affects only this file.
final class Engine {
  private let matcher: Matcher

  /// Events that have been read, so that only matching them is left.
  final class PreparedEvents {
    fileprivate let events: UnsafeMutablePointer<ProjectedEvent>
    fileprivate private(set) var count = 0

    fileprivate init(capacity: Int) { events = .allocate(capacity: capacity) }

    fileprivate func append(_ event: AnalyticsEvent, _ projection: EventProjection) {
      (events + count).initialize(to: ProjectedEvent(projection))
      events[count].load(event)
      count += 1
    }

    deinit {
      events.deinitialize(count: count)
      events.deallocate()
    }
  }

  private var hits = 0
  private var misses = 0

  /// Compiles rules.
  init(_ ruleSet: RuleSet) { matcher = Matcher(ruleSet) }

  /// The memory that the compiled rules take, in bytes; nil if the library does not report it.
  var memoryInBytes: Int? { matcher.memoryInBytes }

  /// The share of elements in the last pass whose matching rules were in the cache, from 0 to 1; nil if the library does not
  /// count them.
  var memoHitRate: Double? { hits + misses == 0 ? nil : Double(hits) / Double(hits + misses) }

  /// Reads events without deciding anything; returns the number of records.
  func read(_ lines: [UInt8]) throws -> Int {
    var reader = EventReader(bytes: lines, projection: matcher.projection)
    var records = 0
    while try reader.next() != nil { records += 1 }
    return records
  }

  /// Decides events end to end, from bytes, with a new decider.
  ///
  /// - Parameter afterEach: Called for each record with a closure that returns the ids of the rules that match; returning false
  ///   ends the pass.
  func decide(_ lines: [UInt8], afterEach: (() -> [Int]) -> Bool) throws -> Answers {
    var reader = EventReader(bytes: lines, projection: matcher.projection)
    var decider = Decider(matcher)
    var answers = Answers()
    while let record = try reader.next() {
      answers.records += 1
      if case .event = record {
        answers.add(decider.selects(eventOf: reader), decider)
        let rules = decider.matchedRules
        if !afterEach({ rules.map { Int(matcher.ruleID($0).text) ?? -1 }.sorted() }) { break }
      } else {
        answers.rejected += 1
        if !afterEach({ [] }) { break }
      }
    }
    return answers
  }

  /// Decides events end to end, from bytes, with a new decider.
  func decide(_ lines: [UInt8]) throws -> Answers {
    var reader = EventReader(bytes: lines, projection: matcher.projection)
    var decider = Decider(matcher)
    var answers = Answers()
    while let record = try reader.next() {
      answers.records += 1
      if case .event = record {
        answers.add(decider.selects(eventOf: reader), decider)
      } else {
        answers.rejected += 1
      }
    }
    (hits, misses) = (decider.cacheHits, decider.cacheMisses)
    return answers
  }

  /// Decides lines end to end, from bytes, each as a separate message, with a new decider.
  func decideMessages(_ lines: [UInt8]) -> Answers {
    var decider = Decider(matcher)
    var answers = Answers()
    lines.withUnsafeBytes { lines in
      guard let first = lines.baseAddress else { return }
      var start = 0
      while start < lines.count {
        let lineFeed = memchr(first + start, 10, lines.count - start)
        let end = lineFeed.map { UnsafeRawPointer($0) - first } ?? lines.count
        answers.records += 1
        do throws(Rejection) {
          answers.add(try decider.selects(json: UnsafeRawBufferPointer(rebasing: lines[start..<end])), decider)
        } catch {
          answers.rejected += 1
        }
        start = end + 1
      }
    }
    return answers
  }

  /// Reads events; rejected records are omitted.
  func prepare(_ lines: [UInt8]) throws -> PreparedEvents {
    var reader = EventReader(bytes: lines)
    let events = PreparedEvents(capacity: lines.count { $0 == UInt8(ascii: "\n") } + 1)
    while let record = try reader.next() {
      if case .event = record {
        events.append(try reader.withEvent { try AnalyticsEvent(json: Array($0)) }, matcher.projection)
      }
    }
    return events
  }

  /// Decides events that have been read, with a new decider.
  func decide(_ events: PreparedEvents) -> Answers {
    var decider = Decider(matcher)
    var answers = Answers()
    for i in 0..<events.count { answers.add(decider.selects(events.events[i]), decider) }
    return answers
  }
}

/// The answers of an engine to a stream, as numbers that must always be the same.
struct Answers: Equatable {
  /// The number of lines that are not blank.
  var records = 0
  /// The number of records that are not events.
  var rejected = 0
  /// The number of pairs of an event and a rule that matches it.
  var pairs = 0
  /// The number of selected events.
  var kept = 0

  fileprivate mutating func add(_ isSelected: Bool, _ decider: borrowing Decider) {
    pairs += decider.matchCount
    kept += isSelected ? 1 : 0
  }
}
