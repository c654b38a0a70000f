import EncircleAuthoring
import EncircleRuleFiles
import EncircleText
import EncircleWorkbook
import Hummingbird

/// Routes for the tracking plan beside a rule set, and for its status.
struct PlanRoutes: RouteGroup {
  let state: ServiceState

  private var library: PlanLibrary { state.plans }

  var routes: [Route] {
    let path = "/v1/rulesets/{name}/plan"
    return [
      Route(method: .get, path: path, operation: "getPlan", role: .read, handler: get),
      Route(method: .put, path: path, operation: "putPlan", role: .author, handler: put),
      Route(method: .delete, path: path, operation: "deletePlan", role: .author, handler: delete),
      Route(method: .get, path: path + "/status", operation: "planStatus", role: .read, handler: status),
    ]
  }

  /// The formats of a plan.
  private enum Format: String, CaseIterable {
    case yaml, json, csv, xlsx
    /// The screen board.
    case html
  }

  private static let workbookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

  private static func format(_ request: Request) throws -> Format {
    if request.query("format") == nil {
      if request.accepts("text/csv") { return .csv }
      if request.accepts(workbookType) { return .xlsx }
    }
    return try request.query("format", default: request.wantsJSON ? .json : .yaml)
  }

  private func get(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    let format = try Self.format(request)
    let headers = try request.query("headers", default: PlanHeaders.en)
    if format == .csv { return try await table(name, headers) }
    if format == .xlsx { return try await workbook(name, headers) }
    if format == .html { return try await board(name) }
    let record = try await state.workers.run { [library] in
      guard let record = try library.record(name) else { throw PlanLibrary.noPlan(name) }
      return record
    }
    let fields = Self.fields(record)
    if Precondition.isKnown("\(record.revision)", request.headers) {
      return Response(status: .notModified, headers: fields)
    }
    guard format == .json else { return Response(record.text.utf8, "application/yaml; charset=utf-8", headers: fields) }
    let json = try await state.workers.run {
      try ServiceError.explaining(code: "broken-plan") {
        try RuleFileDocument(record.text, name: PlanLibrary.fileName(name)).value.json
      }
    }
    return JSON.response(bytes: json, headers: fields)
  }

  private static func fields(_ record: PlanRecord) -> HTTPFields {
    [.eTag: "\"\(record.revision)\"", .vary: "Accept", .cacheControl: "no-cache"]
  }

  /// The headers of files that change with every event, and therefore have no ETag.
  private static let fileHeaders: HTTPFields = [.vary: "Accept", .cacheControl: "no-store"]

  /// Returns the plan as a table, with the counts of its events.
  private func table(_ name: String, _ headers: PlanHeaders) async throws -> Response {
    let text = try await state.analysts.run { [library, reports = state.planReports] in
      let joined = try library.joined(name, draft: true)
      return PlanExport.text(joined.plan, headers, report: try reports.report(of: joined))
    }
    return Response(
      ("\u{FEFF}" + text).utf8, "text/csv; charset=utf-8", saveAs: "\(name).plan.csv", headers: Self.fileHeaders)
  }

  /// Returns the plan as a workbook, with the stored screens and the elements that have no rule in the draft.
  private func workbook(_ name: String, _ headers: PlanHeaders) async throws -> Response {
    let bytes = try await state.analysts.run { [library, reports = state.planReports, coverage = state.coverage] in
      let joined = try library.joined(name, draft: true)
      let open = try coverage.report(
        of: name, draft: true, since: EventLibrary.now - Int64(PlanThresholds().liveDays) * 86_400_000, project: nil)
      let report = try reports.report(of: joined)
      let workbook = PlanWorkbook.workbook(
        joined.plan, headers, report: report, board: try reports.board(of: joined, report), coverage: open)
      do throws(WorkbookError) { return try WorkbookWriter.bytes(workbook) } catch {
        throw ServiceError.invalid("\(error)", code: "bad-table")
      }
    }
    return Response(bytes, Self.workbookType, saveAs: "\(name).plan.xlsx", headers: Self.fileHeaders)
  }

  /// Returns the stored screens with their events, as a self-contained page.
  private func board(_ name: String) async throws -> Response {
    let text = try await state.analysts.run { [library, reports = state.planReports] in
      let joined = try library.joined(name, draft: true)
      return BoardHTML.text(try reports.board(of: joined, try reports.report(of: joined)), title: name)
    }
    return Response(text.utf8, "text/html; charset=utf-8", saveAs: "\(name).board.html", headers: Self.fileHeaders)
  }

  private func put(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    let expected = try Precondition(request.headers).required("plan")
    let text = try await state.ruleFile(in: request, name: PlanLibrary.fileName(name))
    let caller = context.caller.name
    let record = try await state.workers.run { [library] in
      try library.set(text, of: name, expecting: expected, by: caller)
    }
    return JSON.response(headers: [.eTag: "\"\(record.revision)\""]) {
      $0.member("revision", record.revision)
      $0.member("by", record.by)
    }
  }

  private func delete(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    let expected = try Precondition(request.headers).optional
    let caller = context.caller.name
    try await state.workers.run { [library] in try library.remove(of: name, expecting: expected, by: caller) }
    return Response(status: .noContent)
  }

  /// The formats of the status.
  private enum StatusFormat: String, CaseIterable {
    case json, markdown
  }

  private func status(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    let draft = try request.flag("draft")
    let format = try request.query("format", default: StatusFormat.json)
    return try await state.analysts.run { [library, reports = state.planReports] in
      let joined = try library.joined(name, draft: draft)
      let report = try reports.report(of: joined)
      if format == .markdown {
        return Response(PlanMarkdown.text(report, statuses: nil).utf8, "text/markdown; charset=utf-8")
      }
      let errors = try joined.record.map { try library.errors(in: $0, name) } ?? []
      return try Self.response(report, joined, errors)
    }
  }

  private static func response(
    _ report: PlanReport, _ joined: PlanLibrary.Joined, _ errors: [ServiceError.Detail]
  ) throws -> Response {
    let errors = try JSON.encoder.encode(errors)
    return JSON.response(headers: [.cacheControl: "no-cache"]) {
      $0.nullable("revision", joined.record?.revision)
      $0.member("errors", json: errors)
      $0.member("recent_complete", report.recentIsComplete)
      PlanJSON.append(report, joined.plan, to: &$0)
    }
  }
}
