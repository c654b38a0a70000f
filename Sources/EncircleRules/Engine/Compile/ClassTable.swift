import EncircleText
import EncircleTree

/// The number of a class in a ``ClassTable``.
typealias ClassNumber = UInt32

/// Numbers class names, and knows their superclasses.
///
/// A program has a table of the classes that its rules name; each decider has a copy, to which classes of events are added.
struct ClassTable: ~Copyable, Sendable {
  private var names = StringTable()
  // The superclasses of class c, nearest first: chains[starts[c] ..< starts[c + 1]].
  private var chains: [ClassNumber] = []
  private var starts: [Int] = [0]
  private let hierarchy: ClassHierarchy

  init(hierarchy: ClassHierarchy) { self.hierarchy = hierarchy }

  /// Makes a table of classes that were numbered before.
  init(names: StringTable, hierarchy: ClassHierarchy) {
    self.hierarchy = hierarchy
    self.names = names
    // Superclasses that are added on the way get chains of their own.
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

  /// A copy, to which classes can be added.
  func copy() -> ClassTable {
    var copy = ClassTable(hierarchy: hierarchy)
    copy.names = names
    copy.chains = chains
    copy.starts = starts
    return copy
  }

  /// Stands for a class that has no number.
  static let unknown = ClassNumber.max

  var count: Int { names.count }
  /// The names by their numbers.
  var allNames: StringTable { names }
  var frozenNames: FrozenNames { FrozenNames(names) }

  mutating func number(_ name: UnsafeBufferPointer<UInt8>) -> ClassNumber {
    if let found = names.find(name) { return found.rawValue }
    let new = names.intern(name)
    // All superclasses get numbers, so that the chain is complete for any later question.
    var ancestors: [StringID] = []
    var isFirst = true
    hierarchy.forEachSuperclass(from: name) { ancestor in
      if !isFirst { ancestors.append(names.intern(ancestor)) }
      isFirst = false
    }
    // New superclasses need chains of their own: each is a tail of this one.
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
