import EncircleText

extension JSONTape {
  /// Returns the node at a place in an event; nil if there is none.
  ///
  /// - Complexity: O(members) of the objects on the way.
  package func find(_ place: PropertyReference, in text: UnsafeBufferPointer<UInt8>) -> Int? {
    switch place {
    case .pointer(let pointer): return find(pointer, in: text)
    case .property(let name):
      for container: StaticString in ["properties", "attributes"] {
        guard let object = member(container, of: 0, in: text) else { continue }
        if let node = name.withUTF8({ member($0, of: object, in: text) }) { return node }
      }
      return nil
    case .textsWithin: return nil
    }
  }
}
