import EncircleTestSupport
import EncircleEvents
import EncircleSessions
import Testing

/// The times when the Sensors SDK sends starts and ends, one statement a test.
@Suite struct SensorsLifecycleTests {
  typealias Session = BriefSession

  @Test("The automatic events are a start, a passive start, an end, a page view, a click, and a crash", .articles("W1"))
  func automaticEvents() throws {
    let signals =
      Session.woken + ["didBecomeActive", #"appear "controller":"Home""#, #"tap "view":"buy","controller":"Home""#]
      + [#"exception "reason":"out of bounds""#]
    let expected = ["$AppStartPassively", "$AppStart", "$AppViewScreen", "$AppClick", "AppCrashed", "$AppEnd"]
    #expect(try Session.replay(signals, configuration: #""crash":true"#).names == expected)
  }

  @Test("A cold start is sent once a process, also when the app becomes active twice", .articles("S3"))
  func coldStart() throws {
    let result = try Session.replay(Session.front + ["didBecomeActive", "init", "didFinishLaunching"])
    #expect(result.names == ["$AppStart"])
    let twice = try Session.replay(Session.front + ["kill"] + Session.front)
    #expect(twice.names == ["$AppStart", "$AppStart"])
    #expect(twice.values("$resume_from_background", of: "$AppStart") == ["false", "false"])
  }

  @Test("A hot start says that it resumes from the background, a cold one that it does not", .articles("S5", "S9"))
  func hotStart() throws {
    let result = try Session.replay(Session.front + Session.left + Session.back)
    #expect(result.names == ["$AppStart", "$AppEnd", "$AppStart"])
    #expect(result.values("$resume_from_background", of: "$AppStart") == ["false", "true"])
    #expect(result.values("$is_first_time", of: "$AppStart") == ["true", "false"])
  }

  @Test("The first time is used up by the first start, also by a passive one", .articles("S4"))
  func firstTime() throws {
    let again = ["kill"] + Session.front
    let passive = try Session.replay(Session.woken + again)
    #expect(passive.values("$is_first_time", of: "$AppStartPassively") == ["true"])
    #expect(passive.values("$is_first_time", of: "$AppStart") == ["false"])
    let later = try Session.replay(Session.front + again)
    #expect(later.values("$is_first_time", of: "$AppStart") == ["true", "false"])
  }

  @Test("The first day is the day of the first launch, and is compared once a process", .articles("S16"))
  func firstDay() throws {
    let day = "+86400"
    let result = try Session.replay(
      Session.front + [day, #"track "event":"Late""#, "kill"] + Session.front)
    #expect(result.values("$is_first_day", of: "$AppStart") == ["true", "false"])
    #expect(result.values("$is_first_day", of: "Late") == ["true"])
  }

  @Test(
    "The notification centre, an alert and the app switcher are no start and no end", .articles("W6"),
    arguments: [
      ["willResignActive", "didBecomeActive"],
      ["willResignActive", "didBecomeActive", "willResignActive", "didBecomeActive"],
    ])
  func interruptions(signals: [String]) throws {
    #expect(try Session.replay(Session.front + signals).names == ["$AppStart"])
  }

  @Test(
    "A launch in the background is a passive start, which ends when the app becomes active or by the background",
    .articles("S10", "S11", "W8"))
  func passiveStart() throws {
    let active = try Session.replay(Session.woken + ["didBecomeActive"])
    #expect(active.names == ["$AppStartPassively", "$AppStart"])
    let background = try Session.replay(Session.woken + ["didEnterBackground"] + Session.back)
    #expect(background.names == ["$AppStartPassively", "$AppEnd", "$AppStart"])
    #expect(background.values("$resume_from_background", of: "$AppStart") == ["true"])
  }

  @Test(
    "Page views of a passive start are held for the start, and lost if the background comes first", .articles("S12"))
  func passivePages() throws {
    let page = [#"appear "controller":"Home""#]
    #expect(try Session.replay(Session.woken + page).names == ["$AppStartPassively"])
    let active = try Session.replay(Session.woken + page + ["didBecomeActive"])
    #expect(active.names == ["$AppStartPassively", "$AppStart", "$AppViewScreen"])
    let lost = try Session.replay(Session.woken + page + ["didEnterBackground"] + Session.back)
    #expect(!lost.names.contains("$AppViewScreen"))
  }

  @Test("An end is sent once although the app is notified twice that it is in the background")
  func endOnce() throws {
    let result = try Session.replay(Session.front + Session.left + ["didEnterBackground"])
    #expect(result.names == ["$AppStart", "$AppEnd"])
  }

  @Test("The SDK needs no resignation before an end, though statement S13 requires one", .articles("S13"))
  func endWithoutResignation() throws {
    #expect(try Session.replay(Session.front + ["didEnterBackground"]).names == ["$AppStart", "$AppEnd"])
  }

  @Test(
    "The duration of an end counts from the start by uptime, whatever happens to the clock; from 24 h on it is 0",
    .articles("S14", "W29"))
  func endDuration() throws {
    func duration(_ between: [String]) throws -> [String] {
      try Session.replay(Session.front + between + Session.left).values("event_duration", of: "$AppEnd")
    }
    // The start is sent when the SDK is started, four signals before the end.
    #expect(try duration([]) == ["4"])
    #expect(try duration(["+10.5"]) == ["14.5"])
    #expect(try duration(["+10", "clock-7200"]) == ["14"])
    #expect(try duration(["+10", "clock+7200"]) == ["14"])
    #expect(try duration(["+86390"]) == ["86394"])
    #expect(try duration(["+86400"]) == ["0"])
  }

  @Test("Durations go through 32-bit numbers, so that from some hours on milliseconds are lost", .articles("W29"))
  func endDurationIn32Bits() throws {
    func duration(_ pause: String) throws -> [String] {
      try Session.replay(Session.front + [pause] + Session.left).values("event_duration", of: "$AppEnd")
    }
    #expect(try duration("+3600.001") == ["3604.001"])
    #expect(try duration("+18000.001") == ["18004"])
  }

  @Test(
    "Each kind of automatic event can be switched off by itself", .articles("S6"),
    arguments: ["start", "end", "click", "screen"])
  func switchedOff(kind: String) throws {
    let names = ["start": "$AppStart", "end": "$AppEnd", "click": "$AppClick", "screen": "$AppViewScreen"]
    let others = names.keys.filter { $0 != kind }.map { "\"\($0)\"" }.joined(separator: ",")
    let signals =
      Session.front + [#"appear "controller":"Home""#, #"tap "view":"buy","controller":"Home""#] + Session.left
    let result = try Session.replay(signals, configuration: "\"autoTrack\":[\(others)]")
    let expected = ["$AppStart", "$AppViewScreen", "$AppClick", "$AppEnd"].filter { $0 != names[kind] }
    #expect(result.names == expected)
  }

  @Test(
    "Super properties are in the cold start if they are set in the turn of the main queue that starts the SDK",
    .articles("S7"))
  func superPropertiesOfStart() throws {
    let properties = #"superProperties "properties":{"channel":"A"}"#
    let sameTurn = try Session.replay(["launch", #"init "sameTurn":true"#, properties, "didBecomeActive"])
    #expect(sameTurn.values("channel", of: "$AppStart") == ["\"A\""])
    let later = try Session.replay(["launch", "init", properties, "didBecomeActive", #"track "event":"Late""#])
    #expect(later.values("channel", of: "$AppStart") == ["-"])
    #expect(later.values("channel", of: "Late") == ["\"A\""])
  }

  @Test(
    "An SDK that is started late still sends the kind of start that fits the state; off the main thread it refuses",
    .articles("S8"))
  func lateStart() throws {
    let launched = ["launch", "didFinishLaunching", "didBecomeActive", "+60"]
    #expect(try Session.replay(launched + ["init"]).names == ["$AppStart"])
    let background = ["launch", "didFinishLaunching", "didBecomeActive"] + Session.left
    #expect(try Session.replay(background + ["init"]).names == ["$AppStartPassively"])
    let refused = try Session.replay(launched + ["initOffMain", #"track "event":"Lost""#])
    #expect(refused.names.isEmpty)
    #expect(refused.notes == ["raised NSInternalInconsistencyException"])
  }

  @Test("A new process has the login, the anonymous ID and the super properties of the one before", .articles("S17"))
  func restored() throws {
    let result = try Session.replay(
      Session.front + [
        #"identify "id":"visitor""#, #"login "id":"ann""#, #"superProperties "properties":{"channel":"A"}"#, "kill",
      ] + Session.front)
    let start = try #require(result.events.last)
    #expect(start.name == "$AppStart")
    #expect(start.distinctID == "ann" && start.loginID == "ann" && start.anonymousID == "visitor")
    #expect(start.properties["channel"] == "A")
  }

  @Test(
    "An app that is killed in the background starts cold again; one that is killed in front leaves no end",
    .articles("S18"))
  func killed() throws {
    let background = try Session.replay(Session.front + Session.left + ["kill"] + Session.front)
    #expect(background.names == ["$AppStart", "$AppEnd", "$AppStart"])
    #expect(background.values("$resume_from_background", of: "$AppStart") == ["false", "false"])
    let front = try Session.replay(Session.front + ["kill"] + Session.front)
    #expect(front.names == ["$AppStart", "$AppStart"])
    #expect(try Session.replay(Session.front + ["willTerminate", "kill"]).names == ["$AppStart"])
  }

  @Test("Going to the background, a start and a login send waiting events", .articles("W35", "W36"))
  func keyEventsSend() throws {
    let result = try Session.replay(Session.front + [#"track "event":"E""#, #"login "id":"ann""#] + Session.left)
    #expect(result.names == ["$AppStart", "E", "$SignUp", "$AppEnd"])
    #expect(result.deliveries == [1, 2, 1])
  }
}
