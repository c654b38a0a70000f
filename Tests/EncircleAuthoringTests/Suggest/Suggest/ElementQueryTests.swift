import EncircleAuthoring
import EncircleCapture
import EncircleIdentity
import EncircleTestSupport
import EncircleTree
import Testing

@Suite struct ElementQueryTests {
  @Test(
    "a text is read by its form",
    arguments: [
      ("17", ElementQuery.number(17)), ("0", .number(0)), ("12345678", .eventID(prefix: "12345678")),
      ("51EFFCAA", .eventID(prefix: "51effcaa")), ("51effca", .text("51effca")), ("12,34.5", .point(x: 12, y: 34.5)),
      ("-1, 2", .point(x: -1, y: 2)), ("1,2,3", .text("1,2,3")), ("inf,0", .text("inf,0")), ("1e5,0", .text("1e5,0")),
      ("-1", .text("-1")), ("去结算", .text("去结算")), ("", .text("")), ("1,", .text("1,")), (",", .text(",")),
      ("99999999999999999999", .eventID(prefix: "99999999999999999999")),
    ])
  func reading(text: String, expected: ElementQuery) { #expect(ElementQuery(text) == expected) }

  private static func screen() throws -> IdentifiedTree {
    try Screens.of(
      """
      <view class='UIWindow' frame='0 0 100 100'>
        <view class='UITableView' frame='0 20 100 80'>
          <view class='Row' superclasses='UITableViewCell UIView' indexPath='0 0' frame='0 0 100 40'>
            <view class='UILabel' text='caf\u{E9}' frame='0 0 50 20'/>
            <view class='UIButton' title='Buy now' frame='60 0 40 20'><view class='UILabel' text='Buy now' frame='0 0 40 20'/></view>
            <view class='UITextField' text='secret' label='secret' title='secret' frame='0 20 50 20'/>
          </view>
          <view class='Row' superclasses='UITableViewCell UIView' indexPath='0 1' frame='0 90 100 40'>
            <view class='UIButton' title='Buy later' frame='60 0 40 20'/>
          </view>
        </view>
        <view class='UIButton' title='Hidden' hidden='true' frame='0 0 100 100'/>
        <view class='UIView' alpha='0' frame='0 0 100 100'><view class='UIButton' frame='0 0 100 100'/></view>
        <view class='UIButton' title='No frame'/>
        <view class='UIButton' label='Over' frame='90 20 10 10'/>
      </view>
      """)
  }

  @Test(
    "a point finds the trackable element that was drawn last there", .articles("H54"),
    arguments: [
      ((10, 30), 2), ((65, 25), 4), ((95, 25), 13), ((10, 50), 2), ((10, 70), nil), ((10, 10), nil),
      // The point is below the frame of the table, where the table does not draw.
      ((65, 115), nil), ((1000, 1000), nil), ((100, 100), nil),
    ] as [((Double, Double), Int?)])
  func points(point: (Double, Double), expected: Int?) throws {
    let found = ElementQuery.point(x: point.0, y: point.1).elements(of: try Self.screen())
    #expect(found == expected.map { [ElementID($0)] } ?? [])
  }

  @Test("a point finds the element in the foremost window, which is the first in a dump of uiautomator")
  func windowsOfDump() throws {
    func window(_ top: Int) -> String {
      """
      <node class='android.widget.FrameLayout' bounds='[0,\(top)][100,100]'>
      <node class='android.widget.Button' clickable='true' bounds='[0,60][100,80]'/></node>
      """
    }
    let dump = "<hierarchy rotation='0'>\(window(50))\(window(0))</hierarchy>"
    let screen = IdentifiedTree(try CaptureReader().read(Array(dump.utf8)))
    #expect(ElementQuery.point(x: 10, y: 70).elements(of: screen) == [ElementID(1)])
  }

  @Test("a point finds nothing that is dimmed beneath an alert", arguments: [(10, nil), (60, 3)] as [(Double, Int?)])
  func dimmed(y: Double, expected: Int?) throws {
    let screen = try Screens.of(
      """
      <view class='UIWindow' frame='0 0 100 100'><view class='UIButton' frame='0 0 100 100'/>
      <view class='UIDimmingView' frame='0 0 100 100'/><view class='UIButton' frame='0 50 100 50'/></view>
      """)
    #expect(ElementQuery.point(x: 10, y: y).elements(of: screen) == (expected.map { [ElementID($0)] } ?? []))
  }

  @Test("a point finds what a scrolled view shows there", arguments: [("0 100", 3), ("{0, 100}", 3), ("0 0", 2)])
  func scrolled(offset: String, expected: Int) throws {
    let screen = try Screens.of(
      """
      <view class='UIWindow' frame='0 0 100 100'><view class='UIScrollView' frame='0 0 100 100' contentOffset='\(offset)'>
      <view class='UIButton' frame='0 0 100 50'/><view class='UIButton' frame='0 100 100 50'/></view></view>
      """)
    #expect(ElementQuery.point(x: 10, y: 10).elements(of: screen) == [ElementID(expected)])
  }

  @Test(
    "a text finds elements with it, whole texts before parts, and never typed text",
    arguments: [
      ("Buy now", [4]), ("Buy", [4, 8]), ("later", [8]), ("caf\u{E9}", [2]), ("cafe\u{301}", []), ("Over", [13]),
      ("secret", []), ("Hidden", [9]), ("nothing", []),
    ])
  func texts(text: String, expected: [Int]) throws {
    #expect(ElementQuery.text(text).elements(of: try Self.screen()) == expected.map { ElementID($0) })
  }

  @Test("an event ID finds its elements by its first digits")
  func eventIDs() throws {
    let screen = try Self.screen()
    let id = screen.eventID(of: ElementID(4)).description
    #expect(ElementQuery(String(id.prefix(8))).elements(of: screen) == [ElementID(4)])
    #expect(ElementQuery(id.uppercased()).elements(of: screen) == [ElementID(4)])
    #expect(ElementQuery.number(14).elements(of: screen).isEmpty)
    #expect(ElementQuery.number(13).elements(of: screen) == [ElementID(13)])
  }
}
