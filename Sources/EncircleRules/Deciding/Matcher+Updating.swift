import EncircleIdentity
import EncircleText

extension Matcher {
  /// Returns a matcher in which rules have been added, replaced or removed; this one does not change.
  ///
  /// Existing rules are not compiled again. The new rules are compiled together with the rules of earlier updates that are not much
  /// larger, so each event is matched against only a few programs. The rule set's settings `track`, `fields`, `classes` and `pages`
  /// do not change.
  ///
  /// - Parameters:
  ///   - rules: The rules to add. A rule replaces the one with its id; one that is not enabled removes it.
  ///   - ids: The ids of rules to remove; unknown ids are ignored.
  /// - Complexity: O(*u* log *u*) amortised, *u* rules of all updates, and O(class names and removed rules).
  public func updated(with rules: [SelectionRule], removing ids: Set<UTF8String> = []) -> Matcher {
    guard let styles else {
      var properties = properties
      return updated(with: rules, removing: ids, &properties)
    }
    var properties = properties
    var parts: [Matcher] = []
    for (number, part) in styles.parts.enumerated() {
      let style = number < styles.events.styles.count ? styles.events.styles[number] : nil
      let own = rules.compactMap { $0.part(of: style) }
      // A rule may have lost its clauses for a style.
      let others = Set(rules.map(\.id)).subtracting(own.map(\.id))
      parts.append(part.updated(with: own, removing: ids.union(others), &properties))
    }
    return Matcher(styles.events, parts, properties)
  }

  private func updated(
    with rules: [SelectionRule], removing ids: Set<UTF8String>, _ properties: inout PropertyNumbers
  ) -> Matcher {
    var changed: [UTF8String: SelectionRule] = [:]
    for rule in rules { changed[rule.id] = rule }
    var removed = removed
    for id in ids.union(changed.keys) {
      for i in programs.indices {
        guard let rule = programs[i].program.pointee.rules.number(ofRule: id) else { continue }
        removed.insert(ruleStarts[i] + rule)
      }
    }
    for id in ids { changed[id] = nil }
    var added = changed.values.filter(\.isEnabled)

    // Programs of earlier updates with at most twice as many rules are merged into the new one.
    var kept = programs.count
    while kept > 0, let source = sources[kept - 1], source.count <= 2 * added.count + Self.smallUpdate {
      let start = ruleStarts[kept - 1]
      for (i, rule) in source.enumerated() where !removed.contains(start + i) { added.append(rule) }
      kept -= 1
    }
    removed = removed.filter { $0 < ruleStarts[kept] }
    added.sortByID()

    let isMerging = kept < programs.count
    var vocabulary = vocabulary
    var programs = Array(programs[..<kept])
    var sources = Array(sources[..<kept])
    if isMerging {
      // Collects the class names again, because those of removed rules in the merged programs would otherwise stay for ever.
      vocabulary = settings.vocabulary(dictionary)
      for shared in programs { shared.program.pointee.classes.forEachNamed { vocabulary.insert($0) } }
    }
    if !added.isEmpty || programs.isEmpty {
      var compiler = RuleCompiler(
        hierarchy: hierarchy, vocabulary: vocabulary, dictionary: dictionary, fields: settings.fields,
        properties: properties,
        elementProperties: Set(fields.elementProperties), limits: IndexLimits())
      programs.append(SharedProgram(compiler.compile(added)))
      sources.append(added)
      (properties, vocabulary) = (compiler.properties, compiler.vocabulary)
    }
    return Matcher(
      settings, dictionary, properties, fields, vocabulary, programs, sources: sources, removed: removed,
      projection: projection, defaultPages: defaultPages)
  }

  // Programs with up to this many rules are merged into every update, because each program costs time for every event.
  private static let smallUpdate = 64
}
