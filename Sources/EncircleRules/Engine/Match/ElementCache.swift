import CProcessor
import EncircleEvents
import EncircleIdentity
import EncircleText

/// Caches the results of rules for elements, because autocaptured traffic names the same elements again and again.
///
/// An element is identified by the *element properties* of an event, byte for byte: event ID, path, page, name of the event, app,
/// and the other parts of identity strings. The cache holds the results that depend on these alone: the rules that match regardless
/// of the rest of the event, and the *open clauses*, which depend on that rest. Decisions do not depend on the cache.
///
/// An entry is one piece of memory, usually one or two cache lines:
///
///     header with the digest │ rules that match │ open clauses, each with a test │ excluded pages
///
/// The cache is bounded: when it is full, it is emptied.
struct ElementCache: ~Copyable {
  /// The fixed part of an entry; the lists follow it.
  struct Header: BitwiseCopyable {
    /// The digest of the element properties, which is the key.
    var digest: EventDigest
    /// The number of rules that match.
    var matchedCount: UInt32
    /// The number of open clauses.
    var openCount: UInt32
    /// The number of excluded pages that the event is on.
    var pageCount: UInt32
    /// The place of the event ID plus 1; 0 if it is not known yet, ``noEventID`` if the element has none.
    var eventID: UInt32 = 0
    /// The number of the page in the first program, or ``RuleProgram/none``.
    var page: UInt32
    var resolution: Decision.Resolution
    var hasIncludes: Bool
    var hasExcludes: Bool
    /// This is true if the entry outlives the current event.
    var isKept: Bool

    static let noEventID = UInt32.max
  }

  /// A clause whose element matches, and that depends on more than the element.
  struct OpenClause: BitwiseCopyable {
    var clause: UInt32
    /// The number, in its program, of a test that the clause requires and that usually fails, or ``RuleProgram/none``.
    var test: UInt32
  }

  /// The address of an entry; valid until the next insertion.
  typealias Entry = UnsafeMutablePointer<Header>

  private struct Slot: BitwiseCopyable {
    var tag: UInt32 = 0
    /// The place of the entry, in words, plus 1; 0 marks a free slot.
    var place: UInt32 = 0
  }

  /// The maximum memory, in bytes.
  let byteLimit: Int
  private var slots: UnsafeMutablePointer<Slot>
  private var slotCount = 2048
  // Reserved in full from the beginning, so that entries never move. Pages of memory that are not used yet cost nothing.
  private var words: GrowingBuffer<UInt64>
  private(set) var count = 0
  private var eventIDs = GrowingBuffer<EventID>(capacity: 16)
  // The entry of an element that is not kept.
  private var transient = GrowingBuffer<UInt64>(capacity: 64)
  private(set) var hits = 0
  private(set) var misses = 0

  init(byteLimit: Int) {
    self.byteLimit = min(byteLimit, Int(UInt32.max))
    words = GrowingBuffer(capacity: self.byteLimit / 8 + 1)
    slots = LargePages.allocate(capacity: slotCount)
    slots.initialize(repeating: Slot(), count: slotCount)
  }

  deinit { slots.deallocate() }

  /// Returns the entry of an element and counts the hit; nil if the cache does not have it.
  @inline(__always) mutating func lookUp(_ digest: EventDigest) -> Entry? {
    let entry = peek(digest)
    if entry != nil { hits &+= 1 }
    return entry
  }

  /// Fetches the slot of an element that will be looked up soon.
  @inline(__always) func prefetchSlot(_ digest: EventDigest) {
    encircle_prefetch(slots + (Int(truncatingIfNeeded: digest.hash) & (slotCount &- 1)))
  }

  /// Fetches the entry of an element that will be looked up soon; its slot should have been fetched.
  @inline(__always) func prefetchEntry(_ digest: EventDigest) {
    let hash = digest.hash
    var place = Int(truncatingIfNeeded: hash)
    guard let entry = nextEntry(from: &place, hash) else { return }
    encircle_prefetch(UnsafeRawPointer(entry))
    encircle_prefetch(UnsafeRawPointer(entry) + 64)
  }

  /// Returns the entry of an element, without counting a hit.
  @inline(__always) func peek(_ digest: EventDigest) -> Entry? {
    let hash = digest.hash
    var place = Int(truncatingIfNeeded: hash)
    while let entry = nextEntry(from: &place, hash) {
      if entry.pointee.digest == digest { return entry }
    }
    return nil
  }

  /// Returns the next entry, in the slots from `place` on, whose tag fits a hash. The memory of the entry itself is not touched.
  @inline(__always) private func nextEntry(from place: inout Int, _ hash: UInt64) -> Entry? {
    let tag = UInt32(truncatingIfNeeded: hash >> 32)
    while true {
      let slot = slots[place & (slotCount &- 1)]
      if slot.place == 0 { return nil }
      place = place &+ 1
      if slot.tag == tag { return entry(at: Int(slot.place) &- 1) }
    }
  }

  @inline(__always) private func entry(at place: Int) -> Entry {
    UnsafeMutableRawPointer(words.base + place).assumingMemoryBound(to: Header.self)
  }

  private var transientEntry: Entry {
    UnsafeMutableRawPointer(transient.base).assumingMemoryBound(to: Header.self)
  }

  /// Returns the lists of an entry: numbers of rules, open clauses with their tests, numbers of excluded pages.
  @inline(__always) static func lists(of entry: Entry) -> UnsafeMutablePointer<UInt32> {
    (UnsafeMutableRawPointer(entry) + MemoryLayout<Header>.stride).assumingMemoryBound(to: UInt32.self)
  }

  /// Inserts an entry.
  mutating func insert(
    _ element: Header, matched: UnsafeBufferPointer<UInt32>, open: UnsafeBufferPointer<OpenClause>,
    pages: UnsafeBufferPointer<UInt32>
  ) -> Entry {
    misses &+= 1
    var header = element
    let length = MemoryLayout<Header>.stride + 4 * (matched.count + 2 * open.count + pages.count)
    let wordCount = (length + 7) / 8
    let entry: Entry
    if header.isKept, (wordCount + slotCount) * 8 <= byteLimit {
      if (words.count + wordCount) * 8 + slotCount * 8 > byteLimit { removeAll() }
      if (count + 1) * 2 > slotCount { grow() }
      let place = words.count
      words.appendUninitialized(count: wordCount)
      entry = self.entry(at: place)
      count += 1
      setSlot(header.digest.hash, place)
    } else {
      transient.removeAll()
      transient.appendUninitialized(count: wordCount)
      entry = transientEntry
      header.isKept = false
    }
    entry.initialize(to: header)
    var list = Self.lists(of: entry)
    if let first = matched.baseAddress { list.initialize(from: first, count: matched.count) }
    list += matched.count
    for clause in open {
      list[0] = clause.clause
      list[1] = clause.test
      list += 2
    }
    if let first = pages.baseAddress { list.initialize(from: first, count: pages.count) }
    return entry
  }

  /// Returns an entry, which is not kept, of an element that no rule is about.
  mutating func emptyEntry(page: UInt32?) -> Entry {
    let entry = transientEntry
    entry.initialize(
      to: Header(
        digest: EventDigest(), matchedCount: 0, openCount: 0, pageCount: 0, page: page ?? RuleProgram.none,
        resolution: .none, hasIncludes: false, hasExcludes: false, isKept: false))
    return entry
  }

  /// Returns the event ID of an element, if it has already been computed.
  @inline(__always) func eventID(_ entry: Entry) -> EventID? { eventIDPlace(entry).map { eventIDs[$0] } }

  /// Fetches the event ID of an element that will be asked for soon.
  @inline(__always) func prefetchEventID(_ entry: Entry) {
    if let place = eventIDPlace(entry) { encircle_prefetch(UnsafeRawPointer(eventIDs.base + place)) }
  }

  @inline(__always) private func eventIDPlace(_ entry: Entry) -> Int? {
    let number = entry.pointee.eventID
    return number > 0 && number != Header.noEventID ? Int(number) - 1 : nil
  }

  /// Stores the event ID of an element; nil if it has none. Does nothing for an entry that is not kept.
  mutating func setEventID(_ entry: Entry, _ id: EventID?) {
    guard entry.pointee.isKept else { return }
    guard let id else {
      entry.pointee.eventID = Header.noEventID
      return
    }
    eventIDs.append(id)
    entry.pointee.eventID = UInt32(eventIDs.count)
  }

  private mutating func removeAll() {
    words.removeAll()
    eventIDs.removeAll()
    count = 0
    slots.update(repeating: Slot(), count: slotCount)
  }

  private func setSlot(_ hash: UInt64, _ wordPlace: Int) {
    let mask = slotCount - 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while slots[place].place != 0 { place = (place + 1) & mask }
    slots[place] = Slot(tag: UInt32(truncatingIfNeeded: hash >> 32), place: UInt32(wordPlace + 1))
  }

  private mutating func grow() {
    let (old, oldCount) = (slots, slotCount)
    slotCount *= 2
    slots = LargePages.allocate(capacity: slotCount)
    slots.initialize(repeating: Slot(), count: slotCount)
    for i in 0..<oldCount where old[i].place != 0 {
      setSlot(entry(at: Int(old[i].place) - 1).pointee.digest.hash, Int(old[i].place) - 1)
    }
    old.deallocate()
  }
}

extension EventDigest {
  /// A hash in which every bit depends on the whole digest.
  @inline(__always) fileprivate var hash: UInt64 {
    KeyHash.mix(first.low &+ second.high &+ length, first.high ^ second.low)
  }
}
