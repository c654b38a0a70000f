import EncircleRules
import EncircleText

/// The differences between two rule sets for programs: one object.
enum DiffJSON {
  static func text(_ report: DiffReport) -> String {
    var json = JSONBuilder()
    json.object {
      if let events = report.events { $0.object("events") { append(events, to: &$0) } }
      if let elements = report.elements { $0.object("elements") { append(elements, to: &$0) } }
    }
    return json.line
  }

  private static func append(_ report: DecisionComparison.Report, to json: inout JSONBuilder) {
    json.member("compared", report.compared)
    json.member("different", report.different)
    for kind in DecisionDifference.Kind.allCases { json.member(kind.rawValue, report.counts[kind] ?? 0) }
    json.array("groups", report.groups) { group, json in
      json.object { append(group, to: &$0) }
    }
    json.member("ungrouped", report.ungrouped)
  }

  private static func append(_ group: DecisionComparison.Group, to json: inout JSONBuilder) {
    let difference = group.difference
    json.member("change", difference.kind.rawValue)
    json.member("count", group.count)
    append("includes", difference.includes, to: &json)
    append("excludes", difference.excludes, to: &json)
    append("pages", difference.pages, to: &json)
    json.member("renamed", difference.renamed.map(\.text))
    json.member("by_tracking", difference.isByTracking)
    json.object("emit") {
      $0.member("before", difference.emitBefore.map(\.text))
      $0.member("now", difference.emitNow.map(\.text))
    }
    json.array("examples", group.examples) { example, json in
      json.object {
        $0.member("file", example.file)
        $0.member("line", example.line)
        $0.member("element", example.element)
        $0.member("event", example.event)
        $0.member("page", example.page)
        $0.member("path", example.path)
        $0.member("event_id", example.eventID)
      }
    }
  }

  private static func append(_ name: String, _ names: DecisionDifference.Names, to json: inout JSONBuilder) {
    json.object(name) {
      $0.member("began", names.began.map(\.text))
      $0.member("ceased", names.ceased.map(\.text))
    }
  }
}
