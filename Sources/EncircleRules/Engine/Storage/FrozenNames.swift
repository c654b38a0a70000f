import EncircleText

/// The names of a ``StringTable`` with their numbers, for look-ups only: each touches fewer cache lines than in the table.
struct FrozenNames: ~Copyable, Sendable {
  private struct Slot: BitwiseCopyable, Sendable {
    var tag: UInt32 = 0
    /// The number plus 1; 0 is free.
    var number: UInt32 = 0
    /// The place of the name.
    var start: UInt32 = 0
    var length: UInt32 = 0
  }

  private let slots: FrozenArray<Slot>
  private let bytes: FrozenArray<UInt8>
  private let seed: UInt64

  /// Copies the names of a table.
  init(_ table: StringTable) {
    let seed = UInt64.random(in: .min ... .max)
    var size = 4
    while size < table.count * 2 { size *= 2 }
    var slots = [Slot](repeating: Slot(), count: size)
    var bytes: [UInt8] = []
    for i in 0..<table.count {
      table.withBytes(of: StringID(UInt32(i))) { name in
        let hash = KeyHash.hash(name, seed: seed)
        var place = Int(truncatingIfNeeded: hash) & (size - 1)
        while slots[place].number != 0 { place = (place + 1) & (size - 1) }
        slots[place] = Slot(
          tag: UInt32(truncatingIfNeeded: hash >> 32), number: UInt32(i + 1), start: UInt32(bytes.count),
          length: UInt32(name.count))
        bytes.append(contentsOf: name)
      }
    }
    self.seed = seed
    self.slots = FrozenArray(slots)
    self.bytes = FrozenArray(bytes)
  }

  var byteCount: Int { slots.byteCount + bytes.byteCount }

  /// Returns the number of a name, if there is one.
  @inline(__always) func find(_ name: UnsafeBufferPointer<UInt8>) -> UInt32? {
    let hash = KeyHash.hash(name, seed: seed)
    let tag = UInt32(truncatingIfNeeded: hash >> 32)
    let mask = slots.count &- 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while true {
      let slot = slots.base + place
      if slot.pointee.number == 0 { return nil }
      if slot.pointee.tag == tag, Int(slot.pointee.length) == name.count {
        let known = UnsafeBufferPointer(start: bytes.base + Int(slot.pointee.start), count: name.count)
        if sameBytes(known, name) { return slot.pointee.number &- 1 }
      }
      place = (place &+ 1) & mask
    }
  }
}
