import EncircleEvents
import EncircleText

/// The names of events, pages and apps that rules ask for, with their numbers.
struct NumberedNames: ~Copyable, Sendable {
  private let table: StringTable
  // The same names in a form that is faster to look up.
  private let lookup: FrozenNames

  init(_ table: StringTable) {
    self.table = table
    lookup = FrozenNames(table)
  }

  var count: Int { table.count }
  var byteCount: Int { lookup.byteCount }

  /// Returns the number of the name that a value is, if rules ask for it.
  @inline(__always) func number(_ value: ProjectedValue) -> UInt32? {
    value.kind == .string ? lookup.find(value.bytes) : nil
  }

  /// Returns whether a name has exactly these bytes.
  func equals(_ number: UInt32, _ text: UnsafeBufferPointer<UInt8>) -> Bool { table.equals(StringID(number), text) }

  func write(to writer: inout CompiledWriter) { writer.append(table) }

  init(from reader: inout CompiledReader) throws(CompiledRulesError) { self.init(try reader.stringTable()) }
}
