import EncircleIdentity
import EncircleText
import Foundation
import GRDB

/// The statement that reads the events of a ``SeriesQuery``.
struct SeriesSQL {
  private(set) var arguments: StatementArguments
  /// The conditions that the statement does not check.
  private(set) var rest: [SeriesQuery.Condition] = []
  private var condition: String
  private let query: SeriesQuery

  init(_ query: SeriesQuery) {
    self.query = query
    var filter = query.filter
    filter.from = query.hours.lowerBound * 3_600_000
    filter.to = query.hours.upperBound * 3_600_000
    (condition, arguments) = filter.condition()
    addSubjects()
    for one in query.conditions { add(one) }
  }

  /// Returns a statement with the columns time, decision, name, element, person, value, JSON; columns that are not needed are NULL.
  mutating func text(readsJSON: Bool) -> String {
    func column(_ name: String, if isNeeded: Bool) -> String { isNeeded ? name : "NULL" }
    let kinds = Set(query.subjects.map(\.kind))
    var value = "NULL"
    if case .column(let place) = query.breakdown { value = Self.expression(place) }
    return """
      SELECT at, verdict, \(column("event", if: kinds.contains(.event))),
        \(column("element", if: kinds.contains(.element))), distinct_id, \(value), \(column("json", if: readsJSON))
      FROM event \(readsJSON ? "JOIN event_json ON event_json.id = event.id" : "")
      WHERE \(condition) ORDER BY event.id DESC
      """
  }

  private mutating func addSubjects() {
    guard !query.subjects.contains(where: { $0.kind == .all }) else { return }
    let parts = query.subjects.map { subject in
      switch subject.kind {
      case .all: "1"
      case .event: "event = CAST(? AS TEXT)"
      case .element: "element = ?"
      case .rule: "verdict IN (SELECT verdict FROM verdict_rule WHERE rule = CAST(? AS TEXT))"
      }
    }
    condition += " AND (\(parts.joined(separator: " OR ")))"
    for subject in query.subjects {
      arguments += [subject.kind == .element ? Data(subject.elementBytes) : subject.name.data]
    }
  }

  private mutating func add(_ one: SeriesQuery.Condition) {
    let isNegated = one.isNegated ? "NOT " : ""
    switch one.place {
    case .column(.page):
      // A page is named as in filters.
      condition += " AND \(isNegated)(\(Self.expression(.page)) IN (CAST(? AS TEXT), CAST(? AS TEXT)))"
      arguments += [one.value.data, UTF8String(EventRow.page(ofEvent: one.value.text)).data]
      return
    case .column(let place):
      condition += " AND \(isNegated)(\(Self.expression(place)) = CAST(? AS TEXT))"
    case .rules:
      condition += " AND \(isNegated)(verdict IN (SELECT verdict FROM verdict_rule WHERE rule = CAST(? AS TEXT)))"
    case .json:
      rest.append(one)
      return
    }
    arguments += [one.value.data]
  }

  private static func expression(_ column: SeriesQuery.Place.Column) -> String {
    switch column {
    case .project: "coalesce(event.project, '\(EventFilter.defaultProject)')"
    default: "coalesce(event.\(column.rawValue), '')"
    }
  }
}

extension UTF8String {
  /// The bytes, for a parameter that is cast to a text, because SQLite would cut a text at a zero byte.
  var data: Data { Data(text.utf8) }
}

extension SeriesSubject {
  /// The 32 bytes of an event ID.
  var elementBytes: [UInt8] { EventID(hexadecimal: name.text)?.bytes ?? [] }
}
