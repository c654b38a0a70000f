import EncircleCapture
import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

@Suite struct WebDriverAgentTests {
  @Test(
    "element types become classes, bounds relative to the superview",
    arguments: [
      (
        """
        <XCUIElementTypeApplication type="XCUIElementTypeApplication" name="Shop" x="0" y="0" width="375" height="667">
          <XCUIElementTypeWindow x="10" y="20" width="300" height="600"><XCUIElementTypeButton label="OK" x="15.5" y="30" width="50" height="20"/></XCUIElementTypeWindow>
        </XCUIElementTypeApplication>
        """,
        """
        XCUIElementTypeApplication (0 0 375 667) type='XCUIElementTypeApplication' identifier='Shop'
          XCUIElementTypeWindow (10 20 300 600)
            XCUIElementTypeButton (5.5 10 50 20) label='OK'
        """
      ),
      (
        #"<?xml version="1.0"?><AppiumAUT><XCUIElementTypeApplication><XCUIElementTypeOther x="1" y="2" width="3" height="4"/></XCUIElementTypeApplication></AppiumAUT>"#,
        "XCUIElementTypeApplication\n  XCUIElementTypeOther"
      ),
      (
        #"<AppiumAUT><UIAApplication x="0" y="0" width="320" height="480"><UIAWindow x="1" y="1" width="318" height="478" path="/0/0" valid="true"/></UIAApplication></AppiumAUT>"#,
        "UIAApplication (0 0 320 480)\n  UIAWindow (1 1 318 478) path='/0/0' valid='true'"
      ),
      (
        #"<XCUIElementTypeWindow x="1" y="1" width="9"/>"#, "XCUIElementTypeWindow"
      ),
      (
        #"<AppiumAUT>text <XCUIElementTypeTextField value="" placeholderValue="Name" visible="false"/> between</AppiumAUT>"#,
        "XCUIElementTypeTextField value='' placeholder='Name' visible='false'"
      ),
      (
        "<AppiumAUT><XCUIElementTypeWindow/><XCUIElementTypeWindow/></AppiumAUT>",
        "XCUIElementTypeWindow\nXCUIElementTypeWindow"
      ),
    ])
  func elements(capture: String, expected: String) {
    #expect(dump(capture) == expected)
  }

  @Test(
    "an alert's label is its title, the second text in it its message",
    arguments: [
      (
        #"<XCUIElementTypeAlert name="n" label="退群"><XCUIElementTypeStaticText label="退群"/><XCUIElementTypeOther><XCUIElementTypeStaticText label="确认?"/></XCUIElementTypeOther><XCUIElementTypeStaticText label="third"/></XCUIElementTypeAlert>"#,
        "XCUIElementTypeAlert identifier='n' label='退群' +title='退群' +message='确认?'"
      ),
      (
        #"<XCUIElementTypeSheet name="n"><XCUIElementTypeStaticText name="a"/></XCUIElementTypeSheet>"#,
        "XCUIElementTypeSheet identifier='n' +title='n'"
      ),
      (
        #"<UIAAlert><UIAStaticText name="a"/><UIAStaticText name="b"/></UIAAlert>"#, "UIAAlert +message='b'"
      ),
    ])
  func alerts(capture: String, expected: String) {
    #expect(dump(capture).split(separator: "\n").first.map(String.init) == expected)
  }
}

@Suite struct UIAutomatorTests {
  @Test(
    "both ways to name classes give the same tree",
    arguments: [
      (
        #"<node class="android.widget.FrameLayout" bounds="[0,0][1080,1920]"><node class="android.widget.Button" text="登录" bounds="[40,100][1040,220]"/></node>"#,
        #"<android.widget.FrameLayout bounds="[0,0][1080,1920]"><android.widget.Button text="登录" bounds="[40,100][1040,220]"/></android.widget.FrameLayout>"#,
        "android.widget.FrameLayout (0 0 1080 1920)\n  android.widget.Button (40 100 1000 120) text='登录'"
      ),
      (
        #"<node class="a.B" bounds="[-10,-20][5,6]" password="true" content-desc="d" resource-id="r" hint="h" checked="false" long-clickable="true" clickable="true"/>"#,
        #"<a.B bounds="[-10,-20][5,6]" password="true" content-desc="d" resource-id="r" hint="h" checked="false" long-clickable="true" clickable="true"/>"#,
        "a.B (-10 -20 15 26) secure='true' label='d' identifier='r' placeholder='h' on='false' longClickable='true' clickable='true'"
      ),
      (
        #"<node class="a.B"><node class="a.C" bounds="[1,1][2,2]"/></node>"#,
        #"<a.B><a.C bounds="[1,1][2,2]"/></a.B>"#, "a.B\n  a.C"
      ),
      (
        #"<node class="a.B$C"/>"#, #"<node.view class="a.B$C"/>"#, "a.B$C"
      ),
      (
        #"<node class="a.B" bounds="[9223372036854775807,0][-9223372036854775808,0]"/>"#,
        #"<a.B bounds="[9223372036854775807,0][-9223372036854775808,0]"/>"#,
        "a.B (9.223372036854776e+18 0 -1.8446744073709552e+19 0)"
      ),
    ])
  func elements(nodes: String, classes: String, expected: String) {
    #expect(dump("<hierarchy rotation=\"0\">\(nodes)</hierarchy>") == expected)
    #expect(
      dump("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\r\r\n<hierarchy>\(classes)</hierarchy>")
        == expected)
    #expect(dump(nodes) == expected, "a fragment without its root")
  }
}
