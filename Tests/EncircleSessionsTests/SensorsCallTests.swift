import EncircleEvents
import EncircleSessions
import Testing

/// Calls of the Sensors SDK by the app's code: timers, properties, IDs, off and on; one statement a test.
@Suite struct SensorsCallTests {
  typealias Session = BriefSession

  private static let off = ["disableSDK"]
  private static let on = ["enableSDK"]

  private static func track(_ name: String, _ properties: String = "{}") -> String {
    #"track "event":"\#(name)","properties":\#(properties)"#
  }

  // MARK: - Off and on

  @Test("Switched off, the SDK reports no crash, keeps its handlers, and still calls the app's earlier ones")
  func crashWhileOff() throws {
    let off = Session.front + Self.off
    let plain = try Session.replay(
      off + [#"exception "reason":"x""#, #"signal "number":6"#], configuration: #""crash":true"#)
    #expect(plain.names == ["$AppStart", "$AppDataTrackingClose"])
    #expect(plain.notes.isEmpty)
    let handled = ["launch", "previousHandlers", "init", "didBecomeActive"] + Self.off
    let result = try Session.replay(
      handled + [#"exception "reason":"x""#, #"signal "number":6"#], configuration: #""crash":true"#)
    #expect(result.notes == ["previous exception handler called", "previous handler of signal 6 called"])
  }

  @Test("Switched off and on again, the SDK takes its handler for the earlier one: a crash is reported ten times")
  func crashAfterOffAndOn() throws {
    let again = Session.front + Self.off + Self.on
    for crash in [#"exception "reason":"x""#, #"signal "number":11"#] {
      let result = try Session.replay(again + [crash], configuration: #""crash":true"#)
      let crashes = [[String]](repeating: ["AppCrashed", "$AppEnd"], count: 10).joined()
      #expect(result.names == ["$AppStart", "$AppDataTrackingClose"] + crashes)
      // Switching off has cleared all timers.
      #expect(Set(result.values("event_duration", of: "$AppEnd")) == ["-"])
      #expect(result.notes.count == 1 && result.notes[0].hasSuffix("calls itself, the process ends"))
    }
  }

  @Test("Ten calls of the SDK's crash handlers have events, those while it is off counted")
  func crashCalls() throws {
    let result = try Session.replay(
      Session.front + Self.off + [#"exception "reason":"x""#] + Self.on + [#"signal "number":6"#],
      configuration: #""crash":true,"autoTrack":["start"]"#)
    #expect(result.names.count { $0 == "AppCrashed" } == 9)
  }

  @Test("Handlers that the app installs while the SDK is off are called after the SDK's when it is on again")
  func handlersWhileOff() throws {
    let result = try Session.replay(
      Session.front + Self.off + ["previousHandlers"] + Self.on + [#"exception "reason":"x""#],
      configuration: #""crash":true"#)
    #expect(result.names == ["$AppStart", "$AppDataTrackingClose", "AppCrashed", "$AppEnd"])
    #expect(result.notes == ["previous exception handler called"])
  }

  @Test("Switched off, calls do nothing; switched on, the next end has no duration, as all timers were cleared")
  func offAndOn() throws {
    let result = try Session.replay(
      Session.front + [#"timerStart "event":"Read""#] + Self.off
        + [#"login "id":"ann""#, #"superProperties "properties":{"a":1}"#, Self.track("Lost")] + Self.on
        + [#"timerEnd "event":"Read""#] + Session.left)
    #expect(result.names == ["$AppStart", "$AppDataTrackingClose", "Read", "$AppEnd"])
    #expect(result.values("event_duration", of: "Read") == ["-"])
    #expect(result.values("event_duration", of: "$AppEnd") == ["-"])
    #expect(result.values("a", of: "Read") == ["-"])
    #expect(result.events.allSatisfy { $0.loginID == nil })
  }

  @Test("A start while the SDK is off is not sent, nor made up for later")
  func startWhileOff() throws {
    let result = try Session.replay(
      Session.front + Self.off + Session.left + Session.back + Self.on + [Self.track("E")] + Session.left + Session.back
    )
    #expect(result.names == ["$AppStart", "$AppDataTrackingClose", "E", "$AppEnd", "$AppStart"])
  }

  // MARK: - Starts

  @Test("The background before the first turn of the main queue is an end, and no passive start")
  func backgroundBeforeFirstTurn() throws {
    let result = try Session.replay(["launch", #"init "sameTurn":true"#, "didEnterBackground"] + Session.back)
    #expect(result.names == ["$AppEnd", "$AppStart"])
    #expect(result.values("event_duration", of: "$AppEnd") == ["-"])
    #expect(result.values("$is_first_time", of: "$AppStart") == ["true"])
    #expect(result.values("$resume_from_background", of: "$AppStart") == ["false"])
  }

  // MARK: - Timers

  @Test("Of two timers with one name the last counts by name, each by its ID, and the end of one leaves the other")
  func timersOfOneName() throws {
    let start = #"timerStart "event":"Read""#
    let named = try Session.replay(
      Session.front + [start, "+10", start, "+3", #"timerEnd "event":"Read""#, Self.track("Read")])
    #expect(named.values("event_duration", of: "Read") == ["4", "-"])
    let both = try Session.replay(
      Session.front + [#"timerStart "event":"Read","as":"a""#, "+10", #"timerStart "event":"Read","as":"b""#, "+3"]
        + [#"timerEnd "as":"b""#, #"timerEnd "as":"a""#, #"timerEnd "event":"Read""#, #"timerEnd "as":"a""#])
    #expect(both.values("event_duration", of: "Read") == ["4", "16", "6", "-"])
  }

  @Test("A timer that is paused twice pauses once; ended while it is paused, it has what ran before")
  func pausedTimer() throws {
    let timer = #""event":"Read""#
    let paused =
      Session.front + ["timerStart \(timer)", "+4", "timerPause \(timer)", "+10", "timerPause \(timer)", "+10"]
    #expect(try Session.replay(paused + ["timerEnd \(timer)"]).values("event_duration", of: "Read") == ["5"])
    let resumed = paused + ["timerResume \(timer)", "+2", "timerResume \(timer)", "timerEnd \(timer)"]
    #expect(try Session.replay(resumed).values("event_duration", of: "Read") == ["9"])
  }

  @Test("A timer that is paused, or ended, in the background counts the time since the app went there")
  func timerInBackground() throws {
    let timer = #""event":"Read""#
    let left = Session.front + ["timerStart \(timer)", "+4"] + Session.left + ["+10"]
    // 6 s in front, 11 s in the background.
    #expect(try Session.replay(left + ["timerEnd \(timer)"]).values("event_duration", of: "Read") == ["17"])
    let paused = left + ["timerPause \(timer)"] + Session.back + ["timerResume \(timer)", "timerEnd \(timer)"]
    #expect(try Session.replay(paused).values("event_duration", of: "Read") == ["18"])
  }

  @Test("A timer by its ID and one by its name are paused and removed separately")
  func timerByIDAndName() throws {
    let start = Session.front + [#"timerStart "event":"Read","as":"a""#]
    let ends = [#"timerEnd "as":"a""#, #"timerEnd "event":"Read""#]
    let removed = try Session.replay(start + [#"timerRemove "as":"a""#] + ends)
    #expect(removed.values("event_duration", of: "Read") == ["-", "3"])
    let paused = try Session.replay(start + [#"timerPause "event":"Read""#, "+5"] + ends)
    #expect(paused.values("event_duration", of: "Read") == ["7", "1"])
  }

  @Test("An event that the app gives a duration keeps it, and ends its timer nevertheless")
  func ownDuration() throws {
    let result = try Session.replay(
      Session.front + [
        #"timerStart "event":"Read""#, Self.track("Read", #"{"event_duration":99}"#), Self.track("Read"),
      ])
    #expect(result.values("event_duration", of: "Read") == ["99", "-"])
  }

  // MARK: - Properties

  @Test("Dynamic properties are asked for, and drive out super properties, also by a login that does nothing")
  func dynamicPropertiesInVain() throws {
    let result = try Session.replay(
      Session.front + [
        #"dynamicProperties "properties":{"Channel":"D"}"#, #"superProperties "properties":{"channel":"S"}"#,
        #"login "id":"""#, #"dynamicProperties "properties":{"other":1}"#, Self.track("E"),
      ])
    #expect(result.values("channel", of: "E") == ["-"])
    #expect(result.values("Channel", of: "E") == ["-"])
    #expect(result.values("other", of: "E") == ["1"])
  }

  @Test("Super properties that dynamic ones drove out come back in the next process, as nothing was written")
  func drivenOutSuperProperties() throws {
    let result = try Session.replay(
      Session.front + [
        #"superProperties "properties":{"channel":"S"}"#, #"dynamicProperties "properties":{"CHANNEL":"D"}"#,
        Self.track("E"), "kill",
      ] + Session.front + [Self.track("E")])
    #expect(result.values("channel", of: "E") == ["-", "\"S\""])
    #expect(result.values("CHANNEL", of: "E") == ["\"D\"", "-"])
  }

  @Test("The SDK's own values count more than the app's, the app's more than super properties")
  func clashingProperties() throws {
    let clash = #"{"$is_first_day":false,"$event_session_id":"x","a":2,"$project":"p","$token":"t","$time":1}"#
    let result = try Session.replay(
      Session.front + [#"superProperties "properties":{"a":1,"b":1,"$referrer_title":"S"}"#, Self.track("E", clash)],
      configuration: #""session":true"#)
    let event = try #require(result.events.last)
    #expect(
      event.properties == ["a": 2, "b": 1, "$referrer_title": "S", "$is_first_day": true, "$event_session_id": "S1"])
  }

  @Test("Properties with invalid names, null and objects are dropped; events with invalid names are not")
  func invalidProperties() throws {
    let properties = #"{"1a":1,"a b":1,"名":1,"":1,"Time":1,"user_tags":1,"null":null,"object":{"a":1},"$ok_1":1}"#
    let result = try Session.replay(Session.front + ["1 bad 名", "time", ""].map { Self.track($0, properties) })
    #expect(result.names.dropFirst() == ["1 bad 名", "time", ""])
    #expect(result.events[1].properties == ["$ok_1": 1, "$is_first_day": true])
  }

  @Test("Names are compared without case, a line end behind a name does no harm, and digits may be those of any script")
  func unusualNames() throws {
    let properties =
      #"{"a\n":1,"b\r\n":1,"c\n\n":1,"e٣":1,"٣e":1,"\n":1,"\u212A":1,"TIME":1,"time\n":1,"uſerſ":1,"ſ":1}"#
    let result = try Session.replay(Session.front + [Self.track("E", properties)])
    #expect(
      result.events[1].properties.members.map(\.name) == ["a\n", "b\r\n", "e٣", "\u{212A}", "ſ", "$is_first_day"])
  }

  @Test("A profile without properties is none, but an empty object makes one")
  func emptyProfile() throws {
    let result = try Session.replay(Session.front + ["profile", #"profile "properties":{}"#])
    #expect(result.names == ["$AppStart", "profile_set"])
  }

  @Test("Elements of lists become texts, null is left out")
  func lists() throws {
    let result = try Session.replay(Session.front + [Self.track("E", #"{"list":["a",1,true,null,{"a":1},2.50]}"#)])
    #expect(result.values("list", of: "E") == [#"["a","1","1","2.5"]"#])
  }

  @Test("Of a text 8191 UTF-16 code units and a dollar sign are left, of the reason of a crash twice as many")
  func longTexts() throws {
    let (short, long) = (String(repeating: "x", count: 8191), String(repeating: "x", count: 8192))
    let result = try Session.replay(
      Session.front + [Self.track("E", #"{"short":"\#(short)","long":"\#(long)","app_crashed_reason":"\#(long)"}"#)])
    #expect(result.values("short", of: "E") == ["\"\(short)\""])
    #expect(result.values("long", of: "E") == ["\"\(short)$\""])
    #expect(result.values("app_crashed_reason", of: "E") == ["\"\(long)\""])
  }

  @Test("The IDs of a device cannot be set by events; those of a web page's device give way to the app's")
  func deviceProperties() throws {
    let own = try Session.replay(
      Session.front + [Self.track("E", #"{"$device_id":"x","$anonymization_id":"y","$os":"own"}"#)])
    #expect(own.events.last?.properties == ["$os": "own", "$is_first_day": true])
    let message = #"{"type":"track","event":"Web","properties":{"$os":"macOS","$lib":"js","a":null,"b":1}}"#
    let web = try Session.replay(Session.front + [#"h5 "message":\#(message)"#])
    #expect(web.events.last?.properties == ["$lib": "js", "b": 1, "$is_first_day": true])
  }

  // MARK: - IDs

  @Test("Two events of other SDKs name who they are about: their IDs count for that event only")
  func namedIDs() throws {
    let ids = #"{"sab_loginId":"l","sab_distinctId":"d","sab_anonymousId":"a","other":1}"#
    let result = try Session.replay(
      Session.front + [Self.track("$ABTestTrigger", ids), Self.track("$PlanPopupDisplay", ids), Self.track("E")])
    let (test, popup, other) = (result.events[1], result.events[2], result.events[3])
    #expect(test.loginID == "l" && test.distinctID == "d" && test.anonymousID == "a")
    #expect(test.properties == ["other": 1, "$is_first_day": true])
    #expect(test.identities == other.identities)
    #expect(popup.loginID == nil && popup.distinctID == other.distinctID)
    #expect(popup.properties["sab_loginId"] == "l")
  }

  @Test("Logging in under another key keeps both logins in that event, and only the new one after it")
  func anotherKey() throws {
    let result = try Session.replay(
      Session.front + [
        #"login "id":"ann""#, #"login "id":"ann","key":"mail""#, Self.track("E"), "logout", Self.track("E"),
      ])
    #expect(result.names == ["$AppStart", "$SignUp", "$SignUp", "E", "E"])
    let (login, after, out) = (result.events[2], result.events[3], result.events[4])
    #expect(login.distinctID == "mail+ann" && login.loginID == "mail+ann")
    #expect(login.identities["$identity_login_id"] == "ann" && login.identities["mail"] == "ann")
    #expect(after.identities["$identity_login_id"] == nil && after.identities["mail"] == "ann")
    #expect(out.loginID == nil && out.distinctID == out.anonymousID && out.identities["mail"] == nil)
  }

  @Test("Unbinding the login under a key of the app logs out")
  func unbindLogin() throws {
    let result = try Session.replay(
      Session.front + [
        #"login "id":"ann","key":"mail""#, #"unbind "key":"mail","id":"bob""#, #"unbind "key":"mail","id":"ann""#,
        Self.track("E"), #"login "id":"ann""#,
      ])
    #expect(result.names == ["$AppStart", "$SignUp", "$UnbindID", "$UnbindID", "E", "$SignUp"])
    #expect(result.events[2].distinctID == "mail+ann" && result.events[2].identities == ["mail": "bob"])
    #expect(result.events[3].distinctID == result.events[0].distinctID)
    #expect(result.events[4].loginID == nil)
    #expect(result.events[5].loginID == "ann")
  }

  // MARK: - Web pages and extensions

  @Test("A web page that asks for the app's IDs is no event, whatever else it asks")
  func askedForIDs() throws {
    let event = "%7B%22type%22:%22track%22,%22event%22:%22Web%22%7D"
    func names(_ url: String) throws -> [String] {
      try Session.replay(Session.front + [#"webRequest "url":"\#(url)""#]).names
    }
    #expect(try names("sensorsanalytics://trackEvent?event=\(event)") == ["$AppStart", "Web"])
    #expect(try names("sensorsanalytics://trackEvent?event=\(event)&x=sensorsanalytics://getAppInfo") == ["$AppStart"])
  }

  @Test("An event of an extension with a null anywhere is not written, as property lists have none")
  func extensionNull() throws {
    let signals = [
      #""event":"A","properties":{"a":null}"#, #""event":"B","properties":{"a":[1,{"b":null}]}"#,
      #""event":"C","properties":{"a":[1]}"#,
    ].map { "extensionEvent \($0)" }
    #expect(try Session.replay(Session.front + signals + ["importExtensionEvents"]).names == ["$AppStart", "C"])
  }

  // MARK: - Sessions

  @Test(
    "A session lasts over processes and pauses up to its timeout, 12 hours at most, and does not outlive a reinstallation"
  )
  func sessions() throws {
    let configuration = #""session":true,"sessionTimeout":60"#
    let result = try Session.replay(
      Session.front + [Self.track("E"), "kill", "+54"] + Session.front + [
        "+57", Self.track("E"), "+60", Self.track("E"),
      ]
        + ["reinstall"] + Session.front + [Self.track("E")], configuration: configuration)
    #expect(result.values("$event_session_id", of: "E") == ["\"S1\"", "\"S1\"", "\"S2\"", "\"S3\""])
    let long = try Session.replay(
      Session.front + (0..<14).flatMap { _ in ["+3500", Self.track("E")] },
      configuration: #""session":true,"sessionTimeout":3600"#)
    let numbers = long.values("$event_session_id", of: "E")
    #expect(numbers.count { $0 == "\"S1\"" } == 12)
    #expect(numbers.last == "\"S2\"")
  }
}
