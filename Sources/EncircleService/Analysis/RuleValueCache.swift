import Synchronization

/// What was made of rule sets and the stored captures, kept until either changes.
final class RuleValueCache<Value: Sendable>: Sendable {
  private struct Entry {
    let key: String
    let text: String
    /// The revision of the captures.
    let revision: Int
    let value: Value
  }

  private let capacity: Int
  // The one that was used last comes last.
  private let entries = Mutex<[Entry]>([])

  /// - Parameter capacity: The most values; the one that was not used for the longest time is dropped.
  init(capacity: Int) { self.capacity = capacity }

  /// Returns the value for a text of rules, which `make` gives if it is not known.
  ///
  /// - Parameters:
  ///   - key: Names the rule set; of each key there is one value.
  ///   - revision: That of the captures.
  func value(of key: String, _ text: String, captures revision: Int, make: () throws -> Value) rethrows -> Value {
    let known = entries.withLock { entries -> Value? in
      guard let place = Self.place(of: key, text, revision, in: entries) else { return nil }
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

  /// Returns whether the value for a text of rules is known.
  func hasValue(of key: String, _ text: String, captures revision: Int) -> Bool {
    entries.withLock { Self.place(of: key, text, revision, in: $0) != nil }
  }

  private static func place(of key: String, _ text: String, _ revision: Int, in entries: [Entry]) -> Int? {
    entries.firstIndex { $0.key == key && $0.revision == revision && $0.text.utf8.elementsEqual(text.utf8) }
  }
}
