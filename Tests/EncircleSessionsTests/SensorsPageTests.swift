import EncircleTestSupport
import EncircleEvents
import EncircleSessions
import Foundation
import Testing

/// The times when the Sensors SDK sends pages, clicks and crashes, one statement a test.
@Suite struct SensorsPageTests {
  typealias Session = BriefSession

  private static func pages(_ signals: [String], configuration: String = "") throws -> [String] {
    let result = try Session.replay(Session.front + signals, configuration: configuration)
    return result.values("$screen_name", of: "$AppViewScreen")
  }

  @Test("A page view has the controller's class and title, and is sent at viewDidAppear", .articles("P1", "P2", "W9"))
  func pageView() throws {
    let define = #"define "controller":"a","class":"CartViewController","title":"Cart""#
    let result = try Session.replay(Session.front + [define])
    #expect(result.names == ["$AppStart"])
    let appeared = try Session.replay(Session.front + [define, #"appear "controller":"a""#])
    #expect(appeared.values("$screen_name", of: "$AppViewScreen") == ["\"CartViewController\""])
    #expect(appeared.values("$title", of: "$AppViewScreen") == ["\"Cart\""])
  }

  @Test(
    "A public class in the system's list includes its subclasses, a private class and the app's classes do not",
    .articles("P4"))
  func lists() throws {
    func appear(_ name: String, _ base: String) -> String {
      #"appear "controller":"\#(name)","class":"\#(name)","base":"\#(base)""#
    }
    #expect(try Self.pages([appear("ShopTabs", "UITabBarController")]) == [])
    #expect(try Self.pages([appear("UIInputWindowController", "UIViewController")]) == [])
    #expect(try Self.pages([appear("ShopKeyboard", "UIInputWindowController")]) == ["\"ShopKeyboard\""])
    let own = #""ignoreControllers":["Base"]"#
    #expect(try Self.pages([appear("Base", "UIViewController")], configuration: own) == [])
    #expect(try Self.pages([appear("Home", "Base")], configuration: own) == ["\"Home\""])
  }

  @Test(
    "Controllers that the system shows at the launch are no pages", .articles("P5"),
    arguments: [
      "UINavigationController", "UITabBarController", "UIInputWindowController", "SFBrowserRemoteViewController",
      "UICompatibilityInputViewController", "UIApplicationRotationFollowingController",
    ])
  func systemPages(name: String) throws {
    #expect(try Self.pages([#"appear "controller":"a","class":"\#(name)""#]) == [])
  }

  @Test("An unknown class in the list of ignored classes does no harm", .articles("P6"))
  func unknownClasses() throws {
    let unknown = #""ignoreControllers":["NoSuchViewController","","类"],"ignoreTypes":["NoSuchView"]"#
    #expect(try Self.pages([#"appear "controller":"Home""#], configuration: unknown) == ["\"Home\""])
  }

  @Test("A hot start sends no page view, because the page that is shown does not appear again", .articles("P7"))
  func hotStart() throws {
    let result = try Session.replay(Session.front + [#"appear "controller":"Home""#] + Session.left + Session.back)
    #expect(result.names == ["$AppStart", "$AppViewScreen", "$AppEnd", "$AppStart"])
  }

  @Test("A viewDidAppear that does not call its superclass is no page view", .articles("P8"))
  func missingSuper() throws {
    #expect(try Self.pages([#"appear "controller":"Home","super":false"#]) == [])
  }

  @Test("A page view has no duration; leaving a page has, in an event of its own", .articles("W31"))
  func pageLeave() throws {
    let signals = Session.front + [#"appear "controller":"Home""#, "+9", #"disappear "controller":"Home""#]
    #expect(try Session.replay(signals).names == ["$AppStart", "$AppViewScreen"])
    let result = try Session.replay(signals, configuration: #""pageLeave":true"#)
    #expect(result.names == ["$AppStart", "$AppViewScreen", "$AppPageLeave"])
    #expect(result.values("event_duration", of: "$AppViewScreen") == ["-"])
    #expect(result.values("event_duration", of: "$AppPageLeave") == ["10"])
  }

  @Test(
    "Leaving a page counts by the clock: it is negative after the clock was set back, and 0 from 24 h on",
    .articles("W29"))
  func pageLeaveByClock() throws {
    func duration(_ between: String) throws -> [String] {
      let signals = Session.front + [#"appear "controller":"Home""#, between, #"disappear "controller":"Home""#]
      return try Session.replay(signals, configuration: #""pageLeave":true"#)
        .values("event_duration", of: "$AppPageLeave")
    }
    #expect(try duration("clock-3601") == ["-3600"])
    #expect(try duration("+86400") == ["0"])
  }

  @Test("Open pages leave with the last page of the app, nested ones only when asked for", .articles("W31"))
  func lastPage() throws {
    let signals =
      Session.front + [#"appear "controller":"Home""#, #"appear "controller":"Child","parent":"Home""#] + Session.left
    let plain = try Session.replay(signals, configuration: #""pageLeave":true"#)
    #expect(plain.names == ["$AppStart", "$AppViewScreen", "$AppPageLeave", "$AppEnd"])
    let nested = try Session.replay(signals, configuration: #""pageLeave":true,"childPageLeave":true"#)
    #expect(nested.names.count { $0 == "$AppPageLeave" } == 2)
  }

  private static let button =
    #"tap "view":"buy","class":"UIButton","controller":"Home","attributes":{"title":"Buy"}"#

  @Test("A click has the class of the control, its text, and the page with its title", .articles("W10"))
  func click() throws {
    let result = try Session.replay(
      Session.front + [#"appear "controller":"Home","title":"Shop""#, Self.button])
    let click = try #require(result.events.last)
    #expect(click.name == "$AppClick")
    let expected: EventObject = [
      "$element_type": "UIButton", "$element_content": "Buy", "$screen_name": "Home", "$title": "Shop",
    ]
    for member in expected.members { #expect(click.properties[member.name] == member.value, "\(member.name)") }
  }

  @Test("A control with several target-actions is one click, by the rule of 0.1 s", .articles("W14"))
  func targets() throws {
    let result = try Session.replay(Session.front + [Self.button + #","targets":3"#])
    #expect(result.names == ["$AppStart", "$AppClick"])
  }

  @Test("The touch point decides which option of an alert was tapped", .articles("H18"))
  func options() throws {
    func view(_ members: String) -> String { "view \(members)" }
    let sheet = [
      #"define "controller":"sheet","class":"UIAlertController","base":"UIAlertController""#,
      view(
        #""view":"all","controller":"sheet","class":"_UIAlertControllerInterfaceActionGroupView","frame":[0,0,200,80]"#),
    ]
    let options = ["Delete", "Keep"].enumerated().flatMap { index, title in
      [
        view(
          #""view":"o\#(index)","in":"all","class":"_UIInterfaceActionCustomViewRepresentationView","frame":[0,\#(index * 40),200,40]"#
        ), view(#""view":"t\#(index)","in":"o\#(index)","class":"UILabel","attributes":{"text":"\#(title)"}"#),
      ]
    }
    func tap(_ y: Int) throws -> [String] {
      let tap = #"gesture "view":"all","recognizer":"UITapGestureRecognizer","state":"ended","point":[100,\#(y)]"#
      return try Session.replay(Session.front + sheet + options + [tap]).values("$element_content", of: "$AppClick")
    }
    #expect(try tap(10) == ["\"Delete\""])
    #expect(try tap(39) == ["\"Delete\""])
    #expect(try tap(40) == ["\"Keep\""])
    #expect(try tap(80) == [])
  }

  @Test("Taps and long presses of labels and images are clicks, other recognizers are not", .articles("H50", "W18"))
  func gestures() throws {
    func names(_ recognizer: String, _ name: String) throws -> [String] {
      let gesture = #"gesture "view":"v","class":"\#(name)","recognizer":"\#(recognizer)","state":"ended""#
      return try Session.replay(Session.front + [gesture]).names
    }
    for name in ["UILabel", "UIImageView", "UIView"] {
      #expect(try names("UITapGestureRecognizer", name) == ["$AppStart", "$AppClick"])
      #expect(try names("UILongPressGestureRecognizer", name) == ["$AppStart", "$AppClick"])
      #expect(try names("UIPanGestureRecognizer", name) == ["$AppStart"])
      #expect(try names("UIPinchGestureRecognizer", name) == ["$AppStart"])
    }
  }

  // MARK: - Crashes

  private static func crash(_ signals: [String]) throws -> Session.Result {
    try Session.replay(Session.front + signals, configuration: #""crash":true"#)
  }

  @Test(
    "An exception is a crash and, while the app is active, its end; then the app's own handler is called",
    .articles("W39", "W41"))
  func exception() throws {
    let plain = try Self.crash([#"exception "reason":"out of bounds""#])
    #expect(plain.names == ["$AppStart", "AppCrashed", "$AppEnd"])
    #expect(plain.notes == [])
    let handled = try Session.replay(
      ["launch", "previousHandlers", "init", "didBecomeActive", #"exception "reason":"out of bounds""#],
      configuration: #""crash":true"#)
    #expect(handled.names == ["$AppStart", "AppCrashed", "$AppEnd"])
    #expect(handled.notes == ["previous exception handler called"])
    let inactive = try Self.crash(["willResignActive", #"exception "reason":"out of bounds""#])
    #expect(inactive.names == ["$AppStart", "AppCrashed"])
  }

  @Test("SIGILL, SIGABRT, SIGBUS, SIGFPE and SIGSEGV are crashes", .articles("W40"), arguments: [4, 6, 8, 10, 11])
  func handledSignals(number: Int) throws {
    #expect(try Self.crash([#"signal "number":\#(number)"#]).names == ["$AppStart", "AppCrashed", "$AppEnd"])
  }

  @Test("SIGKILL, SIGSTOP, SIGPIPE and others give no event", .articles("W40"), arguments: [5, 9, 13, 15, 17, 19])
  func otherSignals(number: Int) throws {
    #expect(try Self.crash([#"signal "number":\#(number)"#]).names == ["$AppStart"])
  }

  // MARK: - Web pages and extensions

  @Test("Only a web page's request for an event is intercepted, all others pass", .articles("W43"))
  func webRequests() throws {
    let event = #"{"type":"track","event":"Web","distinct_id":"web","properties":{"a":"x=y&z?#é"}}"#
    let encoded = try #require(event.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    func names(_ url: String) throws -> [String] {
      try Session.replay(Session.front + [#"webRequest "url":"\#(url)""#]).names
    }
    #expect(try names("sensorsanalytics://trackEvent?event=\(encoded)") == ["$AppStart", "Web"])
    #expect(try names("sensorsanalytics://trackEvent?a=1&event=\(encoded)#end") == ["$AppStart", "Web"])
    let request = #"webRequest "url":"sensorsanalytics://trackEvent?event=\#(encoded)""#
    let paper = try Session.replay(Session.front + [request], with: WhitePaperModel.self)
    #expect(paper.records.map { $0["event"] } == ["$AppStart", "Web"])
    for other in [
      "https://example.com/?event=\(encoded)", "sensorsanalytics://getAppInfo?event=\(encoded)", "", "about:blank",
      "sensorsanalytics://trackEvent", "sensorsanalytics://trackEvent?event=",
      "sensorsanalytics://trackEvent?event=%7B",
      "sensorsanalytics://trackEvent?event=%FF", "sensorsanalytics://trackEvent?event=%5B%5D",
    ] { #expect(try names(other) == ["$AppStart"], "\(other)") }
    let many = (0...1000).map { "%22\($0)%22:1" }.joined(separator: ",")
    #expect(throws: SessionError.self) { try names("sensorsanalytics://trackEvent?event=%7B\(many)%7D") }
  }

  @Test("The user agent of web views gets a mark behind a space, once, and nothing of it is replaced", .articles("W42"))
  func userAgent() throws {
    let old = "Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Shop/5.2"
    func marked(_ text: String) throws -> [String] {
      try Session.replay(Session.front + [#"userAgent "value":"\#(text)""#]).notes
    }
    #expect(try marked(old) == ["user agent: \(old) /sa-sdk-ios"])
    #expect(try marked(old + " /sa-sdk-ios") == ["user agent: \(old) /sa-sdk-ios"])
  }

  @Test(
    "An event of a web page gets the app's IDs and super properties, and says where it comes from",
    .articles("W44"))
  func webPage() throws {
    let message = #"{"type":"track","event":"Web","distinct_id":"web","time":1,"properties":{"a":1}}"#
    let result = try Session.replay(
      Session.front + [
        #"login "id":"ann""#, #"superProperties "properties":{"channel":"A"}"#, #"h5 "message":\#(message)"#,
      ])
    let event = try #require(result.events.last)
    #expect(event.name == "Web" && event.isFromWeb && event.distinctID == "ann")
    #expect(event.properties["a"] == 1 && event.properties["channel"] == "A")
  }

  private static let written = #"extensionEvent "event":"Widget","properties":{"n":1}"#

  @Test(
    "Events of an extension come when the app asks, once, with the time and the IDs of that moment", .articles("W47"))
  func extensionEvents() throws {
    let result = try Session.replay(
      [Self.written, "+3600"] + Session.front + [
        #"login "id":"ann""#, "importExtensionEvents", "importExtensionEvents",
      ])
    #expect(result.names == ["$AppStart", "$SignUp", "Widget"])
    let event = try #require(result.events.last)
    #expect(event.distinctID == "ann" && event.properties["n"] == 1)
    // Written in the first second, sent an hour later.
    #expect(event.time - 1_767_225_601_000 > 3_600_000)
  }

  @Test("Events of an extension wait over processes, come twice if the app ends in between, and go with the app")
  func extensionTrouble() throws {
    let waiting = try Session.replay(
      [Self.written] + Session.front + ["kill"] + Session.front + ["importExtensionEvents"])
    #expect(waiting.names == ["$AppStart", "$AppStart", "Widget"])
    let twice = try Session.replay(
      [Self.written] + Session.front + [#"importExtensionEvents "interrupted":true"#, "kill"] + Session.front
        + ["importExtensionEvents"])
    #expect(twice.names == ["$AppStart", "Widget", "$AppStart", "Widget"])
    let gone = try Session.replay([Self.written, "reinstall"] + Session.front + ["importExtensionEvents"])
    #expect(gone.names == ["$AppStart"])
  }
}
