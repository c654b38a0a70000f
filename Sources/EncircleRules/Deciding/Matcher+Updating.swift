import EncircleIdentity
import EncircleText

extension Matcher {
  /// A matcher that has other rules, too, or some no longer; this one does not change.
  ///
  /// The rules that were there keep what was compiled of them: the new ones are compiled by themselves, together with
  /// those of earlier updates that are not many more, so that there are never more than a few programs to ask.
  /// Everything else of the rule set, `track`, `fields`, `classes` and `pages`, stays as it was.
  ///
  /// - Parameters:
  ///   - rules: What is added. A rule takes the place of the one with its id; one that is not enabled takes it away.
  ///   - ids: The ids of rules that are taken away; those that are not there are ignored.
  /// - Complexity: O(*u* log *u*) amortised, *u* rules of all updates, and O(removed rules); what is shared is not copied.
  public func updated(with rules: [SelectionRule], removing ids: Set<UTF8String> = []) -> Matcher {
    var changed: [UTF8String: SelectionRule] = [:]
    for rule in rules { changed[rule.id] = rule }
    var removed = removed
    for id in ids.union(changed.keys) {
      for i in programs.indices {
        guard let rule = programs[i].program.pointee.rule(withID: id) else { continue }
        removed.insert(ruleStarts[i] + rule)
      }
    }
    for id in ids { changed[id] = nil }
    var added = changed.values.filter(\.isEnabled)

    // Programs of earlier updates that have at most twice as many rules are compiled anew with these.
    var kept = programs.count
    while kept > 0, let source = sources[kept - 1], source.count <= 2 * added.count + Self.smallUpdate {
      let start = ruleStarts[kept - 1]
      for (i, rule) in source.enumerated() where !removed.contains(start + i) { added.append(rule) }
      kept -= 1
    }
    removed = removed.filter { $0 < ruleStarts[kept] }
    added.sortByID()

    var vocabulary = vocabulary
    var programs = Array(programs[..<kept])
    var sources = Array(sources[..<kept])
    var properties = properties
    if !added.isEmpty || programs.isEmpty {
      var compiler = RuleCompiler(
        hierarchy: hierarchy, vocabulary: vocabulary, dictionary: dictionary, properties: properties,
        elementProperties: Set(fields.elementProperties), limits: IndexLimits())
      programs.append(SharedProgram(compiler.compile(added)))
      sources.append(added)
      (properties, vocabulary) = (compiler.properties, compiler.vocabulary)
    }
    return Matcher(
      settings, dictionary, properties, fields, vocabulary, programs, sources: sources, removed: removed,
      projection: projection)
  }

  // So many rules are compiled with any update rather than asked by themselves for each event.
  private static let smallUpdate = 64
}

extension RuleProgram {
  /// The number of the rule with that id.
  ///
  /// - Complexity: O(log *n*), *n* rules.
  func rule(withID id: UTF8String) -> Int? {
    id.withUTF8 { wanted in
      var (low, high) = (0, ids.count)
      while low < high {
        let middle = (low + high) / 2
        if ids[middle].lexicographicallyPrecedes(wanted) { low = middle + 1 } else { high = middle }
      }
      return low < ids.count && sameBytes(ids[low], wanted) ? low : nil
    }
  }
}
