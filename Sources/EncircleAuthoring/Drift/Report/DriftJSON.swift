import EncircleDrift
import EncircleText
import EncircleTree

/// Writes changes between captures for programs: one object.
package enum DriftJSON {
  package static func text(_ report: DriftReport) -> String {
    var json = JSONBuilder()
    json.object {
      $0.array("screens", report.screens) { screen, json in json.object { append(screen, report, to: &$0) } }
      $0.member("only_old", report.onlyOld)
      $0.member("only_new", report.onlyNew)
      if let count = report.ruleCount {
        $0.member("rules_compared", count)
        $0.array("rules", report.rules) { rule, json in json.object { append(rule, report.screens, to: &$0) } }
      }
    }
    return json.line
  }

  /// Writes the members of a pair of screens.
  package static func append(_ screen: ScreenDrift, _ report: DriftReport, to json: inout JSONBuilder) {
    json.member("old", screen.old.name)
    json.member("new", screen.new.name)
    json.member("unchanged", screen.unchangedCount)
    json.array("changes", report.changes(screen)) { change, json in
      json.object {
        $0.member("kinds", change.kinds.map(\.rawValue))
        $0.object("before") { append(change.match.old, of: screen.old, to: &$0) }
        $0.object("now") { append(change.match.new, of: screen.new, to: &$0) }
        append(change.match, to: &$0)
      }
    }
    json.array("gone", report.gone(screen)) { element, json in
      json.object {
        append(element, of: screen.old, to: &$0)
        if let candidate = screen.mapping.candidate(for: element) {
          $0.object("candidate") {
            append(candidate.new, of: screen.new, to: &$0)
            append(candidate, to: &$0)
          }
        }
      }
    }
    json.array("added", report.added(screen)) { element, json in
      json.object { append(element, of: screen.new, to: &$0) }
    }
    json.array("takeovers", report.reusedIDs(screen)) { reuse, json in
      json.object {
        $0.member("event_id", reuse.eventID)
        $0.object("before") { append(reuse.old, of: screen.old, to: &$0) }
        $0.object("now") { append(reuse.new, of: screen.new, to: &$0) }
        $0.member("moved_to", reuse.movedTo?.index)
      }
    }
  }

  private static func append(_ element: ElementID, of screen: NamedScreen, to json: inout JSONBuilder) {
    json.member("element", element.index)
    json.member("title", screen.title(of: element))
    json.member("path", screen.path(of: element))
    json.member("page", screen.screen.page(of: element))
    json.member("event_id", screen.screen.eventID(of: element))
  }

  private static func append(_ match: ScreenMapping.Match, to json: inout JSONBuilder) {
    json.member("confidence", match.confidence)
    json.array("reasons", match.reasons) { reason, json in
      json.object {
        $0.member("text", reason.text)
        $0.member("value", reason.value)
      }
    }
  }

  /// Writes the members of a rule that breaks.
  package static func append(_ rule: DriftReport.Rule, _ screens: [ScreenDrift], to json: inout JSONBuilder) {
    let drift = rule.drift
    json.member("id", drift.id.text)
    json.member("kind", drift.kind.rawValue)
    json.array("missed", drift.missed) { missed, json in
      json.object {
        $0.member("capture", screens[missed.place.pair].new.name)
        append(missed.place.element, of: screens[missed.place.pair].new, to: &$0)
        $0.object("before") {
          $0.member("capture", screens[missed.place.pair].old.name)
          append(missed.match.old, of: screens[missed.place.pair].old, to: &$0)
        }
        append(missed.match, to: &$0)
      }
    }
    json.array("wrong", drift.wrong) { place, json in
      json.object {
        $0.member("capture", screens[place.pair].new.name)
        append(place.element, of: screens[place.pair].new, to: &$0)
      }
    }
    json.array("gone", drift.gone) { place, json in
      json.object {
        $0.member("capture", screens[place.pair].old.name)
        append(place.element, of: screens[place.pair].old, to: &$0)
      }
    }
    guard let repair = rule.repair else { return }
    json.object("repair") {
      $0.member("file", repair.file)
      $0.member("key", repair.key)
      $0.member("values", repair.values)
      $0.member("replaces", repair.isReplacing)
      $0.member("since", repair.since)
      $0.member("confidence", repair.confidence)
      $0.member("applied", rule.isApplied)
    }
  }
}
