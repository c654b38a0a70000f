import EncircleText

/// The numbers of steps that selectors had lately, of the usual form `Class(index)`: most selectors begin with the same few,
/// and a look here costs less than to find out the number of the class and then that of the step.
///
/// A step is known again by where the text of its name is stored. That equal names share their storage, as those of a rule
/// file do, is not needed; it makes this worth while. Direct-mapped: a step takes the place of another with the same hash.
struct RecentSteps {
  /// What such a step is known by.
  struct Key: BitwiseCopyable {
    fileprivate let name: UTF8String.StorageBits
    fileprivate let index: Int

    /// The key of a step; nil if it has another form.
    // Borrowed, as a copy would count references to the name.
    @inline(__always) init?(_ step: borrowing ElementSelector.Step) {
      switch step {
      case .component(.name(let name), .index(.range(let lower?, let upper?))) where lower == upper:
        self.name = name.storageBits
        index = lower
      default: return nil
      }
    }

    @inline(__always) fileprivate var hash: Int {
      let sum = name.0 ^ name.1 &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: index)
      return Int(truncatingIfNeeded: (sum &* 0xD6E8_FEB8_6659_FD93) &>> 32)
    }
  }

  private struct Entry: BitwiseCopyable {
    var name: UTF8String.StorageBits = (0, 0)
    var index = 0
    /// The number plus 1; 0 is free.
    var number: UInt32 = 0
  }

  private static let mostPlaces = 1 << 12

  // A power of two of places, or none.
  private var entries: [Entry] = []
  // Keeps the storage of the names, which otherwise could become that of other texts.
  private var names: [UTF8String] = []

  /// Remembers nothing: for few steps it is not worth while.
  init() {}

  /// Makes places for so many steps, or as many as the caches hold.
  init(steps count: Int) {
    var places = 1
    while places < min(count, Self.mostPlaces) { places *= 2 }
    entries = Array(repeating: Entry(), count: places)
    names = Array(repeating: "", count: places)
  }

  /// The number of a step, if it is known.
  @inline(__always) func number(of key: Key) -> UInt32? {
    if entries.isEmpty { return nil }
    let entry = entries[place(of: key)]
    return entry.name == key.name && entry.index == key.index && entry.number != 0 ? entry.number - 1 : nil
  }

  /// Remembers the number of a step with that name.
  mutating func remember(_ name: UTF8String, _ key: Key, _ number: UInt32) {
    if entries.isEmpty { return }
    let place = place(of: key)
    entries[place] = Entry(name: key.name, index: key.index, number: number + 1)
    names[place] = name
  }

  @inline(__always) private func place(of key: Key) -> Int { key.hash & (entries.count &- 1) }
}
