import EncircleText
import EncircleTree

/// `xpath` and `xcontent` of GrowingIO 4 for iOS: the controllers from the outermost to the page, then the views.
///
/// `xpath` is a list of classes and `xcontent` a list of indexes, usually of equal length. Written as one text, they have ` & `
/// between them: `/UINavigationController/HomeViewController/UIView/UITableView/Section/ProductCell & /0/0/0/0/0/-`.
///
/// The views begin with the root view of the nearest controller or, without a controller, with the window. A developer's tag on any
/// view except that first one restarts the path.
///
/// Source: growingio-sdk-ios-autotracker 4.11.0, GrowingNodeHelper.m, GrowingViewNode.m and the categories
/// `GrowingNode`.
public struct GrowingIOStyle: PathStyle {
  public init() {}

  public var name: PathStyleName { .growingIO }

  public func unmetRequirement(for screen: IdentifiedTree) -> PathStyleRequirement? {
    screen.unmetControllerRequirement(on: .iOS)
  }

  // Classes without a component. An element of such a class has its superview's path.
  private static let omittedClasses = [
    "UITableViewWrapperView", "_UIAlertControllerPhoneTVMacView", "_UIAlertControllerView",
  ]

  /// Returns whether elements of a class have no component.
  static func omits(_ className: String) -> Bool { omittedClasses.contains { className.hasSameBytes(as: $0) } }

  public func path(of chain: [PathNode]) -> StyledPath? {
    let parts = Self.parts(of: chain)
    if parts.isEmpty { return nil }
    return StyledPath(.growingIO, parts.map(\.component))
  }

  public func write(pathOf chain: [PathNode], to bytes: inout [UInt8]) -> Bool {
    let parts = Self.parts(of: chain)
    if parts.isEmpty { return false }
    for part in parts { Self.writeName(part.className, part.place, isTag: part.isTag, to: &bytes) }
    append(StyleText.listSeparator, to: &bytes)
    for part in parts { Self.writeIndex(part.place, to: &bytes) }
    return true
  }

  /// Returns the parts of the path, outermost first; empty if there is no path.
  private static func parts(of chain: [PathNode]) -> [PathPart] {
    let views = views(of: chain)
    guard !views.isEmpty else { return [] }
    let tag = views.indices.dropFirst().last { views[$0].node.uniqueTag != nil }
    // Only the innermost of the numbered elements is written with `-`, which stands for any row or number.
    let similar = views.indices.last { isSimilar(views[$0].node) }
    var parts: [PathPart] = []
    parts.reserveCapacity(views.count + 4)
    if tag == nil {
      for page in pageControllers(of: chain) { parts.append(PathPart(page.className, .index(page.index))) }
    }
    for i in (tag ?? 0)..<views.count { parts.append(part(of: views[i], isAnyRow: i == similar, isTag: i == tag)) }
    return parts
  }

  private typealias View = (node: PathNode, isRoot: Bool, parent: PathNode.Role?)

  /// Returns the views in the path, with the roles of their superviews.
  private static func views(of chain: [PathNode]) -> [View] {
    let start = chain.lastIndex { $0.controller != nil } ?? 0
    return chain.indices[start...].filter { !omits(chain[$0].className) }.map {
      (chain[$0], $0 == start, $0 > 0 ? chain[$0 - 1].role : nil)
    }
  }

  /// Returns the class of the page's controller; nil if it is unknown.
  static func page(of chain: [PathNode]) -> String? { pageControllers(of: chain).last?.className }

  /// Returns the page's controller and those around it, outermost first.
  private static func pageControllers(of chain: [PathNode]) -> [PathNode.Controller] {
    var controllers: [PathNode.Controller] = []
    var isOnCurrentPage = true
    for node in chain.reversed() {
      guard let controller = node.controller else { continue }
      if isOnCurrentPage {
        if GrowingIOPages.isPrivate(controller.className) {
          if controller.kinds.contains(.alertController) { break }
          continue
        }
        isOnCurrentPage = false
      }
      controllers.append(controller)
    }
    if isOnCurrentPage { return chain.last { !$0.currentPage.isEmpty }?.currentPage ?? [] }
    return controllers.reversed()
  }

  private static func part(of view: View, isAnyRow: Bool, isTag: Bool) -> PathPart {
    let node = view.node
    var part = PathPart(node.className, place(of: view, isAnyRow: isAnyRow))
    switch (node.role, node.listRole) {
    case (.alertAction, _): part.className = "Button"
    case (_, .alertCell(let place)?):
      part.className = "Button"
      if isAnyRow, case .anyCell = part.place {
        part.isTag = true
      } else {
        part.place = .index(place)
      }
    default: break
    }
    if isTag, let tag = node.uniqueTag {
      part.className = tag
      part.isTag = true
    }
    return part
  }

  private static func place(of view: View, isAnyRow: Bool) -> StyledComponent.Place {
    let node = view.node
    if let (section, row, kind) = node.placedCell {
      return isAnyRow ? .anyCell(section: section, kind: kind) : .cell(section: section, row: row, kind: kind)
    }
    switch (node.role, node.listRole) {
    case (_, .segment(let place)?): return isAnyRow ? .anyIndex : .index(place ?? 0)
    case (.alertAction(let place), _): return .index(place)
    case (.sectionHeader(let section), _), (.sectionFooter(let section), _): return .index(section)
    case (.unplacedCell, _): return .index(0)
    default: break
    }
    // The SDK finds no siblings of a root view, nor of a view next to segments.
    if view.isRoot { return .index(0) }
    if case .segmentedControl? = view.parent { return .index(0) }
    return .index(node.index)
  }

  /// Returns whether an element is one of several that differ by a number: a cell, another reusable view, a segment.
  private static func isSimilar(_ node: PathNode) -> Bool {
    switch node.listRole {
    case .reusableView, .segment, .alertCell: true
    case .list, nil: node.role == .unplacedCell || node.cell != nil
    }
  }

  /// Returns `index`: the row of the innermost cell, or the number of another numbered element, counted from 1. The views inside it
  /// have the same index if a list encloses it within the page's root view.
  public func position(in chain: [PathNode]) -> String? {
    var number: Int?
    var isInList = false
    for (i, view) in Self.views(of: chain).enumerated() {
      let node = view.node
      if i > 0 {
        if Self.isSimilar(node) {
          number = Self.number(of: node)
        } else if !isInList {
          number = nil
        }
      }
      if node.listRole == .list { isInList = true }
    }
    return number.flatMap { $0 < .max ? String($0 + 1) : nil }
  }

  private static func number(of node: PathNode) -> Int? {
    if let (_, row, _) = node.placedCell { return row }
    switch node.listRole {
    case .segment(let place)?: return place
    case .reusableView?: return node.index
    default: return 0
    }
  }

  /// Puts `index` of an event in place of the `-` in its path.
  package static func fill(_ path: inout StyledPath, index: Int) {
    guard index > 0, let i = path.components.lastIndex(where: { $0.place.isUnknown }) else { return }
    switch path.components[i].place {
    case .anyCell(let section, let kind):
      path.components[i].place = .cell(section: section, row: index - 1, kind: kind)
    case .anyIndex: path.components[i].place = .index(index - 1)
    default: break
    }
  }

  // MARK: - Text

  /// Returns `xpath`: the classes, with a slash before each.
  public static func xpath(of path: StyledPath) -> String {
    var bytes: [UInt8] = []
    for component in path.components {
      writeName(component.className, component.place, isTag: component.attributes.isTag, to: &bytes)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns `xcontent`: the indexes, with a slash before each.
  public static func xcontent(of path: StyledPath) -> String {
    var bytes: [UInt8] = []
    for component in path.components { writeIndex(component.place, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func writeName(
    _ className: String, _ place: StyledComponent.Place, isTag: Bool, to bytes: inout [UInt8]
  ) {
    if isCell(place), !isTag { append("/Section", to: &bytes) }
    bytes.append(UInt8(ascii: "/"))
    bytes.append(contentsOf: className.utf8)
  }

  private static func writeIndex(_ place: StyledComponent.Place, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "/"))
    func number(_ number: Int) {
      if number < 0 { bytes.append(UInt8(ascii: "-")) } else { appendDecimal(number, to: &bytes) }
    }
    switch place.locator {
    case .none, .position: number(0)
    case .index(let index): number(index)
    case .row(let section, let row), .item(let section, let row):
      number(section)
      bytes.append(UInt8(ascii: "/"))
      number(row)
    }
  }

  private static func isCell(_ place: StyledComponent.Place) -> Bool {
    switch place {
    case .cell, .anyCell, .groupChild: true
    default: false
    }
  }

  public func write(_ path: StyledPath, to bytes: inout [UInt8]) {
    StyleText.write(xpath: Self.xpath(of: path), xcontent: Self.xcontent(of: path), to: &bytes)
  }

  /// Parses `xpath & xcontent`.
  public func read(
    _ text: UnsafeBufferPointer<UInt8>, vocabulary: ClassVocabulary?
  ) throws(PathStyleError) -> [StyledPath] {
    [try Self.read(StyleText.Lists(text))]
  }

  /// Parses the two lists.
  ///
  /// `Section` and the class after it stand for one cell, as the SDK writes them. A path with a developer's tag may have fewer or
  /// more names than indexes: a tag on a cell has two indexes, and a tag with slashes looks like several names. In these cases the
  /// tag is the rest at the beginning.
  static func read(_ lists: StyleText.Lists) throws(PathStyleError) -> StyledPath {
    StyledPath(.growingIO, try Reader(lists: lists).components())
  }

  /// Reads the two lists.
  private struct Reader {
    let lists: StyleText.Lists

    private var names: [Range<Int>] { lists.names }
    private var indexes: [Range<Int>] { lists.places }

    func components() throws(PathStyleError) -> [StyledComponent] {
      // Reads from the element upwards, because the number of names that belong to a tag is known only after the rest has been
      // read.
      var components: [StyledComponent] = []
      var (name, index) = (names.count, indexes.count)
      while name > 0 {
        guard index > 0 else { throw unequal }
        let last = try number(index - 1)
        if name > 1, index > 1, isClass("Section", name - 2), let section = try number(index - 2) {
          components.append(StyledComponent(try text(name - 1..<name), Self.cell(section, last)))
          (name, index) = (name - 2, index - 2)
        } else if last == nil, index > name, index > 2, isClass("Button", name - 1), let section = try number(index - 2)
        {
          // This is the cell of an alert's option.
          components.append(try tag(name - 1..<name, Self.cell(section, nil)))
          (name, index) = (name - 1, index - 2)
        } else if index == 1, name > 1 {
          // This is a tag with slashes.
          components.append(try tag(0..<name, last.map { .index($0) } ?? .anyIndex))
          (name, index) = (0, 0)
        } else if index == 2, name == 1 || (last == nil && !isClass("UISegment", name - 1)) {
          // This is a tag on a cell.
          guard let section = try number(0) else { throw PathStyleError(.badIndex("-"), offset: lists.offset + 1) }
          components.append(try tag(0..<name, Self.cell(section, last)))
          (name, index) = (0, 0)
        } else {
          components.append(StyledComponent(try text(name - 1..<name), last.map { .index($0) } ?? .anyIndex))
          (name, index) = (name - 1, index - 1)
        }
      }
      guard index == 0 else { throw unequal }
      components.reverse()
      return components
    }

    private var unequal: PathStyleError {
      PathStyleError(.unequal(classes: names.count, indexes: indexes.count), offset: lists.offset)
    }

    private static func cell(_ section: Int, _ row: Int?) -> StyledComponent.Place {
      row.map { .cell(section: section, row: $0, kind: nil) } ?? .anyCell(section: section, kind: nil)
    }

    private func isClass(_ name: StaticString, _ i: Int) -> Bool { sameBytes(bytes(i..<i + 1), name) }

    private func tag(_ range: Range<Int>, _ place: StyledComponent.Place) throws(PathStyleError) -> StyledComponent {
      var component = StyledComponent(try text(range), place)
      component.attributes.isTag = true
      return component
    }

    /// Returns the bytes of names, with the slashes between them.
    private func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
      lists.xpath.part(names[range.lowerBound].lowerBound..<names[range.upperBound - 1].upperBound)
    }

    private func text(_ range: Range<Int>) throws(PathStyleError) -> String {
      let bytes = bytes(range)
      if bytes.isEmpty {
        throw PathStyleError(.emptyComponent, offset: names[range.lowerBound].lowerBound)
      }
      return StyleText.string(bytes)
    }

    /// Returns the number of an index; nil for `-`.
    private func number(_ i: Int) throws(PathStyleError) -> Int? {
      let text = lists.xcontent.part(indexes[i])
      if sameBytes(text, "-") { return nil }
      guard let number = StyleText.number(text) else {
        throw PathStyleError(.badIndex(StyleText.string(text)), offset: lists.offset + indexes[i].lowerBound)
      }
      return number
    }
  }
}
