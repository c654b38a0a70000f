import Foundation

/// A rule set in answers.
struct RuleSetSummary: Encodable {
  struct Draft: Encodable {
    struct Pending: Encodable {
      var by: String
      var at: Date
      var reason: String
    }
    var revision: Int
    var baseVersion: Int
    var changedAt: Date
    var changedBy: String
    var pending: Pending?

    init(_ draft: RuleSetDraft) {
      revision = draft.revision
      baseVersion = draft.base
      changedAt = draft.at
      changedBy = draft.by
      pending = draft.submission.map { Pending(by: $0.by, at: $0.at, reason: $0.reason) }
    }
  }

  var name: String
  var version: Int
  var rules: Int
  var hasDraft: Bool
  var draft: Draft?
  var publishedAt: Date?
  var publishedBy: String?

  init(_ record: RuleSetRecord) {
    name = record.name
    version = record.version
    rules = record.published?.rules ?? 0
    hasDraft = record.draft != nil
    draft = record.draft.map { Draft($0) }
    publishedAt = record.published?.at
    publishedBy = record.published?.by
  }
}

/// A version in answers.
struct VersionSummary: Encodable {
  struct Change: Encodable {
    var added: Int
    var removed: Int
    var changed: Int
  }
  var version: Int
  var at: Date
  var by: String
  var approvedBy: String?
  var reason: String
  var rules: Int
  var change: Change

  init(_ version: RuleSetVersion) {
    self.version = version.version
    at = version.at
    by = version.by
    approvedBy = version.approvedBy
    reason = version.reason
    rules = version.rules
    change = Change(
      added: version.change.added, removed: version.change.removed, changed: version.change.changed)
  }
}

/// What a change of a draft is answered with.
struct DraftAnswer: Encodable {
  var revision: Int
  /// The whole text, where the service made it.
  var text: String?
  /// Why it cannot be published as it is.
  var errors: [ServiceError.Detail]
}

/// What changes of rule sets ask for.
struct PublishRequest: Decodable {
  var reason: String?
  /// The version to replace, where it is not the one from which the draft was made.
  var version: Int?
  /// The revision of the draft that has been looked at.
  var revision: Int?
}

struct RollbackRequest: Decodable {
  var version: Int
  var reason: String?
}
