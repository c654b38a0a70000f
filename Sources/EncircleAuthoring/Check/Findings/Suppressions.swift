import EncircleRuleFiles
import EncircleRules
import EncircleText

/// The comments that silence findings, with a record of which ones have been used.
struct Suppressions {
  private struct Key: Hashable {
    let file: UTF8String
    let code: CheckCode
  }

  private struct Entry {
    let lines: ClosedRange<Int>
    /// The number of the comment in its file.
    let comment: Int
    /// The innermost entry around this one.
    var enclosing: Int?
    var isUsed = false
  }

  /// The inputs of a check, which limit what it can find. A comment that silences anything else cannot be called useless.
  struct Scope {
    /// This is true if captures were read completely.
    var hasCaptures: Bool
    /// This is true if events were read.
    var hasEvents: Bool
    /// This is true if there is a plan.
    var hasPlan: Bool
    /// This is true if all rules have been compared.
    var isDecided: Bool

    func includes(_ code: CheckCode) -> Bool {
      let documentation = code.documentation
      if documentation.capture != nil, !hasCaptures { return false }
      if documentation.event != nil, !hasEvents { return false }
      if documentation.plan != nil, !hasPlan { return false }
      return isDecided || documentation.capture != nil || documentation.event != nil
    }
  }

  private let comments: [UTF8String: [SuppressionComment]]
  // Sorted by first line. Two entries are either nested or disjoint, because they follow the indentation.
  private var entries: [Key: [Entry]] = [:]

  init(_ comments: [UTF8String: [SuppressionComment]]) {
    self.comments = comments
    for (file, comments) in comments {
      for (i, comment) in comments.enumerated() {
        guard let lines = comment.lines else { continue }
        for code in comment.codes {
          entries[Key(file: file, code: code), default: []].append(.init(lines: lines, comment: i))
        }
      }
    }
    for key in entries.keys { entries[key].map { entries[key] = Self.nested($0) } }
  }

  private static func nested(_ entries: [Entry]) -> [Entry] {
    var entries = entries.sorted {
      ($0.lines.lowerBound, -$0.lines.upperBound, $0.comment) < ($1.lines.lowerBound, -$1.lines.upperBound, $1.comment)
    }
    var open: [Int] = []
    for i in entries.indices {
      while let last = open.last, entries[last].lines.upperBound < entries[i].lines.lowerBound { open.removeLast() }
      entries[i].enclosing = open.last
      open.append(i)
    }
    return entries
  }

  /// Returns whether a comment silences a finding, and marks the innermost such comment as used.
  ///
  /// - Complexity: O(log *c* + *d*), *c* comments of the file and *d* of them within each other.
  mutating func silence(_ code: CheckCode, file: String, line: Int) -> Bool {
    guard !entries.isEmpty else { return false }
    let key = Key(file: UTF8String(file), code: code)
    guard let candidates = entries[key] else { return false }
    let next = candidates.partitioningIndex { $0.lines.lowerBound > line }
    var candidate: Int? = next == 0 ? nil : next - 1
    while let i = candidate {
      if candidates[i].lines.contains(line) {
        entries[key]?[i].isUsed = true
        return true
      }
      candidate = candidates[i].enclosing
    }
    return false
  }

  /// Marks the comments that another check with the same comments has used.
  mutating func join(_ other: Suppressions) {
    for (key, others) in other.entries {
      for (i, entry) in others.enumerated() where entry.isUsed { entries[key]?[i].isUsed = true }
    }
  }

  /// Calls `body` with each comment that is wrong or has silenced nothing, in the order of files and places.
  func forEachUseless(
    in scope: Scope, _ body: (_ file: UTF8String, SuppressionComment, _ message: String, _ isWrong: Bool) -> Void
  ) {
    guard !comments.isEmpty else { return }
    var unused: [UTF8String: [Int: Set<CheckCode>]] = [:]
    for (key, entries) in entries where scope.includes(key.code) {
      for entry in entries where !entry.isUsed {
        unused[key.file, default: [:]][entry.comment, default: []].insert(key.code)
      }
    }
    for (file, comments) in comments.sorted(by: { $0.key < $1.key }) {
      for (i, comment) in comments.enumerated() {
        if let problem = comment.problem { body(file, comment, problem, true) }
        guard let codes = unused[file]?[i], !codes.isEmpty else { continue }
        let names = codes.sorted().map { "'\($0.rawValue)'" }.joined(separator: " or ")
        body(file, comment, "the comment silences nothing: there is no finding \(names) here", false)
      }
    }
  }
}

extension FindingList {
  /// Adds findings about comments that silence nothing or are wrong; to be called when all others have been added.
  mutating func checkSuppressions(_ scope: Suppressions.Scope) {
    guard !rules.suppressions.isEmpty else { return }
    var places: [UTF8String: [(line: Int, rule: UTF8String)]] = [:]
    for (rule, source) in rules.sources {
      places[UTF8String(source.file), default: []].append((source[.id].location.line, rule))
    }
    for file in places.keys { places[file]?.sort { $0.line < $1.line } }
    var found: [Finding] = []
    suppressions.forEachUseless(in: scope) { file, comment, message, isWrong in
      // The rule that the comment applies to or is in; nil for a comment before all rules.
      let line = comment.lines?.upperBound ?? comment.place.location.line
      let ids = places[file] ?? []
      let next = ids.partitioningIndex { $0.line > line }
      let rule = next == 0 ? nil : ids[next - 1].rule
      let code = CheckCode.uselessSuppression
      let level = rule.flatMap { setting(code, of: $0) }?.level ?? rules.fileChecks[file]?[code]?.level
      guard let severity = Self.severity(code, level, else: isWrong ? nil : .note) else { return }
      found.append(
        Finding(
          code: code, severity: severity, rule: rule ?? "", file: file.text, place: comment.place, message: message))
    }
    append(found)
  }
}
