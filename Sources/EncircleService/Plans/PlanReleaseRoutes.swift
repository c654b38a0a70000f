import EncircleAuthoring
import EncircleRules
import EncircleText
import Foundation
import Hummingbird

/// Routes for the releases of a tracking plan: the events that are new in a version, their owners, and their progress.
struct PlanReleaseRoutes: RouteGroup {
  let state: ServiceState

  private static let longestName = 200

  var routes: [Route] {
    let path = "/v1/rulesets/{name}/plan/releases"
    let acceptance = path + "/{version}/acceptance"
    return [
      Route(method: .get, path: path, operation: "planReleases", role: .read, handler: list),
      Route(method: .get, path: path + "/{version}", operation: "planRelease", role: .read, handler: get),
      Route(method: .put, path: path + "/{version}", operation: "putPlanRelease", role: .author, handler: put),
      Route(method: .post, path: acceptance, operation: "acceptPlanRelease", role: .author, handler: accept),
      Route(method: .delete, path: acceptance, operation: "unacceptPlanRelease", role: .author, handler: unaccept),
    ]
  }

  // MARK: - Reading

  private func list(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    return try await state.workers.run { [library = state.plans] in
      let plans = try library.bothPlans(name)
      let records = try library.releases.releases(of: name)
      let releases = PlanRelease.versions(of: plans.current).map { version in
        PlanRelease(
          version, plans.current, draft: plans.draft, PlanLibrary.record(of: version, records) ?? ReleaseRecord())
      }
      return JSON.response(headers: [.cacheControl: "no-cache"]) {
        $0.array("releases", releases) { release, json in json.object { Self.append(release, to: &$0) } }
      }
    }
  }

  private func get(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let (name, version) = (try state.ruleSetName(context), try Self.version(context))
    return try await state.workers.run { [library = state.plans] in
      Self.response(try library.release(version, of: name))
    }
  }

  private static func response(_ release: PlanRelease) -> Response {
    let bytes = json(of: release)
    return JSON.response(
      bytes: bytes, headers: [.cacheControl: "no-cache", .eTag: "\"\(tag(of: bytes))\""])
  }

  /// Returns the ETag of a release without quotes: a digest of the whole answer, because its events also change with the plan
  /// and the rules.
  private static func tag(of json: [UInt8]) -> String { SHA256Digest(of: json).id }

  private static func json(of release: PlanRelease) -> [UInt8] {
    var json = JSONBuilder()
    json.object {
      append(release, to: &$0)
      $0.array("events", release.events) { event, json in
        json.object {
          $0.member("event", event.entry.event.text)
          $0.nullable("name", event.entry.name)
          $0.nullable("owner", event.entry.owner)
          $0.member("platforms", event.entry.planned?.platforms.map(\.rawValue) ?? [])
          $0.member("state", event.state.rawValue)
          $0.member("rules", event.entry.rules.filter(\.isEnabled).map(\.id.text))
          $0.member("draft_rules", event.draftRules)
        }
      }
    }
    return json.bytes
  }

  private static func append(_ release: PlanRelease, to json: inout JSONBuilder) {
    json.member("version", release.version)
    json.nullable("owner", release.record.owner)
    json.nullable("reviewer", release.record.reviewer)
    json.nullable("state", release.state?.rawValue)
    json.object("counts") {
      for state in PlanRelease.State.allCases {
        $0.member(state.rawValue, release.events.count { $0.state == state })
      }
    }
    json.nullable("accepted_by", release.record.acceptance?.by)
    json.nullable("accepted_at", release.record.acceptance.map { $0.at.formatted(.iso8601) })
  }

  // MARK: - Changing

  private func put(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let (name, version) = (try state.ruleSetName(context), try Self.version(context))
    let body = try await request.object(members: "owner", "reviewer", limits: state.configuration.limits)
    func person(_ member: String) throws -> String? {
      guard let value = try body.member(member), value.value != .null else { return nil }
      let text = try value.text
      guard text.utf8.count <= Self.longestName else {
        throw value.error("A name has at most \(Self.longestName) bytes.")
      }
      return text.isEmpty ? nil : text
    }
    let (owner, reviewer) = (try person("owner"), try person("reviewer"))
    let condition = try TagPrecondition(request.headers)
    let caller = context.caller.name
    return try await state.workers.run { [library = state.plans] in
      Self.response(
        try library.setPeople(owner, reviewer, of: version, in: name, by: caller) { seen in
          guard condition.allows(Self.tag(of: Self.json(of: seen))) else {
            throw ServiceError(.stale(current: nil), code: "stale", message: "The release has changed meanwhile.")
          }
        })
    }
  }

  /// Accepts the new events of the version that have arrived as planned since a trial began.
  private func accept(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let (name, version) = (try state.ruleSetName(context), try Self.version(context))
    var trial = try PlanTrial(request, state)
    trial.target.version = version
    let caller = context.caller.name
    return try await state.analysts.run { [state, trial] in
      let joined = try state.plans.joined(name, draft: false)
      guard joined.record != nil else { throw PlanLibrary.noPlan(name) }
      let report = try trial.report(of: joined, state).report
      let arrived = report.items.filter { $0.state == .accepted }.map {
        ReleaseRecord.Item(event: $0.event.text, platform: $0.platform?.rawValue ?? "")
      }
      return Self.response(try state.plans.accept(arrived, of: version, in: name, joined.plan, by: caller))
    }
  }

  private func unaccept(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let (name, version) = (try state.ruleSetName(context), try Self.version(context))
    let caller = context.caller.name
    try await state.workers.run { [library = state.plans] in
      try library.unaccept(version, in: name, by: caller)
    }
    return Response(status: .noContent)
  }

  private static func version(_ context: ServiceContext) throws -> String {
    let text = context.parameters.get("version") ?? ""
    let version = text.removingPercentEncoding ?? text
    guard VersionNumber(version) != nil else {
      throw ServiceError.notFound("A release has the version of an app, such as 5.2.")
    }
    return version
  }
}
