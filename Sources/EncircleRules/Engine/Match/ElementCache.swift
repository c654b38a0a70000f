import CProcessor
import EncircleEvents
import EncircleIdentity
import EncircleText

/// What has been found out about elements that events named: autocaptured traffic names the same ones again and again.
///
/// An element is whatever the *element properties* of an event say, byte for byte: event ID, path, page, name of the event,
/// app, and what identity strings contain besides. All that rules say about these alone is remembered: the rules that match
/// whatever else the event has, and the clauses that depend on the rest. Decisions do not depend on what is remembered.
///
/// An element takes one piece of memory, mostly of one or two cache lines:
///
///     header with the digest │ rules that match │ open clauses, each with a test │ excluded pages
///
/// Bounded: when it is full, it is emptied.
struct ElementCache: ~Copyable {
  /// What is known of an element.
  struct Header: BitwiseCopyable {
    /// By what it is known again.
    var digest: EventDigest
    /// Rules that match.
    var matchedCount: UInt32
    /// Clauses that hold if their other tests do; each with one of these tests, by which most are out of the question.
    var openCount: UInt32
    /// Excluded pages that the event is on.
    var pageCount: UInt32
    /// The place of the event ID plus 1; 0 while it is not known, ``noEventID`` where there is none.
    var eventID: UInt32 = 0
    /// The number that the page has in the first program, or ``RuleProgram/none``.
    var page: UInt32
    var resolution: Decision.Resolution
    var hasIncludes: Bool
    var hasExcludes: Bool
    /// Whether it is known beyond the present event.
    var isRemembered: Bool

    static let noEventID = UInt32.max
  }

  /// A clause that depends on more than the element.
  struct OpenClause: BitwiseCopyable {
    var clause: UInt32
    /// The number of one of its tests in its program, or ``RuleProgram/none``.
    var test: UInt32
  }

  /// Where something is known of an element; valid until something is added.
  typealias Entry = UnsafeMutablePointer<Header>

  private struct Slot: BitwiseCopyable {
    var tag: UInt32 = 0
    /// Where the element is, in words, plus 1; 0 is free.
    var place: UInt32 = 0
  }

  /// How much is remembered, in bytes, before all is forgotten.
  let byteLimit: Int
  private var slots: UnsafeMutablePointer<Slot>
  private var slotCount = 2048
  // Has all its room from the beginning: what is not used yet takes no memory, and nothing is ever moved.
  private var words: GrowingBuffer<UInt64>
  private(set) var count = 0
  private(set) var eventIDs = GrowingBuffer<EventID>(capacity: 16)
  // An element that is not remembered.
  private var passing = GrowingBuffer<UInt64>(capacity: 64)
  private(set) var hits = 0
  private(set) var misses = 0

  init(byteLimit: Int) {
    self.byteLimit = min(byteLimit, Int(UInt32.max))
    words = GrowingBuffer(capacity: self.byteLimit / 8 + 1)
    slots = LargePages.allocate(capacity: slotCount)
    slots.initialize(repeating: Slot(), count: slotCount)
  }

  deinit { slots.deallocate() }

  /// The memory in use, in bytes.
  var byteCount: Int { words.count * 8 + slotCount * MemoryLayout<Slot>.stride + eventIDs.byteCount }

  /// What is known of the element; nil if nothing is.
  @inline(__always) mutating func find(_ digest: EventDigest) -> Entry? {
    let entry = known(digest)
    if entry != nil { hits &+= 1 }
    return entry
  }

  /// Says that the slot of an element will be looked at soon.
  @inline(__always) func prefetchSlot(_ digest: EventDigest) {
    encircle_prefetch(slots + (Int(truncatingIfNeeded: digest.hash) & (slotCount &- 1)))
  }

  /// Says that what is known of an element will be looked at soon.
  @inline(__always) func prefetchEntry(_ digest: EventDigest) {
    let hash = digest.hash
    var place = Int(truncatingIfNeeded: hash)
    guard let entry = nextEntry(from: &place, hash) else { return }
    encircle_prefetch(UnsafeRawPointer(entry))
    encircle_prefetch(UnsafeRawPointer(entry) + 64)
  }

  /// As ``find(_:)``, without being counted.
  @inline(__always) func known(_ digest: EventDigest) -> Entry? {
    let hash = digest.hash
    var place = Int(truncatingIfNeeded: hash)
    while let entry = nextEntry(from: &place, hash) {
      if entry.pointee.digest == digest { return entry }
    }
    return nil
  }

  /// The next entry, in the slots from a place on, that may have a hash; none is looked at.
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

  private var passingEntry: Entry {
    UnsafeMutableRawPointer(passing.base).assumingMemoryBound(to: Header.self)
  }

  /// The rules, clauses and pages of an entry, one after the other.
  @inline(__always) static func lists(of entry: Entry) -> UnsafeMutablePointer<UInt32> {
    (UnsafeMutableRawPointer(entry) + MemoryLayout<Header>.stride).assumingMemoryBound(to: UInt32.self)
  }

  /// Adds what is known of an element.
  mutating func add(
    _ element: Header, matched: UnsafeBufferPointer<UInt32>, open: UnsafeBufferPointer<OpenClause>,
    pages: UnsafeBufferPointer<UInt32>
  ) -> Entry {
    misses &+= 1
    var header = element
    let length = MemoryLayout<Header>.stride + 4 * (matched.count + 2 * open.count + pages.count)
    let wordCount = (length + 7) / 8
    let entry: Entry
    if header.isRemembered, (wordCount + slotCount) * 8 <= byteLimit {
      if (words.count + wordCount) * 8 + slotCount * 8 > byteLimit { removeAll() }
      if (count + 1) * 2 > slotCount { grow() }
      let place = words.count
      words.appendUninitialized(count: wordCount)
      entry = self.entry(at: place)
      count += 1
      insert(header.digest.hash, place)
    } else {
      passing.removeAll()
      passing.appendUninitialized(count: wordCount)
      entry = passingEntry
      header.isRemembered = false
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

  /// What is known of an element of which rules say nothing.
  mutating func nothing(page: UInt32?) -> Entry {
    let entry = passingEntry
    entry.initialize(
      to: Header(
        digest: EventDigest(), matchedCount: 0, openCount: 0, pageCount: 0, page: page ?? RuleProgram.none,
        resolution: .none, hasIncludes: false, hasExcludes: false, isRemembered: false))
    return entry
  }

  /// Notes the event ID of an element, nil if it has none.
  mutating func setEventID(_ entry: Entry, _ id: EventID?) {
    guard entry.pointee.isRemembered else { return }
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

  private func insert(_ hash: UInt64, _ wordPlace: Int) {
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
      insert(entry(at: Int(old[i].place) - 1).pointee.digest.hash, Int(old[i].place) - 1)
    }
    old.deallocate()
  }
}

extension EventDigest {
  /// A number of which all bits depend on all of the digest.
  @inline(__always) fileprivate var hash: UInt64 {
    KeyHash.mix(first.low &+ second.high &+ length, first.high ^ second.low)
  }
}
