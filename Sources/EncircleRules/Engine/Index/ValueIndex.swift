import EncircleEvents
import EncircleText

/// Finds leaves by the values of properties: values and parts of values of which a test demands one.
///
struct ValueIndex: ~Copyable, @unchecked Sendable {
  private struct Subject: Sendable {
    /// The number of the property.
    let property: Int
    var plain: TextIndex
    // By case-folded texts.
    var folded: TextIndex
  }

  // At one place, so that looking at them copies nothing.
  private let subjects: UnsafeMutableBufferPointer<Subject>
  private let seed = UInt64.random(in: .min ... .max)

  var isEmpty: Bool { subjects.isEmpty }
  var byteCount: Int { subjects.reduce(0) { $0 + $1.plain.byteCount + $1.folded.byteCount } }

  /// Counts how many clauses have the same alternative.
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

  /// Files leaves.
  ///
  /// - Parameter testNumber: The number of the test that a property's value contains a text, if there is one.
  init(
    _ filed: [(keys: ValueKeys, leaf: UInt32)], testNumber: (_ property: Int, _ text: [UInt8]) -> UInt32?
  ) {
    var builders: [Int: (plain: TextIndex.Builder, folded: TextIndex.Builder)] = [:]
    let seed = seed
    for (keys, leaf) in filed {
      var (plain, folded) = builders.removeValue(forKey: keys.subject) ?? (TextIndex.Builder(), TextIndex.Builder())
      for alternative in Set(keys.alternatives) {
        switch alternative {
        case .null: plain.add(value: Self.key(.null, seed), pages: keys.pages, leaf: leaf)
        case .bool(let flag): plain.add(value: Self.key(flag ? .true : .false, seed), pages: keys.pages, leaf: leaf)
        case .number(let number): plain.add(value: Self.key(number, seed), pages: keys.pages, leaf: leaf)
        case .text(let text): plain.add(value: Self.key(text, seed), pages: keys.pages, leaf: leaf)
        case .part(let text): plain.add(part: text, pages: keys.pages, leaf: leaf)
        case .foldedText(let text): folded.add(value: Self.key(text, seed), pages: keys.pages, leaf: leaf)
        case .foldedPart(let text): folded.add(part: text, pages: keys.pages, leaf: leaf)
        }
      }
      builders[keys.subject] = (plain, folded)
    }
    let subjects = builders.sorted { $0.key < $1.key }.map { property, builder in
      Subject(
        property: property, plain: TextIndex(builder.plain, seed: seed) { testNumber(property, $0) },
        folded: TextIndex(builder.folded, seed: seed) { _ in nil })
    }
    self.subjects = .allocate(capacity: subjects.count)
    _ = self.subjects.initialize(from: subjects)
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

  /// What changes while values are looked up.
  struct Scratch: ~Copyable {
    fileprivate var automaton = TextAutomaton.Scratch()
    fileprivate var folded: [UInt8] = []
  }

  /// Calls `body` with the leaves whose tests may hold, some of them more than once, and `holds` with tests that do.
  func forEachCandidate(
    _ event: borrowing ProjectedEvent, page: UInt32?, _ scratch: inout Scratch, holds: (UInt32) -> Void,
    _ body: (UInt32) -> Void
  ) {
    for i in 0..<subjects.count {
      let subject = subjects.baseAddress.unsafelyUnwrapped + i
      let value = event[subject.pointee.property]
      let plain = subject.pointer(to: \.plain).unsafelyUnwrapped
      switch value.kind {
      case .missing, .composite: continue
      case .null, .true, .false: plain.forEachLeaf(value: Self.key(value.kind, seed), page: page, body)
      case .number:
        guard plain.pointee.hasValues, let number = DecimalNumber(value.bytes) else { continue }
        plain.forEachLeaf(value: Self.key(number, seed), page: page, body)
      case .string:
        let text = value.bytes
        plain.forEachLeaf(value: Self.key(text, seed), page: page, body)
        plain.forEachLeaf(partsOf: text, page: page, &scratch.automaton, holds: holds, body)
        let folded = subject.pointer(to: \.folded).unsafelyUnwrapped
        if !folded.pointee.isEmpty { visitFolded(folded, text, page, &scratch, body) }
      }
    }
  }

  private func visitFolded(
    _ index: UnsafeMutablePointer<TextIndex>, _ text: UnsafeBufferPointer<UInt8>, _ page: UInt32?,
    _ scratch: inout Scratch, _ body: (UInt32) -> Void
  ) {
    scratch.folded.removeAll(keepingCapacity: true)
    CaseFolding.append(text, to: &scratch.folded)
    let folded = scratch.folded
    folded.withUnsafeBufferPointer { folded in
      index.forEachLeaf(value: Self.key(folded, seed), page: page, body)
      index.forEachLeaf(partsOf: folded, page: page, &scratch.automaton, holds: { _ in }, body)
    }
  }
}
