import EncircleText
import EncircleTree

/// `viewPath` of NetEase Lede: `HomeViewController-UITableView-ProductCell & 0-0-0:7`.
///
/// A path begins with the nearest controller, whose index is 0. As in the team's own sample, the controller's root view
/// is no component. The view id is the MD5 of the path. Elements without a controller have no path, but for those of
/// alerts that have none, as `UIAlertView` and `UIActionSheet` before iOS 8: theirs begins with the alert.
///
/// A path does not say which alert it is. The SDK sends the alert's title and message beside it.
///
/// Source: LeDe's statements in docs/articles.md.
public struct LedeStyle: PathStyle {
  public init() {}

  public var name: PathStyleName { .lede }

  public func unmetRequirement(for screen: IdentifiedTree) -> PathStyleRequirement? {
    screen.unmetControllerRequirement(on: .iOS)
  }

  public func path(of chain: [PathNode]) -> StyledPath? {
    let owner = chain.lastIndex { $0.controller != nil }
    guard let start = owner ?? chain.firstIndex(where: { $0.role == .alert }) else { return nil }
    let root = chain[start].controller?.className ?? chain[start].className
    var components = [StyledComponent(SwiftClassName.withoutModule(root), .index(0))]
    for node in chain[(start + 1)...] {
      let place: StyledComponent.Place =
        if let (section, row, kind) = node.cell {
          .cell(section: section, row: row, kind: kind)
        } else {
          .index(node.index)
        }
      components.append(StyledComponent(SwiftClassName.withoutModule(node.className), place))
    }
    return StyledPath(.lede, components)
  }

  /// ```
  /// path  = class *( "-" class ) " & " index *( "-" index )       ; as many of one as of the other
  /// index = N / N ":" N
  /// ```
  public func write(_ path: StyledPath, to bytes: inout [UInt8]) {
    for (i, component) in path.components.enumerated() {
      if i > 0 { bytes.append(UInt8(ascii: "-")) }
      bytes.append(contentsOf: component.className.utf8)
    }
    append(" & ", to: &bytes)
    for (i, component) in path.components.enumerated() {
      if i > 0 { bytes.append(UInt8(ascii: "-")) }
      switch component.place.locator {
      case .none, .position: bytes.append(UInt8(ascii: "0"))
      case .index(let index): appendDecimal(max(0, index), to: &bytes)
      case .row(let section, let row), .item(let section, let row):
        appendDecimal(section, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        appendDecimal(max(0, row), to: &bytes)
      }
    }
  }

  public func read(
    _ text: UnsafeBufferPointer<UInt8>, vocabulary: ClassVocabulary?
  ) throws(PathStyleError) -> [StyledPath] {
    try StyleText.checkUTF8(text)
    guard let middle = StyleText.lastAmpersand(text) else { throw PathStyleError(.noIndexes, offset: text.count) }
    let names = StyleText.split(text.part(0..<middle), UInt8(ascii: "-"))
    let indexes = StyleText.split(text.part(middle + 3..<text.count), UInt8(ascii: "-"))
    guard names.count == indexes.count else {
      throw PathStyleError(.unequal(classes: names.count, indexes: indexes.count), offset: middle + 3)
    }
    var components: [StyledComponent] = []
    for (name, range) in zip(names, indexes) {
      guard !name.isEmpty else { throw PathStyleError(.emptyComponent, offset: name.lowerBound) }
      let offset = middle + 3 + range.lowerBound
      let index = text.part(offset..<offset + range.count)
      let place: StyledComponent.Place
      if let number = StyleText.number(index) {
        place = .index(number)
      } else if let colon = index.firstIndex(of: UInt8(ascii: ":")),
        let section = StyleText.number(index.part(0..<colon)),
        let row = StyleText.number(index.part(colon + 1..<index.count))
      {
        place = .cell(section: section, row: row, kind: nil)
      } else {
        throw PathStyleError(.badIndex(StyleText.string(index)), offset: offset)
      }
      components.append(StyledComponent(StyleText.string(text.part(name)), place))
    }
    return [StyledPath(.lede, components)]
  }
}
