import EncircleText
import Foundation
import GRDB

/// A published version of a rule set, without its text.
struct RuleSetVersion: Sendable, Equatable, Encodable {
  /// The differences between the rules of a version and of the previous one.
  struct Change: Sendable, Equatable, Encodable {
    var added: Int
    var removed: Int
    var changed: Int
  }

  /// The number of the version, from 1.
  var version: Int
  var at: Date
  var by: String
  var approvedBy: String?
  var reason: String
  /// The number of rules in the version.
  var rules: Int
  var change: Change

  init(_ row: Row) {
    version = row["version"]
    at = Date(timeIntervalSince1970: row["at"])
    by = row["by"]
    approvedBy = row["approved_by"]
    reason = row["reason"]
    rules = row["rules"]
    change = Change(added: row["added"], removed: row["removed"], changed: row["changed"])
  }
}

/// The publication of a version: its author, its reason, and the versions that it may replace.
struct RuleSetPublication: Sendable {
  var by: String
  var approvedBy: String?
  var reason: String
  /// The versions that the publication may replace, 0 for a rule set without versions; nil for any.
  var replaces: Set<Int>?
  /// The revision of the draft from which the version comes, which is removed.
  var draft: Int?
  /// The remaining changes of the draft relative to the new version, as in ``NewDraft/changes``; nil if there are none.
  var left: [UTF8String: String]?
  /// The action in the audit log.
  var action = "ruleset.publish"
  /// Further details for the audit log besides the version; empty for none.
  var detail = ""
}

/// A text that becomes the next version.
struct NewRuleSetVersion: Sendable {
  var text: String
  /// The number of its rules.
  var rules: Int
  var change: RuleSetVersion.Change
}

/// A text that becomes the draft.
struct NewDraft: Sendable {
  var text: String
  /// The version from which the draft is made.
  var base: Int
  /// A digest of each rule that differs from that version, by the rule's id; nil if the text cannot be parsed. The text outside
  /// rules has the empty id.
  var changes: [UTF8String: String]?
  /// The import that made the text; nil if people made it.
  var importRecord: ImportRecord?

  /// The id that stands for everything outside rules.
  static let rest = UTF8String("")
}

/// The author of a changed rule in a draft.
struct DraftChangeRecord: Sendable {
  /// The id; empty for the text outside rules.
  var rule: UTF8String
  /// The digest of the rule in the draft.
  var digest: String
  var at: Date
  var by: String

  init(_ row: Row) {
    rule = UTF8String(row["rule"] as String)
    digest = row["digest"]
    at = Date(timeIntervalSince1970: row["at"])
    by = row["by"]
  }
}

/// The draft of a rule set, without its text.
struct RuleSetDraft: Sendable, Equatable, Encodable {
  /// A request for a second person's approval.
  struct Submission: Sendable, Equatable, Encodable {
    var by: String
    var at: Date
    var reason: String
    /// This is true if only the person's own changes are to be published.
    var own: Bool
  }

  /// A number that is new for each change of the draft, for each draft of the rule set, and when other changes in it await
  /// approval.
  var revision: Int
  /// The version from which the draft was made.
  var base: Int
  var at: Date
  var by: String
  var submission: Submission?

  private enum CodingKeys: String, CodingKey {
    case revision
    case base = "baseVersion"
    case at = "changedAt"
    case by = "changedBy"
    case submission = "pending"
  }

  init(_ row: Row) {
    revision = row["revision"]
    base = row["base"]
    at = Date(timeIntervalSince1970: row["at"])
    by = row["by"]
    if let submitter: String = row["submitted_by"] {
      submission = Submission(
        by: submitter, at: Date(timeIntervalSince1970: row["submitted_at"] ?? 0), reason: row["submitted_reason"] ?? "",
        own: row["submitted_own"])
    }
  }
}

/// The current state of a rule set: the version in force, and the draft.
struct RuleSetRecord: Sendable {
  var name: String
  /// The version in force; 0 before anything was published.
  var version: Int
  /// The version in force; nil before the first one.
  var published: RuleSetVersion?
  var draft: RuleSetDraft?
}

/// The reason why a change of rule sets was refused.
enum RuleSetConflict: Error, Equatable {
  /// No rule set has the name.
  case unknown
  /// The version in force, or the revision of the draft, is not the expected one but `current`; 0 for none.
  case stale(current: Int)
  /// There is no draft.
  case noDraft
  /// Nobody has requested approval of the draft, or it has been changed since.
  case notSubmitted
  /// Nobody has accepted the release.
  case notAccepted
}
