import EncircleEvents
import EncircleText

/// Finds entries by the values of properties: by the whole values or parts of values that their tests require.
struct ValueIndex: ~Copyable, @unchecked Sendable {
  private struct Subject: ~Copyable, Sendable {
    /// The number of the property.
    let property: Int
    let plain: TextIndex
    /// The index of case-folded texts.
    let folded: TextIndex
  }

  // Only the initialiser writes the memory, so this is Sendable.
  private let subjects: UnsafeMutableBufferPointer<Subject>
  // The source of the index; only this is saved.
  let entries: [(keys: ValueKeys, entry: UInt32)]
  private let seed = UInt64.random(in: .min ... .max)

  var isEmpty: Bool { subjects.isEmpty }
  var byteCount: Int {
    subjects.indices.reduce(0) { $0 + subjects[$1].plain.byteCount + subjects[$1].folded.byteCount }
  }

  /// Counts the clauses that share an alternative.
  struct Counter {
    private struct Key: Hashable {
      let subject: Int
      let alternative: ValueKeys.Alternative
      let page: UInt32?
    }

    private var counts: [Key: Int] = [:]

    mutating func add(_ keys: ValueKeys) { Self.forEachKey(of: keys) { counts[$0, default: 0] += 1 } }

    subscript(keys: ValueKeys) -> Int {
      var sum = 0
      Self.forEachKey(of: keys) { sum += counts[$0] ?? 0 }
      return sum
    }

    private static func forEachKey(of keys: ValueKeys, _ body: (Key) -> Void) {
      for alternative in keys.alternatives {
        for page in keys.pages.map({ $0 as [UInt32?] }) ?? [nil] {
          body(Key(subject: keys.subject, alternative: alternative, page: page))
        }
      }
    }
  }

  /// Puts entries under their keys.
  init(_ entries: [(keys: ValueKeys, entry: UInt32)], _ tests: borrowing TestTable) {
    self.entries = entries
    var builders: [Int: (plain: TextIndex.Builder, folded: TextIndex.Builder)] = [:]
    let seed = seed
    for (keys, entry) in entries {
      var (plain, folded) = builders.removeValue(forKey: keys.subject) ?? (TextIndex.Builder(), TextIndex.Builder())
      for alternative in Set(keys.alternatives) {
        switch alternative {
        case .null: plain.add(value: Self.key(.null, seed), pages: keys.pages, entry: entry)
        case .bool(let flag): plain.add(value: Self.key(flag ? .true : .false, seed), pages: keys.pages, entry: entry)
        case .number(let number): plain.add(value: Self.key(number, seed), pages: keys.pages, entry: entry)
        case .text(let text): plain.add(value: Self.key(text, seed), pages: keys.pages, entry: entry)
        case .part(let text): plain.add(part: text, pages: keys.pages, entry: entry)
        case .foldedText(let text): folded.add(value: Self.key(text, seed), pages: keys.pages, entry: entry)
        case .foldedPart(let text): folded.add(part: text, pages: keys.pages, entry: entry)
        }
      }
      builders[keys.subject] = (plain, folded)
    }
    subjects = .allocate(capacity: builders.count)
    for (i, (property, builder)) in builders.sorted(by: { $0.key < $1.key }).enumerated() {
      let plain = TextIndex(builder.plain, seed: seed) { text in
        let text = UTF8String(String(decoding: text, as: UTF8.self))
        return tests.number(of: .text(.contains, text, fold: false), subject: property)
      }
      let folded = TextIndex(builder.folded, seed: seed) { _ in nil }
      subjects.initializeElement(at: i, to: Subject(property: property, plain: plain, folded: folded))
    }
  }

  deinit {
    subjects.deinitialize()
    subjects.deallocate()
  }

  private static func key(_ text: UnsafeBufferPointer<UInt8>, _ seed: UInt64) -> UInt64 {
    KeyHash.hash(text, seed: seed)
  }

  private static func key(_ text: [UInt8], _ seed: UInt64) -> UInt64 {
    text.withUnsafeBufferPointer { key($0, seed) }
  }

  private static func key(_ number: DecimalNumber, _ seed: UInt64) -> UInt64 {
    var text = number.description
    return text.withUTF8 { KeyHash.mix(KeyHash.hash($0, seed: seed), 3) }
  }

  private static func key(_ kind: ProjectedValue.Kind, _ seed: UInt64) -> UInt64 {
    KeyHash.mix(seed, UInt64(kind.rawValue))
  }

  /// Buffers for one event after the other.
  struct Scratch: ~Copyable {
    fileprivate var automaton = TextAutomaton.Scratch()
    fileprivate var folded: [UInt8] = []
  }

  /// Calls `body` with the entries whose tests may hold, some of them more than once, and `holds` with tests that hold.
  @inline(__always)
  func forEachEntry(
    _ event: borrowing ProjectedEvent, page: UInt32?, _ scratch: inout Scratch, holds: (UInt32) -> Void,
    _ body: (UInt32) -> Void
  ) {
    for i in 0..<subjects.count {
      let subject = subjects.baseAddress.unsafelyUnwrapped + i
      let value = event[subject.pointee.property]
      switch value.kind {
      case .missing, .composite: continue
      case .null, .true, .false:
        subject.pointee.plain.forEachEntry(value: Self.key(value.kind, seed), page: page, body)
      case .number:
        guard subject.pointee.plain.hasValues, let number = DecimalNumber(value.bytes) else { continue }
        subject.pointee.plain.forEachEntry(value: Self.key(number, seed), page: page, body)
      case .string:
        let text = value.bytes
        subject.pointee.plain.forEachEntry(value: Self.key(text, seed), page: page, body)
        subject.pointee.plain.forEachEntry(partsOf: text, page: page, &scratch.automaton, holds: holds, body)
        if subject.pointee.folded.isEmpty { continue }
        scratch.folded.removeAll(keepingCapacity: true)
        CaseFolding.append(text, to: &scratch.folded)
        let folded = scratch.folded
        folded.withUnsafeBufferPointer { folded in
          subject.pointee.folded.forEachEntry(value: Self.key(folded, seed), page: page, body)
          subject.pointee.folded.forEachEntry(
            partsOf: folded, page: page, &scratch.automaton, holds: { _ in }, body)
        }
      }
    }
  }
}

// MARK: - Saving

extension ValueIndex {
  func write(to writer: inout CompiledWriter) {
    var bytes: [UInt8] = []
    for (keys, entry) in entries {
      ByteCoding.append(Int(entry), to: &bytes)
      keys.encode(to: &bytes)
    }
    writer.append(bytes)
  }

  init(from reader: inout CompiledReader, tests: borrowing TestTable, nameCount: Int) throws(CompiledRulesError) {
    let bytes: FrozenArray<UInt8> = try reader.array()
    var decoder = ByteCoding.Decoder(bytes: bytes.all)
    var entries: [(keys: ValueKeys, entry: UInt32)] = []
    while !decoder.isAtEnd {
      guard let entry = decoder.number(), let keys = ValueKeys(decoding: &decoder) else { throw .damaged }
      // Page numbers become indices of a table, so this check bounds the size of that table.
      guard keys.pages?.allSatisfy({ Int($0) < nameCount }) ?? true else { throw .damaged }
      entries.append((keys, UInt32(entry)))
    }
    self.init(entries, tests)
  }

  /// Returns whether every number in the index refers to something that is there.
  func isConsistent(entryCount: Int, propertyCount: Int) -> Bool {
    entries.allSatisfy { keys, entry in Int(entry) < entryCount && 0..<propertyCount ~= keys.subject }
  }
}
