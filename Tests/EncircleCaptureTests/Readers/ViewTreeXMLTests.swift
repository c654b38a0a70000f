import EncircleCapture
import EncircleTestSupport
import EncircleTree
import Testing

@Suite struct ViewTreeXMLTests {
  @Test(
    "views become elements, with their frames and attributes",
    arguments: [
      (#"<view class="UIWindow"/>"#, "UIWindow"),
      (#"<view class="A"/><view class="B"></view>"#, "A\nB"),
      (#"<view class="A"><view class="B"><view class="C"/></view><view class="D"/></view>"#, "A\n  B\n    C\n  D"),
      (#"<view class="A" frame="0 88 390.5 -1e2"/>"#, "A (0 88 390.5 -100)"),
      ("<view frame=\"  1\t2  3 4 \" class=\"A\"/>", "A (1 2 3 4)"),
      (#"<view class="A" frame="-.5 +1 1. 0001"/>"#, "A (-0.5 1 1 1)"),
      (#"<view class="A" frame="0 0 123456789012345678 1e-3"/>"#, "A (0 0 123456789012345680 0.001)"),
      (#"<view class="A" indexPath="0 7"/>"#, "A indexPath='0 7'"),
      (#"<view class="A" title="" text="a b"/>"#, "A title='' text='a b'"),
      (#"<view class="A" unheard="1" Title="2" class2="3"/>"#, "A unheard='1' Title='2' class2='3'"),
      (#"<view class="A" text="&lt;&amp;&#x786E;&#23450;&quot;&apos;"/>"#, "A text='<&确定\"''"),
      (#"<view class="A" text='"'/>"#, "A text='\"'"),
      (#"<view class='Shop.Cart&lt;Swift.Int&gt;'/>"#, "Shop.Cart<Swift.Int>"),
      (#"<view class="确定 (1)_/'"/>"#, "确定 (1)_/'"),
      ("<view class=\"A\" text=\"a&#10;b\nc\"/>", "A text='a\nb c'"),
      ("<!-- a < b = 'c' --><view class=\"A\"><!-- \" --></view><?pi a='1'?>", "A"),
      (#"<view xmlns="urn:x" class="A" xmlns:y="urn:y" y:title="1"/>"#, "A y:title='1'"),
      (#"<view class="A" xml:lang="zh"/>"#, "A xml:lang='zh'"),
    ])
  func elements(views: String, expected: String) {
    #expect(dump(viewTree(views)) == expected)
  }

  @Test("attribute values keep their bytes: nothing is composed or decomposed")
  func bytes() throws {
    let text = viewTree("<view class=\"A\" text=\"caf\u{E9} cafe\u{301}\" title=\"\u{301}\"/>")
    let tree = try CaptureReader().read(Array(text.utf8))
    #expect(tree.value(.text, of: ElementID(0)).map { Array($0.utf8) } == Array("caf\u{E9} cafe\u{301}".utf8))
    #expect(tree.value(.title, of: ElementID(0)).map { Array($0.utf8) } == [0xCC, 0x81])
  }

  @Test("the root says what was captured")
  func header() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <viewTree version="1" app="com.example.shop" appVersion="5.2.1" os="iOS" osVersion="17.2" screen="390 844"
                capturedAt="2026-03-02T08:00:00Z" screenshot="home.png" unheard="1"><view class="A"/></viewTree>
      """
    let header = try CaptureReader().read(Array(text.utf8)).header
    var expected = ViewTree.Header()
    expected.app = "com.example.shop"
    expected.appVersion = "5.2.1"
    expected.os = "iOS"
    expected.osVersion = "17.2"
    expected.screen = "390 844"
    expected.capturedAt = "2026-03-02T08:00:00Z"
    expected.screenshot = "home.png"
    #expect(header == expected)
  }

  @Test("an element's attributes are its own, however attribute names alternate")
  func alternatingNames() {
    let views =
      #"<view class="A" a="1" b="2"/><view class="A" b="3" a="4"/><view b="5" class="A"/><view a="6" class="B"/>"#
    #expect(dump(viewTree(views)) == "A a='1' b='2'\nA b='3' a='4'\nA b='5'\nB a='6'")
  }

  @Test("more than 256 different attribute names in one capture keep their values")
  func manyNames() throws {
    let views = (0..<600).map { "<view class=\"A\" n\($0)=\"\($0)\" title=\"t\($0)\"/>" }.joined()
    let tree = try CaptureReader().read(Array(viewTree(views).utf8))
    for i in 0..<600 {
      let attributes = tree.attributes(of: ElementID(i))
      #expect(attributes.map(\.name) == ["n\(i)", "title"] && attributes.map(\.value) == ["\(i)", "t\(i)"])
    }
  }
}
