import EncircleText
import Synchronization

/// The matcher in force, which one thread replaces while others match.
///
/// Readers keep a matcher, and a state for it, and ask now and then whether there is a newer one. That is one look at a
/// number: they never wait for rules to be compiled, nor does what they have change under them.
///
/// ```swift
/// var version = 0
/// if let newer = live.matcher(newerThan: &version) {
///   matcher = newer
///   state = MatchState(for: newer)
/// }
/// ```
public final class LiveMatcher: Sendable {
  private let matcher: Mutex<Matcher>
  private let version = Atomic<Int>(1)
  // Held while rules are compiled, so that no update is lost.
  private let updating = Mutex<Void>(())

  /// Puts a matcher in force.
  public init(_ matcher: Matcher) { self.matcher = Mutex(matcher) }

  /// The matcher in force.
  public var current: Matcher { matcher.withLock { $0 } }

  /// The matcher in force, if it came into force after the version that the caller has; begin with 0.
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
