import EncircleCapture
import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

@Suite struct DetoxTests {
  @Test(
    "classes come from the attribute; frames are the superview's on iOS, the window's on Android",
    arguments: [
      (
        #"<ViewHierarchy><UIWindow class="UIWindow" width="390" height="844"><V class="Shop.V" x="1" y="2" width="3" height="4" id="detox_temp_0" visibility="invisible" testID="t"><V class="V" x="1" y="2" width="3" height="4" id="buy" label="l"/></V></UIWindow></ViewHierarchy>"#,
        "UIWindow\n  Shop.V (1 2 3 4) hidden='true' testID='t'\n    V (1 2 3 4) identifier='buy' label='l'"
      ),
      (
        #"<ViewHierarchy density="2.75"><DecorView class="com.android.internal.policy.DecorView" x="0" y="0" width="9" height="9"><V class="a.V" x="1" y="2" width="3" height="4" visibility="gone" hint="h"><V class="a.W" x="2" y="4" width="3" height="4" visibility="visible"/></V></DecorView></ViewHierarchy>"#,
        "com.android.internal.policy.DecorView (0 0 9 9)\n  a.V (1 2 3 4) hidden='true' placeholder='h'\n    a.W (1 2 3 4)"
      ),
      (
        "<?xml version='1.0' encoding='UTF_8' standalone='yes' ?>\n<ViewHierarchy><A class=\"A\" x=\"<number>\" y=\"<number>\" width=\"<number>\" height=\"<number>\"><![CDATA[<p size=\"<number>\">]]></A></ViewHierarchy>",
        "A"
      ),
    ])
  func elements(capture: String, expected: String) {
    #expect(dump(capture) == expected)
  }

  @Test("only the placeholder stands for a number, and only in a dump of Detox")
  func numbers() {
    #expect(dump("<ViewHierarchy><A class='A' x=' 1'/></ViewHierarchy>").hasPrefix("error: 1:32: attribute 'x'"))
    #expect(dump("<ViewHierarchy><A class='A' x=' number '/></ViewHierarchy>") == "A")
    #expect(dump("<AppiumAUT><UIAWindow x=\"<number>\"/></AppiumAUT>").hasPrefix("error: 1:26: not well-formed XML"))
    #expect(dump("<viewTree><view class='A' text=\"<number>\"/></viewTree>").hasPrefix("error: "))
  }

  @Test("an element without a class is an error")
  func noClass() {
    #expect(dump("<ViewHierarchy>\n<A x='1'/></ViewHierarchy>") == "error: 2:1: element '…' has no class")
  }
}
