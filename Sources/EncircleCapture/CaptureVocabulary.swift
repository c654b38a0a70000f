import EncircleText

/// The names that error messages may quote.
///
/// A capture that is broken can have a text that somebody typed wherever a name is expected: in `text="a"><b/>` the typed
/// `"><b/` has become markup. So messages quote the names of the formats themselves, and no others.
enum CaptureVocabulary {
  /// Returns a name of an element or attribute if some format has it, else nil.
  static func known(_ name: UnsafeBufferPointer<UInt8>) -> String? {
    names.first { sameBytes(name, $0) }?.description
  }

  /// Returns how messages call an element: by its name if that is one of a format.
  static func element(_ name: UnsafeBufferPointer<UInt8>) -> String {
    known(name).map { "element '\($0)'" } ?? "another element"
  }

  /// Returns the name that messages give XML by its root element; some show that the file is not a capture.
  static func document(root name: UnsafeBufferPointer<UInt8>) -> String {
    let found = known(name) ?? otherRoots.first { sameBytes(name, $0) }?.description
    return found.map { "XML with root element '\($0)'" } ?? "XML with another root element"
  }

  private static let names: [StaticString] = [
    "viewTree", "view", "AppiumAUT", "ViewHierarchy", "hierarchy", "node", "displays", "display", "window",
    "class", "frame", "indexPath", "bounds", "x", "y", "width", "height", "text", "title", "label", "name", "value",
    "type", "index", "enabled", "visible", "password", "secure", "content-desc", "resource-id", "superclasses",
    "controller", "actions", "gestures", "identifier", "placeholder", "message",
  ]

  private static let otherRoots: [StaticString] = [
    "html", "plist", "svg", "xml", "document", "testsuite", "testsuites", "manifest", "project", "resources", "rss",
    "View",
  ]
}
