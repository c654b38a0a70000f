import EncircleCapture
import EncircleIdentity
import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

/// Identities with the title of the page.
@Suite struct ScreenTitleTests {
  private static let views = """
    <viewTree version="1" app="com.example.shop"><view class="UIWindow">
    <view class="UILayoutContainerView" controller="UINavigationController">
    <view class="UIView" controller="ProductPage" controllerTitle="Tea" controllerSuperclasses="Page UIViewController">
    <view class="UIButton" identifier="buy"/></view>
    <view class="UINavigationBar"><view class="UIButton" actions="share:" identifier="share"/></view></view>
    <view class="_UIAlertControllerView" controller="UIAlertController" controllerTitle="T" title="A"><view class="UIButton" identifier="ok"/></view>
    </view></viewTree>
    """

  private static func ends(_ options: IdentityOptions) throws -> [String] {
    let screen = IdentifiedTree(try CaptureReader().read(Array(views.utf8)), options: options)
    var ends: [String] = []
    screen.forEachIdentity { element, path, identity, eventID in
      let text = String(decoding: identity, as: UTF8.self)
      #expect(text == screen.identity(of: element) && eventID == EventID(identity: text))
      guard screen.tree.value(.identifier, of: element) != nil else { return }
      ends.append(String(decoding: identity[(6 + path.count)...], as: UTF8.self))
    }
    return ends
  }

  private static let usual = [
    "&controller(ProductPage)", "&actions(share:)", "&controller(UIAlertController)&title(A)",
  ]
  private static let titled = ["&controller(ProductPage)&screenTitle(Tea)"] + usual[1...]

  @Test(
    "the title of the page is in the identities of its elements, not of bars and alerts, if options say so",
    .articles("H28"),
    arguments: [
      (IdentityOptions(), usual), (IdentityOptions(screenTitle: [.init()]), titled),
      (IdentityOptions(screenTitle: [.init("Page")]), titled),
      (IdentityOptions(screenTitle: [.init("Other"), .init("ProductPage", app: "com.example.shop")]), titled),
      (IdentityOptions(screenTitle: [.init("Other")]), usual),
      (IdentityOptions(screenTitle: [.init(app: "com.example.other")]), usual),
    ])
  func ends(options: IdentityOptions, expected: [String]) throws { #expect(try Self.ends(options) == expected) }

  @Test("a title is read from an identity string and written again", arguments: ["Tea", "", "a)&title(b"])
  func strings(title: String) throws {
    var parts = IdentityString(path: "UIWindow(0)", controller: "Home")
    parts.title = "T"
    parts.screenTitle = title
    let text = parts.written
    #expect(text == "path(UIWindow(0))&controller(Home)&title(T)&screenTitle(\(title))")
    let read = try #require(IdentityString(parsing: text))
    #expect(read.written == text && read.screenTitle == title)
  }
}
