import EncircleSessions
import EncircleTestSupport
import Foundation
import Testing

/// Compares the model with what the real SDK tracked, and sessions of this package with their expected events.
@Suite struct SessionAgreementTests {
  private static let sharedFolder = PackageFolder.shared?.appending(path: "sessions")
  private static let ownFolder = PackageFolder.viewTrees.appending(path: "sessions")

  @Test(
    "The Sensors model gives the events that the SDK tracked",
    .enabled(if: sharedFolder != nil, "the folder with the SDK's sessions is missing"))
  func sharedSessionsAgree() throws {
    let folder = try #require(Self.sharedFolder)
    let sessions = SessionFiles.all(in: folder, suffix: ".events.ndjson")
    for session in sessions {
      let found = try SessionFiles.records(of: try SessionReader(path: session.path))
      let expected = try SessionFiles.records(in: session.events)
      #expect(found == expected, "\(session.name)")
    }
  }

  @Test("Each model gives the expected events of our own sessions", arguments: SessionSDK.allCases)
  func ownSessionsAgree(_ sdk: SessionSDK) throws {
    for session in SessionFiles.all(in: Self.ownFolder, suffix: ".\(sdk.rawValue).ndjson") {
      let found = try SessionFiles.records(of: try SessionReader(path: session.path), sdk)
      #expect(found == (try SessionFiles.records(in: session.events)), "\(session.name)")
    }
  }

  @Test(
    "Each of the seven transitions between the states of an app has its events",
    .articles("S2"),
    arguments: [
      ("transition-1-cold", ["$AppStart"]), ("transition-2-passive", ["$AppStartPassively"]),
      ("transition-3-interrupted", ["$AppStart"]), ("transition-4-switcher-home", ["$AppStart", "$AppEnd"]),
      ("transition-5-switcher-kill", ["$AppStart", "$AppEnd", "$AppStart"]),
      ("transition-6-killed", ["$AppStart", "$AppEnd", "$AppStart"]),
      ("transition-7-woken", ["$AppStart", "$AppEnd", "$AppStart"]),
    ])
  func transitions(_ name: String, _ events: [String]) throws {
    let path = Self.ownFolder.appending(path: name + ".session.ndjson").path
    let records = try SessionFiles.records(of: try SessionReader(path: path), .article004)
    let names = records.compactMap { $0.firstMatch(of: /"event":"([^"]*)"/).map { String($0.1) } }
    #expect(names == events)
  }

  @Test("There are sessions for seven transitions, and for much else")
  func sessionsExist() {
    let names = SessionFiles.all(in: Self.ownFolder, suffix: ".sensors.ndjson").map(\.name)
    #expect(names.count { $0.hasPrefix("transition-") } == 7)
    #expect(names.count >= 25)
  }
}
