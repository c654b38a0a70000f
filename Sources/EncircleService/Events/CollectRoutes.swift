import EncircleEvents
import EncircleLog
import EncircleSDK
import EncircleText
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import Synchronization

/// The routes to which SDKs send events.
///
/// An SDK deletes its events after most errors (``SensorsAnswer``). So a request that could succeed at another time is
/// answered with 403 or 503. Events that can never be used are kept as rejects, and their batch is taken.
struct CollectRoutes: RouteGroup {
  let events: any CollectedEvents
  let access: any RequestAccess
  /// The threads that read and decide events that arrive.
  let collectors: WorkPool
  let limits: ServiceLimits
  let metrics: ServiceMetrics

  var routes: [Route] {
    // The token is checked by the handlers, as an SDK would lose its events at 401.
    [
      Route(method: .post, path: "/v1/collect", operation: "collect", role: nil) { request, context in
        try await keepingEvents(context) { try await collect(request, context) }
      },
      Route(method: .get, path: "/v1/collect", operation: "collectQuery", role: nil) { request, context in
        try await keepingEvents(context) { try await collect(request, context) }
      },
      Route(method: .post, path: "/v1/debug", operation: "debug", role: nil) { request, context in
        try await keepingEvents(context) { try await debug(request, context) }
      },
      Route(method: .get, path: "/v1/debug", operation: "debugQuery", role: nil) { request, context in
        try await keepingEvents(context) { try await debug(request, context) }
      },
    ]
  }

  // MARK: - Requests

  private struct Answer: Encodable {
    struct Reject: Encodable {
      var line: Int
      var code: String
      var reason: String
    }
    var received: Int
    var stored: Int
    var repeated: Int
    var rejected: Int
    var rejects: [Reject]
    var dryRun: Bool?
    var decisions: [DecisionAnswer]?

    /// The most reasons in an answer; the rejected events have all.
    private static let mostReasons = 10

    init(_ outcome: CollectOutcome) {
      (received, stored) = (outcome.received, outcome.stored)
      (repeated, rejected) = (outcome.repeated, outcome.rejected)
      rejects = outcome.rejects.prefix(Self.mostReasons).map {
        Reject(line: $0.line, code: $0.code, reason: $0.reason)
      }
    }
  }

  private func collect(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let outcome = try await events.store(try await decide(request, context))
    count(outcome)
    return try JSON.response(Answer(outcome))
  }

  /// Serves the debug modes of SDKs: problems are answered at once, and with `Dry-Run` nothing is stored.
  private func debug(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let decided = try await decide(request, context)
    let isDryRun = request.headers[HTTPField.Name("Dry-Run")!].map { $0.lowercased() == "true" } ?? false
    var outcome = CollectOutcome(decided)
    if !isDryRun {
      outcome = try await events.store(decided)
      count(outcome)
    }
    guard outcome.rejected == 0 else {
      throw ServiceError.invalid(
        "\(outcome.rejected) of \(outcome.received) events cannot be used.", code: "bad-events",
        details: outcome.rejects.prefix(100).map {
          ServiceError.Detail(code: $0.code, message: $0.reason, location: .init(line: $0.line))
        })
    }
    var answer = Answer(outcome)
    answer.dryRun = isDryRun
    answer.decisions = decided.batch.events.prefix(1_000).map(DecisionAnswer.init)
    return try JSON.response(answer)
  }

  private func decide(_ request: Request, _ context: ServiceContext) async throws -> DecidedBatch {
    context.caller = try await access.caller(of: request, for: .collect)
    try Access.check(context.caller, has: .collect)
    let encoding = (request.headers[.contentEncoding] ?? "identity").lowercased()
    guard ["gzip", "x-gzip", "identity"].contains(encoding) else {
      throw CollectError.unknownEncoding(String(encoding.unicodeScalars.prefix(20)))
    }
    let limit = limits.collectBytes
    let body =
      request.method == .get
      ? ByteBuffer() : try await request.bytes(limit: limit, limits: limits)
    if encoding.hasSuffix("gzip"), body.readableBytes > 0, !body.readableBytesView.starts(with: [0x1F, 0x8B]) {
      throw CollectError.damaged("it is not gzip")
    }
    let (query, type) = (request.uri.query, request.headers[.contentType] ?? "")
    let isJSON = type.contains("json")
    let receivedAt = EventLibrary.now
    let sentAt = request.headers[.date].flatMap { HTTPDate.seconds($0) }.map { Int64($0 * 1_000) }
    let project = Self.project(of: request)
    // These threads do nothing else, so that other requests do not delay events.
    return try await collectors.run { [events] in
      try events.decide(
        CollectBody.json(of: Array(body.readableBytesView), query: query, isJSON: isJSON, limit: limit),
        receivedAt: receivedAt, requestSentAt: sentAt, project: project)
    }
  }

  /// The project of an SDK's server URL; nil for `default`. One that no SDK could have is taken for that.
  private static func project(of request: Request) -> String? {
    guard let name = request.query("project"), !name.isEmpty, name != EventFilter.defaultProject else { return nil }
    return name.utf8.count <= longestProject ? name : nil
  }

  private static let longestProject = 256

  private func count(_ outcome: CollectOutcome) {
    metrics.add(outcome.stored, to: "encircle_events_stored_total", help: "Events that were stored.")
    metrics.add(
      outcome.repeated, to: "encircle_events_repeated_total", help: "Events that had been stored before.")
    metrics.add(outcome.rejected, to: "encircle_events_rejected_total", help: "Events that could not be used.")
  }

  // MARK: - Statuses

  /// Answers with a status after which an SDK keeps its events, unless there are none.
  private func keepingEvents(
    _ context: ServiceContext, _ body: () async throws -> Response
  ) async throws -> Response {
    do {
      return try await body()
    } catch let error as CollectError {
      switch error {
      case .noEvents: throw ServiceError.malformed(error.description, code: "no-events")
      case .encrypted: throw ServiceError(.forbidden, code: "encrypted", message: error.description)
      case .unknownEncoding:
        throw ServiceError(.forbidden, code: "unsupported-encoding", message: error.description)
      case .tooLarge, .tooMany: throw ServiceError.unavailable(error.description, code: "too-large", retryAfter: 60)
      case .damaged: throw ServiceError.unavailable(error.description, code: "damaged")
      }
    } catch let error as ServiceError {
      throw Self.keepingEvents(ErrorAnswer(error))
    } catch let answer as ErrorAnswer {
      throw Self.keepingEvents(answer)
    } catch is QueueFull {
      throw ServiceError.unavailable("More events arrive than can be stored.", code: "busy", retryAfter: 2)
    } catch LogError.full {
      throw ServiceError.unavailable("More events arrive than can be logged.", code: "busy", retryAfter: 2)
    } catch let error as LogError {
      context.logger.error("events cannot be logged", metadata: ["error": "\(error)"])
      throw ServiceError.unavailable("Events cannot be logged now.", code: "storage", retryAfter: 5)
    } catch let error as DatabaseError {
      context.logger.error("events cannot be stored", metadata: ["error": "\(error)"])
      throw ServiceError.unavailable("Events cannot be stored now.", code: "storage", retryAfter: 30)
    } catch {
      context.logger.error("events cannot be taken", metadata: ["error": "\(error)"])
      throw ServiceError.unavailable("Events cannot be taken now.", code: "unavailable")
    }
  }

  private static func keepingEvents(_ answer: ErrorAnswer) -> ErrorAnswer {
    var answer = answer
    switch answer.status {
    case .unauthorized: answer.status = .forbidden
    // There are no events to lose.
    case .badRequest, .unprocessableContent: break
    case let status where SensorsAnswer.keepsEvents(status: status.code): break
    default:
      answer.status = .serviceUnavailable
      answer.headers[.retryAfter] = "60"
    }
    return answer
  }
}

/// What the rules say about an event, as `encircle match` writes it.
struct DecisionAnswer: Encodable {
  var eventId: String?
  var selected: Bool
  var rules: [String]
  var excludedBy: [String]
  var emit: [String]

  init(_ row: EventRow) {
    eventId = row.element.map(Hexadecimal.text)
    selected = row.verdict.isSelected
    rules = row.verdict.rules
    excludedBy = row.verdict.excludedBy
    emit = row.verdict.emit
  }
}
