import EncircleSDK
import EncircleText
import Foundation

/// Connections as JSON. The code of the link is never in it.
enum ConnectionText {
  static func append(
    _ connection: VisualizedConnection, at now: Date, withElements: Bool, to json: inout [UInt8]
  ) {
    let facts = connection.facts(at: now)
    json += "{\"id\":".utf8
    JSONText.append(connection.id, to: &json)
    member("kind", connection.link.kind.rawValue, &json)
    member("project", connection.link.project, &json)
    member("ruleset", connection.ruleSet, &json)
    member("state", facts.phase.rawValue, &json)
    member("app_id", facts.about?.appID, &json)
    member("app_version", facts.about?.appVersion, &json)
    member("os", facts.about?.os, &json)
    member("lib_version", facts.about?.libVersion, &json)
    member("config_version", facts.about?.configVersion, &json)
    member("created_at", connection.createdAt.formatted(.iso8601), &json)
    member("expires_at", facts.expiresAt.formatted(.iso8601), &json)
    member("last_seen", facts.lastSeen?.formatted(.iso8601), &json)
    json += ",\"screen\":".utf8
    if let screen = facts.screen { append(screen, withElements: withElements, to: &json) } else { json += "null".utf8 }
    json.append(UInt8(ascii: "}"))
  }

  private static func append(_ screen: VisualizedConnection.Screen, withElements: Bool, to json: inout [UInt8]) {
    json += "{\"revision\":\(screen.revision)".utf8
    member("page", screen.page, &json)
    member("title", screen.title, &json)
    json += ",\"width\":".utf8
    JSONText.append(screen.snapshot.width, to: &json)
    json += ",\"height\":".utf8
    JSONText.append(screen.snapshot.height, to: &json)
    json += ",\"has_screenshot\":\(screen.picture != nil),\"capture_like\":true".utf8
    let flaws = screen.snapshot.flaws
    json += ",\"flaws\":{\"missing\":\(flaws.missing),\"shared\":\(flaws.shared)".utf8
    json += ",\"repeated_ids\":\(flaws.repeatedIDs),\"unreachable\":\(flaws.unreachable)".utf8
    json += ",\"too_deep\":\(flaws.tooDeep)}".utf8
    if withElements {
      json += ",\"elements\":".utf8
      json += screen.elements
    }
    json.append(UInt8(ascii: "}"))
  }

  private static func member(_ name: StaticString, _ text: String?, _ json: inout [UInt8]) {
    json += ",\"\(name)\":".utf8
    if let text { JSONText.append(text, to: &json) } else { json += "null".utf8 }
  }
}
