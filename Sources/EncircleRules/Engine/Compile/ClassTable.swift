import EncircleText
import EncircleTree

/// The number of a class in a ``ClassTable``.
typealias ClassNumber = UInt32

/// Class names as numbers, with their superclasses.
///
/// The matcher has one with the classes that its rules name; a match state has a copy, to which the classes that events
/// name are added.
struct ClassTable: ~Copyable, Sendable {
  private var names = StringTable()
  // By class, its superclasses among those of the table, nearest first: chains[starts[c] ..< starts[c + 1]].
  private var chains: [ClassNumber] = []
  private var starts: [Int] = [0]
  private let hierarchy: ClassHierarchy

  init(hierarchy: ClassHierarchy) { self.hierarchy = hierarchy }

  /// A table of classes that have been numbered before.
  init(names: StringTable, hierarchy: ClassHierarchy) {
    self.hierarchy = hierarchy
    self.names = names
    // Also those that the hierarchy adds on the way get chains of their own.
    while count >= starts.count {
      var name = self.names[StringID(UInt32(starts.count - 1))]
      name.withUTF8 { name in
        var isFirst = true
        hierarchy.forEachSuperclass(from: name) { ancestor in
          if !isFirst { chains.append(self.names.intern(ancestor).rawValue) }
          isFirst = false
        }
      }
      starts.append(chains.count)
    }
  }

  /// Another table with the same classes.
  func copy() -> ClassTable {
    var copy = ClassTable(hierarchy: hierarchy)
    copy.names = names
    copy.chains = chains
    copy.starts = starts
    return copy
  }

  /// The number of no class.
  static let unknown = ClassNumber.max

  var count: Int { names.count }
  /// The names by their numbers.
  var allNames: StringTable { names }
  var frozenNames: FrozenNames { FrozenNames(names) }

  mutating func number(_ name: UnsafeBufferPointer<UInt8>) -> ClassNumber {
    if let found = names.find(name) { return found.rawValue }
    let new = names.intern(name)
    // All superclasses get numbers, so that a chain is complete whatever is asked later.
    var ancestors: [StringID] = []
    var isFirst = true
    hierarchy.forEachSuperclass(from: name) { ancestor in
      if !isFirst { ancestors.append(names.intern(ancestor)) }
      isFirst = false
    }
    // Ancestors that are new need chains of their own: each is a tail of this one.
    chains.append(contentsOf: ancestors.lazy.map(\.rawValue))
    starts.append(chains.count)
    while starts.count <= names.count {
      let id = UInt32(starts.count - 1)
      if let place = ancestors.firstIndex(where: { $0.rawValue == id }) {
        chains.append(contentsOf: ancestors[(place + 1)...].lazy.map(\.rawValue))
      }
      starts.append(chains.count)
    }
    return new.rawValue
  }

  mutating func number(_ name: UTF8String) -> ClassNumber {
    name.withUTF8 { number($0) }
  }

  func find(_ name: UnsafeBufferPointer<UInt8>) -> ClassNumber? { names.find(name)?.rawValue }

  func isClass(_ number: ClassNumber, kindOf base: ClassNumber) -> Bool {
    number == base || chains[starts[Int(number)]..<starts[Int(number) + 1]].contains(base)
  }

  /// The superclasses in the table, nearest first.
  func superclasses(of number: ClassNumber) -> ArraySlice<ClassNumber> {
    chains[starts[Int(number)]..<starts[Int(number) + 1]]
  }

  func withBytes<R>(of number: ClassNumber, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    names.withBytes(of: StringID(number), body)
  }
}
