import EncircleIdentity
import EncircleText
import EncircleTree

/// A capture with what people recognise its elements by, for finding an element again in another capture of the same screen.
///
/// This is the tests' own judgement. It looks at what a selector cannot see: accessibility identifiers, actions and texts.
struct ScreenTwin {
  let screen: IdentifiedTree
  let trackable: [ElementID]
  private let contents: ElementContents

  init(_ screen: IdentifiedTree) {
    self.screen = screen
    contents = ElementContents(of: screen)
    trackable = screen.tree.elements.filter { screen.trackingType(of: $0) != nil }
  }

  /// Returns the tracked elements that are the same as one of another capture, or of the same kind in any row of its list; nil if
  /// nobody could say which they are.
  func counterparts(of element: ElementID, in other: ScreenTwin, isKind: Bool) -> [ElementID]? {
    let here = features(of: element)
    let near = other.trackable.map { ($0, other.features(of: $0)) }.filter { _, there in
      here.page == there.page && here.type == there.type && here.alert == there.alert
        && (here.cell == nil) == (there.cell == nil)
    }
    if isKind {
      let same = near.filter { $0.1.openPath == here.openPath }
      return (same.isEmpty ? near.filter { $0.1.kind == here.kind } : same).map(\.0)
    }
    if here.role != nil || near.contains(where: { $0.1.role != nil }) {
      let same = near.filter { $0.1.role == here.role }
      if here.role != nil { return same.map(\.0) }
    }
    let open = near.filter { $0.1.role == nil && $0.1.cell == here.cell }
    func only(_ feature: (Features) -> UTF8String?) -> [ElementID]? {
      guard let value = feature(here), trackable.filter({ feature(features(of: $0)) == value }).count == 1 else {
        return nil
      }
      let same = open.filter { feature($0.1) == value }
      return same.count == 1 ? same.map(\.0) : nil
    }
    if let found = only(\.identifier) ?? only(\.actions) ?? only(\.content) { return found }
    // Elements that differ in a known property are different.
    let possible = open.filter { _, there in
      !Self.differ(here.identifier, there.identifier) && !Self.differ(here.actions, there.actions)
        && !Self.differ(here.content, there.content)
    }
    if possible.isEmpty { return [] }
    let same = possible.filter { $0.1.path == here.path }
    return same.count == 1 ? same.map(\.0) : nil
  }

  private static func differ(_ a: UTF8String?, _ b: UTF8String?) -> Bool { a != nil && b != nil && a != b }

  /// The facts that identify an element.
  private struct Features {
    var page: UTF8String?
    var type: TrackingType?
    var path: ElementPath
    /// The path without the row of the innermost list.
    var openPath: ElementPath?
    /// The same from the cell on.
    var kind: ElementPath?
    var alert: UTF8String?
    /// The place of the cell around the element.
    var cell: Locator?
    var identifier: UTF8String?
    /// The names of actions that developers gave, without the system's, which begin with `_`.
    var actions: UTF8String?
    var content: UTF8String?
    /// The back button and the title of a page, whose texts are the titles of pages.
    var role: String?
  }

  private func features(of element: ElementID) -> Features {
    let path = screen.path(of: element)
    var features = Features(path: path)
    features.page = screen.page(of: element).map { UTF8String($0) }
    features.type = screen.trackingType(of: element)
    features.alert = screen.alertTexts(of: element).map { UTF8String(($0.title ?? "") + "\n" + ($0.message ?? "")) }
    func value(_ name: AttributeName) -> UTF8String? {
      screen.tree.value(name, of: element).flatMap { $0.isEmpty ? nil : UTF8String($0) }
    }
    if features.alert == nil {
      features.cell = screen.cellLocator(of: element)
      let known = screen.pathWithUnknownRows(of: element)
      let open = known.withoutRows(.innermost) ?? known
      let cell = open.components.indices.last {
        switch open.components[$0].locator {
        case .row, .item: true
        default: false
        }
      }
      features.openPath = open
      features.kind = ElementPath(Array(open.components[(cell ?? 0)...]))
    }
    features.identifier = value(.identifier)
    features.actions = value(.actions).flatMap { $0.text.utf8.first == UInt8(ascii: "_") ? nil : $0 }
    let name = screen.className(of: element)
    if name == "_UINavigationBarTitleControl" { features.role = "title" }
    if name == "UINavigationItemButtonView"
      || screen.tree.children(of: element).contains(where: { screen.className(of: $0) == "_UIBackButtonContainerView" })
    {
      features.role = "back"
    }
    if features.type != .switchControl {
      features.content = contents.content(of: element).flatMap { $0.isEmpty ? nil : UTF8String($0) }
    }
    return features
  }
}

extension IdentifiedTree {
  /// Returns the path of an element with unknown rows in place of indexes of re-used views.
  func pathWithUnknownRows(of element: ElementID) -> ElementPath {
    var components: [PathComponent] = []
    var current: ElementID? = element
    while let element = current {
      components.append(PathComponent(className(of: element), unknownPlace(of: element) ?? locator(of: element)))
      current = tree.parent(of: element)
    }
    return ElementPath(components.reversed())
  }
}
