import EncircleTree

/// What is to be taken out of events: places, numbered from 0. Immutable; made once for a matcher.
public final class EventProjection: Sendable {
  /// The places by their numbers; each occurs once.
  public let references: [PropertyReference]

  // Keys of `properties`, and members of the root, by key; and the pointers that go deeper.
  let keys: StringTable
  let numberOfKey: [Int]
  let rootKeys: StringTable
  let numberOfRootKey: [Int]
  let deepPointers: [(pointer: JSONPointer, number: Int)]

  /// Creates a projection.
  ///
  /// - Parameter references: The places, without duplicates.
  /// - Complexity: O(size of the references).
  public init(_ references: [PropertyReference]) {
    var keys = StringTable()
    var numberOfKey: [Int] = []
    var rootKeys = StringTable()
    var numberOfRootKey: [Int] = []
    var deepPointers: [(pointer: JSONPointer, number: Int)] = []
    for (number, reference) in references.enumerated() {
      switch reference {
      case .property(let name):
        _ = keys.intern(name.text)
        numberOfKey.append(number)
      case .pointer(let pointer) where pointer.steps.count == 1:
        _ = pointer.steps[0].name.withUnsafeBufferPointer { rootKeys.intern($0) }
        numberOfRootKey.append(number)
      case .pointer(let pointer):
        deepPointers.append((pointer, number))
      }
    }
    self.references = references
    self.keys = keys
    self.numberOfKey = numberOfKey
    self.rootKeys = rootKeys
    self.numberOfRootKey = numberOfRootKey
    self.deepPointers = deepPointers
  }

  /// The number of places.
  public var count: Int { references.count }
}
