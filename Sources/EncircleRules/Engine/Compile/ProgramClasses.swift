import EncircleText
import EncircleTree

/// The classes that the rules of a program name, with their numbers.
struct ProgramClasses: ~Copyable, Sendable {
  private let table: ClassTable
  // The same names in a form that is faster to look up.
  private let lookup: FrozenNames
  /// The classes that selectors name as they are written; they decide how paths with underscores are read. Selectors made for
  /// `sameKind` do not count, because their paths have already been read.
  let named: FrozenArray<ClassNumber>

  init(_ table: consuming ClassTable, named: FrozenArray<ClassNumber>) {
    lookup = table.frozenNames
    self.table = table
    self.named = named
  }

  var count: Int { table.count }
  var byteCount: Int { lookup.byteCount + named.byteCount }

  /// Returns the number of a class, if rules name it.
  @inline(__always) func number(_ name: UnsafeBufferPointer<UInt8>) -> ClassNumber? { lookup.find(name) }

  /// Returns a table with these classes, to which more can be added.
  func copyOfTable() -> ClassTable { table.copy() }

  /// Calls `body` with the names of the classes that selectors name as they are written.
  func forEachNamed(_ body: (String) -> Void) {
    for number in named.all { table.withBytes(of: number) { body(String(decoding: $0, as: UTF8.self)) } }
  }

  func write(to writer: inout CompiledWriter) {
    writer.append(table.allNames)
    writer.append(named)
  }

  init(from reader: inout CompiledReader, hierarchy: ClassHierarchy) throws(CompiledRulesError) {
    let names = try reader.stringTable()
    let named: FrozenArray<ClassNumber> = try reader.array()
    guard named.all.allSatisfy({ Int($0) < names.count }) else { throw .damaged }
    self.init(ClassTable(names: names, hierarchy: hierarchy), named: named)
  }
}
