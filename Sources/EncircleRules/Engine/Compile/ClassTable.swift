import EncircleText
import EncircleTree

/// The number of a class in a ``ClassTable``.
typealias ClassNumber = UInt32

/// Numbers class names, and knows their superclasses.
///
/// A program has a table of the classes that its rules name; each decider adds the classes of events to its own copy.
struct ClassTable: ~Copyable, Sendable {
  private var names = StringTable()
  // For each class, its superclass, or `unknown`.
  private var superclasses: [ClassNumber] = []
  // For each class, the number to look for among superclasses: its own or, if the class has two names, that of the upper name.
  // So the two names are kinds of each other.
  private var kinds: [ClassNumber] = []
  // Sets of conditions that hold for elements of web pages, each as the bytes of its numbers in ascending order.
  private var conditionSets = StringTable()
  private let hierarchy: ClassHierarchy

  init(hierarchy: ClassHierarchy) { self.hierarchy = hierarchy }

  /// Makes a table of classes that were numbered before.
  init(names: StringTable, hierarchy: ClassHierarchy) {
    self.hierarchy = hierarchy
    self.names = names
    superclasses = Array(repeating: Self.unknown, count: names.count)
    kinds = Array(0..<UInt32(names.count))
    for number in 0..<UInt32(names.count) {
      var name = names[StringID(number)]
      name.withUTF8 { addSuperclasses(of: number, $0) }
    }
  }

  /// Returns a copy to which classes can be added.
  func copy() -> ClassTable {
    var copy = ClassTable(hierarchy: hierarchy)
    copy.names = names
    copy.superclasses = superclasses
    copy.kinds = kinds
    copy.conditionSets = conditionSets
    return copy
  }

  /// Marks a class that has no number.
  static let unknown = ClassNumber.max

  var count: Int { names.count }
  /// The names by their numbers.
  var allNames: StringTable { names }
  var frozenNames: FrozenNames { FrozenNames(names) }
  /// The memory that the classes take, in bytes.
  var byteCount: Int {
    names.byteCount + (superclasses.count + kinds.count) * MemoryLayout<ClassNumber>.stride + conditionSets.byteCount
  }

  /// Returns the number of a set of conditions, from 1; 0 is the empty set.
  mutating func number(ofConditions numbers: [UInt32]) -> Int {
    if numbers.isEmpty { return 0 }
    return numbers.withUnsafeBytes { Int(conditionSets.intern($0.bindMemory(to: UInt8.self)).rawValue) + 1 }
  }

  /// Returns whether a condition is in a set.
  func conditionSet(_ set: Int, contains number: Int) -> Bool {
    guard set > 0, set <= conditionSets.count else { return false }
    return conditionSets.withBytes(of: StringID(UInt32(set - 1))) { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      return stride(from: 0, to: bytes.count, by: MemoryLayout<UInt32>.size).contains { offset in
        Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) == number
      }
    }
  }

  /// Returns the number of a class. A class without a number gets one, and so do its superclasses.
  mutating func number(_ name: UnsafeBufferPointer<UInt8>) -> ClassNumber {
    if let found = names.find(name) { return found.rawValue }
    let new = names.intern(name).rawValue
    superclasses.append(Self.unknown)
    kinds.append(new)
    addSuperclasses(of: new, name)
    return new
  }

  mutating func number(_ name: UTF8String) -> ClassNumber {
    name.withUTF8 { number($0) }
  }

  /// Links a class to its superclass, and so on up to a superclass that is already linked.
  private mutating func addSuperclasses(of number: ClassNumber, _ name: UnsafeBufferPointer<UInt8>) {
    var below: ClassNumber?
    hierarchy.forEachSuperclass(from: name) { ancestor, isOtherName in
      guard let sub = below else {
        below = number
        return true
      }
      let known = names.count
      let base = names.intern(ancestor).rawValue
      superclasses[Int(sub)] = base
      if isOtherName { kinds[Int(sub)] = base }
      below = base
      guard names.count > known else { return superclasses[Int(base)] == Self.unknown }
      superclasses.append(Self.unknown)
      kinds.append(base)
      return true
    }
  }

  func find(_ name: UnsafeBufferPointer<UInt8>) -> ClassNumber? { names.find(name)?.rawValue }

  /// Returns whether the hierarchy has a class, whether or not it has a number.
  func isInHierarchy(_ name: UnsafeBufferPointer<UInt8>) -> Bool { hierarchy.contains(name) }

  /// The lengths of the names in the table and in the hierarchy.
  var nameLengths: NameLengths {
    var lengths = hierarchy.nameLengths
    for number in 0..<UInt32(names.count) { lengths.insert(names.length(of: StringID(number))) }
    return lengths
  }

  /// - Complexity: O(number of superclasses), at most ``ClassHierarchy/maximumDepth``.
  func isClass(_ number: ClassNumber, kindOf base: ClassNumber) -> Bool {
    var number = number
    let base = kinds[Int(base)]
    while number != base {
      number = superclasses[Int(number)]
      if number == Self.unknown { return false }
    }
    return true
  }

  /// Returns whether a class is another one or a subclass of it. The class need not have a number, and gets none.
  func isClass(_ name: UnsafeBufferPointer<UInt8>, kindOf base: UTF8String) -> Bool {
    base.withUTF8 { base in sameBytes(name, base) || hierarchy.isClass(name, kindOf: base) }
  }

  func withBytes<R>(of number: ClassNumber, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    names.withBytes(of: StringID(number), body)
  }
}
