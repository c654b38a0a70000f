import EncircleEvents
import EncircleIdentity
import EncircleText
import EncircleTree

/// A view of a session among its superviews, so that it can be identified like an element of a capture.
struct ViewIdentity {
  private let screen: IdentifiedTree
  private let element: ElementID
  private let captured: CapturedElement?
  /// This is true if the path begins at a window.
  let isWhole: Bool

  // The limits of captures.
  private static let maximumNameBytes = 32_768
  private static let maximumTextBytes = 65_536
  // No view of a real app follows that many siblings.
  private static let maximumSiblings = 1_000

  /// Finds a view in its capture. If it has none, builds a tree of its superviews and of the earlier siblings of the same class,
  /// which determine indexes.
  ///
  /// - Returns: Nil if the names and texts together are too long for an identity, or there are too many siblings.
  /// - Complexity: O(superviews, their earlier siblings).
  init?(of view: Int, _ world: SessionWorld) {
    captured = world.views[view].element
    if let captured {
      screen = captured.capture.screen
      element = captured.element
      isWhole = true
      return
    }
    var chain = [view]
    while let superview = world.views[chain[chain.count - 1]].superview { chain.append(superview) }
    isWhole = world.isView(chain[chain.count - 1], kindOf: "UIWindow")
    var builder = ViewTree.Builder(format: .viewTree)
    var siblings = 0
    var (superview, last) = (Int?.none, ElementID(0))
    for next in chain.reversed() {
      if let superview {
        let name = RuntimeSubclass.writtenClass(of: world.views[next].className)
        for sibling in world.views[superview].subviews.prefix(while: { $0 != next })
        where Self.isWritten(world.views[sibling].className, as: name) {
          siblings += 1
          if siblings > Self.maximumSiblings { return nil }
          _ = builder.beginElement(class: world.views[sibling].className)
          builder.endElement()
        }
      }
      last = builder.beginElement(class: world.views[next].className)
      guard Self.addAttributes(of: next, world, to: &builder) else { return nil }
      if builder.openNameBytes > Self.maximumNameBytes { return nil }
      superview = next
    }
    screen = IdentifiedTree(builder.finish(), hierarchy: world.classes)
    element = last
  }

  /// Returns whether a class has a name, either itself or, if it was made at run time, the class in the app's source.
  private static func isWritten(_ className: String, as name: String) -> Bool {
    if sameText(className, name) { return true }
    guard className.utf8.count > name.utf8.count else { return false }
    return sameText(RuntimeSubclass.writtenClass(of: className), name)
  }

  /// Adds the attributes that identities depend on; returns whether they are short enough.
  private static func addAttributes(
    of index: Int, _ world: SessionWorld, to builder: inout ViewTree.Builder
  ) -> Bool {
    let view = world.views[index]
    let frame = view.frame
    builder.setFrame(Frame(x: frame.x, y: frame.y, width: frame.width, height: frame.height))
    var texts: [(AttributeName, String)] = []
    if let number = view.controller, let controller = world.controllers[number] {
      texts.append((.controller, controller.className))
      if let title = controller.title { texts.append((.controllerTitle, title)) }
    }
    let names: [(AttributeName, String)] = [
      (.indexPath, "indexPath"), (.actions, "actions"), (.title, "title"), (.message, "message"),
    ]
    for (name, member) in names {
      if let text = view.attributes.text(member) { texts.append((name, text)) }
    }
    for (name, text) in texts {
      if text.utf8.count > maximumTextBytes { return false }
      builder.addAttribute(name, text)
    }
    return true
  }

  /// HubbleData's event ID, in hexadecimal digits.
  var eventID: String { String(describing: screen.eventID(of: element)) }

  /// Lede's path; nil outside of view controllers.
  var ledePath: StyledPath? {
    let chains = captured?.capture.chains ?? PathChains(of: screen)
    return PathStyleName.lede.style.path(of: chains.chain(to: element))
  }

  /// The title and the message of the alert around the view; nil outside of alerts.
  var alertTexts: (title: String?, message: String?)? { screen.alertTexts(of: element) }
}
