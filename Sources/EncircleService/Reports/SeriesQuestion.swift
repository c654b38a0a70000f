import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import Hummingbird

/// The question in the query of `GET /v1/reports/series`.
struct SeriesQuestion {
  enum Comparison: String, CaseIterable {
    case none, previous
  }

  var query: SeriesQuery
  /// The place of the breakdown, as written in the query.
  let by: String?

  /// The maximum number of rules, names and elements together.
  private static let maximumSubjects = 12
  private static let maximumConditions = 8
  /// The maximum number of buckets in the period.
  private static let maximumBuckets = 1_000

  /// - Parameter now: The current time, in milliseconds since 1970.
  /// - Throws: ``ServiceError`` with 400, and 404 for an unknown rule set.
  init(_ request: Request, _ matchers: RuleMatchers, now: Int64) throws {
    func fieldsRead(by name: String) throws -> [EventFields] {
      try matchers.published(name).matcher.stylesAndFields.map { $0.1 }
    }
    // A rule set that the query names must exist. Without a name, the places of `default` count, or else the usual ones.
    let fields =
      try request.query("ruleset").map { try fieldsRead(by: $0) }
      ?? (try? fieldsRead(by: EventLibrary.ruleSet)) ?? [EventFields()]
    by = request.query("by").flatMap { $0.isEmpty ? nil : $0 }
    let filter = try EventFilter(request)
    query = try Self.period(request, now: now)
    query.subjects = try Self.subjects(request)
    query.comparesBefore = try request.query("compare", default: Comparison.none) == .previous
    guard [query.hours.lowerBound, query.hours.upperBound].allSatisfy({ EventText.times.contains($0 * 3_600_000) })
    else {
      // The beginnings of other buckets could not be written: they would all be the same.
      throw ServiceError.parameter(
        "from", "The period, and the previous one if it is compared, must lie in the years 1 to 9999.")
    }
    query.breakdown = try by.map { try Self.place($0, fields, parameter: "by") }
    query.filter = filter
    // These parameters name subjects here.
    (query.filter.rule, query.filter.event, query.filter.element) = (nil, nil, nil)
    let conditions = request.queryParameters.filter { $0.name == "where" }.map(\.value)
    guard conditions.count <= Self.maximumConditions else {
      throw ServiceError.parameter("where", "There are at most \(Self.maximumConditions) conditions.")
    }
    query.conditions = try conditions.map { try Self.condition($0, fields) }
  }

  private static func subjects(_ request: Request) throws -> [SeriesSubject] {
    var subjects: [SeriesSubject] = []
    for (name, value) in request.queryParameters where !value.isEmpty {
      let subject: SeriesSubject
      switch name {
      case "rule": subject = SeriesSubject(.rule, value)
      case "event": subject = SeriesSubject(.event, value)
      case "event_id":
        guard let id = EventID(hexadecimal: value) else {
          throw ServiceError.parameter(name, "event_id must be 64 hexadecimal digits.")
        }
        subject = SeriesSubject(.element, id.description)
      default: continue
      }
      if !subjects.contains(subject) { subjects.append(subject) }
    }
    guard subjects.count <= maximumSubjects else {
      throw ServiceError.parameter("rule", "A question names at most \(maximumSubjects) rules, events and elements.")
    }
    return subjects.isEmpty ? [SeriesSubject(.all)] : subjects
  }

  /// Returns the place that a word names: a column stored beside events, a field of rules, a property, or a JSON Pointer.
  private static func place(_ text: String, _ fields: [EventFields], parameter: String) throws -> SeriesQuery.Place {
    if text == "rule" { return .rules }
    if let column = SeriesQuery.Place.Column(rawValue: text) { return .column(column) }
    if let field = EventFields.Field(rawValue: text) { return .json(fields.places(of: field)) }
    guard let reference = PropertyReference(parsing: text) else {
      throw ServiceError.parameter(
        parameter, "\(parameter) must begin with a field, a property or a JSON Pointer: \(VisibleText.shortened(text))."
      )
    }
    return .json([reference])
  }

  /// Returns a condition `PLACE=VALUE` or `PLACE!=VALUE`.
  private static func condition(_ text: String, _ fields: [EventFields]) throws -> SeriesQuery.Condition {
    let bytes = Array(text.utf8)
    guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")), equals > 0 else {
      throw ServiceError.parameter(
        "where", "where must be PLACE=VALUE or PLACE!=VALUE: \(VisibleText.shortened(text)).")
    }
    let isNegated = bytes[equals - 1] == UInt8(ascii: "!")
    let place = String(decoding: bytes[..<(isNegated ? equals - 1 : equals)], as: UTF8.self)
    guard !place.isEmpty else { throw ServiceError.parameter("where", "where must begin with a place.") }
    return SeriesQuery.Condition(
      place: try Self.place(place, fields, parameter: "where"),
      value: UTF8String(String(decoding: bytes[(equals + 1)...], as: UTF8.self)), isNegated: isNegated)
  }

  /// Returns the whole buckets that a period touches.
  private static func period(_ request: Request, now: Int64) throws -> SeriesQuery {
    let days = try request.query("days", in: ReportRoutes.days, default: 7)
    let interval = try request.query("interval", default: days <= 2 ? SeriesQuery.Interval.hour : .day)
    let last = ((try request.time("to")).map { $0 - 1 } ?? now).flooredQuotient(by: 3_600_000)
    let end = interval.start(of: last) + interval.hours
    let length = Int64(days) * 24
    let first =
      try request.time("from").map { $0.flooredQuotient(by: 3_600_000) }
      ?? (interval == .week ? last + 1 - length : end - length)
    let start = interval.start(of: first)
    guard start < end else {
      throw ServiceError.parameter("from", "from must be earlier than \(request.query("to") == nil ? "now" : "to").")
    }
    let buckets = (end - start) / interval.hours
    guard buckets <= maximumBuckets else {
      throw ServiceError.parameter(
        "from", "The period must have at most \(maximumBuckets) buckets: choose a longer interval, or other times.")
    }
    return SeriesQuery(subjects: [], interval: interval, start: start, buckets: Int(buckets))
  }
}
