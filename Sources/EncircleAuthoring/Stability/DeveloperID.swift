import EncircleIdentity
import EncircleText
import EncircleTree

/// The ids that developers give elements: accessibility identifiers, and the names of Android's resource ids.
enum DeveloperID {
  // The name that `aapt2 optimize --collapse-resource-names` gives every resource.
  private static let collapsed = "0_resource_name_obfuscated"
  private static let collapsedSuffix = "#" + collapsed

  /// Returns whether an id names its element, with or without package and type. It does not if the build tool gave all ids
  /// one name, or if the id was made at run time.
  static func isName(_ id: String) -> Bool {
    !id.isEmpty && !id.endsWithBytes(of: collapsed) && !id.beginsWithBytes(of: "generated:")
  }

  /// Returns a class name of a path without the id behind its `#` if the id names nothing.
  static func withoutCollapsed(_ className: UTF8String) -> UTF8String {
    guard className.text.endsWithBytes(of: collapsedSuffix) else { return className }
    return UTF8String(String(decoding: className.text.utf8.dropLast(collapsedSuffix.utf8.count), as: UTF8.self))
  }
}

extension IdentifiedTree {
  /// Returns the id that the developer gave an element; nil if it has none that names it, or if people may have typed it.
  func developerID(of element: ElementID) -> String? {
    guard !holdsTypedText(element), let id = tree.value(.identifier, of: element) else { return nil }
    return DeveloperID.isName(id) ? id : nil
  }
}
