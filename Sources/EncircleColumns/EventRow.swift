import EncircleText

/// The values of one row, in the reader's memory; valid until the next row is read.
struct EventRow: ~Copyable {
  typealias Text = UnsafeBufferPointer<UInt8>

  /// The number of the row in its stream, from 1.
  private(set) var number = 0
  /// The version of the rules that shall decide.
  var version = Text(start: nil, count: 0)
  // The text of each column; nil for a missing value, and for `properties` in `pairs`.
  private var texts: [Text?]
  /// The properties of a map.
  private(set) var pairs: [(name: Text, value: Text)] = []
  /// The reason why the row cannot be decided; nil if it can.
  var problem: String?

  init(columnCount: Int) { texts = Array(repeating: nil, count: columnCount) }

  /// Forgets all values; the row that follows has the given number.
  mutating func begin(_ number: Int) {
    self.number = number
    version = Text(start: nil, count: 0)
    for i in texts.indices { texts[i] = nil }
    pairs.removeAll(keepingCapacity: true)
    problem = nil
  }

  /// Returns the value of a column; nil if it is missing. For `properties_json`, returns the members without the braces.
  func text(_ column: Int) -> Text? { texts[column] }

  mutating func set(_ column: Int, _ text: Text?) { texts[column] = text }

  mutating func append(_ name: Text, _ value: Text) { pairs.append((name, value)) }
}
