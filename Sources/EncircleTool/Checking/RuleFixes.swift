import ArgumentParser
import EncircleCheck
import EncircleRuleFiles
import EncircleText

/// The edits that findings carry, applied to the files of the rules: none is written with which the rules would not load.
struct RuleFixes {
  /// A file with its edits.
  struct File {
    let name: String
    let before: String
    let edited: EditedText
    /// The numbers of the findings whose edits were made.
    let fixed: [Int]
  }

  // A file whose edits break the rules is left out, and what remains is tried again; so often.
  private static let mostAttempts = 8

  /// The files that change.
  private(set) var files: [File] = []
  /// The number of findings whose edit overlaps another one, and was not made.
  private(set) var overlapping = 0
  /// The exit status for files that stay as they are although findings have edits for them.
  private(set) var status = ExitStatus.done
  private let findings: [Finding]

  /// Applies the edits of findings, in memory; prints which could not be made.
  init(_ findings: [Finding], in rules: RuleFiles) {
    self.findings = findings
    var numbers: [UTF8String: [Int]] = [:]
    for (i, finding) in findings.enumerated() where finding.edit != nil {
      numbers[UTF8String(finding.file), default: []].append(i)
    }
    for (name, numbers) in numbers.sorted(by: { $0.key < $1.key }) {
      guard let before = rules.text(of: name.text) else { continue }
      if let problem = Self.reasonToKeep(name.text) {
        printError("\(name): error: \(problem)")
        status = status.joined(with: .badData)
        continue
      }
      let edited = EditedText(before, edits: numbers.compactMap { findings[$0].edit })
      let fixed = zip(numbers, edited.outcomes).filter { $1 == .applied }.map(\.0)
      overlapping += edited.outcomes.count { $0 == .overlapping }
      if !fixed.isEmpty { files.append(File(name: name.text, before: before, edited: edited, fixed: fixed)) }
    }
    verify(rules)
  }

  /// Leaves out files with whose edits the rules would not load.
  private mutating func verify(_ rules: RuleFiles) {
    for attempt in 1...Self.mostAttempts where !files.isEmpty {
      let changed = rules.replacing(
        files.reduce(into: [:]) { $0[UTF8String($1.name)] = $1.edited.text })
      do throws(RuleFileErrors) {
        _ = try changed.ruleSet()
        return
      } catch {
        let broken = Set(error.diagnostics.compactMap { $0.file.map { UTF8String($0) } })
        let isLast = attempt == Self.mostAttempts || !files.contains { broken.contains(UTF8String($0.name)) }
        for file in files where isLast || broken.contains(UTF8String(file.name)) {
          printError("\(file.name): error: with the edits the rules would not load; the file stays as it is")
        }
        for diagnostic in error.diagnostics.prefix(3) { printErrors(diagnostic.description) }
        files.removeAll { isLast || broken.contains(UTF8String($0.name)) }
        status = status.joined(with: .badData)
      }
    }
  }

  /// Returns why a file cannot be written; nil if it can.
  private static func reasonToKeep(_ name: String) -> String? {
    // What comes from a pipe is only shown with its edits.
    if name == "-" { return nil }
    if !RuleDirectory.isRegularFile(name) { return "is not a regular file, and cannot be changed in place" }
    return FileReplacement.isCompressed(name) ? "a compressed file cannot be changed in place" : nil
  }

  /// The number of findings whose edits were made.
  var fixedCount: Int { files.reduce(0) { $0 + $1.fixed.count } }

  /// The findings that remain, at their places in the files as they are now.
  var remaining: [Finding] {
    var fixed: Set<Int> = []
    var edited: [UTF8String: EditedText] = [:]
    for file in files {
      fixed.formUnion(file.fixed)
      edited[UTF8String(file.name)] = file.edited
    }
    return findings.enumerated().compactMap { i, finding in
      guard !fixed.contains(i) else { return nil }
      return edited[UTF8String(finding.file)].map { finding.moved(to: $0) } ?? finding
    }
  }

  /// The changes as a unified diff.
  var diff: String {
    files.map {
      UnifiedDiff.text(
        of: $0.name == "-" ? "<stdin>" : $0.name, from: $0.before, to: $0.edited.text, escapes: Terminal.isOutput)
    }.joined()
  }

  /// Writes the files.
  ///
  /// - Throws: An exit code for the first that cannot be written, after the problem has been printed.
  func save() throws {
    for file in files { try FileReplacement.save(Array(file.edited.text.utf8), as: file.name) }
  }

  /// What was done, or with `--diff` would be, in a line.
  func summary(isDone: Bool) -> String {
    let count = fixedCount
    let findings = "\(count) finding\(count == 1 ? "" : "s")"
    let places = "\(files.count) file\(files.count == 1 ? "" : "s")"
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

extension Finding {
  /// Returns the finding at its place in an edited text.
  fileprivate func moved(to text: EditedText) -> Finding {
    var finding = self
    finding.place = text.place(of: place)
    finding.edit?.location = text.location(of: edit?.location ?? place.location)
    for i in finding.notes.indices where finding.notes[i].file?.utf8.elementsEqual(file.utf8) ?? false {
      finding.notes[i].location = text.location(of: finding.notes[i].location)
    }
    return finding
  }
}
