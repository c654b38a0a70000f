import EncircleCapture
import EncircleIdentity
import EncircleTestSupport
import EncircleTree

/// Screens to test with.
enum Screens {
  /// A shipped capture.
  static func named(_ name: String) throws -> IdentifiedTree {
    IdentifiedTree(try CaptureReader().read(contentsOf: PackageFolder.viewTrees.appendingPathComponent(name).path))
  }

  /// A capture with these views, as view-tree XML.
  static func of(_ views: String) throws -> IdentifiedTree {
    IdentifiedTree(try CaptureReader().read(Array(viewTree(views).utf8)))
  }

  /// The built-in classes and those whose superclasses a screen names.
  static func hierarchy(of screen: IdentifiedTree) -> ClassHierarchy {
    var hierarchy = ClassHierarchy.builtIn
    hierarchy.insertClasses(of: screen)
    return hierarchy
  }

  /// A dictionary of screens.
  static func dictionary(_ screens: IdentifiedTree...) -> ElementDictionary {
    var dictionary = ElementDictionary()
    for screen in screens { dictionary.insert(screen) }
    return dictionary
  }
}
