import EncircleAuthoring
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import Foundation
import Hummingbird

/// Routes for the rules that a new app version breaks, by comparing its captures with earlier ones of the same pages.
struct DriftRoutes: RouteGroup {
  let state: ServiceState

  var routes: [Route] {
    [
      Route(method: .get, path: "/v1/drift", operation: "drift", role: .read, handler: drift),
      Route(method: .get, path: "/v1/drift/screens", operation: "driftOfScreens", role: .read, handler: screens),
    ]
  }

  /// The formats of the report.
  private enum Format: String, CaseIterable {
    case json, markdown
  }

  private func drift(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = request.query("ruleset") ?? EventLibrary.ruleSet
    let (app, rule) = (request.query("app"), request.query("rule").map { UTF8String($0) })
    let from = try Self.version("from", request)
    let to = try Self.version("to", request)
    let format = try request.query("format", default: Format.json)
    let time = Duration.seconds(state.configuration.limits.workSeconds) * 0.4
    return try await state.workers.run {
      guard let published = try state.ruleSets.published(name) else { throw Analysis.noRuleSet() }
      let apps = app.map { Set([UTF8String($0)]) } ?? published.ruleSet.apps.identifiers
      let versions = try state.drift.versions(apps: apps, from: from, to: to)
      let files = RuleFiles(text: published.text, name: RuleSetLibrary.fileName(name))
      let history = try state.ruleSets.ruleHistory(of: name, draft: false)
      let report = try state.drift.report(versions, files, published.ruleSet, history, only: rule, time: time)
      if format == .markdown {
        let text = DriftMarkdown.text(report.renamed(try Self.names(versions, state.captures)))
        return Response(text.utf8, "text/markdown; charset=utf-8")
      }
      let answer = DriftAnswer(
        versions: versions, report: report, only: rule, ruleSet: published.ruleSet,
        document: history.document,
        brokenInDraft: try brokenInDraft(name, versions), records: try Self.records(versions, state.captures))
      return JSON.response { answer.append(to: &$0) }
    }
  }

  /// Returns the ids of the rules that break in the draft; nil without a readable draft.
  private func brokenInDraft(_ name: String, _ versions: ScreenVersions) throws -> Set<UTF8String>? {
    guard let draft = try state.ruleSets.compiledDraft(of: name) else { return nil }
    return try state.drift.brokenRules(
      versions, draft.rules.ruleSet, state.ruleSets.ruleHistory(of: name, draft: true))
  }

  private func screens(_ request: Request, _ context: ServiceContext) async throws -> Response {
    guard let old = request.query("old"), let new = request.query("new") else {
      throw ServiceError.parameter("old", "old and new must name captures.")
    }
    let listsAll = request.query("all") == "true"
    return try await state.workers.run {
      guard let drift = try state.drift.drift(ScreenVersions.Pair(old: old, new: new)) else {
        throw ServiceError.notFound("No capture has the ID that old or new names.", code: "no-capture")
      }
      let report = DriftReport(screens: [drift], onlyOld: [], onlyNew: [], listsAll: listsAll)
      return JSON.response { DriftJSON.append(drift, report, to: &$0) }
    }
  }

  private static func version(_ name: String, _ request: Request) throws -> VersionNumber? {
    guard let text = request.query(name) else { return nil }
    guard let version = VersionNumber(text) else {
      throw ServiceError.parameter(name, "\(name) must be a version, such as 5.2.0.")
    }
    return version
  }

  /// Returns the records of the captures to compare, by ID.
  private static func records(
    _ versions: ScreenVersions, _ captures: CaptureLibrary
  ) throws -> [String: CaptureRecord] {
    var records: [String: CaptureRecord] = [:]
    for id in versions.steps.joined().flatMap({ [$0.old, $0.new] }) + versions.onlyNew where records[id] == nil {
      records[id] = try captures.record(id)
    }
    return records
  }

  /// Returns the display names of the captures: name and version.
  private static func names(_ versions: ScreenVersions, _ captures: CaptureLibrary) throws -> [String: String] {
    try records(versions, captures).mapValues { record in
      record.name + (record.appVersion.map { " (\($0))" } ?? "")
    }
  }
}
