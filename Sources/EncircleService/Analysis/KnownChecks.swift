import EncircleAuthoring
import EncircleText
import Synchronization

/// A cache of recent checks. It keeps the answers, because the editor, the review and the view of each rule check the same
/// text. It also keeps the counts on captures, because the next text of the same name differs in only a rule or two.
final class KnownChecks: Sendable {
  private struct Entry {
    var rules: NamedRules
    /// The revision of the captures.
    var revision: Int
    var made: ContinuousClock.Instant
    var answer: [UInt8]
  }

  private struct State {
    /// The entries, newest first.
    var entries: [Entry] = []
    /// The checkers by the name of their text, most recently used first.
    var checkers: [(name: String, checker: IncrementalChecker)] = []
  }

  private static let maximumEntries = 4
  private static let maximumBytes = 4 << 20
  /// A checker takes as much memory as the paths of all captures.
  private static let maximumCheckers = 2
  /// Answers expire, because some findings depend on the date.
  private static let lifetime = Duration.seconds(600)
  private let state = Mutex(State())

  /// Returns the answer to a check of rules on captures of a revision; `check` provides it if it is not cached.
  ///
  /// Checks may run concurrently. Each has its own checker, and the checker of the check that ends last is kept.
  func answer(
    to rules: NamedRules, captures revision: Int, _ check: (inout IncrementalChecker) throws -> [UInt8]
  ) rethrows -> [UInt8] {
    let now = ContinuousClock.now
    let (known, last) = state.withLock { state in
      state.entries.removeAll { $0.revision != revision || now - $0.made > Self.lifetime }
      let entry = state.entries.first {
        $0.rules.name.hasSameBytes(as: rules.name) && $0.rules.text.hasSameBytes(as: rules.text)
      }
      let last = state.checkers.first { $0.name.hasSameBytes(as: rules.name) }
      return (entry?.answer, last?.checker)
    }
    if let known { return known }
    var checker = last ?? IncrementalChecker()
    let answer = try check(&checker)
    state.withLock { state in
      state.checkers.removeAll { $0.name.hasSameBytes(as: rules.name) }
      state.checkers.insert((rules.name, checker), at: 0)
      state.checkers.removeLast(max(0, state.checkers.count - Self.maximumCheckers))
      guard answer.count + rules.text.utf8.count <= Self.maximumBytes else { return }
      state.entries.insert(Entry(rules: rules, revision: revision, made: now, answer: answer), at: 0)
      state.entries.removeLast(max(0, state.entries.count - Self.maximumEntries))
    }
    return answer
  }
}
