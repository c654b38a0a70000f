import EncircleText
import EncircleTree

/// The classes that are pages excluded by default, or subclasses of them.
///
/// It lies at one address, where it is used without counting references.
final class DefaultPages: @unchecked Sendable {
  // Only the initialiser writes the memory, so this is Sendable.
  private let storage: UnsafeMutablePointer<FrozenNames>

  /// The names of the classes; valid as long as this object is.
  var names: UnsafePointer<FrozenNames> { UnsafePointer(storage) }

  /// Finds the subclasses that a hierarchy knows.
  ///
  /// - Complexity: O(classes of the hierarchy).
  init(_ hierarchy: ClassHierarchy) {
    let listed = ExcludedPage.defaults.map(\.name.text)
    var table = StringTable()
    for name in listed { _ = table.intern(name) }
    hierarchy.forEachClass(kindOfAny: listed) { _ = table.intern($0) }
    storage = .allocate(capacity: 1)
    storage.initialize(to: FrozenNames(table))
  }

  deinit { storage.deinitialize(count: 1).deallocate() }
}
