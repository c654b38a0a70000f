import EncircleTree

/// The style of identities: components from the window down, joined by `_`. Paths with `/` between components are
/// parsed, too.
///
/// Source: HubbleData's statements in docs/articles.md.
public struct HubbleDataStyle: PathStyle {
  public init() {}

  public var name: PathStyleName { .hubbleData }

  /// Returns nil, as the style can serve every capture. Only identities need controllers, paths do not.
  public func unmetRequirement(for screen: IdentifiedTree) -> PathStyleRequirement? { nil }

  public func path(of chain: [PathNode]) -> StyledPath? {
    StyledPath(.hubbleData, chain.map { StyledComponent($0.className, .init($0.locator)) })
  }

  public func write(pathOf chain: [PathNode], to bytes: inout [UInt8]) -> Bool {
    for i in chain.indices {
      if i > 0 { bytes.append(UInt8(ascii: "_")) }
      bytes.append(contentsOf: chain[i].className.utf8)
      chain[i].locator.write(to: &bytes)
    }
    return true
  }

  public func write(_ path: StyledPath, to bytes: inout [UInt8]) {
    for (i, component) in path.components.enumerated() {
      if i > 0 { bytes.append(UInt8(ascii: "_")) }
      bytes.append(contentsOf: component.className.utf8)
      component.place.locator.write(to: &bytes)
    }
  }

  /// Parses a path in the notation with `/` if the text contains one, else in the notation with `_`. For an ambiguous path,
  /// returns the first readings, at most ``ElementPath/maximumCandidates``.
  public func read(
    _ text: UnsafeBufferPointer<UInt8>, vocabulary: ClassVocabulary?
  ) throws(PathStyleError) -> [StyledPath] {
    try Self.graph(text, vocabulary).readings(limit: ElementPath.maximumCandidates).map(Self.styled)
  }

  /// Parses a path with all its readings.
  static func graph(
    _ text: UnsafeBufferPointer<UInt8>, _ vocabulary: ClassVocabulary?
  ) throws(PathStyleError) -> PathGraph {
    do throws(PathError) {
      return try ElementPath.graph(parsing: String(decoding: text, as: UTF8.self), vocabulary: vocabulary)
    } catch {
      switch error {
      case .empty: throw PathStyleError(.empty, offset: 0)
      // The graph has all readings, so it is never called ambiguous.
      case .tooLong, .ambiguous: throw PathStyleError(.tooLong, offset: ElementPath.maximumLength)
      case .emptyComponent(let offset): throw PathStyleError(.emptyComponent, offset: offset)
      case .badLocator(let found, let offset): throw PathStyleError(.badIndex(found), offset: offset)
      case .unclosedQuote(let offset): throw PathStyleError(.unclosedQuote, offset: offset)
      }
    }
  }

  private static func styled(_ path: ElementPath) -> StyledPath {
    StyledPath(.hubbleData, path.components.map { StyledComponent($0.className, .init($0.locator)) })
  }
}

extension StyledComponent.Place {
  /// Creates the place that corresponds to a locator of the `hubbledata` style.
  public init(_ locator: Locator) {
    self =
      switch locator {
      case .none: .none
      case .index(let index): .index(index)
      case .row(let section, let row): .cell(section: section, row: row, kind: .table)
      case .item(let section, let item): .cell(section: section, row: item, kind: .collection)
      case .position(let x, let y): .position(x: x, y: y)
      }
  }

  /// The locator that selectors test. A cell of unknown kind counts as one of a table.
  public var locator: Locator {
    switch self {
    case .none: .none
    case .position(let x, let y): .position(x: x, y: y)
    case .index(let index), .sectionHeader(let index), .sectionFooter(let index), .group(let index),
      .listHeader(let index), .listFooter(let index):
      .index(index)
    case .anyIndex: .index(Locator.unknown)
    case .cell(let section, let row, .collection): .item(section: section, item: row)
    case .cell(let section, let row, _): .row(section: section, row: row)
    case .anyCell(let section, .collection): .item(section: section, item: Locator.unknown)
    case .anyCell(let section, _): .row(section: section, row: Locator.unknown)
    case .groupChild(let group, let child): .row(section: group, row: child)
    }
  }
}
