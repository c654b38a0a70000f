import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

extension RelativeSelector {
  /// Finds the selector that leads from an element to another one of the same screen: up to the innermost element that contains
  /// both, and down again. Rows that contain both are not named, so it holds in every row.
  ///
  /// Nil where the style has no path for one of them, or where the way up is too long.
  ///
  /// - Complexity: O(elements).
  package init?(from element: ElementID, to other: ElementID, in screen: IdentifiedTree, _ style: PathStyleName) {
    guard style.style.unmetRequirement(for: screen) == nil else { return nil }
    var known = ElementDictionary(style: style, knowsTexts: false)
    if style != .hubbleData { known.insert(screen) }
    func components(_ element: ElementID) -> [PathComponent]? {
      if style == .hubbleData { return screen.path(of: element).components }
      return known[screen.eventID(of: element)]?.path.components
    }
    guard let from = components(element), let to = components(other) else { return nil }
    // Elements around the element are named from above.
    let common = min(zip(from, to).prefix { $0 == $1 }.count, to.count - 1)
    let levels = from.count - common
    guard levels <= Self.maximumLevels else { return nil }
    var steps = to[common...].map(Self.step)
    if common == to.count - 1, common < from.count, from[common] == to[common], let last = to.last {
      // This is the cell of the element, so its row is left open.
      steps = [Self.step(of: last, isOwn: true)]
    }
    self.init(base: .ancestor(levels), ElementSelector(isAnchored: true, steps: steps))
  }

  private static func step(of component: PathComponent) -> ElementSelector.Step { step(of: component, isOwn: false) }

  private static func step(of component: PathComponent, isOwn: Bool) -> ElementSelector.Step {
    let locator: ElementSelector.LocatorPattern? =
      switch component.locator {
      case .none: .some(.none)
      // This is the place of a page in a scroll view; the children below it distinguish the page.
      case .position: nil
      case .index(let index): .index(.exactly(index))
      case .row(let section, let row):
        .fields([.init(.section, .exactly(section)), .init(.row, isOwn ? .any : .exactly(row))])
      case .item(let section, let item):
        .fields([.init(.section, .exactly(section)), .init(.item, isOwn ? .any : .exactly(item))])
      }
    return .component(.name(component.name), locator)
  }
}

extension PathComponent {
  fileprivate var name: UTF8String { UTF8String(className) }
}
