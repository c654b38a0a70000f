/// The number of a string in a ``StringTable``: within one table, equal numbers mean equal bytes.
public struct StringID: Hashable, Comparable, Sendable {
  /// The position in the table, from 0 in order of first interning.
  public let rawValue: UInt32

  package init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// Orders by first interning, not by content.
  public static func < (a: StringID, b: StringID) -> Bool { a.rawValue < b.rawValue }
}

/// Interned UTF-8 strings: each distinct sequence of bytes is stored once.
///
/// Strings are compared by their bytes, never by canonical equivalence. At most 4 GiB of text and 2³² − 1 strings.
public struct StringTable: Sendable {
  // All strings, one after the other: string i is bytes[starts[i] ..< starts[i + 1]].
  @usableFromInline private(set) var bytes: [UInt8] = []
  @usableFromInline private(set) var starts: [UInt32] = [0]
  private var hashes: [UInt32] = []
  // A hash table with open addressing and linear probing. 0 marks a free slot, any other value is an id + 1. The number
  // of slots is a power of two, and at most half of them are used.
  private var slots: [UInt32] = Array(repeating: 0, count: 64)
  // Random, so that an author of hostile strings cannot make them collide.
  private let seed = UInt64.random(in: .min ... .max)

  public init() {}

  /// The number of distinct strings.
  public var count: Int { starts.count - 1 }

  /// The memory that the strings take, in bytes.
  package var byteCount: Int {
    bytes.count + (starts.count + hashes.count + slots.count) * MemoryLayout<UInt32>.stride
  }

  /// Returns the id of `text`, which is added if it is new.
  ///
  /// - Complexity: O(length), amortised.
  public mutating func intern(_ text: UnsafeBufferPointer<UInt8>) -> StringID {
    let hash = hash(text)
    if let found = find(text, hash: hash) { return found }
    let id = UInt32(count)
    bytes.append(contentsOf: text)
    starts.append(UInt32(bytes.count))
    hashes.append(hash)
    if count * 2 > slots.count { grow() } else { insert(id, hash: hash) }
    return StringID(id)
  }

  /// Returns the id of `text`, which is added if it is new.
  public mutating func intern(_ text: String) -> StringID {
    var text = text
    return text.withUTF8 { intern($0) }
  }

  /// Returns the id of `text`, or nil if it has not been interned.
  public func find(_ text: UnsafeBufferPointer<UInt8>) -> StringID? {
    find(text, hash: hash(text))
  }

  /// Returns the id of `text`, or nil if it has not been interned.
  public func find(_ text: String) -> StringID? {
    var text = text
    return text.withUTF8 { find($0) }
  }

  /// The string with that id; invalid UTF-8 is repaired with U+FFFD.
  public subscript(id: StringID) -> String {
    withBytes(of: id) { String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `body` with the bytes of a string. The buffer is valid only during the call.
  @inlinable public func withBytes<R, E: Error>(
    of id: StringID, _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    let range = range(of: id)
    return try bytes.withUnsafeBufferPointer { all throws(E) -> R in
      try body(UnsafeBufferPointer(rebasing: all[range]))
    }
  }

  /// Returns the number of bytes of a string.
  public func length(of id: StringID) -> Int { range(of: id).count }

  /// Returns whether a string has exactly these bytes.
  public func equals(_ id: StringID, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let range = range(of: id)
    guard range.count == text.count else { return false }
    return bytes.withUnsafeBufferPointer { all in
      sameBytes(UnsafeBufferPointer(rebasing: all[range]), text)
    }
  }

  @inlinable func range(of id: StringID) -> Range<Int> {
    let i = Int(id.rawValue)
    return Int(starts[i])..<Int(starts[i + 1])
  }

  private func find(_ text: UnsafeBufferPointer<UInt8>, hash: UInt32) -> StringID? {
    let mask = slots.count - 1
    var slot = Int(hash) & mask
    while slots[slot] != 0 {
      let id = slots[slot] - 1
      if hashes[Int(id)] == hash, equals(StringID(id), text) { return StringID(id) }
      slot = (slot + 1) & mask
    }
    return nil
  }

  private mutating func insert(_ id: UInt32, hash: UInt32) {
    let mask = slots.count - 1
    var slot = Int(hash) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = id + 1
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    for (id, hash) in hashes.enumerated() { insert(UInt32(id), hash: hash) }
  }

  // Multiplies and folds, eight bytes at a time.
  private func hash(_ text: UnsafeBufferPointer<UInt8>) -> UInt32 {
    let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    var state = seed ^ UInt64(truncatingIfNeeded: text.count)
    let raw = UnsafeRawBufferPointer(text)
    var i = 0
    func mix(_ word: UInt64) {
      let product = (state ^ word).multipliedFullWidth(by: factor ^ seed | 1)
      state = product.high ^ product.low
    }
    while i + 8 <= raw.count {
      mix(raw.loadUnaligned(fromByteOffset: i, as: UInt64.self))
      i += 8
    }
    var tail: UInt64 = 0
    while i < raw.count {
      tail = tail << 8 | UInt64(raw[i])
      i += 1
    }
    mix(tail)
    return UInt32(truncatingIfNeeded: state ^ state >> 32)
  }
}
