import Foundation

open class UITableViewCell: UIView {}

open class UITableViewHeaderFooterView: UIView {}

open class UITableView: UIScrollView {
  public var standInIndexPaths: [ObjectIdentifier: IndexPath] = [:]
  public var standInHeaders: [Int: UITableViewHeaderFooterView] = [:]
  public var standInFooters: [Int: UITableViewHeaderFooterView] = [:]
  open var numberOfSections = 0

  open func indexPath(for cell: UITableViewCell) -> IndexPath? { standInIndexPaths[ObjectIdentifier(cell)] }
  open func headerView(forSection section: Int) -> UITableViewHeaderFooterView? { standInHeaders[section] }
  open func footerView(forSection section: Int) -> UITableViewHeaderFooterView? { standInFooters[section] }
}

open class UICollectionReusableView: UIView {}

open class UICollectionViewCell: UICollectionReusableView {}

open class UICollectionView: UIScrollView {
  open class var elementKindSectionHeader: String { "UICollectionElementKindSectionHeader" }
  open class var elementKindSectionFooter: String { "UICollectionElementKindSectionFooter" }
  public var standInIndexPaths: [ObjectIdentifier: IndexPath] = [:]
  public var standInSupplementary: [String: [IndexPath: UICollectionReusableView]] = [:]

  open func indexPath(for cell: UICollectionViewCell) -> IndexPath? { standInIndexPaths[ObjectIdentifier(cell)] }
  open func indexPathsForVisibleSupplementaryElements(ofKind elementKind: String) -> [IndexPath] {
    standInSupplementary[elementKind].map { Array($0.keys) } ?? []
  }
  open func supplementaryView(forElementKind elementKind: String, at indexPath: IndexPath) -> UICollectionReusableView?
  {
    standInSupplementary[elementKind]?[indexPath]
  }
}
