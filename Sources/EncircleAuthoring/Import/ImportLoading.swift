import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Loads the rules of definitions.
enum ImportLoading {
  /// Returns the form of a definition to load; nil for none.
  private typealias Choice = (ImportedDefinition) -> ImportedForm?

  /// The rules of a file, and their definitions.
  private struct File {
    let name: UTF8String
    let header: EventObject
    var rules: [EventObject] = []
    var definitions: [Int] = []
  }

  /// Returns the rules of definitions as files, ordered by name.
  private static func files(_ definitions: ArraySlice<ImportedDefinition>, _ form: Choice) -> [File] {
    var files: [UTF8String: File] = [:]
    for i in definitions.indices {
      guard let form = form(definitions[i]), !form.clauses.isEmpty else { continue }
      var rule = definitions[i].rule(form)
      rule["enabled"] = nil
      let ruleFile = definitions[i].ruleFile
      let name = UTF8String(ruleFile.name)
      files[name, default: File(name: name, header: ruleFile.header)].rules.append(rule)
      files[name]?.definitions.append(i)
    }
    return files.values.sorted { $0.name < $1.name }
  }

  /// The longest key of a mapping in YAML, in characters as it is written.
  private static let longestKey = 1_024

  /// Returns whether a part of a rule has a key that a rule file cannot have.
  ///
  /// Recursive; the rules that readers of definitions make are not deep.
  private static func hasLongKey(_ value: EventValue) -> Bool {
    switch value {
    case .object(let object):
      object.members.contains { member in
        // A character is written as at most ten characters.
        let mayBeLong = member.name.utf8.count > longestKey / 10
        return mayBeLong && ScalarSpelling.written(member.name).unicodeScalars.count > longestKey
          || hasLongKey(member.value)
      }
    case .list(let values): values.contains(where: hasLongKey)
    default: false
    }
  }

  private static func load(
    _ files: [File], limit: Int = ExpressionBudget.limit
  ) throws(RuleFileErrors) -> RuleSet {
    if files.isEmpty { return RuleSet() }
    if let file = files.first(where: { file in file.rules.contains { hasLongKey(.object($0)) } }) {
      let message = "a key is longer than \(longestKey) characters, which YAML does not allow"
      throw RuleFileErrors([Diagnostic(message, file: file.name.text)], isMissingInput: false)
    }
    return try RuleFiles(values: files.map { ($0.name.text, $0.header, $0.rules) }).ruleSet(expressionLimit: limit)
  }

  /// Returns the rules of all definitions that have a form of this kind; empty if no definition has one.
  static func ruleSet(
    _ definitions: some Sequence<ImportedDefinition>, _ kind: ImportedForm.Kind
  ) throws(RuleFileErrors) -> RuleSet {
    try load(files(ArraySlice(definitions)) { $0.forms.first { $0.kind == kind } })
  }

  /// Removes forms that rule files refuse, and notes the reason: one odd definition must not block all others.
  ///
  /// - Parameter limit: The maximum number of instructions of all compiled regular expressions together.
  /// - Complexity: O(size of the rules), plus O(log *n*) loads of the rules around each refused one.
  static func removeRefused(
    from definitions: inout [ImportedDefinition], _ loading: DefinitionImport.Loading,
    limit: Int = ExpressionBudget.limit
  ) {
    switch loading {
    case .all:
      for (number, kind) in ImportedForm.Kind.allCases.enumerated() {
        removeRefused(from: &definitions, load: number, limit) { $0.forms.first { $0.kind == kind } }
      }
    case .written(let wanted): removeRefused(from: &definitions, load: 0, limit) { $0.form(wanted) }
    }
  }

  private static func removeRefused(
    from definitions: inout [ImportedDefinition], load: Int, _ limit: Int, _ form: Choice
  ) {
    var isFirst = true
    while true {
      let files = files(definitions[...], form)
      do throws(RuleFileErrors) {
        _ = try Self.load(files, limit: limit)
        for i in definitions.indices {
          if let place = place(definitions[i], form) { definitions[i].forms[place].load = load }
        }
        return
      } catch {
        if isFirst {
          removeRefused(from: &definitions, definitions.indices, form)
        } else if !removeExcess(from: &definitions, files, error, form) {
          return
        }
        // Each rule now loads alone, but together they may exceed a limit.
        isFirst = false
      }
    }
  }

  /// Returns the number of the form that counts, among those of its definition; nil if the form has no clauses.
  private static func place(_ definition: ImportedDefinition, _ form: Choice) -> Int? {
    guard let form = form(definition), !form.clauses.isEmpty else { return nil }
    return definition.forms.firstIndex { $0.kind == form.kind }
  }

  /// Removes the rules that do not load alone. Rules that do not load together are split into halves, which are loaded one
  /// after the other.
  private static func removeRefused(
    from definitions: inout [ImportedDefinition], _ range: Range<Int>, _ form: Choice
  ) {
    if range.isEmpty { return }
    // If one form is refused, another may still load.
    while true {
      do throws(RuleFileErrors) {
        _ = try load(files(definitions[range], form))
        return
      } catch {
        guard range.count == 1 else { break }
        guard let place = place(definitions[range.lowerBound], form) else { return }
        let message = error.diagnostics.first?.message
        refuse(&definitions[range.lowerBound], place, .unknownForm, message)
      }
    }
    let middle = range.lowerBound + range.count / 2
    removeRefused(from: &definitions, range.lowerBound..<middle, form)
    removeRefused(from: &definitions, middle..<range.upperBound, form)
  }

  private static func refuse(
    _ definition: inout ImportedDefinition, _ place: Int, _ code: ImportReason.Code, _ detail: String?
  ) {
    definition.forms[place].clauses = []
    definition.forms[place].reasons.append(ImportReason(code, .skipped, definition.pointer, detail))
  }

  // MARK: - Expressions

  /// Removes the forms with regular expressions, beginning with the one that exceeds the limit for one rule set.
  ///
  /// - Returns: True if there were any.
  private static func removeExcess(
    from definitions: inout [ImportedDefinition], _ files: [File], _ error: RuleFileErrors, _ form: Choice
  ) -> Bool {
    let message = ExpressionBudget.Exceeded().description
    guard let problem = error.diagnostics.first(where: { $0.message.containsBytes(of: message) }),
      let line = problem.location?.line,
      let first = files.firstIndex(where: { $0.name == problem.file.map { UTF8String($0) } })
    else { return false }
    var hasRemoved = false
    for (number, file) in files.enumerated() where number >= first {
      for i in file.definitions.dropFirst(number == first ? line - 1 : 0) {
        guard let place = place(definitions[i], form),
          definitions[i].forms[place].clauses.contains(where: { hasExpression(.object($0)) })
        else { continue }
        refuse(&definitions[i], place, .refusedExpression, message)
        hasRemoved = true
      }
    }
    return hasRemoved
  }

  /// Returns whether a part of a clause is compared with a regular expression.
  ///
  /// Recursive; the clauses that readers of definitions make are not deep.
  private static func hasExpression(_ value: EventValue) -> Bool {
    switch value {
    case .object(let object):
      object.members.contains { $0.name.hasSameBytes(as: "matches") || hasExpression($0.value) }
    case .list(let values): values.contains(where: hasExpression)
    default: false
    }
  }
}
