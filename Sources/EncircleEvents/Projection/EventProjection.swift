import CJSONEvent
import EncircleText

/// The places whose values are taken out of events, numbered from 0. Immutable; made once for a matcher.
public final class EventProjection: Sendable {
  /// The places by their numbers; each occurs once.
  public let references: [PropertyReference]

  // The places that say which element an event is of.
  let keyPlaces: KeyPlaces
  // Keys of `properties`, and members of the root, by key; and the pointers that go deeper.
  let keys: StringTable
  let numberOfKey: [Int]
  let rootKeys: StringTable
  let numberOfRootKey: [Int]
  let deepPointers: [(pointer: JSONPointer, number: Int)]
  // The same for the reader in C; nil if it cannot find some of the places.
  let nameTables: (root: NameTable, properties: NameTable)?

  /// Creates a projection.
  ///
  /// - Parameter references: The places, without duplicates.
  /// - Complexity: O(size of the references).
  public convenience init(_ references: [PropertyReference]) { self.init(references, keyPlaces: []) }

  /// A place that identifies an event's element only if the event has no value at another place.
  package struct KeyFallback: BitwiseCopyable, Sendable {
    package var place: Int
    package var first: Int

    package init(place: Int, first: Int) {
      self.place = place
      self.first = first
    }
  }

  /// Creates a projection.
  ///
  /// - Parameters:
  ///   - keyPlaces: The numbers of the places whose values make ``ProjectedEvent/keyDigest``.
  ///   - keyFallbacks: Further places whose values become part of the digest if an event has no value at the first place of a
  ///     field.
  package init(_ references: [PropertyReference], keyPlaces: [Int], keyFallbacks: [KeyFallback] = []) {
    self.keyPlaces = KeyPlaces(keyPlaces, keyFallbacks)
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
      case .textsWithin: break
      }
    }
    self.references = references
    self.keys = keys
    self.numberOfKey = numberOfKey
    self.rootKeys = rootKeys
    self.numberOfRootKey = numberOfRootKey
    self.deepPointers = deepPointers
    nameTables = deepPointers.isEmpty ? Self.makeNameTables(references) : nil
  }

  deinit { keyPlaces.deallocate() }

  private static func makeNameTables(_ references: [PropertyReference]) -> (root: NameTable, properties: NameTable)? {
    var root: [(name: [UInt8], number: UInt32)] = []
    var properties: [(name: [UInt8], number: UInt32)] = []
    // If no place asks for a container itself, it gets the number after the last place, which is for unneeded values.
    let other = UInt32(references.count)
    var containers = [
      (name: Array("properties".utf8), number: other | encircle_json_properties),
      (name: Array("attributes".utf8), number: other | encircle_json_attributes),
    ]
    for (number, reference) in references.enumerated() {
      switch reference {
      case .property(let name): properties.append((Array(name.text.utf8), UInt32(number)))
      case .pointer(let pointer):
        // The pointer to the whole event has no name.
        guard let name = pointer.steps.first?.name else { return nil }
        if let container = containers.firstIndex(where: { $0.name == name }) {
          containers[container].number = containers[container].number & ~(encircle_json_flags - 1) | UInt32(number)
        } else {
          root.append((name, UInt32(number)))
        }
      case .textsWithin: break
      }
    }
    guard let root = NameTable(root + containers), let properties = NameTable(properties) else { return nil }
    return (root, properties)
  }

  /// The number of places.
  public var count: Int { references.count }
}
