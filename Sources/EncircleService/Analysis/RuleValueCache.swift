import EncircleText
import Synchronization

/// A cache of values computed from rule sets and the stored captures, kept until either changes.
final class RuleValueCache<Value: Sendable>: Sendable {
  private struct Entry {
    let key: String
    let text: String
    /// The revision of the captures.
    let revision: Int
    let value: Value
  }

  private let capacity: Int
  // The entries, with the most recently used one at the end.
  private let entries = Mutex<[Entry]>([])

  /// - Parameter capacity: The maximum number of values; the least recently used one is dropped.
  init(capacity: Int) { self.capacity = capacity }

  /// Returns the value for a text of rules; `make` provides it if it is not cached.
  ///
  /// - Parameters:
  ///   - key: The name of the rule set; each key has one value.
  ///   - revision: The revision of the captures.
  func value(of key: String, _ text: String, captures revision: Int, make: () throws -> Value) rethrows -> Value {
    let known = entries.withLock { entries -> Value? in
      let place = entries.firstIndex { $0.key == key && $0.revision == revision && $0.text.hasSameBytes(as: text) }
      guard let place else { return nil }
      let entry = entries.remove(at: place)
      entries.append(entry)
      return entry.value
    }
    if let known { return known }
    let value = try make()
    entries.withLock { entries in
      entries.removeAll { $0.key == key }
      entries.append(Entry(key: key, text: text, revision: revision, value: value))
      if entries.count > capacity { entries.removeFirst() }
    }
    return value
  }
}
