import EncircleText

/// Events and people over time, as JSON and as CSV.
struct SeriesReport {
  let question: SeriesQuestion
  let answer: SeriesAnswer
  /// The time at which the oldest stored event arrived, in milliseconds since 1970.
  let keptSince: Int64?

  private var query: SeriesQuery { question.query }

  /// Returns the beginnings of the buckets, in ISO 8601.
  private func times(from start: Int64) -> [String] {
    (0..<Int64(query.buckets)).map { EventText.time((start + $0 * query.interval.hours) * 3_600_000) }
  }

  func members(_ json: inout JSONBuilder) {
    let hours = Int64(query.buckets) * query.interval.hours
    func period(_ name: String, _ start: Int64, _ json: inout JSONBuilder) {
      json.object(name) {
        $0.member("from", EventText.time(start * 3_600_000))
        $0.member("to", EventText.time((start + hours) * 3_600_000))
      }
    }
    json.member("interval", query.interval.rawValue)
    period("period", query.start, &json)
    if query.comparesBefore { period("previous", query.start - hours, &json) }
    json.nullable("by", question.by)
    json.member("counted", answer.isFromCounters ? "when-stored" : "one-by-one")
    json.member("complete", answer.isComplete)
    json.member("people_exact", answer.peopleAreExact)
    json.nullable("kept_since", keptSince.map(EventText.time))
    json.member("times", times(from: query.start))
    json.array("series", answer.rows) { row, json in
      json.object { json in
        let subject = query.subjects[row.subject]
        if let name = subject.kind.member { json.member(name, subject.name.text) }
        if question.by != nil {
          json.nullable("value", row.value)
          json.member("rest", row.isRest)
        }
        Self.members(of: row.numbers, &json)
        if let before = row.before { json.object("previous") { Self.members(of: before, &$0) } }
      }
    }
  }

  private static func members(of numbers: SeriesNumbers, _ json: inout JSONBuilder) {
    json.object("total") {
      $0.member("events", numbers.allEvents)
      $0.member("people", numbers.allPeople)
    }
    json.array("events", numbers.events) { $1.value($0) }
    json.array("people", numbers.people) { $1.value($0) }
  }

  /// The report as CSV, with a line for each row and bucket. Cells that a spreadsheet would interpret as formulas are written
  /// as text.
  var csv: String {
    let compares = query.comparesBefore
    var text = CSVText.line(
      ["time", "rule", "event", "event_id", "value", "events", "people"]
        + (compares ? ["previous_events", "previous_people"] : []))
    let times = times(from: query.start)
    for row in answer.rows {
      let subject = query.subjects[row.subject]
      let names = ["rule", "event", "event_id"].map {
        $0 == subject.kind.member ? CSVText.unformulated(subject.name.text) : ""
      }
      let value = row.isRest ? EventStore.otherValues : CSVText.unformulated(row.value ?? "")
      for (index, time) in times.enumerated() {
        var cells = [time] + names + [value, String(row.numbers.events[index]), String(row.numbers.people[index])]
        if let before = row.before { cells += [String(before.events[index]), String(before.people[index])] }
        text += CSVText.line(cells)
      }
    }
    return text
  }
}

extension SeriesSubject.Kind {
  /// The member and parameter that name a subject; nil for all events.
  fileprivate var member: String? {
    switch self {
    case .all: nil
    case .rule: "rule"
    case .event: "event"
    case .element: "event_id"
    }
  }
}
