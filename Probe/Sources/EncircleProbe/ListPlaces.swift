#if canImport(UIKit)
  import UIKit

  /// The places of cells, headers and footers in their lists, as the lists report them.
  @MainActor struct ListPlaces {
    enum Role: String { case header, footer }

    private typealias Places = [ObjectIdentifier: (section: Int, role: Role)]
    // Headers and footers by list and view.
    private var places: [ObjectIdentifier: Places] = [:]

    /// Returns the section and the row or item of a cell; nil for other views, and for cells that their list does not show,
    /// such as those that it keeps for later.
    func indexPath(of node: WindowTree.Node) -> String? {
      var path: IndexPath?
      if let cell = node.view as? UITableViewCell {
        path = node.table?.indexPath(for: cell)
      } else if let cell = node.view as? UICollectionViewCell {
        path = node.collection?.indexPath(for: cell)
      }
      guard let path, path.count == 2, path[0] != NSNotFound, path[1] != NSNotFound else { return nil }
      return "\(path[0]) \(path[1])"
    }

    /// Returns the section of a header or footer view, and which of both it is; nil for other views.
    ///
    /// A table view reports it only for its `UITableViewHeaderFooterView`s, a collection view only for the two kinds of
    /// supplementary views that UIKit names.
    mutating func section(of node: WindowTree.Node) -> (section: Int, role: Role)? {
      let view = node.view
      if view is UITableViewHeaderFooterView, let table = node.table {
        if places[ObjectIdentifier(table)] == nil { places[ObjectIdentifier(table)] = Self.places(in: table) }
        return places[ObjectIdentifier(table)]?[ObjectIdentifier(view)]
      }
      if view is UICollectionReusableView, !(view is UICollectionViewCell), let collection = node.collection {
        if places[ObjectIdentifier(collection)] == nil {
          places[ObjectIdentifier(collection)] = Self.places(in: collection)
        }
        return places[ObjectIdentifier(collection)]?[ObjectIdentifier(view)]
      }
      return nil
    }

    private static func places(in table: UITableView) -> Places {
      var places: Places = [:]
      for section in 0..<max(0, table.numberOfSections) {
        if let view = table.headerView(forSection: section) { places[ObjectIdentifier(view)] = (section, .header) }
        if let view = table.footerView(forSection: section) { places[ObjectIdentifier(view)] = (section, .footer) }
      }
      return places
    }

    private static func places(in collection: UICollectionView) -> Places {
      var places: Places = [:]
      let kinds: [(String, Role)] = [
        (UICollectionView.elementKindSectionHeader, .header), (UICollectionView.elementKindSectionFooter, .footer),
      ]
      for (kind, role) in kinds {
        // The header of a whole layout has an index path of one number, and no section.
        for path in collection.indexPathsForVisibleSupplementaryElements(ofKind: kind) where path.count == 2 {
          guard let view = collection.supplementaryView(forElementKind: kind, at: path) else { continue }
          places[ObjectIdentifier(view)] = (path[0], role)
        }
      }
      return places
    }
  }
#endif
