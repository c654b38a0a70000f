import EncircleEvents
import EncircleTree

/// Finds leaves by the values of properties: values and parts of values of which a test demands one.
///
/// Equal values are found by hash, parts of texts by one automaton a property, so that a text is read once for all.
struct ValueIndex: ~Copyable, Sendable {
  /// One property.
  struct Subject: Sendable {
    /// The number of the property.
    let property: Int
    let values: KeyTable
    let parts: TextAutomaton?
    /// By text of `parts`: partLeaves[partStarts[t] ..< partStarts[t + 1]].
    let partLeaves: FrozenArray<UInt32>
    let partStarts: FrozenArray<UInt32>
    let foldedValues: KeyTable?
    let foldedParts: TextAutomaton?
    let foldedLeaves: FrozenArray<UInt32>
    let foldedStarts: FrozenArray<UInt32>
  }

  let subjects: [Subject]
  private let seed = UInt64.random(in: .min ... .max)

  var isEmpty: Bool { subjects.isEmpty }
  var byteCount: Int {
    subjects.reduce(0) { sum, subject in
      sum + subject.values.byteCount + (subject.parts?.byteCount ?? 0) + subject.partLeaves.byteCount
        + subject.partStarts.byteCount + (subject.foldedValues?.byteCount ?? 0) + (subject.foldedParts?.byteCount ?? 0)
        + subject.foldedLeaves.byteCount + subject.foldedStarts.byteCount
    }
  }

  /// Counts how many clauses have the same alternative.
  struct Counter {
    private struct Key: Hashable {
      let subject: Int
      let alternative: ValueKeys.Alternative
    }

    private var counts: [Key: Int] = [:]

    mutating func add(_ keys: ValueKeys) {
      for alternative in keys.alternatives {
        counts[Key(subject: keys.subject, alternative: alternative), default: 0] += 1
      }
    }

    subscript(keys: ValueKeys) -> Int {
      keys.alternatives.reduce(0) { $0 + (counts[Key(subject: keys.subject, alternative: $1)] ?? 0) }
    }
  }

  init(_ filed: [(keys: ValueKeys, leaf: UInt32)]) {
    var bySubject: [Int: [(alternative: ValueKeys.Alternative, leaf: UInt32)]] = [:]
    for (keys, leaf) in filed {
      for alternative in Set(keys.alternatives) { bySubject[keys.subject, default: []].append((alternative, leaf)) }
    }
    var subjects: [Subject] = []
    let seed = seed
    for (property, entries) in bySubject.sorted(by: { $0.key < $1.key }) {
      var values: [(key: UInt64, value: UInt32)] = []
      var foldedValues: [(key: UInt64, value: UInt32)] = []
      var parts: [[UInt8]: [UInt32]] = [:]
      var foldedParts: [[UInt8]: [UInt32]] = [:]
      for (alternative, leaf) in entries {
        switch alternative {
        case .null: values.append((Self.key(.null, seed), leaf))
        case .bool(let flag): values.append((Self.key(flag ? .true : .false, seed), leaf))
        case .number(let number): values.append((Self.key(number, seed), leaf))
        case .text(let text): values.append((text.withUnsafeBufferPointer { Self.key($0, seed) }, leaf))
        case .part(let text): parts[text, default: []].append(leaf)
        case .foldedText(let text): foldedValues.append((text.withUnsafeBufferPointer { Self.key($0, seed) }, leaf))
        case .foldedPart(let text): foldedParts[text, default: []].append(leaf)
        }
      }
      func lists(_ parts: [[UInt8]: [UInt32]]) -> (TextAutomaton?, [UInt32], [UInt32]) {
        let sorted = parts.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        var starts: [UInt32] = [0]
        var leaves: [UInt32] = []
        for (_, list) in sorted {
          leaves += list
          starts.append(UInt32(leaves.count))
        }
        return (parts.isEmpty ? nil : TextAutomaton(sorted.map(\.key)), leaves, starts)
      }
      let plain = lists(parts)
      let folded = lists(foldedParts)
      subjects.append(
        Subject(
          property: property, values: KeyTable(values), parts: plain.0, partLeaves: FrozenArray(plain.1),
          partStarts: FrozenArray(plain.2), foldedValues: foldedValues.isEmpty ? nil : KeyTable(foldedValues),
          foldedParts: folded.0, foldedLeaves: FrozenArray(folded.1), foldedStarts: FrozenArray(folded.2)))
    }
    self.subjects = subjects
  }

  private static func key(_ text: UnsafeBufferPointer<UInt8>, _ seed: UInt64) -> UInt64 {
    KeyHash.hash(text, seed: seed)
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

  /// Calls `body` with the leaves whose tests may hold, some of them more than once.
  func forEachCandidate(
    _ event: borrowing ProjectedEvent, _ scratch: inout Scratch, _ body: (UInt32) -> Void
  ) {
    for subject in subjects {
      let value = event[subject.property]
      switch value.kind {
      case .missing, .composite: continue
      case .null, .true, .false: for leaf in subject.values.find(Self.key(value.kind, seed)) { body(leaf) }
      case .number:
        guard !subject.values.isEmpty, let number = DecimalNumber(value.bytes) else { continue }
        for leaf in subject.values.find(Self.key(number, seed)) { body(leaf) }
      case .string:
        let text = value.bytes
        for leaf in subject.values.find(Self.key(text, seed)) { body(leaf) }
        subject.parts?.forEachText(in: text, &scratch.automaton) { part in
          for leaf in subject.partLeaves[subject.partStarts.range(Int(part))] { body(leaf) }
        }
        guard subject.foldedValues != nil || subject.foldedParts != nil else { continue }
        scratch.folded.removeAll(keepingCapacity: true)
        CaseFolding.append(text, to: &scratch.folded)
        let folded = scratch.folded
        folded.withUnsafeBufferPointer { folded in
          if let values = subject.foldedValues { for leaf in values.find(Self.key(folded, seed)) { body(leaf) } }
          subject.foldedParts?.forEachText(in: folded, &scratch.automaton) { part in
            for leaf in subject.foldedLeaves[subject.foldedStarts.range(Int(part))] { body(leaf) }
          }
        }
      }
    }
  }
}

extension FrozenArray<UInt32> {
  /// What lies between two starts.
  @inline(__always) func range(_ index: Int) -> Range<Int> { Int(self[index])..<Int(self[index + 1]) }
}
