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
    nullable("app_id", facts.about?.appID)
    nullable("app_version", facts.about?.appVersion)
    nullable("os", facts.about?.os)
    nullable("lib_version", facts.about?.libVersion)
    nullable("config_version", facts.about?.configVersion)
    member("created_at", connection.createdAt.formatted(.iso8601))
    member("expires_at", facts.expiresAt.formatted(.iso8601))
    nullable("last_seen", facts.lastSeen?.formatted(.iso8601))
    array("alerts", facts.about?.alerts ?? []) { alert, json in
      json.object {
        $0.nullable("title", alert.title)
        $0.nullable("message", alert.message)
        $0.nullable("link_text", alert.linkText)
        $0.nullable("link_url", alert.linkURL)
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
    nullable("page", screen.page)
    nullable("title", screen.title)
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
