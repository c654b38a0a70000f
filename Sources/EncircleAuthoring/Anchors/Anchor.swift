import EncircleIdentity
import EncircleText
import EncircleTree

/// A compact snapshot of the screen on which rules were circled, so that a later version of the app can be compared with it
/// without the old capture.
public struct Anchor: Sendable {
  /// The name of the capture.
  public let capture: String
  /// The page of most elements that have one; only for display.
  public let page: String?
  /// The rules that select an element of the screen, sorted.
  public var rules: [UTF8String]
  /// The screen without private content and without attributes that comparisons do not need.
  public let tree: ViewTree

  /// Returns whether an anchor can hold a screen: it stores views with their attributes, but not the data of web pages.
  public static func canHold(_ screen: IdentifiedTree) -> Bool { screen.tree.web == nil }

  init(capture: String, page: String?, rules: [UTF8String], tree: ViewTree) {
    self.capture = capture
    self.page = page
    self.rules = rules
    self.tree = tree
  }

  /// Makes a snapshot.
  ///
  /// - Precondition: ``canHold(_:)``.
  /// - Complexity: O(elements).
  public init(of screen: NamedScreen, rules: [UTF8String]) {
    capture = FilePath.name(of: screen.name)
    self.rules = rules.sorted()
    var pages: [UTF8String: Int] = [:]
    for element in screen.screen.tree.elements {
      if let page = screen.screen.page(of: element) { pages[UTF8String(page), default: 0] += 1 }
    }
    page = pages.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key.text
    tree = AnchorContents.tree(screen.screen)
  }

  /// Returns the screen in the form that ``ScreenDrift`` compares.
  public func screen(_ identity: IdentityOptions = IdentityOptions()) -> NamedScreen {
    NamedScreen(name: capture, screen: IdentifiedTree(tree, options: identity))
  }
}

extension NamedScreen {
  /// Returns the screen with only what an anchor of it would keep; a web page, which has no anchor, stays as it is.
  ///
  /// - Complexity: O(elements).
  package func asAnchored(_ identity: IdentityOptions) -> NamedScreen {
    guard Anchor.canHold(screen) else { return self }
    return NamedScreen(name: name, screen: IdentifiedTree(AnchorContents.tree(screen), options: identity))
  }
}

/// Chooses the attributes of a screen that an anchor keeps.
private enum AnchorContents {
  /// The attributes kept of a text field and of the elements inside it: none of them holds the typed text.
  private static let ofTyped: Set<AttributeName> = [
    .superclasses, .controller, .controllerSuperclasses, .indexPath, .actions, .gestures, .placeholder, .identifier,
    .secure, .hidden, .alpha, .enabled, .clickable, .longClickable,
  ]
  /// The attributes kept of all other elements: also those with the texts that they show.
  private static let ofOthers: Set<AttributeName> = ofTyped.union([
    .controllerTitle, .title, .message, .text, .label, .tag, .on,
  ])
  /// Further attributes, on which the paths and identities of some styles depend. They are listed by name, because an unknown
  /// attribute may hold private text.
  private static let named: Set<String> = [
    "testID", "nativeID", "reactTag", "role", "section", "window", "selectedIndex", "selectedItem",
    "userInteractionEnabled",
    "controllerIdentifier", "controllerResumed", "controllerHidden", "controllerSiblingsBefore", "actionIndex",
    "actionEvents", "growingUniqueTag", "growingIgnore", "growingViewIgnorePolicy", "sensorsIgnored", "sensorsViewID",
    "postHogLabel", "tabCustomView", "menuItem", "pickerRows", "contentOffset",
  ]

  static func tree(_ screen: IdentifiedTree) -> ViewTree {
    let tree = screen.tree
    var builder = ViewTree.Builder(format: tree.format)
    builder.header = tree.header
    // An anchor does not refer to the screenshot.
    builder.header.screenshot = nil
    for element in tree.elements {
      while let open = builder.openElement, tree.subtreeEnd(of: open) <= element { builder.endElement() }
      builder.beginElement(class: tree.className(of: element))
      if let frame = tree.frame(of: element) { builder.setFrame(frame) }
      let kept = screen.holdsTypedText(element) || tree.isSecure(element) ? ofTyped : ofOthers
      var isWritten: Set<AttributeName> = []
      tree.forEachAttribute(of: element) { name, value in
        let spelling = tree.string(of: name)
        guard kept.contains(name) || named.contains(spelling), isWritten.insert(name).inserted else { return }
        builder.addAttribute(builder.attributeName(spelling), tree.value(name, of: element) ?? tree.strings[value])
      }
      // A capture may have the texts of an alert inside it.
      for name in [AttributeName.title, .message] where kept.contains(name) && !isWritten.contains(name) {
        if let text = tree.value(name, of: element) { builder.addAttribute(name, text) }
      }
    }
    return builder.finish()
  }
}
