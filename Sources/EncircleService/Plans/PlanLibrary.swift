import EncircleAuthoring
import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText
import Synchronization

/// The tracking plans beside rule sets.
final class PlanLibrary: Sendable {
  /// A plan joined with rules.
  struct Joined {
    let plan: TrackingPlan
    let rules: RuleSetLibrary.NamedRules
    /// The plan's record; nil if there is no plan.
    let record: PlanRecord?
  }

  let ruleSets: RuleSetLibrary
  let releases: ReleaseStore
  private let store: PlanStore
  // Counts the changes of all plans.
  private let changes = Mutex(0)
  // One for each project with its own rule set, and one for all others.
  private let watches = RuleValueCache<PlanWatch?>(capacity: 32)
  // Reading the text of a large plan takes longer than reading the counters.
  private let readFiles = RuleValueCache<PlanFiles>(capacity: 8)
  private let knownErrors = RuleValueCache<[ServiceError.Detail]>(capacity: 8)

  init(store: Store, ruleSets: RuleSetLibrary) {
    self.store = PlanStore(store)
    releases = ReleaseStore(store)
    self.ruleSets = ruleSets
  }

  /// Returns the file name by which errors refer to a plan.
  static func fileName(_ name: String) -> String { "\(name).plan.yaml" }

  // MARK: - Reading

  /// Returns the plan of a rule set; nil if there is none.
  ///
  /// - Throws: ``ServiceError`` with 404 for an unknown rule set.
  func record(_ name: String) throws -> PlanRecord? {
    guard try ruleSets.published(name) != nil else { throw RuleSetLibrary.unknown(name) }
    return try store.plan(of: name)
  }

  /// Returns the plan joined with the rules in force, or with the draft's rules.
  ///
  /// If a rule and the plan both state a name or an owner, the rule's counts, and ``errors(in:_:)`` reports an error.
  /// - Throws: ``ServiceError`` with 404 for an unknown rule set, 422 for a plan that cannot be read.
  func joined(_ name: String, draft: Bool) throws -> Joined {
    let rules = try ruleSets.rules(of: name, draft: draft)
    let record = try store.plan(of: name)
    let files =
      try record.map { record in
        try readFiles.value(of: name, record.text, captures: 0) { try Self.files(record.text, name, RuleSet()) }
      } ?? PlanFiles()
    return Joined(plan: TrackingPlan(rules.ruleSet, files), rules: rules, record: record)
  }

  /// Returns the errors of a plan joined with the rules of the draft, or with the rules in force.
  func errors(in record: PlanRecord, _ name: String) throws -> [ServiceError.Detail] {
    let rules = try ruleSets.rules(of: name, draft: true)
    return knownErrors.value(of: rules.key, "\(record.revision) \(rules.text)", captures: 0) {
      do throws(RuleFileErrors) {
        _ = try PlanFiles(texts: [(Self.fileName(name), record.text)], for: rules.ruleSet)
        return []
      } catch {
        return error.diagnostics.map { ServiceError.Detail($0) }
      }
    }
  }

  private static func files(_ text: String, _ name: String, _ rules: RuleSet) throws -> PlanFiles {
    try ServiceError.explaining(code: "broken-plan") { try PlanFiles(texts: [(fileName(name), text)], for: rules) }
  }

  /// Returns the plans' expectations of properties; nil if there are none. They are cached until a plan or a rule set changes.
  func watch(for rules: [ActiveRules]) -> PlanWatch? {
    watches.value(of: rules.versionText, "\(changes.withLock { $0 })", captures: 0) {
      let found = PlanWatch(rules.compactMap { try? joined($0.name, draft: false) }.map(\.plan))
      return found.isEmpty ? nil : found
    }
  }

  // MARK: - Changing

  /// Replaces the plan, or creates it.
  ///
  /// - Parameter expected: The revisions that may be replaced, 0 for no plan; nil for any.
  /// - Throws: ``ServiceError``: 422 with all errors of the text, or 412 if the revision is another one.
  func set(_ text: String, of name: String, expecting expected: Set<Int>?, by: String) throws -> PlanRecord {
    let rules = try ruleSets.rules(of: name, draft: true).ruleSet
    _ = try Self.files(text, name, rules)
    return try changing(name) { try store.set(text, of: name, expecting: expected, by: by) }
  }

  /// Removes the plan.
  func remove(of name: String, expecting expected: Set<Int>?, by: String) throws {
    guard try changing(name, { try store.remove(of: name, expecting: expected, by: by) }) else {
      throw Self.noPlan(name)
    }
  }

  private func changing<Value>(_ name: String, _ change: () throws -> Value) throws -> Value {
    let value = try RuleSetLibrary.explaining(name, what: "plan", change)
    changes.withLock { $0 += 1 }
    return value
  }

  static func noPlan(_ name: String) -> ServiceError {
    ServiceError(.notFound, code: "no-plan", message: "The rule set '\(name)' has no plan.")
  }

  // MARK: - Tables

  /// A table to compare with a plan.
  enum Table {
    /// Comma-separated values.
    case text(String)
    case sheets([PlanSheet])
  }

  /// The changes in a table, and the revisions that were written.
  struct ImportOutcome {
    let result: PlanImport
    /// The revision of the plan with which the table was compared; 0 if there was no plan.
    let seen: Int
    /// The revision of the draft at that time; 0 if there was none.
    let seenDraft: Int
    /// The new revision of the plan; nil if nothing was written.
    var revision: Int?
    /// The new revision of the draft, if rules have changed.
    var draft: Int?
  }

  /// Compares a table with the plan, and with the rules of the draft or the rules in force.
  ///
  /// - Parameters:
  ///   - write: True if the changes are also written: changes of the plan to the plan, changes of rules to the draft.
  ///   - partial: True if correct rows are written even if others are wrong.
  ///   - expected: The revisions of the plan that may be changed, 0 for no plan; nil for any.
  ///   - draft: The revision of the draft that may be changed, 0 for no draft; nil for any.
  /// - Throws: ``ServiceError``: 422 for a text that is not a table, or would break the plan or rules; 412.
  func take(
    table: Table, into name: String, write: Bool, partial: Bool, expecting expected: Set<Int>?, draft: Int?, by: String
  ) throws -> ImportOutcome {
    // The draft's revision is read before its rules. If the draft changes in between, writing the table is refused.
    let seenDraft = try ruleSets.record(name).draft?.revision ?? 0
    if let draft, draft != seenDraft { throw RuleSetLibrary.stale("draft", seenDraft) }
    let joined = try joined(name, draft: true)
    let seen = joined.record?.revision ?? 0
    if let expected, !expected.contains(seen) { throw RuleSetLibrary.stale("plan", seen) }
    var result: PlanImport
    do throws(PlanImport.Failure) {
      result =
        switch table {
        case .text(let text): try PlanImport(text, into: joined.plan)
        case .sheets(let sheets): try PlanImport(sheets, into: joined.plan)
        }
    } catch {
      throw ServiceError.invalid("\(error)", code: "bad-table")
    }
    let planName = Self.fileName(name)
    let ruleName = RuleSetLibrary.fileName(name)
    let changed = try ServiceError.explaining(code: "broken-plan") {
      try result.files(
        of: joined.plan, joined.record.map { [(planName, $0.text)] } ?? [], home: planName,
        rules: RuleFiles(text: joined.rules.text, name: ruleName))
    }
    var outcome = ImportOutcome(result: result, seen: seen, seenDraft: seenDraft)
    guard write, result.hasChanges, result.rejected.isEmpty || partial else { return outcome }
    outcome.revision = joined.record?.revision
    let plan = changed.first { $0.name.hasSameBytes(as: planName) }
    if let rules = changed.first(where: { $0.name.hasSameBytes(as: ruleName) && !$0.new.hasSameBytes(as: $0.old) }) {
      // The plan has been checked with the new rules: either both are written or neither.
      outcome.draft = try changing(name) {
        try ruleSets.changeDraft(
          of: name, expecting: [seenDraft], by: by,
          also: { database in
            guard let plan else { return }
            outcome.revision = try RuleSetLibrary.explaining(name, what: "plan") {
              try PlanStore.set(plan.new, of: name, expecting: [seen], by: by, database).revision
            }
          }
        ) { old in
          guard old.hasSameBytes(as: rules.old) else { throw try otherDraft(old, of: name) }
          return rules.new
        }.revision
      }
    } else if let plan {
      outcome.revision = try set(plan.new, of: name, expecting: [seen], by: by).revision
    }
    return outcome
  }

  /// Returns the error for a table that was not compared with a draft's rules, because they have errors or have since changed.
  private func otherDraft(_ text: String, of name: String) throws -> ServiceError {
    if let errors = RuleSetLibrary.errors(in: text, name) { return ServiceError(errors) }
    let record = try ruleSets.record(name)
    guard let draft = record.draft else { return RuleSetLibrary.stale("version", record.version) }
    return RuleSetLibrary.stale("draft", draft.revision)
  }
}

extension PlanLibrary {
  /// Adds events to the plan, and creates it if there is none.
  ///
  /// - Returns: The new revision; the current one if nothing was added, or nil if there is no plan.
  /// - Throws: ``ServiceError`` with 412 if the revision is another one.
  func append(
    _ items: [EventObject], to name: String, _ joined: Joined, expecting expected: Set<Int>?, by: String
  ) throws -> Int? {
    let current = joined.record?.revision ?? 0
    if let expected, !expected.contains(current) { throw RuleSetLibrary.stale("plan", current) }
    guard !items.isEmpty else { return joined.record?.revision }
    let text = try ServiceError.explaining(code: "broken-plan") {
      try PlanSamples.appending(items, to: joined.record?.text ?? "", name: Self.fileName(name))
    }
    // Facts that belong in rules do not prevent this: only a table can move them.
    _ = try Self.files(text, name, RuleSet())
    return try changing(name) { try store.set(text, of: name, expecting: [current], by: by) }.revision
  }
}
