import EncircleTree

/// What the path of an event may mean: the paths that selectors are tried on.
package struct PathReadings: Sendable {
  /// The paths; at least one. A selector matches the event if it matches one of them.
  package var paths: [ElementPath]
  /// Whether the text leaves open which path is meant, rather than the paths being forms of one.
  package var isAmbiguous: Bool
  /// The page, if the path names it.
  package var page: String?
}

extension PathStyle {
  /// Reads the path of an event.
  ///
  /// Text does not say of which kind of list a cell is. The classes of the cell and of what is around it do, mostly; else there
  /// is a reading with rows and one with items. Components with an Android resource id are read with the id as a part of
  /// the class name, `Button#pay`, and without.
  ///
  /// - Parameters:
  ///   - text: The path; of `growingio` the `xpath`, or both lists with ` & ` between them.
  ///   - indexes: Of `growingio` the `xcontent`, if the event has it apart.
  ///   - hierarchy: Says which classes are cells.
  /// - Throws: Why the text is no path of the style.
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
  /// The forms in which selectors see the path.
  func elementPaths(_ hierarchy: ClassHierarchy) -> [ElementPath] {
    var path = ElementPath([])
    path.components.reserveCapacity(components.count)
    // Cells of which nothing says to which kind of list they belong.
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
    // With all of them rows, and with all of them items: mixtures nest lists of unknown kinds in each other.
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
