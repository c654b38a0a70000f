import EncircleEvents
import EncircleSessions
import EncircleTestSupport
import Foundation
import Testing

/// Tries each row of the table of identities in `docs/identity.md`.
@Suite struct IdentityTableTests {
  /// A row: calls, the call that it is about, and what the manual says.
  struct Row: Sendable, CustomTestStringConvertible {
    let line: Int
    let before: String
    let call: String
    let event: String
    /// `distinct_id`, `anonymous_id` and the identities of later events.
    let ids: [String]

    var testDescription: String { "\(before); \(call)" }
  }

  private static let vendorID = "11111111-2222-3333-4444-555555555555"

  static let rows: [Row] = {
    guard let text = try? String(contentsOf: PackageFolder.root.appending(path: "docs/identity.md"), encoding: .utf8)
    else { return [] }
    return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
        $0.trimmingCharacters(in: .whitespaces).replacing("`", with: "")
      }
      guard cells.count == 6, cells[0] != "before", !cells[0].hasPrefix("---") else { return nil }
      return Row(line: index + 1, before: cells[0], call: cells[1], event: cells[2], ids: Array(cells[3...]))
    }
  }()

  @Test("The table has a row for every call in every state")
  func allCalls() {
    let calls = ["identify", "resetAnonymousId", "login", "logout", "bind", "unbind", "kill", "reinstall"]
    for state in ["–", "identify v", "login ann", "login 555 as phone", "bind mail a@b"] {
      let found = Self.rows.filter { $0.before == state }.map { $0.call.prefix { $0 != " " } }
      for call in calls { #expect(found.contains(call[...]), "\(call) in the state \(state)") }
    }
  }

  @Test(
    "After each call, events have the IDs that the table says",
    .articles("W20", "W21", "W25", "W26"), arguments: rows)
  func row(_ row: Row) throws {
    var signals = Self.signals(row.before)
    let before = try BriefSession.replay(signals).events.count
    if row.call != "–" { signals += try Self.signals(ofStep: row.call) }
    let called = try BriefSession.replay(signals).names.dropFirst(before).filter { $0 != "$AppStart" }
    #expect((called.isEmpty ? "none" : called.joined(separator: ", ")) == row.event, "line \(row.line)")
    let event = try #require(try BriefSession.replay(signals + [#"track "event":"Later""#]).events.last)
    #expect(event.name == "Later")
    let identities = event.identities.members.compactMap { member -> String? in
      guard member.name != "$identity_anonymous_id", case .string(let value) = member.value else { return nil }
      return member.name.replacing("$identity_", with: "") + "=" + value
    }
    let ids = [event.distinctID ?? "-", event.anonymousID ?? "-", identities.sorted().joined(separator: ", ")]
      .map { $0.replacing(Self.vendorID, with: "IDFV") }
    #expect(ids == row.ids, "line \(row.line)")
    #expect(event.loginID == (event.distinctID == event.anonymousID ? nil : event.distinctID))
    #expect(
      event.identities["$identity_anonymous_id"].map { String(decoding: $0.json, as: UTF8.self) }
        == event.anonymousID.map { "\"\($0)\"" })
  }

  /// Returns the signals of calls; what the device says comes before the first launch if it is named first.
  private static func signals(_ calls: String) -> [String] {
    let steps = calls == "–" ? [] : calls.components(separatedBy: ", ")
    let first = steps.prefix { $0.hasPrefix("device") }
    let later = steps.dropFirst(first.count)
    let signals = { (step: String) in (try? Self.signals(ofStep: step)) ?? ["unknown"] }
    return first.flatMap(signals) + BriefSession.front + later.flatMap(signals)
  }

  private static func signals(ofStep step: String) throws -> [String] {
    let words = step.replacing("IDFV", with: vendorID).components(separatedBy: " ")
    switch (words[0], words.count) {
    case ("launch", 1): return []
    case ("logout", 1), ("resetAnonymousId", 1): return [words[0]]
    case ("kill", 1): return ["kill"] + BriefSession.front
    case ("reinstall", 1): return ["reinstall"] + BriefSession.front
    case ("identify", 2), ("login", 2): return [#"\#(words[0]) "id":"\#(words[1])""#]
    case ("login", 4): return [#"login "id":"\#(words[1])","key":"\#(words[3])""#]
    case ("bind", 3), ("unbind", 3): return [#"\#(words[0]) "key":"\#(words[1])","id":"\#(words[2])""#]
    case ("device", 2...):
      let members = words.dropFirst().map { word in
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return #""\#(parts[0])":"\#(parts.count > 1 ? parts[1] : "")""#
      }
      return ["device " + members.joined(separator: ",")]
    default: return try #require(nil as [String]?, "no call: \(step)")
    }
  }
}
