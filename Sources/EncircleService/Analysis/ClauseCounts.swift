import EncircleAuthoring
import EncircleIdentity
import EncircleRules
import EncircleText
import Synchronization

/// Counts the stored events that a clause selects. Counts are cached, so that every click can ask for them.
final class ClauseCounts: Sendable {
  struct Count: Sendable, Equatable {
    /// The number of events that the clause matches.
    var count: Int
    /// The number of matching events that are not selected, because an exclude rule or an excluded page matches.
    var excluded = 0
    /// The number of events that were read: all events of the days, unless there are very many.
    var of: Int
    /// This is true if all events of the days were read.
    var isComplete: Bool
  }

  struct Key: Hashable, Sendable {
    var clause: [UInt8]
    /// The rule whose exceptions count.
    var rule: UTF8String?
    var settings: SelectionSettings.Key
    /// The rule set whose exclusions count, with its version or revision.
    var exclusions: String
    var days: Int
  }

  private struct Entry {
    var count: Count
    /// The newest event that was read; newer ones are counted the next time.
    var newest: Int64
    /// The revision of the captures in which event IDs were looked up; the entry is stale if another one is current.
    var revision: Int
    /// The time at which all of the days were counted. An entry is valid only for a while, because its oldest events drop out
    /// of the days.
    var made: ContinuousClock.Instant
  }

  private static let maximumEvents = 200_000
  private static let maximumEntries = 512
  private static let lifetime = Duration.seconds(120)

  private let events: EventLibrary
  // Counting stops after this time, and the answer says how many events were counted.
  private let time: Duration
  private let entries = Mutex<[Key: Entry]>([:])

  /// - Parameter time: The processor time that counting may use.
  init(_ events: EventLibrary, time: Duration) {
    self.events = events
    self.time = time
  }

  /// Counts the events of the last days.
  ///
  /// - Parameters:
  ///   - rules: The rule set that would contain the rule. Its exclusions count.
  ///   - snapshot: The captures of the revision, or of a later one.
  /// - Throws: ``ServiceError`` when the request has used up its budget.
  /// - Complexity: O(events of the days), at most 200,000 of them; O(new events) for a clause that was counted lately.
  func count(
    _ rule: SelectionRule, _ key: Key, among rules: RuleSet, _ snapshot: ScreenIndex.Snapshot, revision: Int
  ) throws -> Count {
    let clock = ThreadClock()
    let now = ContinuousClock.now
    let known = entries.withLock { $0[key] }
      .flatMap { now - $0.made < Self.lifetime && $0.revision == revision ? $0 : nil }
    var ruleSet = rules
    ruleSet.track = .selected
    ruleSet.rules = [rule] + rules.rules.filter { $0.effect == .exclude && $0.isEnabled && $0.id != rule.id }
    let matcher = Matcher(ruleSet, dictionary: snapshot.dictionary)
    var decider = Decider(matcher)
    var result = Count(count: 0, of: 0, isComplete: true)
    var newest = known?.newest ?? 0
    var reachesKnown = false
    try events.forEach(days: key.days) { id, json in
      if result.of == 0 { newest = max(newest, id) }
      if let known, id <= known.newest {
        reachesKnown = true
        return false
      }
      if result.of % 256 == 255 {
        try WorkBudget.check()
        if clock.spent > time { result.isComplete = false }
      }
      if result.of >= Self.maximumEvents { result.isComplete = false }
      guard result.isComplete else { return false }
      result.of += 1
      guard let isSelected = try? decider.selects(json: json) else { return true }
      guard isSelected || decider.matchedRules.contains(where: { !matcher.isExclude($0) }) else { return true }
      result.count += 1
      if !isSelected { result.excluded += 1 }
      return true
    }
    var made = now
    if let known, reachesKnown {
      result.count += known.count.count
      result.excluded += known.count.excluded
      result.of += known.count.of
      result.isComplete = known.count.isComplete
      made = known.made
    }
    let entry = Entry(count: result, newest: newest, revision: revision, made: made)
    entries.withLock { entries in
      if entries.count >= Self.maximumEntries {
        entries = entries.filter { now - $0.value.made < Self.lifetime }
        if entries.count >= Self.maximumEntries { entries.removeAll() }
      }
      entries[key] = entry
    }
    return result
  }
}
