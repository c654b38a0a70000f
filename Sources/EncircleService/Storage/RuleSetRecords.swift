import EncircleText
import Foundation
import GRDB

/// A version of a rule set that was published, without its text.
struct RuleSetVersion: Sendable, Equatable, Encodable {
  /// How the rules differ from those of the version before.
  struct Change: Sendable, Equatable, Encodable {
    var added: Int
    var removed: Int
    var changed: Int

    init(added: Int, removed: Int, changed: Int) {
      self.added = added
      self.removed = removed
      self.changed = changed
    }
  }

  /// Counts from 1.
  var version: Int
  var at: Date
  var by: String
  var approvedBy: String?
  var reason: String
  /// The number of its rules.
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

/// Who publishes a version, why, and what it may replace.
struct RuleSetPublication: Sendable {
  var by: String
  var approvedBy: String?
  var reason: String
  /// The versions that it may replace, 0 for a rule set without versions; nil for any.
  var replaces: Set<Int>?
  /// The revision of the draft that it comes from, which is removed.
  var draft: Int?
  /// What the draft still changes of the new version, by ``NewDraft/changes``; nil where nothing is left of it.
  var left: [UTF8String: String]?
  /// The action in the audit log.
  var action = "ruleset.publish"
  /// What the audit log says beside the version; empty for nothing.
  var detail = ""
}

/// A text that is to become the next version.
struct NewRuleSetVersion: Sendable {
  var text: String
  /// The number of its rules.
  var rules: Int
  var change: RuleSetVersion.Change
}

/// A text that is to become the draft.
struct NewDraft: Sendable {
  var text: String
  /// The version from which it is made.
  var base: Int
  /// A digest of each rule that differs from that version, by id, empty for what is not in rules; nil where the text cannot be
  /// read.
  var changes: [UTF8String: String]?

  /// What stands for all that is not in rules.
  static let rest = UTF8String("")
}

/// Who has changed a rule in a draft.
struct DraftChangeRecord: Sendable {
  /// The id; empty for what is not in rules.
  var rule: UTF8String
  /// The digest of the rule as it is in the draft.
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
    /// Whether only what the person has changed is to be published.
    var own: Bool
  }

  /// A number that is new for each change of the draft, and for each draft of the rule set.
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

/// A rule set as it stands: the version in force and its draft.
struct RuleSetRecord: Sendable {
  var name: String
  /// 0 before anything was published.
  var version: Int
  /// The version in force; none before the first.
  var published: RuleSetVersion?
  var draft: RuleSetDraft?
}

/// Why a change of rule sets was refused.
enum RuleSetConflict: Error, Equatable {
  /// No rule set has the name.
  case unknown
  /// The version in force, or the revision of the draft, is this one and not the expected one; 0 for none.
  case stale(current: Int)
  /// There is no draft.
  case noDraft
  /// Nobody asked for the draft's approval, or it was changed since.
  case notSubmitted
}
