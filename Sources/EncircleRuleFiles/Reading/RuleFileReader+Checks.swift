import EncircleRules
import EncircleText

extension RuleFileReader {
  /// Reads the settings for findings: for each code a level, or a mapping with the reason.
  mutating func readChecks(_ node: Node) -> [CheckCode: CheckSetting] {
    guard let members = nodes.members(of: node, "checks", allowed: RuleFileKeys.checks) else { return [:] }
    var settings: [CheckCode: CheckSetting] = [:]
    for code in CheckCode.allCases {
      guard let node = members[code.rawValue] else { continue }
      settings[code] = readCheckSetting(node, code)
    }
    return settings
  }

  private mutating func readCheckSetting(_ node: Node, _ code: CheckCode) -> CheckSetting? {
    var setting = CheckSetting()
    guard node.mapping != nil else {
      setting.level = readLevel(node)
      if setting.level == .off { nodes.report(Self.reasonMissing(code), at: node) }
      return setting
    }
    guard let members = nodes.members(of: node, "a check's setting", allowed: RuleFileKeys.checkSetting) else {
      return nil
    }
    if let severity = members["severity"] { setting.level = readLevel(severity) }
    if let reason = members["reason"] { setting.reason = nodes.name(reason, "a text")?.text }
    if let limit = members["limit"] {
      if code != .matchesMany {
        nodes.report("'limit' goes with '\(CheckCode.matchesMany.rawValue)' only", at: limit)
      } else if let text = limit.scalar?.string, let number = Int(text), number >= 0 {
        setting.limit = number
      } else {
        nodes.report("expected a number of elements", at: limit)
      }
    }
    if let node = members["destinations"] { setting.destinations = readDestinations(node, code) }
    if setting.level == .off, setting.reason == nil { nodes.report(Self.reasonMissing(code), at: node) }
    if members.isEmpty { nodes.report("expected \(NodeReader.list(RuleFileKeys.checkSetting))", at: node) }
    return setting
  }

  private mutating func readDestinations(_ node: Node, _ code: CheckCode) -> [CheckSetting.Destination] {
    if code != .refusedName {
      nodes.report("'destinations' goes with '\(CheckCode.refusedName.rawValue)' only", at: node)
      return []
    }
    var destinations: [CheckSetting.Destination] = []
    for item in nodes.oneOrMore(node, "destinations") {
      guard let word = nodes.name(item, "the name of a tool")?.text else { continue }
      if let destination = CheckSetting.Destination(rawValue: word) {
        if !destinations.contains(destination) { destinations.append(destination) }
      } else {
        nodes.reportUnknown(
          word, "destination '\(word)'", among: CheckSetting.Destination.allCases.map(\.rawValue), at: item)
      }
    }
    return destinations
  }

  private static func reasonMissing(_ code: CheckCode) -> String {
    "a finding is silenced with a reason: expected '\(code.rawValue): { severity: off, reason: … }'"
  }

  private mutating func readLevel(_ node: Node) -> CheckSetting.Level? {
    let levels = ["off"] + Severity.allCases.map(\.rawValue)
    guard let word = nodes.name(node, NodeReader.list(levels))?.text else { return nil }
    if word == "off" { return .off }
    if let severity = Severity(rawValue: word) { return .severity(severity) }
    nodes.reportUnknown(word, "severity '\(word)'", among: levels, at: node, expected: NodeReader.list(levels))
    return nil
  }
}
