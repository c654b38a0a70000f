import EncircleTestSupport
import EncircleSessions
import Testing

/// The statements W1 to W48 and P1 to P8 in `docs/articles.md`, claim by claim; starts and ends are in
/// ``WhitePaperLifecycleTests``.
@Suite struct WhitePaperTests {
  private static let start = WrittenSession.start
  private static let background = WrittenSession.background
  private static let foreground = WrittenSession.foreground
  private static let models: [SessionSDK] = [.whitepaper, .article004]

  private func replay(_ sdk: SessionSDK, config: String = "", _ signals: [String]) throws -> WrittenSession.Result {
    try WrittenSession.replay(sdk, config: config, signals)
  }

  private func replay(config: String = "", _ signals: [String]) throws -> WrittenSession.Result {
    try WrittenSession.replay(.whitepaper, config: config, signals)
  }

  // MARK: - Pages

  @Test("A page view comes when the page has appeared, with its class and title")
  func pages() throws {
    let result = try replay(
      Self.start + [#"define {"controller":"Home"}"#, #"appear {"controller":"Home","title":"Welcome"}"#])
    #expect(result.names == ["$AppStart", "$AppViewScreen"])
    #expect(result.texts("$screen_name").last == "Home")
    #expect(result.texts("$title").last == "Welcome")
  }

  @Test("A page view has the page's URL, and that of the page before as referrer")
  func referrers() throws {
    let result = try replay(
      Self.start + [#"appear {"controller":"A","url":"app://a"}"#, #"appear {"controller":"B","url":"app://b"}"#])
    #expect(result.texts("$url") == [nil, "app://a", "app://b"])
    #expect(result.texts("$referrer") == [nil, nil, "app://a"])
  }

  @Test("Classes in the list and their subclasses are no pages; unknown names do no harm", .articles("P4"))
  func pageList() throws {
    let result = try replay(
      config: #""ignoreControllers":["Login","NoSuchClass"]"#,
      Self.start + [
        #"appear {"controller":"Login"}"#, #"appear {"controller":"ShortLogin","base":"Login","class":"ShortLogin"}"#,
        #"appear {"controller":"UIInputWindowController"}"#, #"appear {"controller":"UINavigationController"}"#,
        #"appear {"controller":"Home"}"#,
      ])
    #expect(result.texts("$screen_name") == [nil, "Home"])
  }

  @Test("After a hot start the first page is not sent again")
  func pageAfterHotStart() throws {
    let result = try replay(Self.start + [#"appear {"controller":"Home"}"#] + Self.background + Self.foreground)
    #expect(result.names == ["$AppStart", "$AppViewScreen", "$AppEnd", "$AppStart"])
  }

  @Test("A page that does not call its superclass is not seen")
  func withoutSuper() throws {
    #expect(try replay(Self.start + [#"appear {"controller":"Home","super":false}"#]).names == ["$AppStart"])
  }

  @Test("A page that is about to appear is none before it has appeared, which a swipe may cancel", arguments: models)
  func cancelledAppearance(_ sdk: SessionSDK) throws {
    let will = [#"willAppear {"controller":"Home"}"#]
    #expect(try replay(sdk, Self.start + will + [#"disappear {"controller":"Home"}"#]).names == ["$AppStart"])
    #expect(
      try replay(sdk, Self.start + will + [#"appear {"controller":"Home"}"#]).names == ["$AppStart", "$AppViewScreen"])
  }

  @Test("The SDK's events do not say how long a page was shown", .articles("W31"))
  func pageDuration() throws {
    let result = try replay(
      Self.start + [#"appear {"controller":"Home"}"#, #"disappear {"controller":"Home"}"#])
    #expect(result.names == ["$AppStart", "$AppViewScreen"])
  }

  // MARK: - Clicks

  @Test("A click has the class of the control, the text on it, and the page up the responder chain")
  func clicks() throws {
    let result = try replay(
      Self.start + [
        #"define {"controller":"Shop","title":"Tea"}"#, #"view {"view":"root","controller":"Shop"}"#,
        #"tap {"view":"buy","class":"BuyButton","base":"UIButton","in":"root","attributes":{"title":"Buy"}}"#,
      ])
    #expect(result.texts("$element_type").last == "BuyButton")
    #expect(result.texts("$element_content").last == "Buy")
    #expect(result.texts("$screen_name").last == "Shop")
    #expect(result.texts("$title").last == "Tea")
  }

  @Test("A tap on a control with several target-actions is as many events", .articles("W14"))
  func targets() throws {
    #expect(try replay(Self.start + [#"tap {"view":"a","targets":3}"#]).names.count == 4)
    #expect(try replay(Self.start + [#"tap {"view":"a","targets":0}"#]).names.count == 1)
  }

  @Test(
    "The content of a cell joins the texts of its visible subviews, and its place is section:row",
    arguments: [
      ("UITableView", "UITableViewCell"), ("UICollectionView", "UICollectionViewCell"),
    ])
  func cells(_ list: String, _ cell: String) throws {
    let result = try replay(
      Self.start + [
        #"view {"view":"list","class":"\#(list)"}"#,
        #"view {"view":"cell","class":"\#(cell)","in":"list","attributes":{"indexPath":"1 2"}}"#,
        #"view {"view":"box","in":"cell"}"#,
        #"view {"view":"a","class":"UILabel","in":"box","attributes":{"text":"Ann"}}"#,
        #"view {"view":"b","class":"UILabel","in":"box","attributes":{"text":"Ben","hidden":true}}"#,
        #"view {"view":"c","class":"UILabel","in":"cell","attributes":{"text":"Cid"}}"#,
        #"select {"view":"list","indexPath":[1,2]}"#,
      ])
    #expect(result.texts("$element_content").last == "Ann-Cid")
    #expect(result.texts("$element_position").last == "1:2")
  }

  @Test("Taps and long presses of labels and images are clicks, once for several actions; other recognizers are not")
  func gestures() throws {
    func gesture(_ recognizer: String, _ state: String) -> String {
      #"gesture {"view":"a","class":"UILabel","recognizer":"\#(recognizer)","state":"\#(state)","actions":["act:","act:"]}"#
    }
    let result = try replay(
      Self.start + [
        gesture("UITapGestureRecognizer", "ended"), gesture("UILongPressGestureRecognizer", "began"),
        gesture("UILongPressGestureRecognizer", "ended"), gesture("UIPinchGestureRecognizer", "ended"),
      ])
    #expect(result.names == ["$AppStart", "$AppClick", "$AppClick"])
  }

  // MARK: - Identity

  @Test("Every event has the anonymous ID, after a login that ID, after a logout the anonymous one")
  func login() throws {
    let track = #"track {"event":"A"}"#
    let result = try replay(
      config: #""idfv":"V""#, Self.start + [track, #"login {"id":"ann"}"#, track, "logout", track])
    #expect(result.texts("distinct_id") == ["V", "V", "ann", "V"])
  }

  @Test(
    "The anonymous ID is the IDFA, else the IDFV, else a UUID; an IDFA of zeros is none",
    arguments: [
      (#""idfa":"A","idfv":"V""#, "A"), (#""idfa":"00000000-0000-0000-0000-000000000000","idfv":"V""#, "V"),
      (#""idfv":"""#, "UUID-0001"),
    ])
  func anonymousID(_ config: String, _ id: String) throws {
    #expect(try replay(config: config, Self.start).texts("distinct_id") == [id])
  }

  @Test(
    "The keychain keeps the anonymous ID over a reinstallation; without it the device is asked again", .articles("W25"))
  func keychain() throws {
    let twice = Self.start + ["kill", "reinstall"] + Self.start
    #expect(try replay(config: #""idfv":"""#, twice).texts("distinct_id") == ["UUID-0001", "UUID-0001"])
    let without = try replay(config: #""idfv":"","keychain":false"#, twice)
    #expect(without.texts("distinct_id") == ["UUID-0001", "UUID-0002"])
  }

  @Test("The IDFV stays while another app of the vendor is installed, and changes otherwise", .articles("W23"))
  func vendorApps() throws {
    let twice = Self.start + ["kill", "reinstall"] + Self.start
    func ids(_ config: String, _ signals: [String]) throws -> [String?] {
      try replay(config: #""idfv":"V","keychain":false,"# + config, signals).texts("distinct_id")
    }
    #expect(try ids(#""vendorApps":1"#, twice) == ["V", "V"])
    #expect(try ids(#""vendorApps":0"#, twice) == ["V", "IDFV-1"])
    #expect(try ids(#""vendorApps":1"#, [#"device {"vendorApps":0}"#] + twice) == ["V", "IDFV-1"])
    // The archive keeps the old one as long as the app is there.
    let kept = Self.start + ["kill", #"device {"idfv":"W"}"#] + Self.start
    #expect(try ids(#""vendorApps":0"#, kept) == ["V", "V"])
  }

  @Test("All apps of a device have its IDFA, until somebody resets it or limits tracking", .articles("W22"))
  func advertisingID() throws {
    func id(_ device: String) throws -> [String?] {
      let change = ["kill", "reinstall", "device \(device)"]
      return try replay(config: #""idfa":"A","idfv":"V","keychain":false"#, Self.start + change + Self.start)
        .texts("distinct_id")
    }
    #expect(try id(#"{"vendorApps":0}"#) == ["A", "A"])
    #expect(try id(#"{"idfa":"B"}"#) == ["A", "B"])
    #expect(try id(#"{"idfa":"00000000-0000-0000-0000-000000000000"}"#) == ["A", "V"])
  }

  @Test("MAC is the same on all devices, UDID and IMEI are none, so that the next scheme is tried", .articles("W24"))
  func uselessSchemes() throws {
    func id(_ schemes: String) throws -> [String?] {
      try replay(config: #""idfv":"V","idSchemes":[\#(schemes)]"#, Self.start).texts("distinct_id")
    }
    #expect(try id(#""mac","idfv""#) == ["02:00:00:00:00:00"])
    #expect(try id(#""udid","imei","idfv""#) == ["V"])
    #expect(try id(#""udid""#) == ["UUID-0001"])
  }

  @Test(
    "Events, also of web pages, have the properties that the device has when the SDK is started",
    .articles("P3", "W44"))
  func presetProperties() throws {
    let device = #"device {"properties":{"$model":"iPhone15,2","$lib":"iOS","$app_version":"2.0","$wifi":true}}"#
    let page = #"h5 {"message":{"event":"Read","properties":{"$model":"?","$lib":"js"}}}"#
    let later = #"device {"properties":{"$app_version":"3.0"}}"#
    let result = try replay([device] + Self.start + [later, #"track {"event":"A"}"#, page])
    #expect(result.names == ["$AppStart", "A", "Read"])
    #expect(result.texts("$model") == ["iPhone15,2", "iPhone15,2", "iPhone15,2"])
    #expect(result.texts("$app_version") == ["2.0", "2.0", "2.0"])
    #expect(result.texts("$lib") == ["iOS", "iOS", "js"])
    #expect(result.values("$wifi") == [nil, nil, nil])
    #expect(try replay(Self.start).texts("$model") == [nil])
  }

  @Test("Events are sent only in the networks that the app has chosen; they wait for one", .articles("W34"))
  func networks() throws {
    let wifiOnly = #""networks":["WIFI"]"#
    let left = Self.start + Self.background
    let mobile = [#"network {"up":true,"type":"4G"}"#]
    #expect(try replay(mobile + left).deliveries == [2])
    #expect(try replay(config: wifiOnly, mobile + left).deliveries == [])
    #expect(try replay(config: wifiOnly, mobile + left + [#"network {"up":true}"#, "flush"]).deliveries == [2])
  }

  // MARK: - Timers, deliveries, crashes and web pages

  @Test("Timers count the uptime, without pauses")
  func timers() throws {
    let result = try replay(
      Self.start + [
        #"timerStart {"event":"A"}"#, "+9", #"timerPause {"event":"A"}"#, "+100", #"timerResume {"event":"A"}"#,
        #"timerEnd {"event":"A"}"#, #"timerEnd {"event":"A"}"#,
      ])
    #expect(result.values("$event_duration") == [nil, 11, nil])
  }

  @Test("Events are stored first and kept until they were sent: over a kill, and without network")
  func stored() throws {
    let life: [String] = Self.start + Self.background
    let killed: [String] = ["kill", #"network {"up":true}"#]
    let result = try replay([#"network {"up":false}"#] + life + killed + life)
    #expect(result.deliveries == [4])
  }

  @Test("100 events, 15 s and the background send what waits")
  func deliveries() throws {
    let many = (0..<100).map { _ in #"track {"event":"A"}"# }
    #expect(try replay(Self.start + many).deliveries == [100])
    #expect(try replay(config: #""flushes":true"#, Self.start + ["+15", "wait"]).deliveries == [1])
    #expect(try replay(Self.start + Self.background).deliveries == [2])
  }

  @Test(
    "An exception gives $AppCrashed and the end that would be missing; the app's handler is called after it",
    .articles("W41")
  )
  func exceptions() throws {
    let signals = ["launch", "previousHandlers", "init", ">didBecomeActive", #"exception {"reason":"bad"}"#]
    let result = try replay(config: #""crash":true"#, signals)
    #expect(result.names == ["$AppStart", "$AppCrashed", "$AppEnd"])
    #expect(result.texts("app_crashed_reason")[1] == "bad")
    #expect(result.notes == ["previous handler of exception called"])
    let hidden = try replay(config: #""crash":true"#, Self.start + Self.background + [#"exception {"reason":"bad"}"#])
    #expect(hidden.names == ["$AppStart", "$AppEnd", "$AppCrashed"])
  }

  @Test(
    "A crash has the reason and the calls that led to it",
    arguments: [#"exception {"reason":"bad""#, #"signal {"number":11"#])
  func stack(_ crash: String) throws {
    let result = try replay(config: #""crash":true"#, Self.start + [crash + #","stack":["0 Cart pay","1 UIKit"]}"#])
    let reason = crash.hasPrefix("exception") ? "bad" : "signal 11"
    #expect(result.texts("app_crashed_reason")[1] == "\(reason)\n0 Cart pay\n1 UIKit")
  }

  @Test("SIGILL, SIGABRT, SIGBUS, SIGFPE and SIGSEGV are crashes; SIGKILL, SIGSTOP and SIGPIPE yield nothing")
  func signals() throws {
    for (numbers, isCrash) in [([4, 6, 7, 8, 10, 11], true), ([9, 13, 17, 19], false)] {
      for number in numbers {
        let result = try replay(config: #""crash":true"#, Self.start + [#"signal {"number":\#(number)}"#])
        #expect(result.names.contains("$AppCrashed") == isCrash, "\(number)")
      }
    }
  }

  @Test(
    "A UIWebView has requests only, and returns its user agent at once; a WKWebView has script messages",
    .articles("W45"))
  func webViews() throws {
    func message(_ members: String) -> String { #"h5 {"message":{"event":"Read"}\#(members)}"# }
    let old = #","class":"UIWebView""#
    #expect(try replay(Self.start + [message(""), message(old)]).names == ["$AppStart", "Read"])
    let request = #"webRequest {"url":"sensorsanalytics://trackEvent?event=%7B%22event%22%3A%22Read%22%7D"}"#
    #expect(try replay(Self.start + [request]).names == ["$AppStart", "Read"])
    func agent(_ members: String) -> [String] {
      Self.start + [#"userAgent {"value":"Mozilla","sameTurn":true\#(members)}"#, #"network {"up":true}"#]
    }
    #expect(try replay(agent("")).notes == ["user agent: Mozilla /sa-sdk-ios"])
    #expect(try replay(agent(old)).notes == ["user agent: Mozilla /sa-sdk-ios"])
    // Within the turn that requests the user agent, only a UIWebView can give it.
    let asked = Self.start + [#"userAgent {"value":"Mozilla","sameTurn":true}"#]
    #expect(try replay(asked).notes == [])
  }

  @Test("An event of a web page gets the app's ID and properties, and a mark", .articles("W44"))
  func webPages() throws {
    let message = #"h5 {"message":{"event":"Read","distinct_id":"cookie","properties":{"page":"1"}}}"#
    let properties = [
      #"superProperties {"properties":{"channel":"store"}}"#, #"dynamicProperties {"properties":{"tab":"2"}}"#,
    ]
    let result = try replay(Self.start + properties + [#"login {"id":"ann"}"#, message])
    #expect(result.texts("channel").last == "store")
    #expect(result.texts("tab").last == "2")
    #expect(result.names.last == "Read")
    #expect(result.texts("distinct_id").last == "ann")
    #expect(result.values("_hybrid_h5") == [nil, true])
    #expect(result.texts("page").last == "1")
  }

  @Test("Events are deleted only after the receiver took them")
  func receiver() throws {
    let signals =
      [#"receiver {"status":500,"count":1}"#] + Self.start + Self.background + Self.foreground + Self.background
    #expect(try replay(signals).deliveries == [4])
  }

  @Test(
    "Events of extensions wait in the shared container, are imported at each start, and keep their time",
    .articles("W47"))
  func extensions() throws {
    let event = #"extensionEvent {"event":"Shared","properties":{"to":"mail"}}"#
    let result = try replay([event] + Self.start + Self.background + [event] + Self.foreground)
    #expect(result.names == ["$AppStart", "Shared", "$AppEnd", "$AppStart", "Shared"])
    #expect(result.values("time")[1] == 1_765_001_001_000)
    #expect(result.texts("to")[1] == "mail")
  }

  @Test("A view that React Native makes its responder is a click", .articles("W48"))
  func reactNative() throws {
    let result = try replay(
      Self.start + [
        #"define {"controller":"Shop"}"#, #"setJSResponder {"view":"pay","class":"RCTView","controller":"Shop"}"#,
      ])
    #expect(result.names.last == "$AppClick")
    #expect(result.texts("$element_type").last == "RCTView")
    #expect(result.texts("$screen_name").last == "Shop")
  }

  @Test("React Native names the view by its tag; an unknown tag is no click", .articles("W48"))
  func reactTags() throws {
    let result = try replay(
      Self.start + [
        #"define {"controller":"Shop"}"#, #"view {"view":"pay","class":"RCTView","controller":"Shop","reactTag":7}"#,
        #"setJSResponder {"reactTag":7}"#, #"setJSResponder {"reactTag":8}"#,
      ])
    #expect(result.names == ["$AppStart", "$AppClick"])
    #expect(result.texts("$element_type").last == "RCTView")
  }
}
