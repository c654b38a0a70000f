import EncircleRuleFiles
import EncircleRules

/// Checks rules repeatedly, reading only what has changed: the rules of a draft after an edit, or new captures.
package struct IncrementalChecker: Sendable {
  /// The parsed rules of the last text.
  private(set) var files = RuleFileCache()
  private var checker: RuleChecker?
  // The captures that the checker has, by ID.
  private var captures: Set<String> = []
  // The store's number of edits when they were read.
  private var edits = 0

  package init() {}

  /// Reads a text of rules; only the parts that have changed since the last text are read again.
  ///
  /// - Throws: ``RuleFileErrors`` with every problem.
  package mutating func read(_ rules: NamedRules) throws(RuleFileErrors) -> SourcedRuleSet {
    do throws(RuleFileErrors) {
      return try files.load([(rules.name, rules.text)])
    } catch {
      // Problems are reported for the whole text rather than for single rules, so it is read again without the cache.
      return try rules.files.ruleSetWithSources()
    }
  }

  /// Checks rules on stored captures.
  ///
  /// - Parameters:
  ///   - now: The time, in milliseconds since 1970.
  ///   - check: Called now and then; an error ends the check.
  /// - Complexity: As for ``RuleChecker`` with the rules and captures that are new since the last check. Everything is checked
  ///   again after a change of settings such as `fields`, and when a capture is no longer stored or was edited.
  package mutating func check(
    _ rules: SourcedRuleSet, on store: any ScreenStore, at now: Int64, check: () throws -> Void
  ) throws -> RuleChecker.Result {
    let storeEdits = store.edits
    let stored = Set(try store.captureIDs())
    let settings = SelectionSettings(rules.ruleSet)
    func add(_ wanted: Set<String>, to checker: inout RuleChecker) throws {
      try store.forEachCapture { capture in
        try check()
        if wanted.contains(capture.id) { checker.add(settings.identified(capture.screen), name: capture.name) }
        return true
      }
    }
    /// Returns the last checker with these rules, to which the new captures have been added; nil if all captures must be
    /// checked again.
    func continued() throws -> RuleChecker? {
      guard let checker, edits == storeEdits, captures.isSubset(of: stored),
        var current = RuleChecker(rules, after: checker, isRepeated: true)
      else { return nil }
      if current.needsCaptures { try add(captures, to: &current) }
      let others = stored.subtracting(captures)
      guard !others.isEmpty else { return current }
      guard var next = RuleChecker(rules, after: current, isRepeated: false) else { return nil }
      try add(others, to: &next)
      return next
    }
    func new() throws -> RuleChecker {
      var checker = RuleChecker(rules)
      try add(stored, to: &checker)
      return checker
    }
    let current = try continued() ?? new()
    try check()
    (checker, captures, edits) = (current, stored, storeEdits)
    return try current.check(at: now, check)
  }
}
