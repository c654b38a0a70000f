import EncircleEvents
import EncircleTree

/// Finds leaves by the values of properties: values and parts of values of which a test demands one.
///
/// Equal values are found by hash, parts of texts by one automaton a property, so that a text is read once for all.
struct ValueIndex: ~Copyable, @unchecked Sendable {
  /// One property.
  struct Subject: Sendable {
    /// The number of the property.
    let property: Int
    var values: KeyTable
    var parts: TextAutomaton
    /// By text of `parts`: partLeaves[partStarts[t] ..< partStarts[t + 1]].
    let partLeaves: FrozenArray<UInt32>
    let partStarts: FrozenArray<UInt32>
    /// By text of `parts`: the test that asks for nothing else than that the value contains it, or ``RuleProgram/none``.
    let partTests: FrozenArray<UInt32>
    /// By the number of a page, 1 if some leaf of `parts` is on it; empty if some is on any.
    let pagesOfParts: FrozenArray<UInt8>
    var foldedValues: KeyTable
    var foldedParts: TextAutomaton
    let foldedLeaves: FrozenArray<UInt32>
    let foldedStarts: FrozenArray<UInt32>

    /// Whether texts on a page may have parts that matter.
    func hasParts(on page: UInt32?) -> Bool {
      guard parts.count > 0 else { return false }
      if pagesOfParts.count == 0 { return true }
      guard let page, Int(page) < pagesOfParts.count else { return false }
      return pagesOfParts[Int(page)] != 0
    }

    var hasFolded: Bool { foldedValues.count > 0 || foldedParts.count > 0 }
  }

  // At one place, so that looking at them copies nothing.
  private let subjects: UnsafeMutableBufferPointer<Subject>
  private let seed = UInt64.random(in: .min ... .max)

  var isEmpty: Bool { subjects.isEmpty }
  var byteCount: Int {
    subjects.reduce(0) { sum, subject in
      sum + subject.values.byteCount + subject.parts.byteCount + subject.partLeaves.byteCount
        + subject.partStarts.byteCount + subject.partTests.byteCount + subject.pagesOfParts.byteCount
        + subject.foldedValues.byteCount
        + subject.foldedParts.byteCount
        + subject.foldedLeaves.byteCount + subject.foldedStarts.byteCount
    }
  }

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
    var bySubject: [Int: [(alternative: ValueKeys.Alternative, pages: [UInt32]?, leaf: UInt32)]] = [:]
    for (keys, leaf) in filed {
      for alternative in Set(keys.alternatives) {
        bySubject[keys.subject, default: []].append((alternative, keys.pages, leaf))
      }
    }
    var subjects: [Subject] = []
    let seed = seed
    for (property, entries) in bySubject.sorted(by: { $0.key < $1.key }) {
      var values: [(key: UInt64, value: UInt32)] = []
      var foldedValues: [(key: UInt64, value: UInt32)] = []
      var parts: [[UInt8]: [UInt32]] = [:]
      var foldedParts: [[UInt8]: [UInt32]] = [:]
      for (alternative, pages, leaf) in entries {
        func add(_ key: UInt64, _ list: inout [(key: UInt64, value: UInt32)]) {
          guard let pages else { return list.append((key, leaf)) }
          for page in pages { list.append((Self.onPage(key, page), leaf)) }
        }
        switch alternative {
        case .null: add(Self.key(.null, seed), &values)
        case .bool(let flag): add(Self.key(flag ? .true : .false, seed), &values)
        case .number(let number): add(Self.key(number, seed), &values)
        case .text(let text): add(text.withUnsafeBufferPointer { Self.key($0, seed) }, &values)
        case .part(let text): parts[text, default: []].append(leaf)
        case .foldedText(let text): add(text.withUnsafeBufferPointer { Self.key($0, seed) }, &foldedValues)
        case .foldedPart(let text): foldedParts[text, default: []].append(leaf)
        }
      }
      func lists(_ parts: [[UInt8]: [UInt32]]) -> (TextAutomaton, [UInt32], [UInt32], [[UInt8]]) {
        let sorted = parts.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        var starts: [UInt32] = [0]
        var leaves: [UInt32] = []
        for (_, list) in sorted {
          leaves += list
          starts.append(UInt32(leaves.count))
        }
        return (TextAutomaton(sorted.map(\.key)), leaves, starts, sorted.map(\.key))
      }
      let plain = lists(parts)
      let folded = lists(foldedParts)
      subjects.append(
        Subject(
          property: property, values: KeyTable(values), parts: plain.0, partLeaves: FrozenArray(plain.1),
          partStarts: FrozenArray(plain.2),
          partTests: FrozenArray(plain.3.map { testNumber(property, $0) ?? RuleProgram.none }),
          pagesOfParts: FrozenArray(Self.pagesOfParts(entries)), foldedValues: KeyTable(foldedValues),
          foldedParts: folded.0, foldedLeaves: FrozenArray(folded.1), foldedStarts: FrozenArray(folded.2)))
    }
    self.subjects = .allocate(capacity: subjects.count)
    _ = self.subjects.initialize(from: subjects)
  }

  deinit {
    subjects.deinitialize()
    subjects.deallocate()
  }

  private static func pagesOfParts(
    _ entries: [(alternative: ValueKeys.Alternative, pages: [UInt32]?, leaf: UInt32)]
  ) -> [UInt8] {
    var all: Set<Int> = []
    for (alternative, pages, _) in entries {
      guard case .part = alternative else { continue }
      guard let pages else { return [] }
      for page in pages { all.insert(Int(page)) }
    }
    return (0..<(all.max().map { $0 + 1 } ?? 0)).map { all.contains($0) ? 1 : 0 }
  }

  private static func key(_ text: UnsafeBufferPointer<UInt8>, _ seed: UInt64) -> UInt64 {
    KeyHash.hash(text, seed: seed)
  }

  private static func onPage(_ key: UInt64, _ page: UInt32) -> UInt64 { KeyHash.mix(key, UInt64(page) &+ 1) }

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
      switch value.kind {
      case .missing, .composite: continue
      case .null, .true, .false: Self.visit(&subject.pointee.values, Self.key(value.kind, seed), page, body)
      case .number:
        guard subject.pointee.values.count > 0, let number = DecimalNumber(value.bytes) else { continue }
        Self.visit(&subject.pointee.values, Self.key(number, seed), page, body)
      case .string:
        let text = value.bytes
        Self.visit(&subject.pointee.values, Self.key(text, seed), page, body)
        if subject.pointee.hasParts(on: page) {
          TextAutomaton.forEachText(of: &subject.pointee.parts, in: text, &scratch.automaton) { part in
            let test = subject.pointee.partTests[Int(part)]
            if test != RuleProgram.none { holds(test) }
            for leaf in subject.pointee.partLeaves[subject.pointee.partStarts.range(Int(part))] { body(leaf) }
          }
        }
        if subject.pointee.hasFolded { visitFolded(subject, text, page, &scratch, body) }
      }
    }
  }

  @inline(__always)
  private static func visit(
    _ table: UnsafePointer<KeyTable>, _ key: UInt64, _ page: UInt32?, _ body: (UInt32) -> Void
  ) {
    for leaf in table.pointee.find(key) { body(leaf) }
    if let page { for leaf in table.pointee.find(onPage(key, page)) { body(leaf) } }
  }

  private func visitFolded(
    _ subject: UnsafeMutablePointer<Subject>, _ text: UnsafeBufferPointer<UInt8>, _ page: UInt32?,
    _ scratch: inout Scratch, _ body: (UInt32) -> Void
  ) {
    scratch.folded.removeAll(keepingCapacity: true)
    CaseFolding.append(text, to: &scratch.folded)
    let folded = scratch.folded
    folded.withUnsafeBufferPointer { folded in
      Self.visit(&subject.pointee.foldedValues, Self.key(folded, seed), page, body)
      TextAutomaton.forEachText(of: &subject.pointee.foldedParts, in: folded, &scratch.automaton) { part in
        for leaf in subject.pointee.foldedLeaves[subject.pointee.foldedStarts.range(Int(part))] { body(leaf) }
      }
    }
  }
}

extension FrozenArray<UInt32> {
  /// What lies between two starts.
  @inline(__always) func range(_ index: Int) -> Range<Int> { Int(self[index])..<Int(self[index + 1]) }
}
