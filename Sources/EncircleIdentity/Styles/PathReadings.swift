import EncircleTree

/// The paths that the text of an event's path may stand for. Selectors are matched against each.
package struct PathReadings: Sendable {
  /// The paths; at least one. A selector matches the event if it matches one of them.
  package var paths: [ElementPath]
  /// Whether the text is ambiguous. Otherwise the paths are several forms of one path.
  package var isAmbiguous: Bool
  /// The page, or nil if the path does not name it.
  package var page: String?
}

extension PathStyle {
  /// Parses the path of an event.
  ///
  /// Paths of most styles do not say whether a cell is one of a table or of a collection. Mostly, the classes of the
  /// cell and of the elements around it do; otherwise there is a reading with rows and one with items. Components with
  /// an Android resource id are read both with the id as a part of the class name, `Button#pay`, and without.
  ///
  /// - Parameters:
  ///   - text: The path. In style `growingio`, it is `xpath`, or both lists with ` & ` between them.
  ///   - indexes: `xcontent` of style `growingio`, if the event has it separately.
  ///   - hierarchy: The class hierarchy, which says which classes are cells.
  /// - Throws: A ``PathStyleError`` if the text is no path of the style.
  /// - Complexity: O(length), and at most ``ElementPath/maximumCandidates`` paths.
  package func readings(
    of text: UnsafeBufferPointer<UInt8>, indexes: UnsafeBufferPointer<UInt8>? = nil,
    vocabulary: ClassVocabulary? = nil, hierarchy: ClassHierarchy = .builtIn
  ) throws(PathStyleError) -> PathReadings {
    guard !text.isEmpty else { throw PathStyleError(.empty, offset: 0) }
    guard text.count + (indexes?.count ?? 0) <= ElementPath.maximumLength else {
      throw PathStyleError(.tooLong, offset: ElementPath.maximumLength)
    }
    let styled: [StyledPath]
    if name == .growingIO, let indexes {
      styled = [try GrowingIOStyle.read(xpath: text, xcontent: indexes)]
    } else {
      styled = try read(text, vocabulary: vocabulary)
    }
    var paths: [ElementPath] = []
    for path in styled { paths.append(contentsOf: path.elementPaths(hierarchy)) }
    if paths.count > ElementPath.maximumCandidates { paths.removeSubrange(ElementPath.maximumCandidates...) }
    return PathReadings(paths: paths, isAmbiguous: styled.count > 1, page: styled[0].page)
  }
}

extension StyledPath {
  /// Returns the forms of the path against which selectors are matched.
  func elementPaths(_ hierarchy: ClassHierarchy) -> [ElementPath] {
    var path = ElementPath([])
    path.components.reserveCapacity(components.count)
    // The components that are cells of an unknown kind of list.
    var open: [Int] = []
    var list: CellKind?
    for (i, component) in components.enumerated() {
      var place = component.place
      switch place {
      case .cell(let section, let row, nil):
        let kind = Self.kind(ofCell: component.className, hierarchy) ?? list
        if kind == nil { open.append(i) }
        place = .cell(section: section, row: row, kind: kind)
      case .anyCell(let section, nil):
        let kind = Self.kind(ofCell: component.className, hierarchy) ?? list
        if kind == nil { open.append(i) }
        place = .anyCell(section: section, kind: kind)
      default:
        if let kind = Self.kind(ofList: component.className, hierarchy) { list = kind }
      }
      path.components.append(PathComponent(component.className, place.locator))
    }
    var paths = [path]
    // One form has rows in all of them and one has items in all. Mixtures would need nested lists of different unknown
    // kinds.
    if !open.isEmpty {
      for i in open {
        if case .row(let section, let row) = path.components[i].locator {
          path.components[i].locator = .item(section: section, item: row)
        }
      }
      paths.append(path)
    }
    if components.contains(where: { $0.attributes.resourceID != nil }) {
      var named = paths[0]
      for (i, component) in components.enumerated() {
        if let id = component.attributes.resourceID { named.components[i].className += "#" + id }
      }
      paths.insert(named, at: 0)
    }
    return paths
  }

  private typealias CellKind = StyledComponent.CellKind

  private static func kind(ofCell name: String, _ hierarchy: ClassHierarchy) -> CellKind? {
    if hierarchy.isClass(name, kindOf: "UITableViewCell") { return .table }
    if hierarchy.isClass(name, kindOf: "UICollectionViewCell") { return .collection }
    return nil
  }

  private static func kind(ofList name: String, _ hierarchy: ClassHierarchy) -> CellKind? {
    if hierarchy.isClass(name, kindOf: "UITableView") { return .table }
    if hierarchy.isClass(name, kindOf: "UICollectionView") { return .collection }
    return nil
  }
}
