import EncircleRuleFiles
import EncircleText
import Foundation
import Synchronization

extension RuleSetLibrary {
  private static let mostVersions = 100

  /// When rules came into force, by id, as it was found at a version of their rule set.
  struct KnownBeginnings {
    var version: Int
    var dates: [UTF8String: Date]
  }

  /// For each of some rules in force that was not in force at a time: when it came into force.
  ///
  /// What was found is kept, as each request for the health of a rule set asks for it.
  ///
  /// - Complexity: O(bytes of the versions since that time that added rules), of the last hundred versions, for rules that were not
  ///   asked for; else O(versions).
  func beginnings(of rules: Set<UTF8String>, in name: String, after time: Date) throws -> [UTF8String: Date] {
    let versions = try history(of: name, offset: 0, limit: Self.mostVersions).versions
    guard let current = versions.first?.version else { return [:] }
    var dates: [UTF8String: Date] = [:]
    if let known = knownBeginnings.withLock({ $0[name] }) {
      if known.version == current {
        dates = known.dates
      } else if known.version == current - 1 {
        // A rule of both versions has been in force without a break.
        dates = known.dates.filter { rules.contains($0.key) }
      }
    }
    let unknown = rules.subtracting(dates.keys)
    if !unknown.isEmpty {
      dates.merge(try find(unknown, in: name, versions, after: time)) { first, _ in first }
    }
    knownBeginnings.withLock { $0[name] = KnownBeginnings(version: current, dates: dates) }
    return dates.filter { rules.contains($0.key) && $0.value > time }
  }

  /// Returns when rules came into force, or the time of an earlier version at which they were in force.
  ///
  /// - Parameter versions: The newest first.
  private func find(
    _ rules: Set<UTF8String>, in name: String, _ versions: [RuleSetVersion], after time: Date
  ) throws -> [UTF8String: Date] {
    var rules = rules
    var dates: [UTF8String: Date] = [:]
    for (i, version) in versions.enumerated() where !rules.isEmpty {
      try WorkBudget.check()
      let isLast = i + 1 == versions.count || version.at <= time
      if !isLast, version.change.added == 0 { continue }
      var earlier: Set<UTF8String> = []
      if !isLast, let text = try text(of: name, version: versions[i + 1].version),
        let document = try? RuleFileDocument(text, name: Self.fileName(name))
      {
        earlier = Set(document.rulesByID.keys)
      }
      for rule in rules.subtracting(earlier) { dates[rule] = version.at }
      rules.formIntersection(earlier)
    }
    return dates
  }
}
