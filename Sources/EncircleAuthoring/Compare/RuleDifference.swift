import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText

/// Compares the selections of two rule sets on captures and on numbered events, such as the events of a store.
///
/// ```swift
/// var comparison = RuleDifference(from: (before, dictionary), to: (now, dictionary))
/// comparison.add(screen, name: "home.xml")
/// comparison.add(event, number: 17)
/// let (elements, events) = comparison.finish()
/// ```
package struct RuleDifference: ~Copyable {
  package typealias Report = DecisionComparison.Report

  /// The events that are compared together, in bytes.
  private static let chunkBytes = 1 << 20
  private static let examplesPerGroup = 3

  private var elements: DecisionComparison
  private var events: DecisionComparison
  private let projection: EventProjection
  // Lines of events, and their numbers.
  private var chunk: [UInt8] = []
  private var numbers: [Int64] = []

  /// Prepares the comparison of two rule sets, each with the elements that it knows.
  ///
  /// - Complexity: O(size of the rules).
  package init(
    from old: (rules: RuleSet, dictionary: ElementDictionary), to new: (rules: RuleSet, dictionary: ElementDictionary)
  ) {
    var limits = DecisionComparison.Limits()
    limits.examples = Self.examplesPerGroup
    let before = Matcher(old.rules, dictionary: old.dictionary)
    let now = Matcher(new.rules, dictionary: new.dictionary)
    events = DecisionComparison(from: before, to: now, limits: limits)
    projection = now.projection
    guard (old.rules.rules + new.rules.rules).contains(where: { $0.from != nil || $0.to != nil }) else {
      elements = DecisionComparison(from: before, to: now, limits: limits)
      return
    }
    elements = DecisionComparison(
      from: Matcher(old.rules.atAnyTime, dictionary: old.dictionary),
      to: Matcher(new.rules.atAnyTime, dictionary: new.dictionary), limits: limits)
  }

  /// Compares the selections on a capture. A capture that a style cannot serve is skipped.
  package mutating func add(_ screen: IdentifiedTree, name: String) { _ = elements.add(screen, name: name) }

  /// Counts elements about which it is known that the rule sets decide alike.
  package mutating func addUnchanged(_ count: Int) { elements.addUnchanged(count) }

  /// Compares the decisions about an event.
  ///
  /// - Parameter json: The event, in one line.
  package mutating func add(_ json: some Sequence<UInt8>, number: Int64) {
    chunk += json
    chunk.append(0x0A)
    numbers.append(number)
    if chunk.count >= Self.chunkBytes { compareChunk() }
  }

  private mutating func compareChunk() {
    var reader = EventReader(bytes: chunk, projection: projection)
    while let record = try? reader.next() {
      guard case .event(let line) = record else { continue }
      let number = numbers.indices.contains(line - 1) ? Int(numbers[line - 1]) : 0
      events.add(eventOf: reader, file: "events", line: number)
    }
    chunk = []
    numbers = []
  }

  /// Returns the results; the line of an example is the number of the event.
  package mutating func finish() -> (elements: Report, events: Report) {
    compareChunk()
    return (elements.finish(), events.finish())
  }
}

extension DecisionComparison.Report {
  /// For each rule, by id, how many events it adds to the selected ones and how many it takes from them. An event may count for
  /// several rules.
  package var byRule: [(rule: UTF8String, more: Int, fewer: Int)] {
    var counts: [UTF8String: (more: Int, fewer: Int)] = [:]
    for group in groups {
      let difference = group.difference
      for rule in difference.includes.began + difference.excludes.ceased {
        counts[rule, default: (0, 0)].more += group.count
      }
      for rule in difference.includes.ceased + difference.excludes.began {
        counts[rule, default: (0, 0)].fewer += group.count
      }
    }
    return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value.more, $0.value.fewer) }
  }
}
