import EncircleText

/// Caches the numbers of recent steps in the usual form `Class(index)`. Most selectors begin with the same few steps, and one
/// look-up here is cheaper than finding the number of the class and then the number of the step.
///
/// The key of a step is the address at which its name is stored. Storing an equal name twice only causes a miss; names of one rule
/// file share their storage. The cache is direct-mapped: a step replaces another with the same hash.
struct RecentSteps {
  /// The key of a step.
  struct Key: BitwiseCopyable {
    fileprivate let name: UTF8String.StorageBits
    fileprivate let index: Int

    /// Creates the key of a step; nil if the step has another form.
    // Borrowed, because a copy would count references to the name.
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

  private static let maximumPlaces = 1 << 12

  // A power of two of entries, or none.
  private var entries: [Entry] = []
  // Keeps the storage of the names alive, so that no other text can come to lie there.
  private var names: [UTF8String] = []

  /// Creates a disabled cache: for few steps, a cache would not pay off.
  init() {}

  /// Creates a cache for about `count` steps, limited to the size of the processor's caches.
  init(steps count: Int) {
    var places = 1
    while places < min(count, Self.maximumPlaces) { places *= 2 }
    entries = Array(repeating: Entry(), count: places)
    names = Array(repeating: "", count: places)
  }

  /// Returns the number of a step, if it is known.
  @inline(__always) func number(of key: Key) -> UInt32? {
    if entries.isEmpty { return nil }
    let entry = entries[place(of: key)]
    return entry.name == key.name && entry.index == key.index && entry.number != 0 ? entry.number - 1 : nil
  }

  mutating func insert(_ name: UTF8String, _ key: Key, _ number: UInt32) {
    if entries.isEmpty { return }
    let place = place(of: key)
    entries[place] = Entry(name: key.name, index: key.index, number: number + 1)
    names[place] = name
  }

  @inline(__always) private func place(of key: Key) -> Int { key.hash & (entries.count &- 1) }
}
