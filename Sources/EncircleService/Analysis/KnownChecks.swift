import EncircleAuthoring
import Synchronization

/// The last answers to checks: the same text is checked by its editor, by its review and by each rule of it.
final class KnownChecks: Sendable {
  private struct Entry {
    var rules: NamedRules
    /// That of the captures.
    var revision: Int
    var made: ContinuousClock.Instant
    var answer: [UInt8]
  }

  private static let mostEntries = 4
  private static let mostBytes = 4 << 20
  /// Some findings are about the time, in days.
  private static let lifetime = Duration.seconds(600)
  private let entries = Mutex<[Entry]>([])

  /// The answer to a check of rules on captures of a revision, which `check` gives if it is not known.
  func answer(to rules: NamedRules, captures revision: Int, _ check: () throws -> [UInt8]) rethrows -> [UInt8] {
    let now = ContinuousClock.now
    let known = entries.withLock { entries in
      entries.removeAll { $0.revision != revision || now - $0.made > Self.lifetime }
      return entries.first {
        $0.rules.name.utf8.elementsEqual(rules.name.utf8) && $0.rules.text.utf8.elementsEqual(rules.text.utf8)
      }?.answer
    }
    if let known { return known }
    let answer = try check()
    guard answer.count + rules.text.utf8.count <= Self.mostBytes else { return answer }
    entries.withLock { entries in
      entries.insert(Entry(rules: rules, revision: revision, made: now, answer: answer), at: 0)
      entries.removeLast(max(0, entries.count - Self.mostEntries))
    }
    return answer
  }
}
