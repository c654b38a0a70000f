import EncircleEvents
import EncircleIdentity
import EncircleTree

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What has been found out about elements that events named: autocaptured traffic names the same ones again and again.
///
/// An element is whatever the *element properties* of an event say, byte for byte: event ID, path, page, name of the event,
/// app, and what identity strings contain besides. All that rules say about these alone is remembered: the rules that match
/// whatever else the event has, and the clauses that depend on the rest. Decisions do not depend on what is remembered.
///
/// Bounded: when it is full, it is emptied.
struct ElementMemo: ~Copyable {
  /// What is known of an element. Rules, clauses and pages lie together in the lists, in this order.
  struct Entry: BitwiseCopyable {
    var hash: UInt64
    var keyStart: UInt32
    var listStart: UInt32 = 0
    /// Rules that match.
    var matchedCount: UInt32 = 0
    /// Clauses that hold if their other tests do.
    var openCount: UInt32 = 0
    /// Excluded pages that the event is on.
    var pageCount: UInt32 = 0
    /// The place of the event ID plus 1; 0 while it is not known, ``noEventID`` where there is none.
    var eventID: UInt32 = 0
    var resolution = Decision.Resolution.none
    var hasIncludes = false
    var hasExcludes = false

    static let noEventID = UInt32.max
  }

  struct Slot: BitwiseCopyable {
    var tag: UInt32 = 0
    /// The number of the entry plus 1; 0 is free.
    var entry: UInt32 = 0
  }

  /// How much is remembered, in bytes, before all is forgotten.
  let byteLimit: Int
  private(set) var entries = GrowingBuffer<Entry>(capacity: 1024)
  private var slots = GrowingBuffer<Slot>(capacity: 2048)
  private var keys = GrowingBuffer<UInt8>(capacity: 1 << 16)
  private(set) var lists = GrowingBuffer<UInt32>(capacity: 1024)
  private(set) var eventIDs = GrowingBuffer<EventID>(capacity: 16)
  private let seed = UInt64.random(in: .min ... .max)
  private(set) var hits = 0
  private(set) var misses = 0

  init(byteLimit: Int) {
    self.byteLimit = byteLimit
    slots.append(repeating: Slot(), count: 2048)
  }

  /// The memory in use, in bytes.
  var byteCount: Int {
    entries.byteCount + slots.byteCount + keys.byteCount + lists.byteCount + eventIDs.byteCount
  }

  /// The hash of the element of an event.
  @inline(__always)
  func hash(_ event: borrowing ProjectedEvent, _ properties: UnsafeBufferPointer<Int>) -> UInt64 {
    var hash = seed
    for (i, property) in properties.enumerated() {
      let value = event[property]
      if value.kind == .missing { continue }
      hash = KeyHash.mix(hash &+ UInt64(truncatingIfNeeded: i), KeyHash.hash(value.bytes, seed: seed))
    }
    return hash
  }

  /// The number of the entry of the element; nil if nothing is known of it.
  @inline(__always)
  mutating func find(
    _ hash: UInt64, _ event: borrowing ProjectedEvent, _ properties: UnsafeBufferPointer<Int>
  ) -> Int? {
    let mask = slots.count &- 1
    var place = Int(truncatingIfNeeded: hash) & mask
    let tag = UInt32(truncatingIfNeeded: hash >> 32)
    while true {
      let slot = slots[place]
      if slot.entry == 0 {
        misses &+= 1
        return nil
      }
      if slot.tag == tag {
        let number = Int(slot.entry) &- 1
        if entries.base[number].hash == hash, isElement(of: number, event, properties) {
          hits &+= 1
          return number
        }
      }
      place = (place &+ 1) & mask
    }
  }

  @inline(__always)
  private func isElement(
    of number: Int, _ event: borrowing ProjectedEvent, _ properties: UnsafeBufferPointer<Int>
  ) -> Bool {
    var key = UnsafeRawPointer(keys.base + Int(entries.base[number].keyStart))
    for property in properties {
      let value = event[property]
      if key.load(as: UInt8.self) != value.kind.rawValue { return false }
      key += 1
      if value.kind == .missing { continue }
      let text = value.bytes
      if key.loadUnaligned(as: UInt32.self) != UInt32(truncatingIfNeeded: text.count) { return false }
      key += 4
      if let start = text.baseAddress, memcmp(key, start, text.count) != 0 { return false }
      key += text.count
    }
    return true
  }

  /// Adds an element of which nothing is known yet and returns the number of its entry, which is to be filled in.
  mutating func add(
    _ hash: UInt64, _ event: borrowing ProjectedEvent, _ properties: UnsafeBufferPointer<Int>
  ) -> Int {
    var length = 0
    for property in properties { length += 5 + event[property].bytes.count }
    // Lists and buffers that have grown once are not given back, so their use counts, not their size.
    let use = keys.count + length + lists.count * 4 + entries.count * (MemoryLayout<Entry>.size + 16)
    if use > byteLimit { removeAll() }
    if (entries.count + 1) * 2 > slots.count { grow() }
    let number = entries.count
    entries.append(Entry(hash: hash, keyStart: UInt32(keys.count)))
    for property in properties {
      let value = event[property]
      keys.append(value.kind.rawValue)
      if value.kind == .missing { continue }
      let text = value.bytes
      var count = UInt32(truncatingIfNeeded: text.count)
      withUnsafeBytes(of: &count) { keys.append(contentsOf: $0.bindMemory(to: UInt8.self)) }
      keys.append(contentsOf: text)
    }
    insert(number)
    return number
  }

  /// Sets what is known of an element.
  mutating func set(
    _ number: Int, matched: UnsafeBufferPointer<UInt32>, open: UnsafeBufferPointer<UInt32>,
    pages: UnsafeBufferPointer<UInt32>, _ resolution: Decision.Resolution, hasIncludes: Bool, hasExcludes: Bool
  ) {
    let entry = entries.base + number
    entry.pointee.listStart = UInt32(lists.count)
    entry.pointee.matchedCount = UInt32(matched.count)
    entry.pointee.openCount = UInt32(open.count)
    entry.pointee.pageCount = UInt32(pages.count)
    entry.pointee.resolution = resolution
    entry.pointee.hasIncludes = hasIncludes
    entry.pointee.hasExcludes = hasExcludes
    lists.append(contentsOf: matched)
    lists.append(contentsOf: open)
    lists.append(contentsOf: pages)
  }

  /// Notes the event ID of an element, nil if it has none.
  mutating func setEventID(_ number: Int, _ id: EventID?) {
    guard let id else {
      entries.base[number].eventID = Entry.noEventID
      return
    }
    eventIDs.append(id)
    entries.base[number].eventID = UInt32(eventIDs.count)
  }

  mutating func removeAll() {
    entries.removeAll()
    keys.removeAll()
    lists.removeAll()
    eventIDs.removeAll()
    for i in 0..<slots.count { slots[i] = Slot() }
  }

  private mutating func insert(_ number: Int) {
    let hash = entries[number].hash
    let mask = slots.count - 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while slots[place].entry != 0 { place = (place + 1) & mask }
    slots[place] = Slot(tag: UInt32(truncatingIfNeeded: hash >> 32), entry: UInt32(number + 1))
  }

  private mutating func grow() {
    let size = slots.count * 2
    slots.removeAll()
    slots.append(repeating: Slot(), count: size)
    for number in 0..<entries.count { insert(number) }
  }
}
