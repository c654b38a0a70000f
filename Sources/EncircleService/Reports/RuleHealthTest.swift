import Foundation

/// Tests whether a rule matches a larger or smaller share of events in one app version than in another.
///
/// Events are assumed to be independent. If at least ten events are expected in each of the four cells, the test is the one for
/// two proportions, with the pooled variance; otherwise it is Fisher's exact test. Both are two-sided. The level for all rules
/// together is divided by their number (Bonferroni). A change counts only if the share also becomes 1.25 times as large, or
/// less than 0.8 times, because with enough events every share differs a little.
struct RuleHealthTest: Sendable {
  /// The kind of an alarm.
  enum Alarm: String, Sendable {
    /// The rule no longer matches anything.
    case zero
    /// The rule matches another share of events.
    case rate
  }

  /// The significance level for all rules together: the probability of any alarm if nothing has changed.
  let level: Double
  /// The number of tested rules.
  let tests: Int

  private static let minimumExpected = 10.0
  private static let minimumRatio = 1.25

  /// Returns the alarm for a rule with its *p* value, the probability of such a difference if nothing has changed; nil if there
  /// is none.
  ///
  /// - Parameters:
  ///   - before: The matched and all events of the earlier version.
  ///   - after: The matched and all events of the later version.
  func alarm(before: (events: Int, all: Int), after: (events: Int, all: Int)) -> (alarm: Alarm, p: Double)? {
    guard before.all > 0, after.all > 0, before.events > 0 else { return nil }
    let p = Self.probability(before, after)
    guard p < level / Double(max(1, tests)) else { return nil }
    if after.events == 0 { return (.zero, p) }
    let ratio = (Double(after.events) / Double(after.all)) / (Double(before.events) / Double(before.all))
    guard ratio >= Self.minimumRatio || ratio <= 1 / Self.minimumRatio else { return nil }
    return (.rate, p)
  }

  /// Returns the *p* value: the probability of this difference, or a larger one, if both shares are the same.
  ///
  /// - Precondition: `events` is no more than `all`, which is not 0.
  static func probability(_ a: (events: Int, all: Int), _ b: (events: Int, all: Int)) -> Double {
    // Matched events are part of all events, but counters from outside may be inconsistent.
    let a = (events: min(a.events, a.all), all: a.all)
    let b = (events: min(b.events, b.all), all: b.all)
    let total = Double(a.all + b.all)
    let share = Double(a.events + b.events) / total
    let expected = [
      share * Double(a.all), share * Double(b.all), (1 - share) * Double(a.all), (1 - share) * Double(b.all),
    ]
    if expected.allSatisfy({ $0 >= minimumExpected }) {
      let error = (share * (1 - share) * (1 / Double(a.all) + 1 / Double(b.all))).squareRoot()
      let z = (Double(a.events) / Double(a.all) - Double(b.events) / Double(b.all)) / error
      return erfc(abs(z) / 2.0.squareRoot())
    }
    return exact(a, b)
  }

  /// Returns the result of Fisher's exact test: the sum of the probabilities of all tables with the same sums that are no more
  /// likely than this one.
  ///
  /// - Complexity: O(the smallest of the four sums), which is small where this is used.
  private static func exact(_ a: (events: Int, all: Int), _ b: (events: Int, all: Int)) -> Double {
    let matched = a.events + b.events
    let (low, high) = (max(0, matched - b.all), min(matched, a.all))
    func logChoose(_ n: Int, _ k: Int) -> Double {
      lgamma(Double(n) + 1) - lgamma(Double(k) + 1) - lgamma(Double(n - k) + 1)
    }
    let whole = logChoose(a.all + b.all, matched)
    func logProbability(_ events: Int) -> Double {
      logChoose(a.all, events) + logChoose(b.all, matched - events) - whole
    }
    // Rounding must not leave out tables of equal probability.
    let limit = logProbability(a.events) + 1e-7
    var sum = 0.0
    for events in low...high {
      let value = logProbability(events)
      if value <= limit { sum += exp(value) }
    }
    return min(1, sum)
  }
}
