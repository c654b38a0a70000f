import EncircleIdentity
import EncircleTestSupport
import EncircleText
import Testing

@Suite struct PageTests {
  private static let it = #"<view class="UIButton" identifier="it"/>"#
  private static let alert = #"<view class="_UIAlertControllerView" controller="UIAlertController">\#(it)</view>"#

  private static func page(_ controller: String, _ inside: String = "", _ state: String = "") -> String {
    #"<view class="UIView" controller="\#(controller)" \#(state)>\#(inside)</view>"#
  }

  private static func navigation(_ pages: String) -> String {
    #"<view class="UILayoutContainerView" controller="UINavigationController">\#(pages)<view class="UINavigationBar">\#(it)</view></view>"#
  }

  private func check(_ views: String, _ expected: String?) throws {
    let screen = try Screens.of(views)
    let it = try #require(screen.it)
    #expect(screen.page(of: it) == expected, "\(views)")
  }

  @Test("the page is the nearest controller", .articles("H26", "W13"))
  func nearest() throws {
    try check(Self.it, nil)
    try check(Self.page("A", Self.it), "A")
    try check(Self.page("A", Self.page("B") + Self.it), "A")
    try check(Self.page("A", Self.page("NSKVONotifying_B", Self.it)), "B")
  }

  private static let navigationBars: [(views: String, page: String)] = [
    (navigation(page("A")), "A"), (navigation(""), "UINavigationController"),
    (navigation("\(page("A"))\(page("B"))"), "B"), (navigation("\(page("A"))\(page("B", "", "hidden='true'"))"), "A"),
    (navigation("\(page("A"))\(page("B", "", "alpha='0'"))"), "A"), (navigation(page("A", page("Child"))), "A"),
    (navigation("<view class='UIView'>\(page("A"))</view>"), "A"),
    (page("UITabBarController", navigation(page("A"))), "A"),
    (page("A", "<view class='UINavigationBar'>\(it)</view>"), "A"),
  ]

  @Test(
    "a navigation bar belongs to the page that shows beneath it", .articles("L14"), arguments: navigationBars.indices)
  func navigationBar(row: Int) throws { try check(Self.navigationBars[row].views, Self.navigationBars[row].page) }

  private static func window(_ inside: String, _ state: String = "") -> String {
    "<view class='UIWindow' \(state)>\(inside)</view>"
  }

  private static let outer = "<view class='_UIAlertControllerView' controller='UIAlertController' title='outer'>"

  // Beneath each of them shows A.
  private static let overA: [String] = [
    // In the page's own window.
    window("\(page("A"))\(alert)"),
    window("\(page("UINavigationController", page("A")))<view class='UITransitionView'>\(alert)</view>"),
    // In a window above it.
    "\(window(page("A")))\(window(alert))",
    // Over a tab bar controller with several pages, one of them hidden.
    "\(window(page("UITabBarController", "\(page("A"))\(page("B", "", "hidden='true'"))")))\(window(alert))",
    // Windows of the keyboard are no pages.
    "\(window(page("A")))<view class='UITextEffectsWindow'>\(page("UIInputWindowController"))</view>\(window(alert))",
    "\(window(page("B"), "hidden='true'"))\(window("\(page("A"))\(alert)"))",
    // In the page itself.
    page("A", alert),
    // Within another alert, and over another one.
    "\(page("A"))\(outer)<view class='_UIAlertControllerView' title='inner'>\(it)</view></view>",
    "\(page("A"))\(outer)</view>\(alert)",
    // A page above an alert is not beneath it.
    "\(page("A"))\(alert)\(page("B"))",
  ]

  @Test("an alert belongs to the page beneath it, wherever its window is", arguments: overA)
  func alerts(views: String) throws { try check(views, "A") }

  @Test("an alert over nothing has no page")
  func alertAlone() throws { try check(Self.alert, nil) }

  @Test("the alert's own controller is nevertheless in its identity")
  func controller() throws {
    let screen = try Screens.of(Self.page("A") + Self.alert)
    let it = try #require(screen.it)
    #expect(screen.controller(of: it) == "UIAlertController")
  }
}
