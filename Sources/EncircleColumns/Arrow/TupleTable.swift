import EncircleEvents

/// The numbers of the answers to tuples that were decided before, by the tuples' digests.
struct TupleTable: ~Copyable {
  private struct Entry {
    var digest: EventDigest
    var answer: UInt32
  }

  // The maximum number of tuples, about 32 MiB. When there are more, all are discarded: on average, that costs no more than adding
  // them did.
  static let limit = 1 << 19
  // Open addressing; 0 marks a free slot, any other number is the number of an entry plus 1. At most half of the slots are used.
  private var slots = [UInt32](repeating: 0, count: 1 << 10)
  private var entries: [Entry] = []

  /// Returns the number of the answer to a tuple; nil if it is not known.
  @inline(__always)
  func answer(to digest: EventDigest) -> UInt32? {
    let mask = slots.count &- 1
    var slot = Int(truncatingIfNeeded: digest.hash) & mask
    while slots[slot] != 0 {
      let entry = Int(slots[slot]) &- 1
      if entries[entry].digest == digest { return entries[entry].answer }
      slot = (slot &+ 1) & mask
    }
    return nil
  }

  /// Adds a tuple that is not known.
  mutating func insert(_ digest: EventDigest, answer: UInt32) {
    if entries.count == Self.limit { removeAll() }
    entries.append(Entry(digest: digest, answer: answer))
    if entries.count * 2 > slots.count {
      slots = Array(repeating: 0, count: slots.count * 2)
      for i in entries.indices { put(i) }
    } else {
      put(entries.count - 1)
    }
  }

  private mutating func put(_ entry: Int) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: entries[entry].digest.hash) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = UInt32(entry + 1)
  }

  /// Forgets all tuples.
  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    for i in slots.indices { slots[i] = 0 }
  }
}
