import ArgumentParser
import EncircleAuthoring
import EncircleRuleFiles
import EncircleText

/// The edits of findings, applied to the rule files. A file is not written if the rules would not load with it.
///
/// Edits may cause findings with further edits, so the rules are checked again after each ``apply(_:)``.
struct RuleFixes {
  // The maximum number of attempts. A file whose edits break the rules is left out, and the other files are tried again.
  private static let maximumAttempts = 8

  /// The rules with the edits.
  private(set) var rules: RuleFiles
  /// The number of findings whose edits were made.
  private(set) var fixedCount = 0
  /// The number of findings whose edits were not made because they overlap others.
  private(set) var overlapping = 0
  /// The exit status for files that stay unchanged although findings have edits for them.
  private(set) var status = ExitStatus.done
  private var texts: [UTF8String: (before: String, after: String)] = [:]
  /// The files that stay unchanged.
  private var kept: Set<UTF8String> = []

  init(_ rules: RuleFiles) { self.rules = rules }

  /// Applies the edits of findings in memory; prints the edits that could not be made.
  ///
  /// - Parameter guesses: True if edits that are guesses are made, too.
  /// - Returns: True if any file has changed.
  mutating func apply(_ findings: [Finding], guesses: Bool = false) -> Bool {
    var edits: [UTF8String: [Finding.Edit]] = [:]
    for finding in findings {
      if let edit = guesses ? finding.edit : finding.certainEdit {
        edits[UTF8String(finding.file), default: []].append(edit)
      }
    }
    overlapping = 0
    var changed: [UTF8String: EditedText] = [:]
    for (name, edits) in edits.sorted(by: { $0.key < $1.key }) where !kept.contains(name) {
      guard let before = rules.text(of: name.text) else { continue }
      // Rules from standard input are not written, only shown with their edits.
      if !name.text.hasSameBytes(as: RuleFiles.standardInputName),
        let problem = FileReplacement.reasonToKeep(name.text)
      {
        keep(name, because: problem)
        continue
      }
      let edited = EditedText(before, edits: edits)
      overlapping += edited.outcomes.count { $0 == .overlapping }
      if edited.outcomes.contains(.applied) { changed[name] = edited }
    }
    verify(&changed)
    for (name, edited) in changed {
      let before = texts[name]?.before ?? rules.text(of: name.text) ?? ""
      texts[name] = (before, edited.text)
      fixedCount += edited.outcomes.count { $0 == .applied }
    }
    rules = rules.replacing(changed.mapValues(\.text))
    return !changed.isEmpty
  }

  private mutating func keep(_ name: UTF8String, because problem: String) {
    printError("\(name): error: \(problem)")
    status = status.joined(with: .badData)
    kept.insert(name)
  }

  /// Leaves out files whose edits would prevent the rules from loading.
  private mutating func verify(_ changed: inout [UTF8String: EditedText]) {
    for attempt in 1...Self.maximumAttempts where !changed.isEmpty {
      do throws(RuleFileErrors) {
        _ = try rules.replacing(changed.mapValues(\.text)).ruleSet()
        return
      } catch {
        let broken = Set(error.diagnostics.compactMap { $0.file.map { UTF8String($0) } })
        let isLast = attempt == Self.maximumAttempts || broken.isDisjoint(with: changed.keys)
        for name in changed.keys.sorted() where isLast || broken.contains(name) {
          keep(name, because: "with the edits the rules would not load; the file stays as it is")
          changed[name] = nil
        }
        for diagnostic in error.diagnostics.prefix(3) { printErrors(diagnostic.description) }
      }
    }
  }

  /// This is true if no file has changed.
  var isEmpty: Bool { texts.isEmpty }

  /// The changes as a unified diff.
  var diff: String {
    texts.sorted { $0.key < $1.key }.map { name, text in
      UnifiedDiff.text(of: name.text, from: text.before, to: text.after, escapes: Terminal.isOutput)
    }.joined()
  }

  /// Writes the files.
  ///
  /// - Throws: An exit code for the first file that cannot be written, after printing the problem.
  func save() throws {
    for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
      try FileReplacement.save(Array(text.after.utf8), over: name.text)
    }
  }

  /// Returns a line that states what was done, or would be done without `--diff`.
  func summary(isDone: Bool) -> String {
    let findings = counted(fixedCount, "finding")
    let places = counted(texts.count, "file")
    var text =
      isDone
      ? "fixed \(findings) in \(places)" : "\(places) would change: \(findings) would be fixed"
    if overlapping > 0 {
      text +=
        "; \(overlapping) \(overlapping == 1 ? "remains, whose edit overlaps" : "remain, whose edits overlap") others"
    }
    return text
  }
}
