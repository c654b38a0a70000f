import EncircleDictionary
import EncircleIdentity
import EncircleText
import Foundation

/// Looks up many event IDs in one dictionary at a time, on several threads. Each thread has its own reader, because a reader is
/// for one thread at a time.
struct DictionaryReaders {
  /// The reader for everything else.
  let first: DictionaryReader
  private let path: String
  // More readers are opened only for as many event IDs as justify them, because each has a cache.
  private var more: [DictionaryReader] = []

  // Each reader takes up to 16 MB and more for its caches.
  private static let maximumCount = 4
  // The number of event IDs that justifies another thread.
  private static let minimumPart = 16
  // The maximum number of event IDs in a transaction. With this number, its cost per ID is small, and the elements take little
  // memory.
  private static let transactionSize = 64
  // In bytes. A thread that has made more text omits the rest.
  private static let longestText = 1 << 22

  init(_ first: DictionaryReader, path: String) {
    self.first = first
    self.path = path
  }

  /// The event IDs that one thread looks up.
  private struct Part: @unchecked Sendable {
    // Unchecked, because each reader is in only one part.
    let reader: DictionaryReader
    let ids: ArraySlice<EventID>

    func texts(_ text: ([KnownElement]) -> [UInt8]) -> [EventID: [UInt8]] {
      var texts: [EventID: [UInt8]] = [:]
      var size = 0
      for start in stride(from: ids.startIndex, to: ids.endIndex, by: DictionaryReaders.transactionSize) {
        let some = ids[start...].prefix(DictionaryReaders.transactionSize)
        for (id, elements) in (try? reader.elements(with: Array(some))) ?? [:] {
          guard size < DictionaryReaders.longestText else { return texts }
          let text = text(elements)
          texts[id] = text
          size += text.count
        }
      }
      return texts
    }
  }

  /// Returns a number that changes when the file is replaced: values read before are then out of date.
  func currentGeneration() throws(DictionaryError) -> Int {
    var generation = try first.currentGeneration()
    for reader in more { generation += try reader.currentGeneration() }
    return generation
  }

  /// Returns the texts of the elements with each of the event IDs. An event ID is missing if it is unknown, if its look-up fails,
  /// or if the texts would take too much memory.
  ///
  /// - Complexity: O(log elements + length of the path) for each.
  mutating func texts(
    of ids: [EventID], _ text: @Sendable ([KnownElement]) -> [UInt8]
  ) -> [EventID: [UInt8]] {
    let count = max(
      1, min(Self.maximumCount, ProcessInfo.processInfo.activeProcessorCount, ids.count / Self.minimumPart))
    while more.count + 1 < count, let reader = try? DictionaryReader(path: path) { more.append(reader) }
    let readers = ([first] + more).prefix(count)
    let parts = readers.enumerated().map { number, reader in
      Part(
        reader: reader,
        ids: ids[ids.count * number / readers.count..<ids.count * (number + 1) / readers.count])
    }
    return parts.concurrentMap(atLeast: 1) { $0.texts(text) }.reduce(into: [:]) { all, part in
      all.merge(part) { first, _ in first }
    }
  }
}
