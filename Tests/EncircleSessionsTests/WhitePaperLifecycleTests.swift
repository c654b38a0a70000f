import EncircleTestSupport
import EncircleSessions
import Testing

/// Starts and ends by the statements S1 to S18 and W1 to W48 in `docs/articles.md`, claim by claim.
@Suite struct WhitePaperLifecycleTests {
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

  // MARK: - Starts

  @Test("A start is becoming active without resigning before", .articles("W5"), arguments: models)
  func hotStart(_ sdk: SessionSDK) throws {
    let result = try replay(sdk, Self.start + Self.background + Self.foreground)
    #expect(result.names == ["$AppStart", "$AppEnd", "$AppStart"])
    #expect(result.values("$resume_from_background") == (sdk == .article004 ? [false, nil, true] : [nil, nil, nil]))
  }

  @Test(
    "Notification centre, control centre, and the app switcher and back are no start", .articles("W6"),
    arguments: models)
  func interruptions(_ sdk: SessionSDK) throws {
    let interrupted = [">willResignActive", ">didBecomeActive"]
    let result = try replay(sdk, Self.start + interrupted + interrupted + Self.background + Self.foreground)
    #expect(result.names == ["$AppStart", "$AppEnd", "$AppStart"])
  }

  @Test("In article004, becoming active is a hot start only after entering the foreground", .articles("S9"))
  func twoRules() throws {
    let signals = Self.start + Self.background + [">didBecomeActive"]
    #expect(try replay(.whitepaper, signals).names == ["$AppStart", "$AppEnd", "$AppStart"])
    #expect(try replay(.article004, signals).names == ["$AppStart", "$AppEnd"])
  }

  @Test(
    "The cold start comes once a process: in whitepaper when active, in article004 at the end of launching",
    .articles("S3"))
  func coldStart() throws {
    let signals = ["launch", "init", ">didFinishLaunching", ">didFinishLaunching"]
    #expect(try replay(.whitepaper, signals).names == [])
    #expect(try replay(.article004, signals + [">didBecomeActive"]).names == ["$AppStart"])
    #expect(try replay(.whitepaper, signals + [">didBecomeActive"]).names == ["$AppStart"])
    #expect(try replay(.whitepaper, Self.start + ["kill"] + Self.start).names == ["$AppStart", "$AppStart"])
  }

  @Test(
    "A launch in the background is a passive start, which uses up the first time", .articles("S4"), arguments: models)
  func passiveStart(_ sdk: SessionSDK) throws {
    let result = try replay(
      sdk, [#"launch {"state":"background"}"#, "init", ">didFinishLaunching"] + Self.foreground)
    #expect(result.names == ["$AppStartPassively", "$AppStart"])
    #expect(result.values("$is_first_time") == (sdk == .article004 ? [true, false] : [nil, nil]))
  }

  @Test(
    "The flag of a passive start ends in front and in the background, and its pages do not count", .articles("S12"),
    arguments: models)
  func passivePages(_ sdk: SessionSDK) throws {
    let launch = [#"launch {"state":"background"}"#, "init", ">didFinishLaunching", #"appear {"controller":"Feed"}"#]
    let later = [#"appear {"controller":"Home"}"#]
    let front = try replay(sdk, launch + Self.foreground + later)
    #expect(front.names == ["$AppStartPassively", "$AppStart", "$AppViewScreen"])
    #expect(front.texts("$screen_name").last == "Home")
    let back = try replay(sdk, launch + [">didEnterBackground"] + later)
    #expect(back.names.filter { $0 != "$AppEnd" } == ["$AppStartPassively", "$AppViewScreen"])
    #expect(back.texts("$screen_name").last == "Home")
  }

  @Test("A start that is switched off is none; other events stay on", arguments: models)
  func switchedOff(_ sdk: SessionSDK) throws {
    let session = Self.start + Self.background + Self.foreground
    let result = try replay(sdk, config: #""autoTrack":["end"]"#, session)
    #expect(result.names == ["$AppEnd"])
    // With starts off, article004 does not note when the app started; whitepaper counts from becoming active.
    #expect(result.values("$event_duration") == (sdk == .article004 ? [nil] : [2]))
    let off = try replay(
      sdk, config: #""autoTrack":[]"#, Self.start + [#"appear {"controller":"Home"}"#, #"tap {"view":"a"}"#])
    #expect(off.names == [])
  }

  @Test("The first time is kept over processes, and not used up by a start that is switched off", .articles("S4"))
  func firstTime() throws {
    let twice = try replay(.article004, Self.start + ["kill"] + Self.start)
    #expect(twice.values("$is_first_time") == [true, false])
    let anew = try replay(.article004, Self.start + ["kill", "reinstall"] + Self.start)
    #expect(anew.values("$is_first_time") == [true, true])
  }

  @Test("The first day is stored, and compared for each event", .articles("S16"))
  func firstDay() throws {
    let result = try replay(.article004, Self.start + [#"track {"event":"A"}"#, "+86400", #"track {"event":"A"}"#])
    #expect(result.values("$is_first_day") == [true, true, false])
  }

  @Test("Events of whitepaper have no properties of article004")
  func otherProperties() throws {
    let properties = try replay(Self.start + Self.background + [#"track {"event":"A"}"#]).events.flatMap {
      event -> [String] in
      if case .object(let properties)? = event["properties"] { properties.members.map(\.name) } else { [] }
    }
    #expect(properties == ["$event_duration"])
  }

  @Test(
    "Super properties that are set after the SDK's start are in the cold start", .articles("S7"),
    arguments: models)
  func superProperties(_ sdk: SessionSDK) throws {
    let result = try replay(
      sdk,
      [
        "launch", "init", #"superProperties {"properties":{"channel":"store"}}"#, ">didFinishLaunching",
        ">didBecomeActive",
      ])
    #expect(result.names == ["$AppStart"])
    #expect(result.texts("channel") == ["store"])
  }

  @Test(
    "Calls of the app's delegate come before the effects of the notification of the same moment", .articles("W4"))
  func delegates() throws {
    // The start comes with the end of launching in article004, with becoming active in whitepaper.
    let launch = ["launch", "init", #"track {"event":"Delegate"}"#, ">didFinishLaunching"]
    #expect(try replay(.article004, launch).names == ["Delegate", "$AppStart"])
    let active = ["launch", "init", ">didFinishLaunching", #"track {"event":"Delegate"}"#, ">didBecomeActive"]
    #expect(try replay(.whitepaper, active).names == ["Delegate", "$AppStart"])
  }

  @Test(
    "States without a notification give no event: suspension, a kill, and a state that is only queried",
    .articles("S1"), arguments: models)
  func unpostedStates(_ sdk: SessionSDK) throws {
    let left = Self.start + Self.background
    let events = try replay(sdk, left).names
    for silent in [["+600", "wait"], ["kill"], [#"state {"state":"inactive"}"#, #"state {"state":"active"}"#]] {
      #expect(try replay(sdk, left + silent).names == events)
    }
    // Not running is what is before a launch and after a kill.
    #expect(try replay(sdk, left + ["kill"] + Self.start).names == events + ["$AppStart"])
  }

  @Test("An SDK that is started late sends the kind of start that fits the state", arguments: models)
  func lateStart(_ sdk: SessionSDK) throws {
    #expect(try replay(sdk, ["launch", ">didFinishLaunching", ">didBecomeActive", "init"]).names == ["$AppStart"])
    let passive = try replay(sdk, [#"launch {"state":"background"}"#, ">didFinishLaunching", "init"])
    #expect(passive.names == ["$AppStartPassively"])
  }

  @Test("In article004, the SDK is started on the main thread only")
  func mainThread() throws {
    let signals = ["launch", "initOffMain", ">didFinishLaunching", ">didBecomeActive"]
    #expect(try replay(.article004, signals).names == [])
    #expect(try replay(.whitepaper, signals).names == ["$AppStart"])
  }

  @Test("The IDs and super properties of earlier processes are restored", arguments: models)
  func restored(_ sdk: SessionSDK) throws {
    let result = try replay(
      sdk,
      Self.start + [#"login {"id":"ann"}"#, #"superProperties {"properties":{"a":"1"}}"#, "kill"] + Self.start)
    #expect(result.texts("distinct_id").last == "ann")
    #expect(result.texts("a").last == "1")
  }

  // MARK: - Ends

  @Test("In article004, an end needs a resignation before, and comes once", .articles("S13"))
  func ends() throws {
    let twice = Self.start + Self.background + [">didEnterBackground"]
    #expect(try replay(.article004, twice).names == ["$AppStart", "$AppEnd"])
    #expect(try replay(.article004, Self.start + [">didEnterBackground"]).names == ["$AppStart"])
  }

  @Test(
    "In whitepaper, an end comes with the notification of entering the background, and with nothing else",
    .articles("W7"))
  func endsOfPaper() throws {
    #expect(try replay(Self.start + [">didEnterBackground"]).names == ["$AppStart", "$AppEnd"])
    #expect(try replay(Self.start + [">willResignActive", ">willTerminate"]).names == ["$AppStart"])
    #expect(try replay(Self.start + [#"state {"state":"background"}"#]).names == ["$AppStart"])
  }

  @Test("An app that does not run in the background has its end before it is killed", arguments: models)
  func suspension(_ sdk: SessionSDK) throws {
    let result = try replay(sdk, Self.start + Self.background + [">willTerminate", "kill"])
    #expect(result.names == ["$AppStart", "$AppEnd"])
    #expect(result.deliveries == [2])
  }

  @Test(
    "The duration counts from becoming active in whitepaper, from the start event in article004, by uptime",
    .articles("S14", "W30"))
  func durations() throws {
    let signals = Self.start + ["+8"] + Self.background
    #expect(try replay(.whitepaper, signals).values("$event_duration") == [nil, 10])
    #expect(try replay(.article004, signals).values("$event_duration") == [nil, 11])
    let day = Self.start + ["+86398"] + Self.background
    #expect(try replay(.whitepaper, day).values("$event_duration") == [nil, 0])
  }
}
