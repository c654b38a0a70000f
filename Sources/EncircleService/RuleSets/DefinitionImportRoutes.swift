import EncircleAuthoring
import EncircleEvents
import EncircleRuleFiles
import EncircleText
import Hummingbird

/// Routes for definitions of other tools: they show the rules that the definitions become, and write the selected ones into the
/// draft as one change.
struct DefinitionImportRoutes: RouteGroup {
  let state: ServiceState

  private static let maximumDefinitions = 20_000

  var routes: [Route] {
    let path = "/v1/rulesets/{name}/import"
    return [
      Route(method: .post, path: path, operation: "importDefinitions", role: .author, handler: show),
      Route(method: .post, path: path + "/draft", operation: "keepDefinitions", role: .author, handler: keep),
    ]
  }

  /// The rules that are allowed in addition to those that decide the same as their definitions.
  private enum Allowed: String, CaseIterable {
    case none, wider
  }

  /// The options for reading a file.
  private struct Reading: Sendable {
    var tool: ImportTool?
    var options = ImportReport.Options()
    /// The name by which errors refer to the file.
    var name = "definitions.json"

    init(_ request: Request) throws {
      tool = try request.query("tool").map { _ in try request.query("tool", default: ImportTool.posthog) }
      options.allowsWider = try request.query("allow", default: Allowed.none) == .wider
      options.isStrict = try request.flag("strict")
      if options.isStrict, options.allowsWider {
        throw ServiceError.parameter("allow", "strict takes exact rules only: it cannot be combined with allow=wider.")
      }
    }

    /// - Throws: ``ServiceError`` with 422 for a file that is not from the tool.
    func report(_ bytes: [UInt8]) throws -> ImportReport {
      var reading = DefinitionImport(tool, allowsWider: options.allowsWider)
      do throws(DefinitionImport.Failure) { try reading.add(bytes, name: name) } catch {
        throw ServiceError(RuleFileErrors([error.diagnostic], isMissingInput: false), code: "bad-definitions")
      }
      let report = ImportReport(reading.finish(), options)
      guard report.entries.count <= DefinitionImportRoutes.maximumDefinitions else {
        throw ServiceError.invalid(
          "The file has more than \(DefinitionImportRoutes.maximumDefinitions) definitions.", code: "too-many")
      }
      return report
    }
  }

  // MARK: - What becomes of a file

  private func show(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    let reading = try Reading(request)
    let limits = state.configuration.limits
    let bytes = try await request.plainBytes(limit: limits.bodyBytes, limits: limits)
    return try await state.analysts.run { [library = state.ruleSets] in
      let report = try reading.report(Array(bytes.readableBytesView))
      let file = try library.rules(of: name, draft: true).text
      let settings = try Self.settings(of: report, beside: file, name)
      let merge = try Self.merged(report, into: file, name, .list, try Self.state(of: report, in: library, name).state)
      return JSON.response(headers: [.cacheControl: "no-store"]) {
        ImportJSON.append(report, merge, to: &$0)
        guard let settings else { return $0.nullable("settings", nil as String?) }
        $0.object("settings") {
          $0.member("fit", settings.fit)
          $0.member("differing", settings.differing)
          $0.member("text", settings.newText)
        }
      }
    }
  }

  private static func settings(
    of report: ImportReport, beside text: String, _ name: String
  ) throws -> ImportSettings? {
    guard let ruleFile = report.ruleFile else { return nil }
    return try ServiceError.explaining {
      try ImportSettings(ruleFile, beside: text, name: RuleSetLibrary.fileName(name))
    }
  }

  /// Merges the rules into a text.
  private static func merged(
    _ report: ImportReport, into text: String, _ name: String, _ resolution: ImportMerge.Resolution,
    _ state: ImportState
  ) throws -> ImportMerge {
    let fileName = RuleSetLibrary.fileName(name)
    return try ServiceError.explaining {
      try report.merged(into: [(fileName, text)], state, resolution) { _ in fileName }
    }
  }

  /// Merges the rules that a person has selected; a rule that was removed here comes back.
  private static func mergedAsChosen(
    _ report: ImportReport, into text: String, _ name: String, _ resolution: ImportMerge.Resolution,
    _ state: ImportState
  ) throws -> ImportMerge {
    let merge = try merged(report, into: text, name, resolution, state)
    let removed = merge.items.filter { $0.change == .removed }.map(\.rule)
    return removed.isEmpty ? merge : try merged(report, into: text, name, resolution, state.forgetting(removed))
  }

  /// Returns the last import from the tool of a report, and its record; a record that cannot be read counts as missing.
  private static func state(
    of report: ImportReport, in library: RuleSetLibrary, _ name: String
  ) throws -> (state: ImportState, record: String?) {
    guard let tool = report.entries.first?.definition.origin.tool.rawValue,
      let text = try library.imports.rules(of: name, from: tool)
    else { return (ImportState(), nil) }
    return ((try? ImportState(text, name: tool)) ?? ImportState(), text)
  }

  // MARK: - Keeping

  private func keep(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    let reading = try Reading(request)
    let resolution = try request.query("conflicts", default: ImportMerge.Resolution.list)
    let expected = try Precondition(request.headers).optional
    let limits = state.configuration.limits
    let bytes = try await request.plainBytes(limit: limits.bodyBytes, limits: limits)
    let caller = context.caller.name
    let (merge, revision, errors) = try await state.analysts.run { [library = state.ruleSets] in
      let body = try JSONBody(bytes.readableBytesView, limits)
      try body.allow("file", "keep")
      let kept = try body.required("keep")
      let report = try Self.chosen(kept, of: try reading.report(try body.required("file").value.json))
      let tool = report.entries.first?.definition.origin.tool.rawValue
      // The merge and the record of the last attempt.
      var last: ImportMerge?
      var importRecord: ImportRecord?
      let (text, revision) = try library.changeDraft(
        of: name, expecting: expected, by: caller, importRecord: { importRecord }
      ) { old in
        if let settings = try Self.settings(of: report, beside: old, name), !settings.fit {
          throw ServiceError.invalid(
            "The rule set has other values of \(settings.differing.joined(separator: ", ")), so these rules would take other "
              + "events in it: keep them in a rule set of their own.", code: "other-settings")
        }
        // Another import may have changed the draft, and the state, since the last attempt.
        let (state, before) = try Self.state(of: report, in: library, name)
        let merge = try Self.mergedAsChosen(report, into: old, name, resolution, state)
        last = merge
        importRecord = tool.map { ImportRecord(tool: $0, rules: merge.state.text, before: before) }
        return merge.files.first?.new ?? old
      }
      let errors = try JSON.encoder.encode(RuleSetLibrary.draftErrors(in: text, name))
      return (last, revision, errors)
    }
    return JSON.response(headers: [.eTag: "\"\(revision)\""]) {
      $0.member("revision", revision)
      $0.member("errors", json: errors)
      $0.array("rules", (merge?.items ?? []).filter { $0.change != .vanished }) { item, json in
        json.object {
          $0.member("rule", item.rule.text)
          $0.member("change", item.change.rawValue)
          $0.member("conflicts", item.keys)
          $0.member("problem", item.problem?.shortText)
        }
      }
    }
  }

  /// Returns the report of the selected rules.
  ///
  /// - Throws: ``ServiceError`` with 422 for a rule that the file does not have, or that cannot be imported.
  private static func chosen(_ kept: JSONBody, of report: ImportReport) throws -> ImportReport {
    let items = try kept.elements
    guard !items.isEmpty else { throw kept.error("Choose a rule.") }
    let known = Set(report.entries.filter(\.isTaken).map { UTF8String($0.definition.ruleID) })
    var chosen: Set<UTF8String> = []
    for item in items {
      let id = UTF8String(try item.text)
      guard known.contains(id) else { throw item.error("The file has no rule '\(id)' that can be taken.") }
      chosen.insert(id)
    }
    return report.keeping(chosen)
  }
}
