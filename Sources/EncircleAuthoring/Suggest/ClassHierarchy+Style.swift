import EncircleIdentity
import EncircleTree

extension ClassHierarchy {
  /// Creates the hierarchy of a capture's classes by the names that paths of a style have: those of Android have short ones.
  ///
  /// - Complexity: O(elements).
  init(of screen: IdentifiedTree, in style: PathStyleName) {
    self.init(of: screen)
    if style.isAndroid { insertShortNames() }
  }
}
