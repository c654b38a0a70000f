import EncircleIdentity
import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

@testable import EncircleAuthoring

/// Elements that were circled in another tool, on captures of today.
@Suite struct ElementFinderTests {
  private static let finder: ElementFinder? = try? ElementFinder([
    Screens.named("home-feed.xml"), Screens.named("cart.xml"), Screens.named("login.xml"),
  ])

  /// An older SDK's facts about each tracked element of a capture: its path without the views in the middle, its text and its rectangle.
  private static func circled(_ name: String) throws -> [(ElementID, RecordedElement)] {
    let screen = try Screens.named(name)
    let facts = ScreenElements(of: screen)
    let chains = PathChains(of: screen)
    let style = PathStyleName.sensors
    return screen.tree.elements.compactMap { element in
      guard facts.types[element.index] != nil, !facts.hidden[element.index],
        let page = screen.page(of: element, in: style),
        let path = style.style.path(of: chains.chain(to: element))?.written
      else { return nil }
      let parts = path.split(separator: "/").filter { !$0.hasPrefix("UITableViewCellContentView") }
      let before = RecordedElement(
        id: "a", page: UTF8String(page), text: facts.content(of: element).map { UTF8String($0) },
        path: parts.joined(separator: "/"), frame: facts.frames[element])
      return (element, before)
    }
  }

  @Test(
    "an element is found again by the facts that an older SDK stored",
    arguments: ["home-feed.xml", "cart.xml", "login.xml"])
  func found(name: String) throws {
    let finder = try #require(Self.finder)
    let circled = try Self.circled(name)
    try #require(circled.count > 2)
    for (element, before) in circled {
      let result = finder.find(before)
      #expect(result.elements.first?.element == element, "\(element.index)")
      #expect(result.verdict == .found || result.verdict == .several, "\(element.index): \(result)")
      #expect(result.elements.first?.reasons.allSatisfy { $0.likeness >= 0.7 } == true)
    }
    #expect(circled.contains { finder.find($0.1).verdict == .found })
  }

  @Test("a text alone is not enough, another page does not count, and another place counts less")
  func verdicts() throws {
    let finder = try #require(Self.finder)
    let page: UTF8String = "HomeViewController"
    let button = Frame(x: 300, y: 624, width: 74, height: 36)
    let path = "/UIView[0]/UITableView[0]/ProductCell[-]/UIButton[0]"
    func find(_ text: UTF8String?, _ path: String, _ frame: Frame?, page: UTF8String? = page, width: Double? = nil)
      -> FoundAgain
    {
      finder.find(RecordedElement(id: "a", page: page, text: text, path: path, frame: frame, screenWidth: width))
    }
    #expect(find("加入", path, button).verdict == .found)
    // Both sections have such a button.
    #expect(find("加入", path, nil).verdict == .several)
    #expect(find("加入", "", nil).verdict == .several)
    #expect(find("加入", path, nil, page: "OtherViewController").verdict == .noCapture)
    #expect(find("加入", path, nil, page: nil).verdict == .noCapture)
    #expect(find("没有", "/A[0]/B[0]", nil).verdict == .none)
    // The same place on a screen of twice the width.
    let twice = Frame(x: 600, y: 1_248, width: 148, height: 72)
    let scaled = find("加入", path, twice, width: 780)
    #expect(scaled.verdict == .found && scaled.elements[0].reasons.map(\.text).contains("the same place on the screen"))
    let broken = find(nil, "", Frame(x: .infinity, y: .nan, width: -1, height: 0))
    #expect(broken.verdict == .none)
  }

  @Test("classes are read from paths of all kinds")
  func classes() {
    for (path, classes) in [
      ("/UIView[0]/UITableView[0]/RecoCell[1][-]", ["UIView", "UITableView", "RecoCell"]),
      ("UIView/Section/RecoCell#id/UIButton(0)", ["UIView", "RecoCell", "UIButton"]), ("", []), ("///[0]", []),
    ] as [(String, [UTF8String])] {
      #expect(RecordedElement.classes(of: path) == classes)
    }
    #expect(RecordedElement.classes(of: String(repeating: "/A", count: 100_000)).count == 100)
  }
}
