import EncircleText

/// Writes the state of a checklist for programs: one object.
package enum PlanAcceptanceJSON {
  package static func text(_ report: PlanAcceptanceReport) -> String {
    var json = JSONBuilder()
    json.object { append(report, to: &$0) }
    return json.line
  }

  package static func append(_ report: PlanAcceptanceReport, to json: inout JSONBuilder) {
    json.member("accepted", report.isAccepted)
    json.member("version", report.version)
    json.member("tester", report.tester)
    json.member("devices", report.devices)
    json.member("first", report.first.map { Int($0) })
    json.member("last", report.last.map { Int($0) })
    json.array("items", report.items) { item, json in
      json.object {
        $0.member("event", item.event.text)
        $0.member("name", item.name)
        $0.member("owner", item.owner)
        $0.member("trigger", item.trigger)
        $0.member("platform", item.platform?.rawValue)
        $0.member("file", item.origin.file)
        $0.member("line", item.origin.location.line)
        $0.member("optional", item.isOptional)
        $0.member("state", item.state.rawValue)
        $0.member("arrived", item.arrived)
        $0.member("wrong", item.wrong)
        $0.member("first", item.first.map { Int($0) })
        $0.array("samples", item.samples) { sample, json in
          json.object {
            $0.member("problems", sample.problems)
            $0.member("file", sample.place.file)
            $0.member("line", sample.place.line)
            $0.member("event", sample.event)
          }
        }
      }
    }
    json.array("unexpected", report.unexpected.sorted { $0.key < $1.key }) { entry, json in
      json.object {
        $0.member("event", entry.key.text)
        $0.member("events", entry.value)
      }
    }
    json.member("read_events", report.read)
    json.member("other_events", report.others)
  }
}
