import EncircleIdentity
import EncircleText

/// Finds events that one rule matches and others do not.
struct Coverage {
  let context: SpaceContext

  /// The result of a search.
  enum Answer {
    /// No event exists.
    case none
    /// An event that was found.
    case example(EventExample)
    /// The search takes too long.
    case undecided
  }

  /// Returns an event that a rule matches.
  func event(of rule: RuleBoxes) -> Answer { event(of: rule, notOf: []) }

  /// Returns an event that a rule matches by one of its boxes.
  func event(ofBox box: Int, of rule: RuleBoxes) -> Answer {
    event(of: RuleBoxes(boxes: [rule.boxes[box]], unless: rule.unless), notOf: [])
  }

  /// Returns an event that a rule matches and no other rule matches.
  func event(of rule: RuleBoxes, notOf others: [RuleBoxes]) -> Answer {
    var isUndecided = false
    let exceptions = others.map { possibleExceptions(of: $0, beside: rule) }
    let count = others.reduce(1 + rule.unless.count) { $0 + $1.boxes.count + $1.unless.count }
    guard count <= EventSpace.maximumBoxes else { return .undecided }
    for box in rule.boxes {
      if context.budget.isSpent { return .undecided }
      // `all` has the box, the boxes of the rule's `unless`, and the boxes of the other rules.
      var all = [box]
      func add(_ boxes: [Box]) -> Range<Int> {
        all += boxes
        return all.count - boxes.count..<all.count
      }
      let unless = add(rule.unless)
      let ranges = zip(others, exceptions).map { (matching: add($0.boxes), unless: add($1)) }
      guard let space = EventSpace(of: all, context) else {
        isUndecided = true
        continue
      }
      let found = space.parts.filter { part in
        guard !unless.contains(where: { part.boxes[$0] }) else { return false }
        return !ranges.contains { range in
          range.matching.contains { part.boxes[$0] } && !range.unless.contains { part.boxes[$0] }
        }
      }
      // An example that can be shown is better than one known only by the tests that it passes.
      if let part = found.first(where: { !$0.example.isUncertain }) ?? found.first { return .example(part.example) }
    }
    return isUndecided ? .undecided : .none
  }

  /// Returns the exceptions of another rule, with all events that they may take. A form of a path is not enough to show that an event
  /// is no exception, unless the rule has the same exception and so does not match the event.
  private func possibleExceptions(of other: RuleBoxes, beside rule: RuleBoxes) -> [Box] {
    guard !other.unless.isEmpty, context.style.hasFormsOfPaths else { return other.unless }
    let own = Set(rule.unless.map { UTF8String($0.key) })
    return other.unless.map { own.contains(UTF8String($0.key)) ? $0 : $0.inAnyForm(of: context.style) }
  }

  /// Returns the indexes of rules that together match every event of a rule, none of which is superfluous. Returns nil if even
  /// all rules together miss an event, or if the search takes too long.
  func union(of others: [RuleBoxes], covering rule: RuleBoxes, _ tests: ExampleTests) -> [Int]? {
    var chosen: [Int] = []
    // Rules are added, each because it matches a remaining event, until no event remains or no rule matches one.
    search: while true {
      switch event(of: rule, notOf: chosen.map { others[$0] }) {
      case .undecided: return nil
      case .none: break search
      case .example(let left):
        let more = others.indices.first {
          !chosen.contains($0) && !tests.isMissed(left, by: others[$0], context.budget)
        }
        guard let more else { return nil }
        chosen.append(more)
      }
    }
    for candidate in chosen where chosen.count > 1 {
      let fewer = chosen.filter { $0 != candidate }
      if case .none = event(of: rule, notOf: fewer.map { others[$0] }) { chosen = fewer }
    }
    return chosen.sorted()
  }
}

extension EventExample {
  /// This is true if some value is known only by the tests that it passes, so that it may not exist.
  var isUncertain: Bool {
    values.contains { _, value in
      if case .value(.unknown) = value { true } else { false }
    }
  }
}
