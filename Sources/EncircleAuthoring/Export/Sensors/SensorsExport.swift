import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Writes rules as configurations of visual events for the SDKs of Sensors Analytics, one file for each system and app, and the
/// metadata of the events as JSON for its official command.
package struct SensorsExport {
  /// The options of an export.
  package struct Options: Sendable {
    package var project: String
    /// The apps; empty for the apps that the rules name.
    package var apps: [String]
    /// The systems; empty for the systems whose styles the rules use.
    package var platforms: [SDKConfiguration.Platform]

    package init(project: String = "default", apps: [String] = [], platforms: [SDKConfiguration.Platform] = []) {
      (self.project, self.apps, self.platforms) = (project, apps, platforms)
    }
  }

  private let rules: SourcedRuleSet
  private let options: Options
  private let allowance: ExportAllowance
  private let read: ExportedRules
  /// This is true if no rule is in one of the tool's styles, so that each rule is written for every system whose SDK can
  /// express it.
  private let isOpen: Bool
  private let platforms: [SDKConfiguration.Platform]

  package init(_ rules: SourcedRuleSet, _ options: Options, _ allowance: ExportAllowance) {
    self.rules = rules
    self.options = options
    self.allowance = allowance
    read = ExportedRules(rules, styles: [.sensors, .sensorsExact, .sensorsAndroid, .sensorsWeb])
    let known = SDKConfiguration.Platform.allCases.filter { platform in
      rules.ruleSet.styles.contains { SDKConfiguration.Platform(of: $0) == platform }
    }
    isOpen = known.isEmpty
    platforms =
      options.platforms.isEmpty ? (known.isEmpty ? SDKConfiguration.Platform.allCases : known) : options.platforms
  }

  /// The apps for which there are files.
  package var apps: [String] {
    guard options.apps.isEmpty else { return options.apps }
    var seen: Set<UTF8String> = []
    return rules.ruleSet.rules.flatMap(\.apps).filter { seen.insert($0).inserted }.map(\.text)
  }

  /// - Complexity: O(size of the rules × apps).
  package func report() -> ExportReport {
    var report = ExportReport(tool: .sensors)
    var parts: [(SDKConfiguration.Platform, RuleSet)] = []
    for platform in platforms {
      var part = part(for: platform)
      let rows = rows(platform, part)
      let taken = Set(rows.filter(\.isWritten).map(\.rule))
      part.rules = part.rules.filter { taken.contains($0.id) }
      parts.append((platform, part))
      report.rows += rows
    }
    if isOpen { report.rows = Self.joined(report.rows) }
    report.rows += otherRows(besides: report.rows)
    report.rows.sort { ($0.order, $0.target) < ($1.order, $1.target) }
    addFiles(parts, to: &report)
    report.noteOrigins(rules.ruleSet)
    return report
  }

  private func part(for platform: SDKConfiguration.Platform) -> RuleSet {
    let style = rules.ruleSet.styles.first { SDKConfiguration.Platform(of: $0) == platform }
    return rules.ruleSet.part(of: style ?? rules.ruleSet.style)
  }

  // MARK: - Rows

  private func rows(_ platform: SDKConfiguration.Platform, _ part: RuleSet) -> [ExportReport.Row] {
    let configuration = SDKConfiguration(part, platform: platform)
    var refusals: [UTF8String: SDKConfiguration.Inexpressible] = [:]
    for refusal in configuration.others { refusals[UTF8String(refusal.id)] = refusal }
    let omitted = Dictionary(grouping: configuration.omittedProperties) { UTF8String($0.rule) }
    let known = Set(part.rules.map(\.id))
    var rows: [ExportReport.Row] = []
    for (number, rule) in rules.ruleSet.rules.enumerated() where known.contains(rule.id) {
      var row = ExportReport.Row(rule: rule.id, name: rule.name, target: platform.rawValue, reasons: [])
      row.order = number
      let pointer = RulePointer(rule, rules.sources[rule.id], style: part.style)
      if let refusal = refusals[rule.id] {
        add(refusal.code, .refused, refusal.reason, refusal.part, Self.keys[refusal.code], pointer, &row)
      } else {
        check(rule, pointer, &row)
      }
      for property in omitted[rule.id] ?? [] {
        let number = rule.properties.firstIndex { $0.name == UTF8String(property.name) }
        add(property.code, .unsure, property.reason, number.map { .given($0) }, nil, pointer, &row)
      }
      row.isWritten = allowance.takes(row)
      rows.append(row)
    }
    return rows
  }

  /// Returns rows for the rules that are only for events of other SDKs.
  private func otherRows(besides rows: [ExportReport.Row]) -> [ExportReport.Row] {
    let known = Set(rows.map(\.rule))
    guard let platform = platforms.first else { return [] }
    return rules.ruleSet.rules.enumerated().filter { !known.contains($0.element.id) }.map { number, rule in
      var row = ExportReport.Row(rule: rule.id, name: rule.name, target: platform.rawValue, reasons: [])
      row.order = number
      let pointer = RulePointer(rule, rules.sources[rule.id], style: rules.ruleSet.style)
      add("other-style", .refused, "It is for events of other SDKs.", nil, nil, pointer, &row)
      return row
    }
  }

  /// Adds the reasons that the configuration itself does not give.
  private func check(_ rule: SelectionRule, _ pointer: RulePointer, _ row: inout ExportReport.Row) {
    for name in rule.names {
      guard let refusal = NameRefusal.ofEvent(name, .sensors) else { continue }
      add("event-name", .refused, "Sensors refuses the name \(name): \(refusal).", nil, "/emit", pointer, &row)
    }
    if rule.tolerance != nil {
      add("tolerance", .unsure, "The SDK cannot match elements approximately.", .tolerance, nil, pointer, &row)
    }
    if row.status != .refused, let text = read.excludedElsewhere(rule) {
      add("exclude-rules", .wider, text, nil, nil, pointer, &row)
    }
  }

  private func add(
    _ code: String, _ effect: ExportReport.Effect, _ text: String, _ part: RuleSource.Part?, _ key: String?,
    _ pointer: RulePointer, _ row: inout ExportReport.Row
  ) {
    read.add(code, effect, text, part, key, pointer, to: &row)
  }

  /// The keys of rules that a configuration cannot express, whatever their values.
  private static let keys: [String: String] = [
    "disabled": "/enabled", "exclude": "/exclude", "unless": "/unless", "same-kind": "/sameKind",
    "time-limits": "/from",
  ]

  /// Joins the rows of rules for no particular system. A rule keeps one row for each system that can express it, or else only
  /// the first.
  private static func joined(_ rows: [ExportReport.Row]) -> [ExportReport.Row] {
    var taken: Set<UTF8String> = []
    for row in rows where row.status != .refused { taken.insert(row.rule) }
    var seen: Set<UTF8String> = []
    return rows.filter { row in
      row.status != .refused || !taken.contains(row.rule) && seen.insert(row.rule).inserted
    }
  }

  // MARK: - Files

  private func addFiles(_ parts: [(SDKConfiguration.Platform, RuleSet)], to report: inout ExportReport) {
    let apps = self.apps
    var names = ExportFileNames()
    var files: [UTF8String: [String]] = [:]
    for (platform, part) in parts where !part.rules.isEmpty {
      let configuration = SDKConfiguration(part, platform: platform)
      for app in apps {
        guard !configuration.isEmpty(for: app) else { continue }
        let name = names.name(apps.count == 1 ? platform.os : "\(platform.os).\(app)") + ".conf"
        let (_, value) = configuration.document(name: "encircle", project: options.project, appID: app)
        report.files.append(
          ExportReport.File(name: name, bytes: value.json + [UInt8(ascii: "\n")], count: configuration.count(for: app)))
        files[UTF8String("\(platform.rawValue) \(app)")] = [name]
      }
    }
    for i in report.rows.indices where report.rows[i].isWritten {
      let own = rules.ruleSet.rules[report.rows[i].order].apps
      for app in apps where own.isEmpty || own.contains(UTF8String(app)) {
        report.rows[i].files += files[UTF8String("\(report.rows[i].target) \(app)")] ?? []
      }
    }
    let metadata = SensorsMetadata(report.rows, rules.ruleSet)
    guard metadata.count > 0 else { return }
    report.files.append(
      ExportReport.File(name: "metadata.json", bytes: metadata.json.json + [UInt8(ascii: "\n")], count: metadata.count))
  }
}

extension SDKConfiguration.Platform {
  /// Finds the system whose events have paths of a style; nil for other SDKs.
  init?(of style: PathStyleName) {
    switch style {
    case .sensors, .sensorsExact: self = .ios
    case .sensorsAndroid: self = .android
    case .sensorsWeb: self = .web
    default: return nil
    }
  }
}
