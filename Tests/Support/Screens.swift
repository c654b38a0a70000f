import EncircleCapture
import EncircleIdentity
import EncircleTree

/// Makes screens for tests.
public enum Screens {
  /// Reads a capture in this package.
  public static func named(_ name: String) throws -> IdentifiedTree {
    IdentifiedTree(try CaptureReader().read(contentsOf: PackageFolder.viewTrees.appendingPathComponent(name).path))
  }

  /// Makes a screen with some views, which are given as view-tree XML.
  public static func of(_ views: String, appVersion: String? = nil) throws -> IdentifiedTree {
    IdentifiedTree(try CaptureReader().read(Array(viewTree(views, appVersion: appVersion).utf8)))
  }

  /// Returns the built-in class hierarchy with the superclasses that a screen names.
  public static func hierarchy(of screen: IdentifiedTree) -> ClassHierarchy {
    var hierarchy = ClassHierarchy.builtIn
    hierarchy.insertClasses(of: screen)
    return hierarchy
  }

  /// Makes a dictionary of screens.
  public static func dictionary(_ screens: IdentifiedTree...) -> ElementDictionary {
    var dictionary = ElementDictionary()
    for screen in screens { dictionary.insert(screen) }
    return dictionary
  }
}
