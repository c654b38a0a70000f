import CJSONEvent
import EncircleText

/// One value of an event.
@usableFromInline package struct ProjectedValue {
  /// The kinds of values.
  @usableFromInline package enum Kind: UInt8, Sendable {
    /// The event has no value there.
    case missing
    case null, `false`, `true`, number, string
    /// A list or an object.
    case composite
  }

  /// The kind of the value.
  @usableFromInline package let kind: Kind
  /// The number of bytes.
  @usableFromInline let length: Int32
  /// The first byte.
  @usableFromInline let start: UnsafePointer<UInt8>

  @inlinable package init(kind: Kind, length: Int32, start: UnsafePointer<UInt8>) {
    self.kind = kind
    self.length = length
    self.start = start
  }

  /// Creates a string whose bytes the caller keeps.
  package init(string bytes: UnsafeBufferPointer<UInt8>) {
    kind = .string
    length = Int32(truncatingIfNeeded: bytes.count)
    start = bytes.baseAddress ?? UnsafePointer(bitPattern: 1).unsafelyUnwrapped
  }

  /// The text of a string with its escapes replaced, the text of a number as it was written, or the JSON of a list; else empty.
  @inlinable package var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: Int(length)) }
}

/// The values that one event has at the places of a projection; made once, used again for every event.
///
/// Texts lie in the event's own bytes or, if they had to be rewritten, in this object's buffer; they are valid until
/// the next event is loaded, and no longer than the event's bytes.
public struct ProjectedEvent: ~Copyable {
  /// The value at a place, laid out as `encircle_json_value`.
  @usableFromInline struct Slot {
    /// The tag of the value's event, with the kind of the value in the lowest bits. A value with the tag of another event
    /// counts as missing, so that nothing has to be cleared between events.
    @usableFromInline var tag: UInt32
    @usableFromInline var length: Int32
    @usableFromInline var start: UnsafePointer<UInt8>
  }

  /// The places.
  public let projection: EventProjection
  // The key places of the projection.
  private let keyPlaces: KeyPlaces
  // One slot for each place, and one more for values that no place asks for.
  @usableFromInline let slots: UnsafeMutablePointer<Slot>
  // Changes with every event; the lowest eight bits are 0.
  @usableFromInline var tag: UInt32 = 256
  // The texts that had to be rewritten.
  private var texts: UnsafeMutablePointer<UInt8>
  private var capacity = 64
  private var used = 0
  // The digest of the key places, and the tag of the event that has it.
  private let digest: UnsafeMutablePointer<(tag: UInt32, value: EventDigest?)>

  /// Creates an event without values.
  public init(_ projection: EventProjection) {
    self.projection = projection
    keyPlaces = projection.keyPlaces
    texts = .allocate(capacity: capacity)
    digest = .allocate(capacity: 1)
    digest.initialize(to: (0, nil))
    slots = .allocate(capacity: projection.count + 1)
    slots.initialize(repeating: Slot(tag: 0, length: 0, start: UnsafePointer(texts)), count: projection.count + 1)
  }

  deinit {
    slots.deallocate()
    texts.deallocate()
    digest.deallocate()
  }

  /// The value at the place with that number.
  @inlinable package subscript(number: Int) -> ProjectedValue {
    assert(number >= 0 && number < projection.count)
    let slot = slots[number]
    guard slot.tag & ~0xFF == tag else {
      return ProjectedValue(kind: .missing, length: 0, start: slot.start)
    }
    let kind = ProjectedValue.Kind(rawValue: UInt8(truncatingIfNeeded: slot.tag)) ?? .missing
    return ProjectedValue(kind: kind, length: slot.length, start: slot.start)
  }

  /// The digest of the values at the projection's key places; nil if they are too long. It is computed once for each event.
  package var keyDigest: EventDigest? {
    if !hasKeyDigest { digest.pointee = (tag, EventDigest(self, keyPlaces)) }
    return digest.pointee.value
  }

  /// This is true if ``keyDigest`` has been computed.
  package var hasKeyDigest: Bool { digest.pointee.tag == tag }

  /// Forgets all values.
  private mutating func clear() {
    used = 0
    tag &+= 256
    if tag == 0 {
      tag = 256
      digest.pointee.tag = 0
      for i in 0...projection.count { slots[i].tag = 0 }
    }
  }

  /// Removes all values and reserves memory for texts of that many bytes.
  private mutating func begin(textLength: Int) {
    if textLength > capacity {
      texts.deallocate()
      capacity = textLength
      texts = .allocate(capacity: capacity)
    }
    clear()
  }

  /// Forgets all values and gives back the memory that texts have taken.
  mutating func release() {
    texts.deallocate()
    capacity = 64
    texts = .allocate(capacity: capacity)
    clear()
  }

  /// Forgets all values and lends the memory to the reader in C, for an event in that many bytes.
  mutating func lend(to event: inout encircle_json_event, textLength: Int) {
    begin(textLength: textLength)
    event.tag = tag
    event.values = UnsafeMutableRawPointer(slots).assumingMemoryBound(to: encircle_json_value.self)
    event.texts = texts
  }

  private func set(_ number: Int, _ kind: ProjectedValue.Kind) {
    slots[number] = Slot(tag: tag | UInt32(kind.rawValue), length: 0, start: UnsafePointer(texts))
  }

  private func set(_ number: Int, _ kind: ProjectedValue.Kind, _ start: UnsafePointer<UInt8>, _ count: Int) {
    slots[number] = Slot(tag: tag | UInt32(kind.rawValue), length: Int32(truncatingIfNeeded: count), start: start)
  }

  /// Puts a text where the event has no value; the caller keeps it until ``removeValue(at:)``.
  package func insert(_ text: UnsafeBufferPointer<UInt8>, at number: Int) {
    assert(self[number].kind == .missing)
    set(number, .string, text.baseAddress ?? UnsafePointer(texts), text.count)
  }

  /// Puts a list, as JSON, where the event has no value; the caller keeps it until ``removeValue(at:)``.
  package func insert(list json: UnsafeBufferPointer<UInt8>, at number: Int) {
    assert(self[number].kind == .missing)
    set(number, .composite, json.baseAddress ?? UnsafePointer(texts), json.count)
  }

  /// Takes the value out again that ``insert(_:at:)`` has put there.
  package func removeValue(at number: Int) { slots[number].tag = 0 }

  /// Copies a text into reserved memory.
  private mutating func copy(_ number: Int, _ kind: ProjectedValue.Kind, _ text: some Collection<UInt8>) {
    let start = texts + used
    let count = text.count
    _ = UnsafeMutableBufferPointer(start: start, count: count).initialize(from: text)
    used += count
    set(number, kind, UnsafePointer(start), count)
  }

  // MARK: - From another event

  /// Takes over the values of another event of the same projection, except for some that are replaced by texts or removed.
  ///
  /// - Parameter replacements: The replacements by the number of the place; nil removes a value.
  /// - Precondition: The other event stays where it is while this one is used.
  /// - Complexity: O(places).
  package mutating func load(_ other: borrowing ProjectedEvent, replacing replacements: [Int: [UInt8]?]) {
    precondition(other.projection === projection)
    begin(textLength: replacements.values.reduce(0) { $0 + ($1?.count ?? 0) })
    for number in 0..<projection.count {
      if let replacement = replacements[number] {
        if let replacement { copy(number, .string, replacement) }
      } else {
        let value = other[number]
        if value.kind != .missing { set(number, value.kind, value.start, Int(value.length)) }
      }
    }
  }

  // MARK: - From an event

  /// Takes the values out of an event.
  public mutating func load(_ event: AnalyticsEvent) {
    // If both containers have a property, the first one counts.
    let containers = ["properties", "attributes"].compactMap { name -> EventObject? in
      if case .object(let object)? = event.members[name] { object } else { nil }
    }
    let found = projection.references.map { reference -> EventValue? in
      switch reference {
      case .property(let name): containers.lazy.compactMap { $0[name.text] }.first
      case .pointer(let pointer): event.value(at: pointer)
      case .textsWithin: nil
      }
    }
    let texts = found.map { value -> [UInt8] in
      switch value {
      case .string(let text): Array(text.utf8)
      case .number(let number): Array(number.description.utf8)
      case .list(let list): EventValue.list(list).json
      default: []
      }
    }
    begin(textLength: texts.reduce(0) { $0 + $1.count })
    for (number, value) in found.enumerated() {
      switch value {
      case nil: break
      case .null: set(number, .null)
      case .bool(let flag): set(number, flag ? .true : .false)
      case .number: copy(number, .number, texts[number])
      case .string: copy(number, .string, texts[number])
      case .list: copy(number, .composite, texts[number])
      case .object: set(number, .composite)
      }
    }
  }

  // MARK: - From JSON

  /// Takes the values out of a parsed event.
  package mutating func load(_ tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>) {
    // A decoded text is never longer than it is in the JSON.
    begin(textLength: text.count)
    guard tape.count > 0, tape[0].kind == .object else { return }
    setMembers(of: 0, projection.rootKeys, projection.numberOfRootKey, tape, text)
    // If both containers have a property, the one read later counts.
    for container: StaticString in ["attributes", "properties"] {
      guard let object = tape.member(container, of: 0, in: text), tape[object].kind == .object else { continue }
      setMembers(of: object, projection.keys, projection.numberOfKey, tape, text)
    }
    for (pointer, number) in projection.deepPointers {
      if let value = tape.find(pointer, in: text) { set(number, value, tape, text) }
    }
  }

  private mutating func setMembers(
    of object: Int, _ keys: StringTable, _ numbers: [Int], _ tape: borrowing JSONTape,
    _ text: UnsafeBufferPointer<UInt8>
  ) {
    let end = Int(tape[object].next)
    var key = object + 1
    while key < end {
      let node = tape[key]
      let found: StringID?
      if node.hasEscapes {
        var name: [UInt8] = []
        tape.appendString(key, in: text, to: &name)
        found = name.withUnsafeBufferPointer { keys.find($0) }
      } else {
        found = keys.find(text.part(node.range))
      }
      if let found { set(numbers[Int(found.rawValue)], key + 1, tape, text) }
      key = Int(tape[key + 1].next)
    }
  }

  private mutating func set(
    _ number: Int, _ index: Int, _ tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>
  ) {
    let node = tape[index]
    switch node.kind {
    case .null: set(number, .null)
    case .true: set(number, .true)
    case .false: set(number, .false)
    case .number, .string:
      let kind: ProjectedValue.Kind = node.kind == .string ? .string : .number
      if node.hasEscapes {
        var bytes: [UInt8] = []
        tape.appendString(index, in: text, to: &bytes)
        // A name that occurs more than once may need more room than the text has.
        guard used + bytes.count <= capacity else {
          grow(by: bytes.count)
          copy(number, kind, bytes)
          return
        }
        copy(number, kind, bytes)
      } else {
        let raw = text.part(node.range)
        set(number, kind, raw.baseAddress ?? UnsafePointer(texts), raw.count)
      }
    case .array:
      let raw = text.part(node.range)
      set(number, .composite, raw.baseAddress ?? UnsafePointer(texts), raw.count)
    case .object: set(number, .composite)
    }
  }

  /// Reserves memory for more texts; existing ones stay valid.
  private mutating func grow(by count: Int) {
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: (capacity + count) * 2)
    larger.update(from: texts, count: used)
    for i in 0..<projection.count {
      let offset = UnsafePointer(texts).distance(to: slots[i].start)
      if offset >= 0, offset <= used { slots[i].start = UnsafePointer(larger) + offset }
    }
    texts.deallocate()
    texts = larger
    capacity = (capacity + count) * 2
  }
}
