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
  /// The index, or the first number of the locator; without a locator the number of the text, or 0.
  var first: Int
  /// The second number of the locator; without a locator the number of the id, or 0.
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
