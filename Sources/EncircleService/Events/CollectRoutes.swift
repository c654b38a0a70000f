import EncircleEvents
import EncircleLog
import EncircleSDK
import EncircleText
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Synchronization

/// The routes to which SDKs send events.
///
/// An SDK deletes its events after most errors. A request that could succeed at another time is therefore answered with a
/// status after which the SDK keeps them (``CollectProtocol/keepingStatus(for:userAgent:)``). Events that can never be used are
/// kept as rejects, and the rest of their batch is stored.
///
/// Besides `/v1/collect`, there are the built-in addresses of PostHog's and GrowingIO's SDKs, so that only the host changes in
/// an app.
struct CollectRoutes: RouteGroup {
  let events: any CollectedEvents
  let access: any RequestAccess
  /// The threads that read and decide events that arrive.
  let collectors: WorkPool
  let limits: ServiceLimits
  let metrics: ServiceMetrics

  var routes: [Route] {
    // The handlers check the token, because an SDK would lose its events at 401.
    [
      route(.post, "/v1/collect", "collect", .sensors, collect),
      route(.get, "/v1/collect", "collectQuery", .sensors, collect),
      route(.post, "/v1/debug", "debug", .sensors, debug),
      route(.get, "/v1/debug", "debugQuery", .sensors, debug),
      route(.post, "/batch", "collectPostHogBatch", .postHog, collect),
      route(.post, "/capture", "collectPostHogCapture", .postHog, collect),
      route(.post, "/e", "collectPostHogEvents", .postHog, collect),
      route(.post, "/i/v0/e", "collectPostHogEventsV0", .postHog, collect),
      route(.post, Self.growingIO, "collectGrowingIO", .growingIO, collect),
      route(.get, Self.growingIO, "collectGrowingIOQuery", .growingIO, collect),
      // Apps with `requestPreflight` send this first, and send no events before it is answered.
      Route(method: .options, path: Self.growingIO, operation: "checkGrowingIO", role: nil) { _, _ in
        Response(status: .noContent)
      },
    ]
  }

  private static let growingIO = "/v3/projects/{project}/collect"

  private typealias Handler = @Sendable (Request, ServiceContext, CollectProtocol) async throws -> Response

  private func route(
    _ method: HTTPRequest.Method, _ path: String, _ operation: String, _ sdk: CollectProtocol,
    _ handler: @escaping Handler
  ) -> Route {
    Route(method: method, path: path, operation: operation, role: nil, answersHead: false) { request, context in
      do {
        return try await handler(request, context, sdk)
      } catch {
        throw Self.keepingEvents(of: sdk, request, Self.answer(to: error, context))
      }
    }
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

    /// The maximum number of reasons in an answer; the stored rejects have all of them.
    private static let maximumReasons = 10

    init(_ outcome: CollectOutcome) {
      (received, stored) = (outcome.received, outcome.stored)
      (repeated, rejected) = (outcome.repeated, outcome.rejected)
      rejects = outcome.rejects.prefix(Self.maximumReasons).map {
        Reject(line: $0.line, code: $0.code, reason: $0.reason)
      }
    }
  }

  private func collect(
    _ request: Request, _ context: ServiceContext, _ sdk: CollectProtocol
  ) async throws -> Response {
    let outcome = try await events.store(try await decide(request, context, sdk))
    count(outcome)
    // GrowingIO's SDK for browsers accepts no other status as success.
    if sdk == .growingIO { return Response(status: .noContent) }
    return try JSON.response(Answer(outcome))
  }

  /// Serves the debug modes of SDKs: problems are answered at once, and nothing is stored with `Dry-Run`.
  private func debug(
    _ request: Request, _ context: ServiceContext, _ sdk: CollectProtocol
  ) async throws -> Response {
    let decided = try await decide(request, context, sdk)
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

  private func decide(
    _ request: Request, _ context: ServiceContext, _ sdk: CollectProtocol
  ) async throws -> DecidedBatch {
    var project = Self.project(of: request)
    switch sdk {
    case .sensors: try await authorise(request, context)
    case .growingIO:
      let name = context.parameters.get("project").map { $0.removingPercentEncoding ?? $0 }
      project = try await authorise(request, context, key: name)
    // The key is in the body.
    case .postHog: break
    }
    let sentAt = request.headers[.date].flatMap { HTTPDate.seconds($0) }.map { Int64($0 * 1_000) }
    let head = try CollectRequest(sdk, query: request.uri.query, sentAt: sentAt) { name in
      HTTPField.Name(name).flatMap { request.headers[$0] }
    }
    let limit = limits.collectBytes
    let body =
      request.method == .get
      ? ByteBuffer() : try await request.bytes(limit: limit, limits: limits)
    let receivedAt = EventLibrary.now
    // These threads do nothing else, so other requests do not delay events.
    if sdk != .postHog {
      return try await collectors.run { [events, project] in
        try events.decide(
          head.contents(of: Array(body.readableBytesView), limit: limit), receivedAt: receivedAt, project: project)
      }
    }
    let contents = try await collectors.run { try head.contents(of: Array(body.readableBytesView), limit: limit) }
    project = try await authorise(request, context, key: contents.key)
    return try await collectors.run { [events, project] in
      try events.decide(contents, receivedAt: receivedAt, project: project)
    }
  }

  /// Returns the project of a caller, after checking that it may send events.
  ///
  /// - Parameter key: The key of the SDK's app.
  /// - Returns: The project to which events with the key belong; nil for `default`.
  @discardableResult
  private func authorise(_ request: Request, _ context: ServiceContext, key: String? = nil) async throws -> String? {
    let (caller, project) = try await access.sender(of: request, key: key)
    context.caller = caller
    try Access.check(caller, has: .collect)
    return Self.project(project)
  }

  /// Returns the project in an SDK's server URL; nil for `default`.
  private static func project(of request: Request) -> String? { project(request.query("project")) }

  /// Returns the project with this name; nil for `default`. A name that is too long for any SDK, or has a NUL character, counts as
  /// `default`.
  private static func project(_ name: String?) -> String? {
    guard let name, !name.isEmpty, name != EventFilter.defaultProject else { return nil }
    return name.utf8.count <= longestProject && !name.utf8.contains(0) ? name : nil
  }

  private static let longestProject = 256

  private func count(_ outcome: CollectOutcome) {
    metrics.add(outcome.stored, to: .eventsStored)
    metrics.add(outcome.repeated, to: .eventsRepeated)
    metrics.add(outcome.rejected, to: .eventsRejected)
  }

  // MARK: - Statuses

  /// Returns the answer with a status after which the SDK keeps its events, if the request has any.
  private static func keepingEvents(of sdk: CollectProtocol, _ request: Request, _ answer: ErrorAnswer) -> ErrorAnswer {
    var answer = answer
    if answer.status == .unauthorized { answer.status = .forbidden }
    // After these statuses, no events can be lost: the request has none.
    if [.badRequest, .unprocessableContent].contains(answer.status) { return answer }
    let status = sdk.keepingStatus(for: answer.status.code, userAgent: request.headers[.userAgent] ?? "")
    guard status != answer.status.code else { return answer }
    if answer.headers[.retryAfter] == nil {
      // Apps with PostHog's SDK give up at the fourth failure, and wait between attempts for as long as this header says. A
      // problem that a person must fix gets more time.
      answer.headers[.retryAfter] = answer.status == .forbidden ? "3600" : "60"
    }
    answer.status = HTTPResponse.Status(code: status)
    return answer
  }

  private static func answer(to error: any Error, _ context: ServiceContext) -> ErrorAnswer {
    switch error {
    case let error as CollectError: return ErrorAnswer(serviceError(error))
    case let error as ServiceError: return ErrorAnswer(error)
    case let answer as ErrorAnswer: return answer
    case is QueueFull:
      return ErrorAnswer(.unavailable("More events arrive than can be stored.", code: "busy", retryAfter: 2))
    case LogError.full:
      return ErrorAnswer(.unavailable("More events arrive than can be logged.", code: "busy", retryAfter: 2))
    case is LogError:
      context.logger.error("events cannot be logged", metadata: ["error": "\(error)"])
      return ErrorAnswer(.unavailable("Events cannot be logged now.", code: "storage", retryAfter: 5))
    case is DatabaseError:
      context.logger.error("events cannot be stored", metadata: ["error": "\(error)"])
      return ErrorAnswer(.unavailable("Events cannot be stored now.", code: "storage", retryAfter: 30))
    case is CancellationError: return ErrorAnswer(.unavailable("The service is stopping.", code: "stopping"))
    case is HTTPParserError, is ChannelError, is IOError:
      // Phones lose their network all the time, which is not a failure of the service.
      return ErrorAnswer(.unavailable("The body ended before it was complete.", code: "damaged"))
    default:
      context.logger.error("events cannot be taken", metadata: ["error": "\(error)"])
      return ErrorAnswer(.unavailable("Events cannot be taken now.", code: "unavailable"))
    }
  }

  private static func serviceError(_ error: CollectError) -> ServiceError {
    switch error {
    case .noEvents: .malformed(error.description, code: "no-events")
    case .encrypted: ServiceError(.forbidden, code: "encrypted", message: error.description)
    case .unknownEncoding: ServiceError(.forbidden, code: "unsupported-encoding", message: error.description)
    case .tooLarge, .tooMany: ServiceError(.tooLarge, code: "too-large", message: error.description)
    case .damaged: .unavailable(error.description, code: "damaged")
    }
  }
}

/// The decision of the rules on an event, as `encircle match` writes it.
struct DecisionAnswer: Encodable {
  var eventId: String?
  var selected: Bool
  var rules: [String]
  var excludedBy: [String]
  var emit: [String]

  init(_ row: EventRow) {
    eventId = row.element.map(Hexadecimal.text)
    selected = row.decision.isSelected
    rules = row.decision.rules
    excludedBy = row.decision.excludedBy
    emit = row.decision.emit
  }
}
