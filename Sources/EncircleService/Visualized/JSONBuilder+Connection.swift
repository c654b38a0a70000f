import EncircleSDK
import EncircleText
import Foundation

/// Connections as JSON, which never contains the code of the link.
extension JSONBuilder {
  /// Writes the members of a connection.
  mutating func members(of connection: VisualizedConnection, at now: Date, withElements: Bool) {
    let facts = connection.facts(at: now)
    member("id", connection.id)
    member("kind", connection.link.kind.rawValue)
    member("project", connection.link.project)
    member("ruleset", connection.ruleSet)
    member("state", facts.phase.rawValue)
    member("app_id", orNull: facts.about?.appID)
    member("app_version", orNull: facts.about?.appVersion)
    member("os", orNull: facts.about?.os)
    member("lib_version", orNull: facts.about?.libVersion)
    member("config_version", orNull: facts.about?.configVersion)
    member("created_at", connection.createdAt.formatted(.iso8601))
    member("expires_at", facts.expiresAt.formatted(.iso8601))
    member("last_seen", orNull: facts.lastSeen?.formatted(.iso8601))
    array("alerts", facts.about?.alerts ?? []) { alert, json in
      json.object {
        $0.member("title", orNull: alert.title)
        $0.member("message", orNull: alert.message)
        $0.member("link_text", orNull: alert.linkText)
        $0.member("link_url", orNull: alert.linkURL)
      }
    }
    member("screen") { json in
      guard let screen = facts.screen else { return json.null() }
      json.object { $0.members(of: screen, connection, withElements: withElements) }
    }
  }

  private mutating func members(
    of screen: VisualizedConnection.Screen, _ connection: VisualizedConnection, withElements: Bool
  ) {
    member("revision", screen.revision)
    member("capture", LiveScreens.id(of: connection, screen.revision))
    member("page", orNull: screen.page)
    member("title", orNull: screen.title)
    member("width", screen.snapshot.width)
    member("height", screen.snapshot.height)
    member("has_screenshot", screen.picture != nil)
    member("capture_like", true)
    let defects = screen.snapshot.defects
    object("flaws") {
      $0.member("missing", defects.missing)
      $0.member("shared", defects.shared)
      $0.member("repeated_ids", defects.repeatedIDs)
      $0.member("unreachable", defects.unreachable)
      $0.member("too_deep", defects.tooDeep)
    }
    if withElements { member("elements", json: screen.elements) }
  }
}
