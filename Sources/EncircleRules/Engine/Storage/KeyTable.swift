import CProcessor

/// A table from 64-bit keys to any number of values each. Immutable.
///
/// A hash table with open addressing and linear probing, at most three quarters full. A single value lies in the slot
/// itself, so that most look-ups touch one cache line; several lie together elsewhere. Most look-ups of keys that are not
/// there are answered by a filter of one or two bytes a key, which stays in the processor's caches.
struct KeyTable: ~Copyable, Sendable {
  struct Slot: BitwiseCopyable, Sendable {
    var key: UInt64 = 0
    /// The value, or the place of the first of several.
    var value: UInt32 = 0
    /// The number of values; 0 marks a free slot.
    var count: UInt32 = 0
  }

  let slots: FrozenArray<Slot>
  let values: FrozenArray<UInt32>
  private let filter: KeyFilter

  init(slots: FrozenArray<Slot>, values: FrozenArray<UInt32>) {
    self.slots = slots
    self.values = values
    var keys: [UInt64] = []
    for i in 0..<slots.count where slots[i].count != 0 { keys.append(slots[i].key) }
    count = keys.count
    // Eight bits for each slot: about 11 to 21 for each key.
    filter = KeyFilter(keys, bitCount: max(64, slots.count * 8))
  }

  /// Makes a table of pairs in any order; the values of one key keep their order.
  ///
  /// - Complexity: O(*n*).
  init(_ pairs: [(key: UInt64, value: UInt32)]) {
    // Sized as if no two pairs had the same key.
    var slots = Self.freeSlots(for: pairs.count)
    var keys = 0
    for pair in pairs {
      let place = Self.place(of: pair.key, in: slots)
      if slots[place].count == 0 {
        slots[place] = Slot(key: pair.key, value: pair.value)
        keys += 1
      }
      slots[place].count += 1
    }
    var fewer = Self.freeSlots(for: keys)
    if fewer.count < slots.count {
      for slot in slots where slot.count != 0 { fewer[Self.place(of: slot.key, in: fewer)] = slot }
      slots = fewer
    }
    // Keys with several values get a run in `values`.
    var valueCount: UInt32 = 0
    for i in slots.indices where slots[i].count > 1 {
      slots[i].value = valueCount
      valueCount += slots[i].count
    }
    var values = [UInt32](repeating: 0, count: Int(valueCount))
    if !values.isEmpty {
      // While the runs are filled, a slot holds the place of its next value.
      for pair in pairs {
        let place = Self.place(of: pair.key, in: slots)
        guard slots[place].count > 1 else { continue }
        values[Int(slots[place].value)] = pair.value
        slots[place].value += 1
      }
      for i in slots.indices where slots[i].count > 1 { slots[i].value -= slots[i].count }
    }
    self.init(slots: FrozenArray(slots), values: FrozenArray(values))
  }

  /// Returns free slots: a power of two, of which the keys fill at most three quarters.
  private static func freeSlots(for keys: Int) -> [Slot] {
    var size = 4
    while size * 3 < keys * 4 { size *= 2 }
    return Array(repeating: Slot(), count: size)
  }

  /// Returns the slot that holds a key, or the free one where it belongs.
  @inline(__always) private static func place(of key: UInt64, in slots: [Slot]) -> Int {
    let mask = slots.count &- 1
    var place = Int(truncatingIfNeeded: key) & mask
    while slots[place].count != 0, slots[place].key != key { place = (place &+ 1) & mask }
    return place
  }

  /// The number of keys.
  let count: Int

  /// Returns the values of a key; empty if the table does not contain it.
  @inline(__always) func find(_ key: UInt64) -> UnsafeBufferPointer<UInt32> {
    mayContain(key) ? values(of: key) : UnsafeBufferPointer(start: nil, count: 0)
  }

  /// Returns false for most keys that the table does not contain, and true for all that it contains.
  @inline(__always) func mayContain(_ key: UInt64) -> Bool { filter.mayContain(key) }

  /// Fetches the slot of a key that will be looked up soon into the processor's caches.
  @inline(__always) func prefetch(_ key: UInt64) {
    encircle_prefetch(slots.base + (Int(truncatingIfNeeded: key) & (slots.count &- 1)))
  }

  /// Returns the values of a key for which ``mayContain(_:)`` is true; empty if the table does not contain the key.
  @inline(__always) func values(of key: UInt64) -> UnsafeBufferPointer<UInt32> {
    let mask = slots.count &- 1
    var place = Int(truncatingIfNeeded: key) & mask
    while true {
      let slot = slots.base + place
      if slot.pointee.count == 0 { return UnsafeBufferPointer(start: nil, count: 0) }
      if slot.pointee.key == key {
        let count = Int(slot.pointee.count)
        if count == 1 {
          let value = UnsafeRawPointer(slot) + 8
          return UnsafeBufferPointer(start: value.assumingMemoryBound(to: UInt32.self), count: 1)
        }
        return UnsafeBufferPointer(start: values.base + Int(slot.pointee.value), count: count)
      }
      place = (place &+ 1) & mask
    }
  }

  var byteCount: Int { slots.byteCount + values.byteCount + filter.byteCount }

  /// Returns whether all values are below a limit.
  func values(areBelow limit: Int) -> Bool {
    slots.all.allSatisfy { $0.count != 1 || Int($0.value) < limit } && values.all.allSatisfy { Int($0) < limit }
  }
}

/// Counts how often 64-bit keys occur.
struct KeyCounter {
  private var slots: [UInt64] = Array(repeating: 0, count: 1024)
  private var counts: [UInt32] = Array(repeating: 0, count: 1024)
  /// The number of keys.
  private(set) var count = 0

  /// The keys, in no particular order.
  var keys: [UInt64] {
    var keys: [UInt64] = []
    for i in slots.indices where counts[i] != 0 { keys.append(slots[i]) }
    return keys
  }

  /// Counts a key.
  mutating func add(_ key: UInt64) {
    if count * 4 >= slots.count * 3 { grow() }
    let place = place(of: key)
    if counts[place] == 0 {
      slots[place] = key
      count += 1
    }
    counts[place] = counts[place] == .max ? .max : counts[place] + 1
  }

  /// The number of times that a key was counted.
  subscript(key: UInt64) -> Int { Int(counts[place(of: key)]) }

  private func place(of key: UInt64) -> Int {
    let mask = slots.count - 1
    var place = Int(truncatingIfNeeded: key) & mask
    while counts[place] != 0, slots[place] != key { place = (place + 1) & mask }
    return place
  }

  private mutating func grow() {
    let (oldSlots, oldCounts) = (slots, counts)
    slots = Array(repeating: 0, count: oldSlots.count * 2)
    counts = Array(repeating: 0, count: oldSlots.count * 2)
    for i in oldSlots.indices where oldCounts[i] != 0 {
      let place = place(of: oldSlots[i])
      slots[place] = oldSlots[i]
      counts[place] = oldCounts[i]
    }
  }
}
