import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Loads the rules of definitions.
enum ImportLoading {
  /// The rules of definitions, as files.
  ///
  /// - Parameter form: Which form of a definition counts; nil for none.
  private static func files(
    _ definitions: some Sequence<ImportedDefinition>, _ form: (ImportedDefinition) -> ImportedForm?
  ) -> [(name: String, text: String)] {
    var files: [UTF8String: (header: EventObject, rules: [EventValue])] = [:]
    for definition in definitions {
      guard let form = form(definition), !form.clauses.isEmpty else { continue }
      var rule = definition.rule(form)
      rule["enabled"] = nil
      let home = definition.home
      files[UTF8String(home.name), default: (home.header, [])].rules.append(.object(rule))
    }
    return files.sorted { $0.key < $1.key }.map { name, file in
      var object = file.header
      object["rules"] = .list(file.rules)
      return (name.text, String(decoding: EventValue.object(object).json, as: UTF8.self))
    }
  }

  /// The rules of all definitions that have a form; none if no definition has.
  static func ruleSet(
    _ definitions: some Sequence<ImportedDefinition>, _ kind: ImportedForm.Kind
  ) throws(RuleFileErrors) -> RuleSet {
    try ruleSet(definitions) { $0.forms.first { $0.kind == kind } }
  }

  private static func ruleSet(
    _ definitions: some Sequence<ImportedDefinition>, _ form: (ImportedDefinition) -> ImportedForm?
  ) throws(RuleFileErrors) -> RuleSet {
    let files = files(definitions, form)
    return files.isEmpty ? RuleSet() : try RuleFiles(texts: files).ruleSet()
  }

  /// Removes what rule files refuse, with the reason: one odd definition must not keep all others out.
  ///
  /// - Complexity: O(size of the rules).
  static func removeRefused(from definitions: inout [ImportedDefinition], _ loading: DefinitionImport.Loading) {
    switch loading {
    case .all:
      for (number, kind) in ImportedForm.Kind.allCases.enumerated() {
        removeRefused(from: &definitions, load: number) { $0.forms.first { $0.kind == kind } }
      }
    case .written(let wanted): removeRefused(from: &definitions, load: 0) { $0.form(wanted) }
    }
  }

  private static func removeRefused(
    from definitions: inout [ImportedDefinition], load: Int, _ form: (ImportedDefinition) -> ImportedForm?
  ) {
    func place(_ definition: ImportedDefinition) -> Int? {
      guard let form = form(definition), !form.clauses.isEmpty else { return nil }
      return definition.forms.firstIndex { $0.kind == form.kind }
    }
    guard (try? ruleSet(definitions, form)) == nil else {
      for i in definitions.indices {
        if let place = place(definitions[i]) { definitions[i].forms[place].load = load }
      }
      return
    }
    for i in definitions.indices {
      // Where one form is refused, another may be written.
      while let place = place(definitions[i]) {
        do throws(RuleFileErrors) {
          _ = try ruleSet(CollectionOfOne(definitions[i]), form)
          break
        } catch {
          definitions[i].forms[place].clauses = []
          let message = error.diagnostics.first?.message
          definitions[i].forms[place].reasons.append(
            ImportReason(.unknownForm, .skipped, definitions[i].pointer, message))
        }
      }
    }
  }
}
