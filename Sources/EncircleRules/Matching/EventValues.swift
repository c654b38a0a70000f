import EncircleEvents
import EncircleTree

/// The number of a ``PropertyReference`` in a matcher.
typealias PropertyNumber = Int

/// The values of one event that rules may ask for, by property number.
struct EventValues {
  /// A value; texts and numbers are ranges of ``bytes``.
  enum Value {
    case missing
    case null
    case bool(Bool)
    case number(Range<Int>)
    case string(Range<Int>)
    /// A list or an object.
    case composite
  }

  private(set) var bytes: [UInt8] = []
  private var values: [Value]

  init(count: Int) { values = Array(repeating: .missing, count: count) }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    for i in values.indices { values[i] = .missing }
  }

  subscript(number: PropertyNumber) -> Value { values[number] }

  mutating func set(_ number: PropertyNumber, _ value: Value) { values[number] = value }

  mutating func setString(_ number: PropertyNumber, _ write: (inout [UInt8]) -> Void) {
    let start = bytes.count
    write(&bytes)
    values[number] = .string(start..<bytes.count)
  }

  mutating func setNumber(_ number: PropertyNumber, _ text: some Collection<UInt8>) {
    let start = bytes.count
    bytes.append(contentsOf: text)
    values[number] = .number(start..<bytes.count)
  }

  func withString<R>(_ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    bytes.withUnsafeBufferPointer { body($0.part(range)) }
  }

  func string(_ range: Range<Int>) -> String { withString(range) { String(decoding: $0, as: UTF8.self) } }

  func decimal(_ range: Range<Int>) -> DecimalNumber? { withString(range) { DecimalNumber($0) } }

  /// The value in words, for explanations.
  func description(of value: Value) -> String {
    switch value {
    case .missing: "missing"
    case .null: "null"
    case .bool(let flag): String(flag)
    case .number(let range): string(range)
    case .string(let range): "\"\(string(range))\""
    case .composite: "a list or an object"
    }
  }
}
