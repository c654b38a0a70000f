import EncircleSessions
import EncircleTestSupport
import EncircleText
import Foundation
import Testing

/// Signals that refer to elements of captures.
@Suite struct CapturedElementTests {
  private static let start = [
    #"{"action":"config"}"#, #"{"time":1,"uptime":1,"action":"launch"}"#, #"{"time":1,"uptime":1,"action":"init"}"#,
  ]
  private static let feed = PackageFolder.viewTrees.appending(path: "home-feed.xml").path

  private static func tap(_ members: String) -> String { "{\"time\":2,\"uptime\":2,\"action\":\"tap\",\(members)}" }

  private static func problem(_ signal: String, limits: SessionLimits = SessionLimits()) -> Diagnostic? {
    do throws(SessionError) {
      let reader = try SessionReader(Array((start + [signal]).joined(separator: "\n").utf8), name: "s", limits: limits)
      var replay = try SessionReplay<SensorsModel>(reader, limits: limits)
      while try replay.next() != nil {}
      return nil
    } catch {
      guard case .invalid(let diagnostic) = error else { return Diagnostic("\(error)") }
      return diagnostic
    }
  }

  @Test("A capture or an element that is not there is an error with its place")
  func missing() throws {
    let noFile = try #require(Self.problem(Self.tap(#""capture":"/nowhere/a.xml","element":1"#)))
    #expect(noFile.message.contains("/nowhere/a.xml"))
    #expect(noFile.location == SourceLocation(line: 4, column: 47))
    let noElement = try #require(Self.problem(Self.tap(#""capture":"\#(Self.feed)","element":9999"#)))
    #expect(noElement.message.contains("there is no element 9999: the capture has 0 to"))
    #expect(noElement.location?.line == 4)
    #expect(
      Self.problem(Self.tap(#""capture":"\#(Self.feed)""#))?.message == "'capture' needs the number of an 'element'")
    #expect(
      Self.problem(Self.tap(#""view":"a","element":1"#))?.message
        == "'element' is an element of a 'capture', which is missing")
    #expect(Self.problem(Self.tap(#""capture":"\#(Self.feed)","element":-1"#)) != nil)
  }

  @Test("An element that is not a cell cannot be selected, unless the session gives its index path")
  func selectedLabel() throws {
    func names(_ members: String) throws -> [String] {
      try BriefSession.replay(["launch", "init", #"select "capture":"\#(Self.feed)",\#(members)"#]).names
    }
    #expect(try names(#""element":33"#) == ["$AppStart"])
    #expect(try names(#""element":33,"indexPath":[0,2]"#) == ["$AppStart", "$AppClick"])
    #expect(try names(#""element":29"#) == ["$AppStart", "$AppClick"])
  }

  @Test("A file that is no capture, or has no view controllers, is an error")
  func unusable() throws {
    let noCapture = PackageFolder.root.appending(path: "Package.swift").path
    #expect(Self.problem(Self.tap(#""capture":"\#(noCapture)","element":1"#)) != nil)
    #expect(
      Self.problem(Self.tap(#""capture":"/dev/zero","element":1"#))?.message.contains("is a pipe or a device") == true)
    #expect(Self.problem(Self.tap(#""capture":"\#(PackageFolder.root.path)","element":1"#)) != nil)
    let noControllers = PackageFolder.viewTrees.appending(path: "checkout.xcui-description.txt").path
    #expect(
      Self.problem(Self.tap(#""capture":"\#(noControllers)","element":1"#))?.message
        .contains("style sensors cannot serve this capture") == true)
  }

  @Test(
    "A capture of Android or of a web page is an error, as all models are of SDKs for iOS",
    arguments: [
      ("android-shop.xml", "an Android screen"), ("login.uiautomator.xml", "an Android screen"),
      ("flowers.html", "a web page"),
    ])
  func otherPlatform(name: String, shown: String) throws {
    let path = PackageFolder.viewTrees.appending(path: name).path
    let problem = try #require(Self.problem(Self.tap(#""capture":"\#(path)","element":1"#)))
    #expect(problem.message == "\(path): is \(shown), but sessions are of iOS apps")
    #expect(problem.location == SourceLocation(line: 4, column: 47))
  }

  @Test("Captures that are too large together are an error")
  func tooLarge() {
    var limits = SessionLimits()
    limits.captureElements = 10
    #expect(Self.problem(Self.tap(#""capture":"\#(Self.feed)","element":1"#), limits: limits) != nil)
  }

  @Test("Paths of captures are relative to the folder of the session")
  func relativePaths() throws {
    let path = PackageFolder.viewTrees.appending(path: "sessions/captures-clicks.session.ndjson").path
    let reader = try SessionReader(path: path)
    var elements = 0
    while let signal = try reader.next() {
      if case .tap(let tap) = signal.action, let element = tap.view.element {
        elements += 1
        #expect(element.capture.screen.tree.count > 0)
        #expect(element.event(in: .hubbleData).members["event"] == "$AppClick")
      }
    }
    #expect(elements > 3)
  }

  @Test("The session's facts about a view override the capture")
  func sessionCounts() throws {
    let signals =
      Self.start + [
        Self.tap(#""view":"a","capture":"\#(Self.feed)","element":26"#),
        Self.tap(#""view":"b","capture":"\#(Self.feed)","element":26,"attributes":{"title":"Buy"},"class":"BuyButton""#)
          .replacingOccurrences(of: "BuyButton\"", with: "BuyButton\",\"base\":\"UIButton\""),
        Self.tap(#""view":"c","capture":"\#(Self.feed)","element":26,"attributes":{"hidden":true}"#),
      ]
    let reader = try SessionReader(Array(signals.joined(separator: "\n").utf8))
    var replay = try SessionReplay<SensorsModel>(reader)
    var lines: [String] = []
    while let step = try replay.next() {
      guard step.signal.line > 3 else { continue }
      var bytes: [UInt8] = []
      for record in step.output.records where record.isEvent { record.append(line: 0, life: 1, to: &bytes) }
      lines.append(String(decoding: bytes, as: UTF8.self))
    }
    #expect(lines[0].contains(#""$element_content":"加入""#))
    #expect(
      lines[0].contains(
        #""$element_path":"UIView/UITableView[0]/ProductCell[1][-]/UITableViewCellContentView[0]/UIButton[0]""#))
    #expect(lines[0].contains(#""$element_position":"1:0""#))
    #expect(lines[1].contains(#""$element_content":"Buy""#))
    #expect(lines[2].isEmpty)
  }
}
