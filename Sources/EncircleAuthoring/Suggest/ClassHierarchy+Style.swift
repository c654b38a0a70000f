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

  /// The classes that are known without captures, with the short names of those of Android.
  static let builtInOnAndroid: ClassHierarchy = {
    var hierarchy = ClassHierarchy.builtIn
    hierarchy.insertShortNames()
    return hierarchy
  }()

  /// This is true if the hierarchy knows Android's classes by their short names, too. A name such as `Button` is then not a class of
  /// the app.
  var hasShortNames: Bool { isClass("android.view.View", kindOf: "View") }
}
