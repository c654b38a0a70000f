import EncircleAuthoring
import EncircleRules
import EncircleText
import EncircleTree
import Testing

@Suite struct StabilityTests {
  /// Describes reasons in short, with the steps that they are about.
  private static func short(_ reason: StabilityReason) -> String {
    switch reason {
    case .anchored: "anchored"
    case .wrappers(let steps): "wrappers \(steps)"
    case .layouts(let steps): "layouts \(steps)"
    case .siblingIndex(let step, let indexes, let siblings):
      "index \(step): \(indexes) of \(siblings.map(String.init) ?? "?")"
    case .exactRow(let step): "row \(step)"
    case .unknownRow(let step): "any row \(step)"
    case .pagePosition(let step): "position \(step)"
    case .someReleases(let step, _, let releases): "releases \(step): \(releases)"
    case .generatedName(let step): "generated \(step)"
    case .privateControl(let step): "private \(step)"
    case .elementTypes(let steps): "types \(steps)"
    case .longChain(let steps): "long \(steps)"
    case .gap(let step): "gap \(step)"
    case .broadElement(let step): "broad \(step)"
    case .plainPlace(let step): "plain \(step)"
    case .noAppClass: "no app class"
    case .barPlace: "bar"
    case .actions: "actions"
    case .barIdentity: "identity"
    case .page(let page): "page \(page)"
    case .text(let isLocalised): "text \(isLocalised)"
    case .eventID: "event ID"
    case .developerID: "developer's id"
    case .resourceID: "resource id"
    case .textAround: "text around"
    case .generatedPageName(let step, _): "generated page name \(step)"
    case .lookClass(let step, _): "look \(step)"
    case .stateClass(let step, _): "state \(step)"
    }
  }

  @Test(
    "the reasons of a selector alone, the heaviest first",
    arguments: [
      ("CheckoutButton", "", 100),
      ("ProductCell(section:0 row:*)/UIButton(1)", "index 1: 1 of ?", 91),
      ("ProductCell(section:0 row:3)/UIButton(0)", "row 0; index 1: 0 of ?", 74),
      ("ProductCell(section:0 row:3...5)", "row 0", 80), ("ProductCell(section:0)", "", 100),
      ("ProductCell(section:* row:*)/UITableViewCellContentView(0)/UIButton(0)", "index 2: 0 of ?; wrappers [1]", 88),
      ("ProductCell(section:* row:*)/**/UIButton(0)", "index 2: 0 of ?; gap 1", 90),
      ("UIButton", "broad 0; no app class", 77), ("UIButton(0)", "broad 0; no app class; index 0: 0 of ?", 71),
      ("UIView(0)/UIButton(0)", "plain 1; no app class; index 0: 0 of ?; index 1: 0 of ?", 65),
      ("UIScrollView/UIView/**/UIButton", "plain 3; no app class; gap 2", 73),
      ("UITableView(0)/UIButton(0)", "no app class; index 0: 0 of ?; index 1: 0 of ?", 80),
      ("*", "broad 0; no app class", 77), ("Checkout*", "broad 0", 85), (":CheckoutButton", "", 100),
      ("/UIWindow(0)/CheckoutBar(0)", "anchored; index 1: 0 of ?", 79),
      ("UIWindow(1)/CheckoutBar", "anchored", 85), ("**/CheckoutBar", "", 100),
      ("UINavigationBar/UINavigationButton", "releases 1: iOS 10 and earlier; no app class; private 1", 62),
      ("UINavigationBar/_UIButtonBarButton", "releases 1: iOS 11 and later; no app class; private 1", 62),
      ("'_UIHostingView<AnyView>'/BuyView()", "generated 0", 80),
      ("'Shop.(unknown context at $1045c2d18).BannerView'", "generated 0; no app class", 72),
      (
        "_TtC7SwiftUIP33_A34643117F00277B93DEBAB70EC0697122_UIShapeHitTestingView(0)",
        "generated 0; no app class; index 0: 0 of ?", 66
      ),
      ("_TtC4Shop8BuyPanel", "", 100), ("Shop.CartRowCell(section:0 row:*)", "", 100),
      ("FeedView(indexx:1 indexy:0)", "position 0", 88),
      (
        "XCUIElementTypeOther(0)/XCUIElementTypeButton(1)",
        "types [0, 1]; plain 1; index 1: 1 of ?; no app class; index 0: 0 of ?; layouts [0]", 28
      ),
      ("UIAlertView", "broad 0; no app class", 77),
      ("UIAButton(0)", "types [0]; broad 0; no app class; index 0: 0 of ?", 41),
      ("com.shop.PayButton", "", 100),
      ("A/B/C/D/E/F/G", "long 7", 96),
    ])
  func reasons(selector: String, expected: String, score: Int) throws {
    let stability = SelectorStability(of: try ElementSelector(parsing: selector))
    #expect(stability.reasons.map(Self.short).joined(separator: "; ") == expected)
    #expect(stability.score == score)
  }

  @Test("the number of siblings counts if it is known")
  func siblings() throws {
    let selector = try ElementSelector(parsing: "BuyBar/UIButton(0)")
    #expect(SelectorStability(of: selector, siblings: { _ in 1 }).score == 96)
    #expect(SelectorStability(of: selector, siblings: { _ in 5 }).score == 91)
    #expect(SelectorStability(of: selector).score == 94)
  }

  @Test("a score is never below 0, and a worse selector still counts as worse")
  func floor() throws {
    let chain = (0..<200).map { "UIView(\($0))" }.joined(separator: "/")
    let stability = SelectorStability(of: try ElementSelector(parsing: "/UIWindow(0)/" + chain))
    #expect(stability.score == 0)
    #expect(stability.penalty > 1000)
  }

  @Test("every reason is a sentence about the selector, also with a selector that lacks the step")
  func sentences() throws {
    let selector = try ElementSelector(
      parsing: "/UIWindow(0)/UITransitionView(0)/UIView(2)/ProductCell(section:0 row:3)/**/UINavigationButton")
    let stability = SelectorStability(of: selector)
    #expect(
      stability.reasons.map { $0.description(of: selector) } == [
        "only iOS 10 and earlier had UINavigationButton; others have _UIButtonBarButton",
        "ProductCell(section:0 row:3) is a certain place in a list, whose content may move",
        "begins at the window: every container on the way must stay",
        "index 2 among siblings of class UIView: adding or moving one shifts it",
        "goes through private containers, which change with the system: UITransitionView",
        "UINavigationButton is a private class of the system",
        "** passes over any containers: others of this kind may come to match",
        "6 steps: each must stay",
      ])
    let other = ElementSelector(isAnchored: false, steps: [.recursiveWildcard])
    for reason in stability.reasons { #expect(!reason.description(of: other).isEmpty) }
  }

  @Test(
    "versions belong to releases",
    arguments: [
      ("UINavigationButton", "10.3", true), ("UINavigationButton", "11", false), ("_UIButtonBarButton", "26.0", true),
      ("_UIAlertControllerCollectionViewCell", "9.3.5", true), ("_UIAlertControllerCollectionViewCell", "7.0", false),
      ("UITabBarButton", "26", false), ("UITabBarButton", "seventeen", nil),
    ] as [(String, String, Bool?)])
  func releases(name: String, version: String, expected: Bool?) throws {
    #expect(try #require(ClassReleases(of: UTF8String(name))).include(version) == expected)
    #expect(ClassReleases(of: "UIButton") == nil)
  }

  @Test(
    "the origin of a class is judged by its name",
    arguments: [
      ("ProductCell", ClassOrigin.app), ("Shop.ProductCell", .app), ("UIImpressiveButton", .framework),
      ("UButton", .app), ("UIButton", .framework), ("_UIStepperButton", .privateControl),
      ("UITransitionView", .wrapper),
      ("_UINobodyKnowsView", .wrapper), ("android.widget.LinearLayout", .layout), ("android.widget.Button", .framework),
      ("Button", .app),
      ("RCTView", .framework), ("XCUIElementTypeOther", .layout), ("UIHostingController<ContentView>", .generated),
      ("", .app), ("购物车按钮", .app), ("UI", .app),
    ])
  func origins(name: String, expected: ClassOrigin) { #expect(ClassOrigin(of: UTF8String(name)) == expected) }

  @Test(
    "where paths have short names of Android's classes, these are no classes of the app",
    arguments: [
      ("Button", ClassOrigin.framework), ("RecyclerView", .framework), ("LinearLayout", .layout),
      ("ProductCard", .app), ("Button#pay", .app), ("Button#0_resource_name_obfuscated", .framework),
      ("ViewGroup#0_resource_name_obfuscated", .layout), ("ProductCard#0_resource_name_obfuscated", .app),
    ])
  func shortNames(name: String, expected: ClassOrigin) {
    var hierarchy = ClassHierarchy.builtIn
    hierarchy.insertShortNames()
    #expect(ClassOrigin(of: UTF8String(name), in: hierarchy) == expected)
  }

  @Test(
    "the facts that an element must keep are listed step by step",
    arguments: [
      ("/UIWindow(0)/**/A", ["the window", "UIWindow, index 0", "A"]),
      ("Cell(section:0 row:*)/*(*)", ["Cell, any row of section 0", "any class, any index"]),
      ("Cell(section:* item:2,4)/:UIButton()", ["Cell, item 2,4", "UIButton or a subclass, no index"]),
      ("P(indexx:1 indexy:0)/Buy*(1...3)", ["P, indexx 1, indexy 0", "Buy*, index 1...3"]),
      ("Cell(section:*)", ["Cell, any section"]), ("Cell(section:2)", ["Cell, section 2"]), ("**", []),
    ])
  func reliances(selector: String, expected: [String]) throws {
    #expect(try ElementSelector(parsing: selector).reliances == expected)
  }
}
