import CProcessor

/// 64-bit keys with their values, any number of values a key. Immutable.
///
/// A hash table with open addressing and linear probing, at most three quarters full. A single value lies in the slot
/// itself, so that most look-ups touch one cache line; several lie together elsewhere. A filter of a byte or two a key, by
/// the upper bits of keys, answers most look-ups of keys that are not there, without a look into the large table.
struct KeyTable: Sendable {
  struct Slot: BitwiseCopyable, Sendable {
    var key: UInt64 = 0
    /// The value, or where several begin.
    var value: UInt32 = 0
    /// 0 is free.
    var count: UInt32 = 0
  }

  let slots: FrozenArray<Slot>
  let values: FrozenArray<UInt32>
  private let filter: KeyFilter

  init(slots: FrozenArray<Slot>, values: FrozenArray<UInt32>) {
    self.slots = slots
    self.values = values
    let used = slots.all.lazy.filter { $0.count != 0 }
    count = used.count
    // Eight to sixteen bits a slot's key.
    filter = KeyFilter(used.map(\.key), bitCount: max(64, slots.count * 8))
  }

  /// Makes a table of pairs, which may come in any order; the values of a key keep theirs.
  ///
  /// - Complexity: O(*n*).
  init(_ pairs: [(key: UInt64, value: UInt32)]) {
    // As if no two had the same key, at first.
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
    // Where the values of keys with several begin.
    var valueCount: UInt32 = 0
    for i in slots.indices where slots[i].count > 1 {
      slots[i].value = valueCount
      valueCount += slots[i].count
    }
    var values = [UInt32](repeating: 0, count: Int(valueCount))
    if !values.isEmpty {
      // While they are put there, a slot says where the next one goes.
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

  /// Slots for so many keys, at most three quarters of a power of two.
  private static func freeSlots(for keys: Int) -> [Slot] {
    var size = 4
    while size * 3 < keys * 4 { size *= 2 }
    return Array(repeating: Slot(), count: size)
  }

  /// Where a key is, or has room.
  @inline(__always) private static func place(of key: UInt64, in slots: [Slot]) -> Int {
    let mask = slots.count &- 1
    var place = Int(truncatingIfNeeded: key) & mask
    while slots[place].count != 0, slots[place].key != key { place = (place &+ 1) & mask }
    return place
  }

  /// The number of keys.
  let count: Int

  /// The values of a key; none if it has none.
  @inline(__always) func find(_ key: UInt64) -> UnsafeBufferPointer<UInt32> {
    mayHave(key) ? values(of: key) : UnsafeBufferPointer(start: nil, count: 0)
  }

  /// Whether the filter lets a key pass: not, if it has no values; mostly not, at least.
  @inline(__always) func mayHave(_ key: UInt64) -> Bool { filter.mayContain(key) }

  /// Says that the values of a key will be asked for soon.
  @inline(__always) func prefetch(_ key: UInt64) {
    encircle_prefetch(slots.base + (Int(truncatingIfNeeded: key) & (slots.count &- 1)))
  }

  /// The values of a key that the filter has let pass; none if it has none.
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
}

/// Counts how often 64-bit keys occur.
struct KeyCounter {
  private var slots: [UInt64] = Array(repeating: 0, count: 1024)
  private var counts: [UInt32] = Array(repeating: 0, count: 1024)
  /// The number of keys.
  private(set) var count = 0

  /// The keys, in no order.
  var keys: some Sequence<UInt64> { slots.indices.lazy.filter { counts[$0] != 0 }.map { slots[$0] } }

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

  /// How often a key has been counted.
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
