import EncircleEvents
import EncircleInput
import EncircleRules
import EncircleTestSupport
import EncircleText
import Testing

/// The matcher with its index against the slow reference.
@Suite struct AgreementTests {
  private static let ruleSetsASeed = 25
  private static let eventsARuleSet = 250

  @Test(
    "rule sets decide on events as the definitions say, however the event arrives",
    arguments: TestSize.scaled(0..<10 as Range<UInt64>))
  func agreement(seed: UInt64) throws {
    var counts: [String: Int] = [:]
    for number in 0..<Self.ruleSetsASeed {
      let ruleSetSeed = seed * 1_000 + UInt64(number)
      var world = try RandomRules(seed: ruleSetSeed)
      let matcher = try Self.matcher(world, way: number % 4)
      let reference = ReferenceMatcher(
        world.ruleSet, dictionary: world.entries, captureClasses: world.captureClasses,
        superclasses: RandomRules.superclasses, screenTexts: world.screenTexts)
      // Sometimes the cache is so small that it is emptied again and again.
      var decider = number % 3 == 0 ? Decider(matcher, cacheLimit: 20_000) : Decider(matcher)
      for i in 0..<Self.eventsARuleSet {
        let event = world.event()
        let text = event.write(&world.random)
        let expected = reference.decide(event)
        let decisions: [(String, Decision?)] = [
          ("an event", decider.decide(event.event)),
          ("JSON", try Self.decide(text, &decider)),
          ("JSON read for the matcher", try Self.decideRead(text, &decider)),
        ]
        for (way, decision) in decisions where decision != expected {
          Issue.record(
            """
            seed \(ruleSetSeed), event \(i), as \(way): \(text)
            expected \(expected)
            found    \(decision.map { "\($0)" } ?? "no event")
            rules \(Self.differences(decision ?? Decision(), expected, world.ruleSet).joined(separator: "\n"))
            """)
          return
        }
        counts[expected.isSelected ? "selected" : "not selected", default: 0] += 1
        counts["\(expected.resolution)", default: 0] += 1
        if !expected.excludedBy.isEmpty { counts["excluded", default: 0] += 1 }
        if !expected.pages.isEmpty { counts["on excluded pages", default: 0] += 1 }
        if !expected.rules.isEmpty || !expected.excludedBy.isEmpty { counts["some rule", default: 0] += 1 }
        if expected.rules.count > 1 { counts["several rules", default: 0] += 1 }
      }
    }
    // Each kind of outcome has to occur often enough for the comparison to mean something.
    for kind in [
      "selected", "not selected", "none", "path", "dictionary", "ambiguous", "unresolved", "excluded",
      "on excluded pages", "some rule", "several rules",
    ] {
      #expect(counts[kind, default: 0] >= 20, "seed \(seed): \(kind) in \(counts)")
    }
  }

  static func decide(_ json: String, _ decider: inout Decider) throws -> Decision {
    try Array(json.utf8).withUnsafeBufferPointer { text in
      var tape = JSONTape()
      try tape.parse(text)
      return decider.decide(tape, of: text)
    }
  }

  /// A matcher of the world's rules: as usual, by the rarest keys, loaded after it was saved, or updated again and again.
  private static func matcher(_ world: borrowing RandomRules, way: Int) throws -> Matcher {
    var limits = IndexLimits()
    if way > 0 {
      limits.maximumAtEnd = 0
      limits.maximumOnElement = 0
      limits.maximumOnPage = 0
    }
    let matcher = Matcher(world.ruleSet, dictionary: world.dictionary, limits: limits)
    switch way {
    case 2: return try Matcher(compiled: try matcher.compiled(), dictionary: world.dictionary)
    case 3:
      // First others, some of them by the same ids.
      var first = world.ruleSet
      first.rules = first.rules.enumerated().map { i, rule in
        var other = rule
        if i % 3 == 0 { other.effect = rule.effect == .include ? .exclude : .include }
        if i % 3 == 1 { other.id = UTF8String("other \(i)") }
        return other
      }
      var updated = Matcher(first, dictionary: world.dictionary, limits: limits)
      for rule in world.ruleSet.rules { updated = updated.updated(with: [rule]) }
      let others = Set(first.rules.map(\.id)).subtracting(world.ruleSet.rules.map(\.id))
      return updated.updated(with: [], removing: others)
    default: return matcher
    }
  }

  /// JSON in one line, as only lines are read for a matcher.
  static func line(_ json: String) -> String {
    String(decoding: json.utf8.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
  }

  static func decideRead(_ json: String, _ decider: inout Decider) throws -> Decision? {
    var reader = EventReader(ByteSource(Array((line(json) + "\n").utf8)), projection: decider.matcher.projection)
    guard case .event? = try reader.next() else { return nil }
    return decider.decide(eventOf: reader)
  }

  /// The rules on which two decisions differ, in full.
  private static func differences(_ a: Decision, _ b: Decision, _ ruleSet: RuleSet) -> [String] {
    let ids = Set(a.rules + a.excludedBy).symmetricDifference(b.rules + b.excludedBy)
    return ruleSet.rules.filter { ids.contains($0.id) }.map { rule in
      let clauses = (rule.clauses + rule.unless).map { clause in
        "  event \(clause.event.map(\.description) ?? "-"), page \(clause.page.map(\.description) ?? "-"), "
          + "selectors \(clause.selectors), identities \(clause.eventIDs.map { $0.identity?.text ?? $0.eventID.description }), "
          + "where \(clause.properties.map { "\($0.property) \($0.condition)" })"
      }
      return
        "\(rule.id) \(rule.effect) sameKind \(rule.sameKind) from \(rule.from ?? 0) to \(rule.to ?? 0), \(rule.clauses.count) clauses:\n"
        + clauses.joined(separator: "\n")
    }
  }

  @Test(
    "the same input gives the same decisions: again, in other states, in tasks of their own",
    arguments: [11, 12] as [UInt64])
  func determinism(seed: UInt64) async throws {
    var world = try RandomRules(seed: seed)
    let events = (0..<200).map { _ in world.event().event }
    let matcher = Matcher(world.ruleSet, dictionary: world.dictionary)
    let expected = matcher.decide(events)
    #expect(matcher.decide(events) == expected)

    // A state that has seen other events, in another order.
    var decider = Decider(matcher)
    let backwards = events.reversed().map { decider.decide($0) }
    #expect(Array(backwards.reversed()) == expected)

    // Rules in another order.
    var shuffled = world.ruleSet
    shuffled.rules.shuffle(using: &world.random)
    #expect(Matcher(shuffled, dictionary: world.dictionary).decide(events) == expected)

    let all = await withTaskGroup(of: [Decision].self) { group in
      for _ in 0..<8 {
        group.addTask {
          var decider = Decider(matcher)
          return events.map { decider.decide($0) }
        }
      }
      return await group.reduce(into: [[Decision]]()) { $0.append($1) }
    }
    #expect(all.count == 8)
    #expect(all.allSatisfy { $0 == expected })
  }

  @Test("an explanation agrees with the decision on each rule", arguments: TestSize.scaled(0..<4 as Range<UInt64>))
  func explanations(seed: UInt64) throws {
    for number in 0..<5 {
      let ruleSetSeed = 100_000 + seed * 100 + UInt64(number)
      var world = try RandomRules(seed: ruleSetSeed)
      let explainer = Explainer(world.ruleSet, dictionary: world.dictionary)
      let matcher = Matcher(world.ruleSet, dictionary: world.dictionary)
      var decider = Decider(matcher)
      for i in 0..<60 {
        let event = world.event().event
        let decision = decider.decide(event)
        let explanation = explainer.explain(event)
        let matching = explanation.rules.filter(\.matches)
        let found = [
          explanation.decision == decision,
          matching.filter { $0.rule.effect == .include }.map(\.rule.id) == decision.rules,
          matching.filter { $0.rule.effect == .exclude }.map(\.rule.id) == decision.excludedBy,
          explanation.rules.allSatisfy { ($0.change == nil) == $0.matches && $0.change != "" },
          explanation.rules.map(\.rule.id) == world.ruleSet.rules.map(\.id).sorted(),
        ]
        guard found.contains(false) else { continue }
        Issue.record(
          "seed \(ruleSetSeed), event \(i): \(String(decoding: event.json, as: UTF8.self))\n\(found) \(decision) \(matching.map(\.rule.id))"
        )
        return
      }
    }
  }
}
