import EncircleIdentity
import EncircleTestSupport
import EncircleTree
import Testing

@Suite struct SameKindTests {
  /// The identifiers of the elements of the same kind as `it`.
  private func kind(
    _ views: String, levels: SameKindLevels = .innermost, comparesFrames: Bool = true
  ) throws -> String {
    let screen = try Screens.of(views)
    let it = try #require(screen.it)
    return screen.elements(ofSameKindAs: it, levels: levels, comparesFrames: comparesFrames)
      .map { screen.tree.value(.identifier, of: $0) ?? "-" }.joined(separator: " ")
  }

  private static func cell(_ section: Int, _ row: Int, _ inner: String) -> String {
    "<view class='Cell' superclasses='UITableViewCell' indexPath='\(section) \(row)' frame='0 \(row * 40) 300 40'>\(inner)</view>"
  }

  private static let table = """
    <view class='UITableView'>
    \(cell(0, 0, "<view class='UIButton' identifier='it' frame='200 0 80 40'/><view class='UIButton' identifier='second'/>"))
    \(cell(0, 1, "<view class='UIButton' identifier='row' frame='200 10 80 40'/>"))
    \(cell(1, 0, "<view class='UIButton' identifier='section' frame='200 0 80 40'/>"))
    \(cell(1, 1, "<view class='UIButton' identifier='wide' frame='200 0 90 40'/>"))
    \(cell(1, 2, "<view class='UIButton' identifier='right' frame='210 0 80 40'/>"))
    \(cell(1, 3, "<view class='UIButton' identifier='unknown'/>"))
    \(cell(1, 4, "<view class='UIView'><view class='UIButton' identifier='deeper' frame='200 0 80 40'/></view>"))
    </view>
    """

  @Test("section and row may differ; width, height and x in the cell may not, where they are known", .articles("H53"))
  func frames() throws {
    #expect(try kind(Self.table) == "it row section unknown")
    #expect(try kind(Self.table, comparesFrames: false) == "it row section wide right unknown")
  }

  private static func nested(_ section: Int, _ row: Int, _ items: String) -> String {
    let items = items.split(separator: " ").enumerated().map { item, name in
      "<view class='Item' superclasses='UICollectionViewCell' indexPath='0 \(item)'><view class='UILabel' identifier='\(name)'/></view>"
    }
    return cell(section, row, "<view class='UICollectionView'>\(items.joined())</view>")
  }

  @Test(
    "of nested lists the inner row is free and the outer kept, or both are free",
    arguments: [(.innermost, "it b"), (.all, "it b c d e")] as [(SameKindLevels, String)])
  func nested(levels: SameKindLevels, expected: String) throws {
    let views =
      "<view class='UITableView'>\(Self.nested(0, 0, "it b"))\(Self.nested(0, 1, "c d"))\(Self.nested(1, 0, "e"))</view>"
    #expect(try kind(views, levels: levels) == expected)
  }

  @Test("an element outside lists is similar only to itself")
  func noList() throws {
    #expect(try kind("<view class='UIView'><view class='UIButton' identifier='it'/></view>") == "it")
    #expect(
      try kind(
        "<view class='UITableView'><view class='UITableViewCell' identifier='it'/><view class='UITableViewCell'/></view>"
      )
        == "it")
  }

  @Test(
    "on the shipped feed",
    arguments: [
      // The button of a row; a label in an item of a list within a row, its own row's items or those of all rows.
      (35, .innermost, [17, 26, 35]), (35, .all, [17, 26, 35]),
    ] as [(Int, SameKindLevels, [Int])])
  func feed(element: Int, levels: SameKindLevels, expected: [Int]) throws {
    let screen = try Screens.named("home-feed.xml")
    #expect(screen.elements(ofSameKindAs: ElementID(element), levels: levels).map(\.index) == expected)
  }

  @Test(
    "being of the same kind is an equivalence", arguments: PackageFolder.smallCaptureNames)
  func equivalence(capture: String) throws {
    let screen = try Screens.named(capture)
    for (number, levels) in SameKindLevels.allCases.enumerated() {
      for element in TestSize.part(Array(screen.tree.elements), of: number) {
        let kind = screen.elements(ofSameKindAs: element, levels: levels)
        #expect(kind.contains(element))
        for other in kind { #expect(screen.elements(ofSameKindAs: other, levels: levels) == kind) }
      }
    }
  }
}
