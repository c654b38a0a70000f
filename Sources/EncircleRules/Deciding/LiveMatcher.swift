import EncircleText
import Synchronization

/// The current matcher, which one thread replaces while others match.
///
/// Each task keeps a decider and checks now and then whether there is a newer matcher. The check only compares a number: a task
/// never waits for rules to be compiled, and its rules never change in the middle of an event.
///
/// ```swift
/// var decider = Decider(live)
/// for event in events {
///   decider.update(from: live)
///   let decision = decider.decide(event)
/// }
/// ```
public final class LiveMatcher: Sendable {
  private let matcher: Mutex<Matcher>
  private let version = Atomic<Int>(1)
  // Locked while rules are compiled, so that no update is lost.
  private let updating = Mutex<Void>(())

  /// Creates a live matcher with an initial matcher.
  public init(_ matcher: Matcher) { self.matcher = Mutex(matcher) }

  /// The current matcher.
  public var current: Matcher { matcher.withLock { $0 } }

  /// Returns the current matcher if it is newer than the version `known`, and updates `known`; else nil. Begin with 0.
  public func matcher(newerThan known: inout Int) -> Matcher? {
    guard version.load(ordering: .acquiring) != known else { return nil }
    return matcher.withLock { matcher in
      known = version.load(ordering: .relaxed)
      return matcher
    }
  }

  /// Replaces the matcher.
  public func replace(by newer: Matcher) {
    updating.withLock { _ in set(newer) }
  }

  /// Adds, replaces and removes rules; see ``Matcher/updated(with:removing:)``.
  public func update(with rules: [SelectionRule], removing ids: Set<UTF8String> = []) {
    updating.withLock { _ in set(current.updated(with: rules, removing: ids)) }
  }

  private func set(_ newer: Matcher) {
    matcher.withLock { matcher in
      matcher = newer
      version.add(1, ordering: .releasing)
    }
  }
}
