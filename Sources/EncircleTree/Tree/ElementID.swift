/// The number of an element in a ``ViewTree``. Elements are numbered in pre-order, from 0.
public struct ElementID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The pre-order number.
  public let rawValue: Int32

  public init(_ number: Int) { rawValue = Int32(number) }

  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// The pre-order number, as an array index.
  public var index: Int { Int(rawValue) }

  /// The pre-order number in decimal.
  public var description: String { String(rawValue) }

  /// Orders by position in pre-order.
  public static func < (a: ElementID, b: ElementID) -> Bool { a.rawValue < b.rawValue }
}
