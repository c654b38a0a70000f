import EncircleText
import EncircleTree

/// `viewPath` of NetEase Lede: `HomeViewController-UITableView-ProductCell & 0-0-0:7`.
///
/// A path begins with the nearest controller, whose index is 0. As in the example of statement L17 in docs/articles.md,
/// the controller's root view has no component. The view id is the MD5 of the path. Elements without a controller have
/// no path, except in alerts without a controller, such as `UIAlertView` and `UIActionSheet` before iOS 8: there the
/// path begins with the alert.
///
/// A path does not identify the alert. The SDK sends the alert's title and message separately.
///
/// Source: Lede's statements in docs/articles.md.
public struct LedeStyle: PathStyle {
  public init() {}

  public var name: PathStyleName { .lede }

  public func unmetRequirement(for screen: IdentifiedTree) -> PathStyleRequirement? {
    screen.unmetControllerRequirement(on: .iOS)
  }

  public func path(of chain: [PathNode]) -> StyledPath? {
    guard let start = Self.start(of: chain) else { return nil }
    return StyledPath(
      .lede,
      chain[start...].enumerated().map { i, node in
        StyledComponent(Self.className(of: node, isRoot: i == 0), Self.place(of: node, isRoot: i == 0))
      })
  }

  /// Returns the index of the path's first node.
  private static func start(of chain: [PathNode]) -> Int? {
    chain.lastIndex { $0.controller != nil } ?? chain.firstIndex { $0.role == .alert }
  }

  private static func className(of node: PathNode, isRoot: Bool) -> String {
    SwiftClassName.withoutModule(isRoot ? node.controller?.className ?? node.className : node.className)
  }

  private static func place(of node: PathNode, isRoot: Bool) -> StyledComponent.Place {
    if isRoot { return .index(0) }
    if let (section, row, kind) = node.cell { return .cell(section: section, row: row, kind: kind) }
    return .index(node.index)
  }

  /// ```
  /// path  = class *( "-" class ) " & " index *( "-" index )       ; as many indexes as classes
  /// index = N / N ":" N
  /// ```
  public func write(_ path: StyledPath, to bytes: inout [UInt8]) {
    for (i, component) in path.components.enumerated() {
      if i > 0 { bytes.append(UInt8(ascii: "-")) }
      bytes.append(contentsOf: component.className.utf8)
    }
    append(StyleText.listSeparator, to: &bytes)
    for (i, component) in path.components.enumerated() {
      if i > 0 { bytes.append(UInt8(ascii: "-")) }
      Self.write(component.place, to: &bytes)
    }
  }

  public func write(pathOf chain: [PathNode], to bytes: inout [UInt8]) -> Bool {
    guard let start = Self.start(of: chain) else { return false }
    for i in start..<chain.count {
      if i > start { bytes.append(UInt8(ascii: "-")) }
      bytes.append(contentsOf: Self.className(of: chain[i], isRoot: i == start).utf8)
    }
    append(StyleText.listSeparator, to: &bytes)
    for i in start..<chain.count {
      if i > start { bytes.append(UInt8(ascii: "-")) }
      Self.write(Self.place(of: chain[i], isRoot: i == start), to: &bytes)
    }
    return true
  }

  private static func write(_ place: StyledComponent.Place, to bytes: inout [UInt8]) {
    switch place.locator {
    case .none, .position: bytes.append(UInt8(ascii: "0"))
    case .index(let index): appendDecimal(max(0, index), to: &bytes)
    case .row(let section, let row), .item(let section, let row):
      appendDecimal(section, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      appendDecimal(max(0, row), to: &bytes)
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
