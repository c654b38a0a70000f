import EncircleText
import EncircleTree

/// Optional parts of identities.
///
/// One page class may show many things: a product page looks the same for every product. If identities contain the page's title, the
/// buttons of each product have separate identities.
///
/// ```swift
/// let screen = IdentifiedTree(tree, options: IdentityOptions(screenTitle: [.init()]))
/// ```
public struct IdentityOptions: Hashable, Sendable {
  /// Pages whose title identities contain.
  public struct Page: Hashable, Sendable {
    /// The class of their view controller, subclasses included; nil is any page.
    public var name: UTF8String?
    /// The app that this applies to; nil for any app, including captures and events that name none.
    public var app: UTF8String?

    /// Creates the pages of a class, or all pages.
    public init(_ name: UTF8String? = nil, app: UTF8String? = nil) {
      self.name = name
      self.app = app
    }
  }

  /// The pages whose title identities contain; empty for none, as in HubbleData's own identities.
  public var screenTitle: [Page]

  /// Creates options.
  public init(screenTitle: [Page] = []) { self.screenTitle = screenTitle }

  /// Returns whether identities contain the title of a page.
  ///
  /// - Parameters:
  ///   - app: The app as bytes; nil if it is unknown.
  ///   - isKind: Returns whether the page is of a class or a subclass.
  /// - Complexity: O(pages of the options).
  package func hasTitle(app: UnsafeBufferPointer<UInt8>?, isKind: (UTF8String) -> Bool) -> Bool {
    screenTitle.contains { page in
      let isOfApp = page.app.map { own in app.map { app in own.withUTF8 { sameBytes($0, app) } } ?? true } ?? true
      return isOfApp && page.name.map(isKind) ?? true
    }
  }
}

extension IdentityOptions {
  /// Returns the titles that the identities of a capture contain, by the root view of the page's controller.
  func titles(of tree: ViewTree, _ structure: ScreenStructure, _ hierarchy: ClassHierarchy) -> [Int32: StringID] {
    guard !screenTitle.isEmpty else { return [:] }
    var titles: [Int32: StringID] = [:]
    for (root, name) in structure.writtenControllers {
      let element = ElementID(rawValue: root)
      guard let title = tree.valueID(.controllerTitle, of: element) else { continue }
      let superclasses = tree.value(.controllerSuperclasses, of: element) ?? ""
      let classes =
        [structure.names[name]] + superclasses.utf8.split(whereSeparator: isWhiteSpace).map { String(Substring($0)) }
      var app = tree.header.app ?? ""
      let isTitled = app.withUTF8 { app in
        hasTitle(app: app.isEmpty ? nil : app) { base in classes.contains { hierarchy.isClass($0, kindOf: base.text) } }
      }
      if isTitled { titles[root] = title }
    }
    return titles
  }
}
