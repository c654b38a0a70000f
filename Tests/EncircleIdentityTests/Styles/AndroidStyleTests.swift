import EncircleCapture
import EncircleIdentity
import EncircleTestSupport
import EncircleTree
import Foundation
import Testing

/// The styles of SDKs for Android, by what is known of a screen of a shop and by what the SDKs' own code answers.
@Suite struct AndroidStyleTests {
  private static func answers(_ xml: String) throws -> (IdentifiedTree, ElementID, PathChains) {
    let screen = IdentifiedTree(try CaptureReader().read(Array(xml.utf8)))
    let element = try #require(screen.it)
    return (screen, element, PathChains(of: screen))
  }

  private static func screen(_ content: String, _ more: String = "") -> String {
    """
    <viewTree version='1' app='a.shop' os='Android'><view class='com.android.internal.policy.DecorView'
      controller='a.shop.Main' frame='0 0 100 100'><view class='android.widget.FrameLayout' frame='0 0 100 100'>\(content)</view>
    </view>\(more)</viewTree>
    """
  }

  @Test(
    "a path of Sensors for Android",
    arguments: [
      // The index counts subclasses before it.
      (
        "<view class='androidx.appcompat.widget.AppCompatButton'/><view class='android.widget.Button' identifier='it'/>",
        "android.widget.FrameLayout[0]/android.widget.Button[1]", nil
      ),
      // An inner class has a dot, and an anonymous one has no name.
      ("<view class='a.Outer$Inner' identifier='it'/>", "android.widget.FrameLayout[0]/a.Outer.Inner[0]", nil),
      ("<view class='a.Outer$1' identifier='it'/>", "android.widget.FrameLayout[0]/Anonymous[0]", nil),
      // Only the innermost row is free.
      (
        "<view class='R' superclasses='androidx.recyclerview.widget.RecyclerView'><view class='L' indexPath='0 7'>"
          + "<view class='android.widget.GridView'><view class='T' indexPath='0 3' identifier='it'/></view></view></view>",
        "android.widget.FrameLayout[0]/R[0]/L[7]/android.widget.GridView[0]/T[-]", "3"
      ),
      (
        "<view class='android.widget.ExpandableListView'><view class='L' indexPath='1 2'><view class='B' identifier='it'/>"
          + "</view></view>",
        "android.widget.FrameLayout[0]/android.widget.ExpandableListView[0]/ELVG[1]/ELVC[-]/L[0]/B[0]", "1:2"
      ),
      (
        "<view class='V' controller='a.shop.Sheet' controllerSuperclasses='androidx.fragment.app.DialogFragment'>"
          + "<view class='B' identifier='it'/></view>", "android.widget.FrameLayout[0]/a.shop.Sheet[0]/B[0]", nil
      ),
    ] as [(String, String, String?)])
  func sensors(content: String, path: String, position: String?) throws {
    let (_, element, chains) = try Self.answers(Self.screen(content))
    let chain = chains.chain(to: element)
    #expect(SensorsAndroidStyle().path(of: chain)?.written == path)
    #expect(SensorsAndroidStyle().position(in: chain) == position)
  }

  @Test(
    "a path of GrowingIO for Android",
    arguments: [
      // An id of the app is the place, one of the system is not.
      (
        "<view class='android.widget.Button' identifier='a.shop:id/pay'><view class='X' identifier='it'/></view>",
        "/Main/DecorView/FrameLayout/Button/X & /0/0/0/pay/0"
      ),
      (
        "<view class='android.widget.Button' identifier='android:id/pay'><view class='X' tag='it' identifier='it'/></view>",
        "/Main/DecorView/FrameLayout/Button/X & /0/0/0/0/0"
      ),
      (
        "<view class='V' identifier='a.shop:id/host'><view class='W' controller='a.shop.Sheet'>"
          + "<view class='B' identifier='it'/></view></view>", "/Main/Sheet/W/B & /0/host/0/0"
      ),
      // A fragment that is hidden is no page.
      (
        "<view class='W' controller='a.shop.Sheet' controllerHidden='true'><view class='B' identifier='it'/></view>",
        "/Main/DecorView/FrameLayout/W/B & /0/0/0/0/0"
      ),
      (
        "<view class='W' growingUniqueTag='promo/1'><view class='B' identifier='it'/></view>", "/promo/1/B & /0/0"
      ),
    ])
  func growingIO(content: String, path: String) throws {
    // The element is found by its identifier, which is a resource id of no package.
    let (_, element, chains) = try Self.answers(Self.screen(content))
    var chain = chains.chain(to: element)
    chain[chain.count - 1].resourceID = nil
    #expect(GrowingIOAndroidStyle().path(of: chain)?.written == path)
  }

  @Test("a dialog belongs to the activity beneath it, in all styles of Android")
  func dialog() throws {
    let dialog =
      "<view class='com.android.internal.policy.DecorView' window='dialog'><view class='B' identifier='it'/></view>"
    let (screen, element, chains) = try Self.answers(Self.screen("", dialog))
    let chain = chains.chain(to: element)
    #expect(HubbleDataAndroidStyle().path(of: chain)?.written == "a.shop.Main:DecorView[0]/B[0]#it")
    #expect(screen.page(of: element, in: .hubbleDataAndroid) == "a.shop.Main")
    #expect(screen.page(of: element, in: .sensorsAndroid) == "a.shop.Main")
    #expect(GrowingIOAndroidStyle().path(of: chain)?.written.hasPrefix("/Main/DecorView/B & ") == true)
  }

  @Test("in a dump of several windows, the root of each has the index 0 in HubbleData's paths for Android")
  func windowsOfDump() throws {
    let window = "<node class='android.widget.FrameLayout' package='a.shop'/>"
    let last = "<node class='android.widget.FrameLayout' package='a.shop'><node class='B' resource-id='it'/></node>"
    let dump = try CaptureReader().read(Array("<hierarchy>\(window)\(last)</hierarchy>".utf8))
    let screen = IdentifiedTree(dump.addingActivity(".Main"))
    let element = try #require(screen.it)
    let chain = PathChains(of: screen).chain(to: element)
    #expect(HubbleDataAndroidStyle().path(of: chain)?.written == "a.shop.Main:DecorView[0]/B[0]#it")
  }

  @Test(
    "an activity in the package of the app belongs to the windows of the app, whatever other windows a dump has",
    arguments: [
      // A launcher or another app lies behind or beside the app.
      ("c.home", "x", ".Main", ["a.shop.Main", nil]), ("c.home", "x", "c.home.Main", [nil, "c.home.Main"]),
      // Keyboards may have more views than the app.
      ("c.keys", "android:id/inputArea", ".Main", ["a.shop.Main", nil]),
      ("com.android.systemui", "x", ".Main", ["a.shop.Main", nil]),
      // The package of the activity may differ from the app's.
      ("c.home", "x", "a.Main", ["a.Main", nil]),
    ] as [(String, String, String, [String?])])
  func activity(other: String, identifier: String, name: String, pages: [String?]) throws {
    let views = String(repeating: "<node class='V' package='\(other)'/>", count: identifier == "x" ? 0 : 9)
    let dump = """
      <hierarchy><node class='F' package='\(other)' resource-id='\(identifier)'>\(views)</node>
      <node class='F' package='a.shop'><node class='B' package='a.shop' resource-id='it'/></node></hierarchy>
      """
    let screen = IdentifiedTree(try CaptureReader().read(Array(dump.utf8)).addingActivity(name))
    let element = try #require(screen.it)
    #expect([screen.controller(of: element), screen.controller(of: ElementID(0))] == pages)
  }

  @Test(
    "a row of HubbleData for Android has its position, and a part of an expandable list says what it is",
    arguments: [
      ("android.widget.ListView", "indexPath='0 3'", "[3]"),
      ("android.widget.ExpandableListView", "section='1' role='group'", "[group:1]"),
      ("android.widget.ExpandableListView", "indexPath='1 2'", "[group:1,child:2]"),
      ("android.widget.ExpandableListView", "section='0' role='header'", "[header:0]"),
      ("android.widget.ExpandableListView", "section='2' role='footer'", "[footer:2]"),
    ])
  func hubbleData(list: String, attributes: String, place: String) throws {
    let row = "<view class='android.widget.RelativeLayout' \(attributes)><view class='B' identifier='it'/></view>"
    let (screen, element, chains) = try Self.answers(Self.screen("<view class='\(list)'>\(row)</view>"))
    let written = try #require(HubbleDataAndroidStyle().path(of: chains.chain(to: element))?.written)
    #expect(written.contains("/RelativeLayout\(place)/B"), "\(written)")
    #expect(!screen.missingInformation.contains { if case .rowPositions = $0 { true } else { false } })
  }

  // MARK: - What the SDKs answer

  private static let folder: URL? = {
    let folder = PackageFolder.shared?.appendingPathComponent("sdks/android")
    return folder.flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil }
  }()

  private static let names: [String] = {
    guard let folder, let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else { return [] }
    return files.filter { $0.hasSuffix(".xml") }.map { String($0.dropLast(4)) }.sorted()
  }()

  private static func lines(_ name: String) throws -> [NSDictionary] {
    let file = try #require(folder).appendingPathComponent(name + ".sdk.ndjson")
    return try String(decoding: Data(contentsOf: file), as: UTF8.self).split(separator: "\n").map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSDictionary)
    }
  }

  @Test(
    "of a scrolled list in an alert, Sensors' SDK takes the child whose number is the row's position, if there is one")
  func rowsOfAlert() throws {
    let rows = (1...3).map { "<view class='R' indexPath='0 \($0)'/>" }.joined()
    let alert = """
      <view class='com.android.internal.policy.DecorView' window='dialog'>\
      <view class='android.widget.ListView' identifier='android:id/select_dialog_listview'>\(rows)</view></view>
      """
    let screen = IdentifiedTree(try CaptureReader().read(Array(Self.screen("", alert).utf8)))
    let taps = try #require(AndroidTaps(of: PathChains(of: screen), style: .sensorsAndroid))
    #expect((4...6).map { taps.tap(on: ElementID($0)).pathElement } == [ElementID(5), ElementID(6), nil])
  }

  @Test(
    "every field is what the code of Sensors' SDK answers", .enabled(if: folder != nil, "there are no answers"),
    arguments: names)
  func sensorsAnswers(name: String) throws {
    let file = try #require(Self.folder).appendingPathComponent(name + ".xml")
    let screen = IdentifiedTree(try CaptureReader().read(PackageFolder.bytes(file)))
    let chains = PathChains(of: screen)
    let taps = try #require(AndroidTaps(of: chains, style: .sensorsAndroid))
    for line in try Self.lines(name) {
      let element = ElementID(try #require(line["element"] as? Int))
      let answer = try #require(line["sensors"] as? NSDictionary)
      let own = try #require(answer["element"] as? NSDictionary)
      let isTracked = answer["tracked"] as? Bool ?? false
      let event = isTracked ? answer["event"] as? NSDictionary : nil
      let page = event ?? own["page"] as? NSDictionary
      let chain = chains.chain(to: element)
      let tap = taps.tap(on: element)
      let note = Comment(rawValue: "\(name) #\(element)")
      #expect(SensorsAndroidStyle().path(of: chain)?.written == own["path"] as? String, note)
      #expect(SensorsAndroidStyle().position(in: chain) == own["position"] as? String, note)
      #expect(tap.selector == own["selector"] as? String, note)
      #expect(tap.isTracked == isTracked, note)
      #expect(tap.page == page?["$screen_name"] as? String, note)
      #expect(screen.page(of: element, in: .sensorsAndroid) != nil, note)
      #expect(tap.title == page?["$title"] as? String, note)
      #expect(tap.resourceID == (event ?? own)[event == nil ? "id" : "$element_id"] as? String, note)
      if let event {
        #expect((tap.content ?? "") == (event["$element_content"] as? String ?? ""), note)
        #expect(tap.elementType == event["$element_type"] as? String, note)
      }
    }
  }

  @Test(
    "every field is what the code of GrowingIO's SDK answers", .enabled(if: folder != nil, "there are no answers"),
    arguments: names)
  func growingIOAnswers(name: String) throws {
    let file = try #require(Self.folder).appendingPathComponent(name + ".xml")
    let screen = IdentifiedTree(try CaptureReader().read(PackageFolder.bytes(file)))
    let chains = PathChains(of: screen)
    let taps = try #require(AndroidTaps(of: chains, style: .growingIOAndroid))
    for line in try Self.lines(name) {
      let element = ElementID(try #require(line["element"] as? Int))
      let chain = chains.chain(to: element)
      let path = GrowingIOAndroidStyle().path(of: chain)
      guard let answer = line["growingio"] as? NSDictionary, let event = answer["event"] as? NSDictionary else {
        #expect(!taps.tap(on: element).isTracked)
        continue
      }
      let tap = taps.tap(on: element)
      let note = Comment(rawValue: "\(name) #\(element)")
      #expect(path?.lists?.xpath == event["xpath"] as? String, note)
      #expect(path?.lists?.xcontent == event["xcontent"] as? String, note)
      #expect(GrowingIOAndroidStyle().position(in: chain).flatMap { Int($0) } ?? -1 == event["index"] as? Int, note)
      #expect((tap.content ?? "") == event["textValue"] as? String, note)
      #expect(tap.page.map { "/" + $0 } == event["path"] as? String, note)
      #expect((tap.eventName ?? "VIEW_CLICK") == event["eventType"] as? String, note)
      #expect(tap.isTracked == answer["tracked"] as? Bool, note)
    }
  }
}
