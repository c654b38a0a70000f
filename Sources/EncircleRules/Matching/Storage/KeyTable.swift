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
  /// - Complexity: O(*n* log *n*).
  init(_ pairs: [(key: UInt64, value: UInt32)]) {
    var order = pairs
    order.sort { $0.key != $1.key ? $0.key < $1.key : $0.value < $1.value }
    var keys = 0
    for i in order.indices where i == 0 || order[i].key != order[i - 1].key { keys += 1 }
    var size = 4
    while size * 3 < keys * 4 { size *= 2 }
    var slots = [Slot](repeating: Slot(), count: size)
    var values: [UInt32] = []
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, order[end].key == order[start].key { end += 1 }
      var slot = Slot(key: order[start].key, value: order[start].value, count: UInt32(end - start))
      if end - start > 1 {
        slot.value = UInt32(values.count)
        for i in start..<end { values.append(order[i].value) }
      }
      var place = Int(truncatingIfNeeded: slot.key) & (size - 1)
      while slots[place].count != 0 { place = (place + 1) & (size - 1) }
      slots[place] = slot
      start = end
    }
    self.init(slots: FrozenArray(slots), values: FrozenArray(values))
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
