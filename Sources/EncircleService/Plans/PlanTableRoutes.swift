import EncircleAuthoring
import EncircleEvents
import EncircleRuleFiles
import EncircleText
import EncircleWorkbook
import Hummingbird

/// Routes that change a tracking plan: by a table, or by the events that were seen.
struct PlanTableRoutes: RouteGroup {
  let state: ServiceState

  private static let maximumNames = 1_000

  var routes: [Route] {
    let path = "/v1/rulesets/{name}/plan"
    return [
      Route(method: .post, path: path + "/import", operation: "importPlan", role: .author, handler: take),
      Route(method: .post, path: path + "/events", operation: "takeIntoPlan", role: .author, handler: takeEvents),
    ]
  }

  private func take(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    let write = try request.flag("write")
    let partial = try request.flag("partial")
    let expected = try Precondition(request.headers).optional
    let draft = try request.query("draft", in: 0...Int.max)
    let limits = state.configuration.limits
    let bytes = try await request.plainBytes(limit: limits.bodyBytes, limits: limits)
    let caller = context.caller.name
    let outcome = try await state.analysts.run { [library = state.plans] in
      return try library.take(
        table: try Self.table(Array(bytes.readableBytesView)), into: name, write: write, partial: partial,
        expecting: expected, draft: draft, by: caller)
    }
    return JSON.response(headers: [.eTag: "\"\(outcome.revision ?? outcome.seen)\""]) {
      $0.nullable("revision", outcome.revision)
      $0.nullable("draft", outcome.draft)
      $0.member("compared_draft", outcome.seenDraft)
      PlanImportJSON.append(outcome.result, to: &$0)
    }
  }

  /// Returns the table in a request: a workbook if it begins like one, otherwise comma-separated values.
  private static func table(_ bytes: [UInt8]) throws -> PlanLibrary.Table {
    if PlanWorkbook.isWorkbook(bytes) {
      do throws(WorkbookError) { return .sheets(try PlanWorkbook.table(bytes)) } catch {
        throw ServiceError.invalid("\(error)", code: "bad-table")
      }
    }
    guard let text = TableText.decoded(bytes) else {
      throw ServiceError.invalid("The table is neither UTF-8 nor GB18030, nor a workbook.", code: "bad-table")
    }
    return .text(text)
  }

  private func takeEvents(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    let expected = try Precondition(request.headers).optional
    let body = try await request.object(members: "events", limits: state.configuration.limits)
    let events = try body.required("events")
    let names = try events.elements.map { UTF8String(try $0.text) }
    guard (1...Self.maximumNames).contains(names.count) else {
      throw events.error("This needs 1 to \(Self.maximumNames) names of events.")
    }
    let caller = context.caller.name
    let (revision, taken) = try await state.analysts.run { [state] in
      let joined = try state.plans.joined(name, draft: true)
      let items = try state.planReports.items(for: names, joined)
      let revision = try state.plans.append(items, to: name, joined, expecting: expected, by: caller)
      return (revision, items)
    }
    return JSON.response(headers: revision.map { [.eTag: "\"\($0)\""] } ?? [:]) {
      $0.nullable("revision", revision)
      $0.array("events", taken) { item, json in json.bytes.append(contentsOf: EventValue.object(item).json) }
    }
  }
}
