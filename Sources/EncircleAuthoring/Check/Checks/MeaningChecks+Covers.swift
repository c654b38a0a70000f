import EncircleRuleFiles
import EncircleRules
import EncircleText

extension MeaningChecks {
  /// Reports an include rule if exclude rules and excluded pages together match all its events, or nearly all.
  ///
  /// - Parameters:
  ///   - example: An event that the rule matches.
  ///   - first: The rules that match the example, and the excluded pages that it is on.
  ///   - next: The same for ``EventExample/withNextNumbers`` of the example.
  func checkExcludes(
    _ i: Int, _ rule: SelectionRule, _ example: EventExample, _ first: (rules: [Int], pages: [Int]),
    _ next: (rules: [Int], pages: [Int]), _ decider: inout Decider, _ list: inout FindingList
  ) {
    var excludes = Set(first.rules.filter { rules[$0].effect == .exclude }.prefix(Self.maximumCompared))
    var pages = Set(first.pages.prefix(Self.maximumCompared))
    guard !excludes.isEmpty || !pages.isEmpty else {
      // No exclude rule matches the example, but one that matches its neighbour may nearly cover the rule.
      for other in next.rules.prefix(Self.maximumCompared) where rules[other].effect == .exclude {
        if case .example(let left) = coverage.event(of: boxes[i], notOf: [boxes[other]]) {
          checkNearly(i, other, left, &list)
        }
      }
      return
    }
    // The excludes that match a remaining event are added until no event remains, or no exclude matches one.
    for _ in 0..<Self.maximumCompared {
      let others = excludes.sorted().map { boxes[$0] } + pages.sorted().map { pageBoxes[$0] }
      switch coverage.event(of: boxes[i], notOf: others) {
      case .undecided: return
      case .none:
        let names =
          excludes.sorted().map { rules[$0].id.text } + pages.sorted().map { pageName($0) }
        list.add(
          .neverSelects, rule, .id,
          "the rule can never select: \(NameList.text(names)) exclude\(names.count == 1 ? "s" : "") all that it matches",
          example: example.text(fields),
          suggestion: pages.contains { $0 >= ownPageCount }
            ? "'defaults: false' under 'pages', if this page of the system is meant" : nil,
          notes: excludes.sorted().map { list.note("'\(rules[$0].id)' excludes", rules[$0]) })
        return
      case .example(let left):
        let more = candidates.rules(matching: left, &decider, coverage.context.budget)
        let others = more.rules.filter { rules[$0].effect == .exclude && !excludes.contains($0) }
        let new = Set(others.prefix(Self.maximumCompared))
        let newPages = Set(more.pages.filter { !pages.contains($0) }.prefix(Self.maximumCompared))
        if new.isEmpty, newPages.isEmpty {
          if excludes.count == 1, pages.isEmpty, let other = excludes.first { checkNearly(i, other, left, &list) }
          return
        }
        excludes.formUnion(new)
        pages.formUnion(newPages)
      }
    }
  }

  private func pageName(_ page: Int) -> String {
    "page \(excludedPages[page].name)\(page < ownPageCount ? "" : ", by default,")"
  }

  func reportCover(
    _ i: Int, _ other: Int, isSame: Bool, isFirst: Bool, _ example: EventExample, _ list: inout FindingList
  ) {
    let (rule, cover) = (rules[i], rules[other])
    let names = [rule, cover].map { Set($0.names.map { UTF8String($0) }).sorted() }
    let isOtherName = rule.effect == .include && names[0] != names[1]
    func phrase(_ names: [UTF8String]) -> String { names.map { "'\($0)'" }.joined(separator: " and ") }
    let differing = isOtherName ? ", as \(phrase(names[1])) rather than \(phrase(names[0]))" : ""
    let note = list.note("'\(cover.id)' is here", cover)
    if isSame {
      list.add(
        .sameMeaning, rule, .id, "'\(cover.id)' takes the same events\(differing)", example: example.text(fields),
        notes: [note])
    } else if isFirst {
      list.add(
        .coveredRule, rule, .id, "'\(cover.id)' matches every event that this rule matches\(differing)",
        severity: isOtherName ? .note : nil, example: example.text(fields), notes: [note])
    }
  }

  /// Reports a rule if another one would cover it with up to three numbers more in one of its locators.
  func checkNearly(_ i: Int, _ other: Int, _ missing: EventExample, _ list: inout FindingList) {
    let cover = rules[other]
    guard boxes[other].boxes.count == 1, cover.clauses.count == 1 else { return }
    for (s, selector) in cover.clauses[0].selectors.enumerated() {
      for wider in selector.withMoreNumbers {
        var clause = cover.clauses[0]
        clause.selectors[s] = wider
        let widened = RuleBoxes(boxes: [Box(clause, of: cover, fields)], unless: boxes[other].unless)
        guard case .none = coverage.event(of: boxes[i], notOf: [widened]) else { continue }
        list.add(
          .nearlyCovered, rules[i], .id,
          "'\(cover.id)' \(cover.effect == .exclude && rules[i].effect == .include ? "excludes" : "matches") nearly all that this rule matches; \(selector) leaves out a little",
          example: "left is " + missing.text(fields), suggestion: "\(wider) in '\(cover.id)', if that was meant",
          notes: [list.note("'\(cover.id)' is here", cover, .selector(.clauses, 0, s))])
        return
      }
    }
  }
}
