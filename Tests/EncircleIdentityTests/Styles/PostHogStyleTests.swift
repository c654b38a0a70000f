import EncircleIdentity
import EncircleTestSupport
import EncircleTree
import Testing

/// The events of posthog-ios 3.69.3 for the element with the identifier `it`.
@Suite struct PostHogStyleTests {
  private static func page(_ inner: String) -> String {
    "<view class='UIWindow'><view class='UIView' controller='Shop.CartViewController'>\(inner)</view></view>"
  }

  private func entry(_ views: String) throws -> String {
    let screen = try Screens.of(views)
    let chain = PathChains(of: screen).chain(to: try #require(screen.it))
    let path = try #require(PostHogStyle().path(of: chain))
    return StyledPath(.postHog, [path.components[path.components.count - 1]]).written
  }

  @Test(
    "the entry of an element has the text of its class, its superclass and the developer's label",
    arguments: [
      ("<view class='UIButton' title='Pay' text='not this' identifier='it'/>", #"UIButton:text="Pay""#),
      ("<view class='UIButton' text='Pay' identifier='it'/>", "UIButton"),
      ("<view class='UIButton' selectedTitle='On' identifier='it'/>", #"UIButton:text="On""#),
      ("<view class='UIButton' title='say \"hi\"' identifier='it'/>", #"UIButton:text="say "hi"""#),
      ("<view class='UIButton' title='a&#x200D;b &#10; c&#x200B;' identifier='it'/>", "UIButton:text=\"a\u{200D}b c\""),
      ("<view class='UISwitch' identifier='it'/>", #"UISwitch:text="false""#),
      ("<view class='UISlider' value='1' identifier='it'/>", #"UISlider:text="1.0""#),
      ("<view class='UISlider' value='0.1' identifier='it'/>", #"UISlider:text="0.1""#),
      ("<view class='UISlider' value='1e16' identifier='it'/>", #"UISlider:text="1e+16""#),
      ("<view class='UIStepper' value='100000' identifier='it'/>", #"UIStepper:text="100000.0""#),
      ("<view class='UIStepper' identifier='it'/>", #"UIStepper:text="0.0""#),
      ("<view class='UILabel' text='x' identifier='it'/>", "UILabel"),
      ("<view class='UITextField' text='typed' identifier='it'/>", "UITextField"),
      (
        "<view class='UISearchBar' text='typed'><view class='UINavigationButton' superclasses='UIButton UIControl UIView' title='Cancel' identifier='it'/></view>",
        #"UINavigationButton:text="Cancel"attr__class="UIButton""#
      ),
      (
        "<view class='UITextField'><view class='UIButton' title='typed' identifier='it'/></view>", "UIButton"
      ),
      (
        "<view class='UISegmentedControl' selectedIndex='1' identifier='it'><view class='UISegment' frame='50 0 50 9'><view class='UILabel' text='Dark'/></view><view class='UISegment' frame='0 0 50 9'><view class='UILabel' text='Light'/></view></view>",
        #"UISegmentedControl:text="Dark""#
      ),
      (
        "<view class='UISegmentedControl' selectedIndex='0' identifier='it'><view class='UIView'><view class='UISegment'><view class='UILabel' text='Nested'/></view></view></view>",
        #"UISegmentedControl:text="Nested""#
      ),
      (
        "<view class='UISegmentedControl' selectedIndex='0' identifier='it'><view class='UISegment'><view class='UIImageView'/></view></view>",
        "UISegmentedControl"
      ),
      (
        "<view class='UIPickerView' pickerRows='Mon,Tue|am,pm' pickerSelected='1 0' identifier='it'/>",
        #"UIPickerView:text="Tue am""#
      ),
      ("<view class='NSKVONotifying_UIButton' superclasses='UIButton UIControl UIView' identifier='it'/>", "UIButton"),
      (
        "<view class='NSKVONotifying_Shop.Tag' superclasses='Shop.Tag UIButton UIControl UIView' identifier='it'/>",
        #"Tag:attr__class="UIButton""#
      ),
      (
        "<view class='_TtGC4Shop3BoxSS_' superclasses='_TtGC4Shop4CardSS_ UIView' postHogLabel=' x ' identifier='it'/>",
        #"Box:attr__class="Card"attr_id=" x ""#
      ),
      ("<view class='Shop.Own' superclasses='Shop.UIView UIView' identifier='it'/>", #"Own:attr__class="UIView""#),
    ])
  func entries(inner: String, expected: String) throws {
    #expect(try entry(Self.page(inner)) == expected)
  }

  @Test("a text has at most 255 characters, as Swift counts them")
  func longText() throws {
    let family = "👨‍👩‍👧"
    let title = String(repeating: family, count: 300)
    #expect(
      try entry(Self.page("<view class='UIButton' title='\(title)' identifier='it'/>"))
        == "UIButton:text=\"\(String(repeating: family, count: 255))...\"")
  }

  @Test(
    "the page is what the user sees from the nearest controller on",
    arguments: [
      ("<view class='UIView' controller='Shop.CartViewController' identifier='it'/>", "Cart"),
      ("<view class='UIView' controller='MyViewControllerHost' identifier='it'/>", "MyHost"),
      ("<view class='UIView' controller='ViewController' controllerTitle='Help' identifier='it'/>", "Help"),
      ("<view class='UIView' controller='ViewController' identifier='it'/>", nil),
      (
        "<view class='UIView' controller='_TtGC7SwiftUI19UIHostingControllerV4Shop4Page_' identifier='it'/>",
        "UIHostingController<Page>"
      ),
      // Of the tab bar the selected page, of the navigation bar the page on top.
      (
        "<view class='UIView' controller='UITabBarController'><view class='UIView' controller='UINavigationController'><view class='UIView' controller='FirstViewController'/><view class='UIView' controller='TopViewController'/></view><view class='UIView' controller='OtherViewController' hidden='true'/><view class='UITabBar' identifier='it'/></view>",
        "Top"
      ),
      // Beneath a sheet the sheet, and what it presents itself.
      (
        "<view class='UIView' controller='UINavigationController'><view class='UIView' controller='CartViewController'><view class='UIButton' identifier='it'/></view></view><view class='UIView' controller='SheetViewController'/><view class='UIView' controller='UIAlertController'/>",
        "UIAlertController"
      ),
      ("<view class='UIView' controller='UINavigationController' identifier='it'/>", nil),
    ] as [(String, String?)])
  func pages(inner: String, expected: String?) throws {
    let screen = try Screens.of(
      "<view class='UIWindow'>\(inner)</view><view class='UIWindow'><view class='UIView' controller='X'/></view>")
    #expect(screen.page(of: try #require(screen.it), in: .postHog) == expected)
  }

  @Test(
    "an event is sent for actions of the control's own event, taps and edited fields",
    arguments: [
      ("<view class='UIButton' actions='pay:' identifier='it'/>", .button),
      ("<view class='UIButton' identifier='it'/>", nil),
      ("<view class='UIButton' actions='pay:' enabled='false' identifier='it'/>", nil),
      ("<view class='UIButton' actions='pay:' actionEvents='touchDown' identifier='it'/>", nil),
      ("<view class='UIButton' actions='pay:' hidden='true' identifier='it'/>", nil),
      ("<view class='UIView' hidden='true'><view class='UIButton' actions='pay:' identifier='it'/></view>", nil),
      (
        "<view class='UIView' label='a PH-no-capture b'><view class='UIButton' actions='pay:' identifier='it'/></view>",
        nil
      ),
      (
        "<view class='UIView' userInteractionEnabled='false'><view class='UIButton' actions='a' identifier='it'/></view>",
        nil
      ),
      ("<view class='UIImageView'><view class='UIButton' actions='pay:' identifier='it'/></view>", nil),
      ("<view class='UISwitch' actions='a' identifier='it'/>", .switchControl),
      ("<view class='UISwitch' actions='a' actionEvents='touchUpInside' identifier='it'/>", nil),
      ("<view class='UIRefreshControl' actions='a' identifier='it'/>", nil),
      ("<view class='UITableViewCell' indexPath='0 0' identifier='it'/>", nil),
      ("<view class='UIView' gestures='tap pan' identifier='it'/>", .gestureTap),
      ("<view class='UIView' gestures='longPress' identifier='it'/>", nil),
      ("<view class='UILabel' gestures='tap' identifier='it'/>", nil),
      ("<view class='UIPickerColumnView' superclasses='UIView' gestures='tap' identifier='it'/>", nil),
      ("<view class='UITextField' identifier='it'/>", .control),
      ("<view class='UITextView' identifier='it'/>", .control),
      ("<view class='UITextField' secure='true' identifier='it'/>", nil),
      ("<view class='UITextField' textContentType='email' identifier='it'/>", nil),
      ("<view class='UIPickerView' identifier='it'/>", .control),
    ] as [(String, TrackingType?)])
  func tracking(inner: String, expected: TrackingType?) throws {
    let screen = try Screens.of(Self.page(inner))
    #expect(screen.trackingType(of: try #require(screen.it), in: .postHog) == expected)
  }

  @Test("the keyboard's windows send nothing", arguments: ["UIRemoteKeyboardWindow", "Shop.UITextEffectsWindow"])
  func keyboard(window: String) throws {
    let screen = try Screens.of(
      "<view class='\(window)'><view class='UIButton' actions='a' identifier='it'/></view><view class='UIWindow'><view class='UIView' controller='X'/></view>"
    )
    #expect(screen.trackingType(of: try #require(screen.it), in: .postHog) == nil)
  }
}
