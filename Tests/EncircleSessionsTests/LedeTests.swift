import EncircleEvents
import EncircleIdentity
import EncircleSessions
import EncircleTestSupport
import Testing

/// The statements on Lede's SDK in docs/articles.md, one by one.
@Suite struct LedeTests {
  private static let shop = [
    #"define {"controller":"Shop","title":"Tea"}"#,
    #"view {"view":"root","class":"UIView","controller":"Shop","frame":[0,0,390,844]}"#,
  ]

  private func replay(config: String = "", _ signals: [String]) throws -> WrittenSession.Result {
    try WrittenSession.replay(.lede, config: config, WrittenSession.start + signals)
  }

  @Test("Every event has eventName, appKey, eventTime, sessionId and deviceId", .articles("L11"))
  func record() throws {
    let event = try #require(try replay([#"track {"event":"Paid"}"#]).events.first)
    #expect(event.members.map(\.name) == ["eventName", "appKey", "eventTime", "sessionId", "deviceId"])
    #expect(event["eventName"] == "Paid")
    #expect(event["sessionId"] == "S1")
  }

  @Test("A click has the page's name, and of the view its class, path, frame, title and id", .articles("L12"))
  func viewInfo() throws {
    let result = try replay(
      Self.shop + [
        #"tap {"view":"buy","class":"UIButton","in":"root","frame":[16,60,74,36],"attributes":{"title":"Buy"}}"#
      ])
    #expect(result.names == ["click"])
    #expect(result.texts("pageName") == ["Shop"])
    #expect(result.texts("viewClass") == ["UIButton"])
    #expect(result.texts("viewPath") == ["Shop-UIButton & 0-0"])
    #expect(result.values("frame") == [[16, 60, 74, 36]])
    #expect(result.texts("title") == ["Buy"])
    // The MD5 of the path, as md5sum has it.
    #expect(result.texts("viewId") == ["db95323835e5f7df8b416be487470edd"])
  }

  @Test("Pages have events when they appear and when they disappear", .articles("L8"))
  func pages() throws {
    let result = try replay([#"appear {"controller":"Home"}"#, #"disappear {"controller":"Home"}"#])
    #expect(result.names == ["pageAppear", "pageDisappear"])
    #expect(result.texts("pageName") == ["Home", "Home"])
    let silent = try replay([#"appear {"controller":"Home"}"#, #"disappear {"controller":"Home","super":false}"#])
    #expect(silent.names == ["pageAppear"])
  }

  @Test("Controls, taps and the selection of cells are clicks; long presses are not", .articles("L2", "L4", "L13"))
  func clicks() throws {
    let result = try replay([
      #"tap {"view":"a","targets":2}"#, #"tap {"view":"t","class":"UITabBarButton","base":"UIControl"}"#,
      #"gesture {"view":"b","recognizer":"UITapGestureRecognizer","state":"ended"}"#,
      #"gesture {"view":"b","recognizer":"UILongPressGestureRecognizer","state":"began"}"#,
      #"view {"view":"list","class":"UITableView"}"#, #"select {"view":"list","indexPath":[0,0]}"#,
    ])
    #expect(result.texts("viewClass") == ["UIControl", "UIControl", "UITabBarButton", "UIView", nil])
  }

  @Test("The selection of a row has path, frame and id of the cell, and its section and row", .articles("L13"))
  func cells() throws {
    let result = try replay(
      Self.shop + [
        #"view {"view":"list","class":"UITableView","in":"root"}"#,
        #"view {"view":"cell","class":"TeaCell","base":"UITableViewCell","in":"list","frame":[0,308,390,44],"attributes":{"indexPath":"0 7"}}"#,
        #"select {"view":"list","indexPath":[0,7]}"#, #"select {"view":"list","indexPath":[3,8]}"#,
      ])
    #expect(result.texts("pageName") == ["Shop", "Shop"])
    #expect(result.texts("viewPath") == ["Shop-UITableView-TeaCell & 0-0-0:7", nil])
    #expect(result.texts("viewId")[0]?.utf8.count == 32)
    #expect(result.values("frame")[0] == [0, 308, 390, 44])
    #expect(result.values("section") == [0, 3])
    #expect(result.values("row") == [7, 8])
  }

  @Test("A cell without a place in the capture is sent without section and row")
  func unplacedCells() throws {
    let path = PackageFolder.viewTrees.appending(path: "collisions.xml").path
    let result = try replay([#"select {"capture":"\#(path)","element":14}"#])
    #expect(result.texts("viewClass") == ["BookCell"])
    #expect(result.values("row") == [nil])
  }

  @Test("appKey is what the session says, else the app of the capture")
  func appKey() throws {
    let path = PackageFolder.viewTrees.appending(path: "home-feed.xml").path
    let signals = [#"tap {"capture":"\#(path)","element":26}"#, #"track {"event":"Paid"}"#]
    #expect(try replay(signals).texts("appKey") == ["com.example.shop", "app"])
    #expect(try replay(config: #""app":"k""#, signals).texts("appKey") == ["k", "k"])
  }

  @Test(
    "Elements in a navigation bar, a tab bar or a toolbar have the page that is shown", .articles("L14", "L16"),
    arguments: [
      "UINavigationBar", "UITabBar", "UIToolbar",
    ])
  func bars(_ bar: String) throws {
    let result = try replay([
      #"define {"controller":"nav","class":"UINavigationController"}"#, #"define {"controller":"Shop","parent":"nav"}"#,
      #"view {"view":"bar","class":"\#(bar)","controller":"nav"}"#, #"tap {"view":"a","in":"bar"}"#,
    ])
    #expect(result.texts("pageName") == ["Shop"])
  }

  @Test("The page of a tab bar in a capture is the one that it shows, too")
  func capturedBars() throws {
    let path = PackageFolder.viewTrees.appending(path: "home-feed.xml").path
    let result = try replay([#"tap {"capture":"\#(path)","element":129}"#])
    #expect(result.texts("pageName") == ["HomeViewController"])
  }

  @Test("The page of an alert's option is the one beneath; title and message are sent, too", .articles("L7", "L15"))
  func alerts() throws {
    let result = try replay(
      Self.shop + [
        #"define {"controller":"alert","class":"UIAlertController"}"#,
        #"view {"view":"v","class":"_UIAlertControllerView","base":"UIView","controller":"alert","attributes":{"title":"Leave","message":"Sure?"}}"#,
        #"view {"view":"g","class":"_UIAlertControllerInterfaceActionGroupView","base":"UIView","in":"v"}"#,
        #"view {"view":"a","class":"_UIInterfaceActionCustomViewRepresentationView","base":"UIView","in":"g","frame":[0,0,100,40]}"#,
        #"gesture {"view":"g","recognizer":"UITapGestureRecognizer","state":"ended","point":[20,20]}"#,
      ])
    #expect(result.texts("pageName") == ["Shop"])
    #expect(result.texts("alertTitle") == ["Leave"])
    #expect(result.texts("alertMessage") == ["Sure?"])
  }

  @Test("There are no events of starts, ends and crashes")
  func undescribed() throws {
    let result = try replay(WrittenSession.background + WrittenSession.foreground + [#"signal {"number":11}"#])
    #expect(result.names == [])
  }

  @Test("The end of scrolling and what web views load are events, with URL and error", .articles("L9", "L10"))
  func scrollingAndLoading() throws {
    let result = try replay(
      Self.shop + [
        #"scrollEnd {"view":"list","in":"root"}"#,
        #"webViewStart {"view":"web","in":"root","url":"https://a.example"}"#,
        #"webViewFinish {"view":"web","url":"https://a.example"}"#,
        #"webViewFail {"view":"web","url":"https://b.example","error":"offline"}"#,
      ])
    #expect(result.names == ["scrollEnd", "webViewStart", "webViewFinish", "webViewFail"])
    #expect(result.texts("pageName") == Array(repeating: "Shop", count: 4))
    #expect(result.texts("url").last == "https://b.example")
    #expect(result.texts("error") == [nil, nil, nil, "offline"])
  }

  @Test("React Native's responder and the system's back button are clicks", .articles("L3", "L5"))
  func otherClicks() throws {
    let result = try replay(
      Self.shop + [
        #"setJSResponder {"view":"pay","class":"RCTView","in":"root"}"#, #"back {"controller":"Shop","title":"Home"}"#,
      ])
    #expect(result.names == ["click", "click"])
    #expect(result.texts("title") == [nil, "Home"])
    #expect(result.texts("pageName") == ["Shop", "Shop"])
  }

  @Test(
    "A click on the back button describes the button as other clicks do, and has the page that is left",
    .articles("L3"))
  func backButton() throws {
    let result = try replay(
      Self.shop + [
        #"define {"controller":"nav","class":"UINavigationController"}"#,
        #"define {"controller":"Shop","parent":"nav"}"#,
        #"view {"view":"bar","class":"UINavigationBar","controller":"nav"}"#,
        #"back {"controller":"Shop","title":"Home","view":"b","class":"_UIButtonBarButton","in":"bar","frame":[8,0,60,44]}"#,
      ])
    #expect(result.texts("pageName") == ["Shop"])
    #expect(result.texts("viewClass") == ["_UIButtonBarButton"])
    #expect(result.texts("viewPath") == ["UINavigationController-_UIButtonBarButton & 0-0"])
    #expect(result.texts("viewId")[0]?.utf8.count == 32)
    #expect(result.values("frame") == [[8, 0, 60, 44]])
    #expect(result.texts("title") == ["Home"])
  }

  @Test(
    "The delegate of an alert gives the button, with page, title and message", .articles("L6"),
    arguments: ["UIAlertView", "UIActionSheet"])
  func alertDelegates(_ alert: String) throws {
    let result = try replay(
      Self.shop + [
        #"alertButton {"view":"a","class":"\#(alert)","attributes":{"title":"Leave","message":"Sure?"},"button":1,"title":"OK"}"#
      ])
    #expect(result.names == ["click"])
    #expect(result.texts("pageName") == ["Shop"])
    #expect(result.texts("viewClass") == [alert])
    #expect(result.texts("viewPath")[0]?.hasPrefix(alert) == true)
    #expect(result.texts("title") == ["OK"])
    #expect(result.values("buttonIndex") == [1])
    #expect(result.texts("alertTitle") == ["Leave"])
    #expect(result.texts("alertMessage") == ["Sure?"])
    for sdk in [SessionSDK.hubbledata, .whitepaper] {
      let other = try WrittenSession.replay(
        sdk, WrittenSession.start + [#"alertButton {"view":"a","class":"\#(alert)","button":1}"#])
      #expect(other.names.filter { $0 != "$AppStart" } == [])
    }
  }

  @Test("A signal becomes an event, which waits in memory, then in a file, until it was sent", .articles("L1"))
  func parts() throws {
    let tap = #"tap {"view":"buy","class":"UIButton","in":"root"}"#
    let waiting = try replay(Self.shop + [tap])
    #expect(waiting.names == ["click"])
    #expect(waiting.deliveries == [])
    let filed = Self.shop + [tap, ">willTerminate", "kill"]
    #expect(try replay(filed).deliveries == [])
    #expect(try replay(filed + ["launch", "init"]).deliveries == [1])
  }

  // MARK: - Deliveries

  private static let track = #"track {"event":"A"}"#

  @Test(
    "10 events in memory are sent, or after 30 s all of them; they stay there until they have been sent",
    .articles("L22"))
  func memory() throws {
    let ten = Array(repeating: Self.track, count: 10)
    #expect(try replay(Array(ten.dropLast())).deliveries == [])
    #expect(try replay(ten).deliveries == [10])
    #expect(try replay(config: #""flushes":true"#, [Self.track, "+30", "wait"]).deliveries == [1])
    #expect(try replay([#"receiver {"status":500,"count":1}"#] + ten + [Self.track]).deliveries == [11])
    #expect(try replay([#"network {"up":false}"#] + ten + [#"network {"up":true}"#, Self.track]).deliveries == [11])
  }

  @Test(
    "Events of a request leave the array, wait under the request's ID, and are removed after success",
    .articles("L18"))
  func doubleBuffer() throws {
    let ten = Array(repeating: Self.track, count: 10)
    let slow = [#"receiver {"slow":true}"#]
    // While ten events are under way, new ones are in the array, and fill a second request.
    let two = try replay(slow + ten + ten + [Self.track, #"receiver {"status":200}"#])
    #expect(two.deliveries == [10, 10])
    // Their IDs are random, but a session has the same ones each time.
    #expect(Set(two.requests).count == 2)
    let digits = two.requests.map { id in id.count { $0.isHexDigit } }
    #expect(digits == [32, 32], "\(two.requests)")
    // Refused events are in the array again, and go out under another ID.
    let failed = try replay(slow + ten + [#"receiver {"status":500,"count":1}"#, Self.track])
    #expect(failed.deliveries == [11])
    #expect(failed.requests == [two.requests[1]])
    // No more than ten requests are under way.
    let many = try replay(slow + (0..<12).flatMap { _ in ten } + [#"receiver {"status":200}"#])
    #expect(many.deliveries == Array(repeating: 10, count: 10))
    // Events under way go to a file with the rest.
    let saved = try replay(
      slow + ten + [Self.track, ">willTerminate", "kill", #"receiver {"status":200}"#, "launch", "init"])
    #expect(saved.deliveries == [11])
    #expect(saved.requests == [])
  }

  @Test("Requests after a new installation have other IDs than those before")
  func requestsAfterReinstallation() throws {
    let ten = Array(repeating: Self.track, count: 10)
    let result = try replay(ten + ["reinstall", "launch", "init"] + ten)
    #expect(result.deliveries == [10, 10])
    #expect(Set(result.requests).count == 2, "\(result.requests)")
  }

  @Test("Memory goes to a file before termination and by an exception, and is lost by a kill", .articles("L19"))
  func files() throws {
    func deliveries(_ end: [String]) throws -> [Int] {
      try replay([Self.track, Self.track] + end + ["kill", "launch", "init"]).deliveries
    }
    #expect(try deliveries([">willTerminate"]) == [2])
    #expect(try deliveries([#"exception {"reason":"bad"}"#]) == [2])
    #expect(try deliveries([]) == [])
  }

  @Test("Files are sent at a cold start, in front and in the background, one at a time", .articles("L23"))
  func fileTimes() throws {
    let file = [Self.track, #"exception {"reason":"bad"}"#]
    #expect(try replay(file + [">didEnterBackground"]).deliveries == [1])
    #expect(try replay(file + file + [">willEnterForeground"]).deliveries == [1, 1])
    #expect(try replay(file + [">didBecomeActive"]).deliveries == [])
  }
}
