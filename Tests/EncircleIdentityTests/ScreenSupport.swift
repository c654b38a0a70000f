import EncircleCapture
import EncircleIdentity
import EncircleTestSupport
import EncircleTree

/// The identified tree of view-tree XML with these views in it.
func screen(_ views: String) throws -> IdentifiedTree {
  IdentifiedTree(try CaptureReader().read(Array(viewTree(views).utf8)))
}

/// The identified tree of a shipped capture.
func shipped(_ name: String) throws -> IdentifiedTree {
  IdentifiedTree(try CaptureReader().read(contentsOf: PackageFolder.viewTrees.appendingPathComponent(name).path))
}

extension IdentifiedTree {
  /// The element whose identifier is `it`.
  var it: ElementID? { tree.elements.first { tree.value(.identifier, of: $0) == "it" } }
}
