import EncircleRuleFiles
import EncircleText
import Foundation

/// Finds the rules that are unchanged since a time, from the published versions of their rule set.
///
/// A rule that was published before a capture arrived and is unchanged since was not circled on that capture.
struct RuleHistory: Sendable {
  /// The rules to judge: the rules in force, or the draft's.
  let document: RuleFileDocument
  /// Returns the rules that were in force at a time; nil if there were none, or if they cannot be read.
  let inForce: @Sendable (Date) throws -> RuleFileDocument?

  /// Returns the ids of the rules that were already in force at a time, in the same form but for the order of their keys.
  ///
  /// - Complexity: O(bytes of both texts).
  func rules(unchangedSince time: Date) throws -> Set<UTF8String> {
    guard let before = try inForce(time)?.rulesByID else { return [] }
    let rules = document.rulesByID
    return Set(rules.keys).subtracting(RuleTransfer.changes(from: before, to: rules).keys)
  }

  /// Returns the ids of the rules that were added to others after a time. None of the first rules of a rule set counts as added,
  /// because nothing is known about when they were written.
  ///
  /// - Complexity: O(bytes of both texts).
  func rules(addedAfter time: Date) throws -> Set<UTF8String> {
    guard let before = try inForce(time)?.rulesByID, !before.isEmpty else { return [] }
    return Set(document.rulesByID.keys.filter { before[$0] == nil })
  }
}

extension RuleSetLibrary {
  /// Returns the history of the rules in force, or of the draft's rules.
  func ruleHistory(of name: String, draft: Bool) throws -> RuleHistory {
    RuleHistory(document: try document(of: name, draft: draft)) { time in
      guard let version = try self.store.version(of: name, at: time) else { return nil }
      return try? self.document(of: name, version: version)
    }
  }
}
