import EncircleIdentity
import EncircleTree

extension IdentifiedTree {
  /// The element whose identifier is `it`.
  var it: ElementID? { tree.elements.first { tree.value(.identifier, of: $0) == "it" } }
}
