import EncircleIdentity

/// A component of a path as numbers.
struct ComponentNumbers: BitwiseCopyable, Sendable, Equatable {
  /// The kind of a locator.
  enum Kind: UInt8, Sendable {
    case none, index, row, item, position
  }

  /// The class.
  var number: ClassNumber
  var kind: Kind
  /// The index, or the first number of the locator; 0 if it has none.
  var first: Int
  /// The second number of the locator; 0 if it has none.
  var second: Int

  @inline(__always) init(_ number: ClassNumber, _ locator: Locator) {
    self.number = number
    switch locator {
    case .none: (kind, first, second) = (.none, 0, 0)
    case .index(let index): (kind, first, second) = (.index, index, 0)
    case .row(let section, let row): (kind, first, second) = (.row, section, row)
    case .item(let section, let item): (kind, first, second) = (.item, section, item)
    case .position(let x, let y): (kind, first, second) = (.position, x, y)
    }
  }

  var locator: Locator {
    switch kind {
    case .none: .none
    case .index: .index(first)
    case .row: .row(section: first, row: second)
    case .item: .item(section: first, item: second)
    case .position: .position(x: first, y: second)
    }
  }
}

/// The readings of an event's path, one after the other; nearly always one.
struct NumberedPaths: ~Copyable {
  private(set) var components = GrowingBuffer<ComponentNumbers>(capacity: 64)
  // By component, the number of a step that is known to match it, if there is one.
  private var knownSteps = GrowingBuffer<UInt32>(capacity: 64)
  // By reading, the end of its components.
  private var ends = GrowingBuffer<Int>(capacity: 4)

  var isEmpty: Bool { ends.count == 0 }
  var count: Int { ends.count }

  mutating func removeAll() {
    components.removeAll()
    knownSteps.removeAll()
    ends.removeAll()
  }

  @inline(__always) mutating func append(_ component: ComponentNumbers) {
    components.append(component)
    knownSteps.append(UInt32.max)
  }

  mutating func endPath() { ends.append(components.count) }

  /// A reading, outermost component first; valid until the next change.
  @inline(__always) subscript(reading: Int) -> UnsafeBufferPointer<ComponentNumbers> {
    components[(reading == 0 ? 0 : ends[reading - 1])..<ends[reading]]
  }

  /// Returns whether a selector matches some reading.
  func match(_ selector: Int, _ table: borrowing SelectorTable, _ classes: borrowing ClassTable) -> Bool {
    for reading in 0..<count {
      let start = reading == 0 ? 0 : ends[reading - 1]
      if table.matches(selector, self[reading], classes, knownSteps: knownSteps.base + start) { return true }
    }
    return false
  }
}
