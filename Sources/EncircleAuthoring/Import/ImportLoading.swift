import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Loads the rules of definitions, form by form.
enum ImportLoading {
  /// The rules of all definitions that have a form, as files.
  static func files(
    _ definitions: some Sequence<ImportedDefinition>, _ kind: ImportedForm.Kind
  ) -> [(name: String, text: String)] {
    var files: [UTF8String: (header: EventObject, rules: [EventValue])] = [:]
    for definition in definitions {
      guard let form = definition.forms.first(where: { $0.kind == kind }), !form.clauses.isEmpty else { continue }
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
    let files = files(definitions, kind)
    return files.isEmpty ? RuleSet() : try RuleFiles(texts: files).ruleSet()
  }

  /// Removes what rule files refuse, with the reason: one odd definition must not keep all others out.
  ///
  /// - Complexity: O(size of the rules).
  static func removeRefused(from definitions: inout [ImportedDefinition]) {
    for kind in ImportedForm.Kind.allCases {
      guard (try? ruleSet(definitions, kind)) == nil else { continue }
      for i in definitions.indices {
        guard let place = definitions[i].forms.firstIndex(where: { $0.kind == kind }) else { continue }
        do throws(RuleFileErrors) {
          _ = try ruleSet(CollectionOfOne(definitions[i]), kind)
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
