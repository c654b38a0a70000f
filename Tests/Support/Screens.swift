import EncircleCapture
import EncircleIdentity
import EncircleTree

/// Screens to test with.
public enum Screens {
  /// A shipped capture.
  public static func named(_ name: String) throws -> IdentifiedTree {
    IdentifiedTree(try CaptureReader().read(contentsOf: PackageFolder.viewTrees.appendingPathComponent(name).path))
  }

  /// A capture with these views, as view-tree XML.
  public static func of(_ views: String) throws -> IdentifiedTree {
    IdentifiedTree(try CaptureReader().read(Array(viewTree(views).utf8)))
  }

  /// The built-in classes and those whose superclasses a screen names.
  public static func hierarchy(of screen: IdentifiedTree) -> ClassHierarchy {
    var hierarchy = ClassHierarchy.builtIn
    hierarchy.insertClasses(of: screen)
    return hierarchy
  }

  /// A dictionary of screens.
  public static func dictionary(_ screens: IdentifiedTree...) -> ElementDictionary {
    var dictionary = ElementDictionary()
    for screen in screens { dictionary.insert(screen) }
    return dictionary
  }
}
