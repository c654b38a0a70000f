import EncircleText

/// Reads the same rule files again and again, each anew only when its text has changed: for an editor, which has the files
/// in memory and changes one of them with every key.
package struct RuleFileCache {
  private struct Entry {
    let text: String
    let file: RuleFile
    // What the regular expressions of the file cost.
    let cost: Int
  }

  private var entries: [UTF8String: Entry] = [:]

  package init() {}

  /// Returns files as one rule set, with the places of the rules.
  ///
  /// - Parameters:
  ///   - files: All files of the rule set. What is known of others is forgotten.
  ///   - problems: The problems of files that could not be read.
  /// - Throws: ``RuleFileErrors`` with every problem of every file.
  /// - Complexity: O(length) for a file that has changed, O(rules) for the others.
  package mutating func load(
    _ files: [(name: String, text: String)], problems: [Diagnostic] = []
  ) throws(RuleFileErrors) -> SourcedRuleSet {
    var current: [UTF8String: Entry] = [:]
    var read: [RuleFile] = []
    var cost = 0
    for (name, text) in files {
      let key = UTF8String(name)
      let entry = entries[key].flatMap { Self.isSame($0.text, text) ? $0 : nil } ?? Self.read(text, name)
      current[key] = entry
      cost += entry.cost
      read.append(entry.file)
    }
    entries = current
    if cost > ExpressionBudget.limit {
      // Only all files together exceed the limit, and the problem has its place in one of them.
      var expressions = ExpressionBudget()
      read = files.map { RuleFileReader.read($0.text, name: $0.name, keepsSources: true, &expressions) }
    }
    var builder = RuleSetBuilder(problems)
    for file in read { builder.add(file) }
    builder.checkTogether()
    guard builder.diagnostics.isEmpty else { throw RuleFileErrors(builder.diagnostics, isMissingInput: false) }
    return builder.finishWithSources()
  }

  private static func read(_ text: String, _ name: String) -> Entry {
    var expressions = ExpressionBudget()
    let file = RuleFileReader.read(text, name: name, keepsSources: true, &expressions)
    return Entry(text: text, file: file, cost: expressions.used)
  }

  private static func isSame(_ a: String, _ b: String) -> Bool {
    withContiguousBytes(a.utf8) { a in withContiguousBytes(b.utf8) { b in sameBytes(a, b) } }
  }
}
