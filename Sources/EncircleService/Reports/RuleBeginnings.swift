import EncircleEvents
import EncircleRuleFiles
import EncircleText
import Foundation
import Synchronization

extension RuleSetLibrary {
  private static let maximumVersions = 100

  /// The times at which rules came into force in their present form, by id, as determined at a version of their rule set.
  struct KnownBeginnings {
    var version: Int
    var dates: [UTF8String: Date]
  }

  /// Returns the times at which rules came into force in their present form. Only those of the given rules are included that
  /// were not in force at `time`, or selected something else then.
  ///
  /// The library caches the dates for the version in force, because every request for the health of its rules needs them.
  ///
  /// - Complexity: O(bytes of the versions since that time that added or changed rules), at most of the last hundred, for rules
  ///   that are not cached; otherwise O(versions).
  func beginnings(of rules: Set<UTF8String>, in name: String, after time: Date) throws -> [UTF8String: Date] {
    let versions = try history(of: name, offset: 0, limit: Self.maximumVersions).versions
    guard let current = versions.first?.version else { return [:] }
    let known = knownBeginnings.withLock { $0[name] }
    var dates = known?.version == current ? known?.dates ?? [:] : [:]
    let unknown = rules.subtracting(dates.keys)
    if !unknown.isEmpty {
      dates.merge(try find(unknown, in: name, versions, known, after: time)) { first, _ in first }
    }
    knownBeginnings.withLock { $0[name] = KnownBeginnings(version: current, dates: dates) }
    return dates.filter { rules.contains($0.key) && $0.value > time }
  }

  /// Returns when rules came into force in their present form, or the time of an earlier version in which they were in force.
  ///
  /// - Parameter versions: The versions, newest first.
  private func find(
    _ rules: Set<UTF8String>, in name: String, _ versions: [RuleSetVersion], _ known: KnownBeginnings?, after time: Date
  ) throws -> [UTF8String: Date] {
    let current = try document(of: name, version: versions[0].version).rulesByID
    var rules = rules
    var dates: [UTF8String: Date] = [:]
    for (i, version) in versions.enumerated() where !rules.isEmpty {
      try WorkBudget.check()
      if let known, known.version == version.version {
        // Since the known version, these rules have selected the same.
        for rule in rules { dates[rule] = known.dates[rule] }
        rules.subtract(dates.keys)
      }
      let isLast = i + 1 == versions.count || version.at <= time
      if !isLast, version.change.added + version.change.changed == 0 { continue }
      var same: Set<UTF8String> = []
      if !isLast, let text = try text(of: name, version: versions[i + 1].version),
        let document = try? RuleFileDocument(text, name: Self.fileName(name))
      {
        let earlier = document.rulesByID
        same = rules.filter { Self.selectAlike(earlier[$0], current[$0]) }
      }
      for rule in rules.subtracting(same) { dates[rule] = version.at }
      rules = same
    }
    return dates
  }

  /// Returns whether both rules exist and select the same by their own members.
  private static func selectAlike(_ one: EventObject?, _ other: EventObject?) -> Bool {
    guard let one, let other else { return false }
    return RuleFileKeys.selection.allSatisfy { key in
      switch (one[key], other[key]) {
      case (nil, nil): true
      case (let one?, let other?): one.means(other)
      default: false
      }
    }
  }
}
