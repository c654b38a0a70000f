/// What one rule takes of what another takes.
struct Coverage {
  let context: SpaceContext

  /// What was found out.
  enum Answer {
    /// There is no such event.
    case none
    /// There is one.
    case example(EventExample)
    /// The rules are too entangled to tell.
    case undecided
  }

  /// An event that a rule takes.
  func event(of rule: RuleBoxes) -> Answer { event(of: rule, notOf: []) }

  /// An event that one of a rule's boxes takes.
  func event(ofBox box: Int, of rule: RuleBoxes) -> Answer {
    event(of: RuleBoxes(boxes: [rule.boxes[box]], unless: rule.unless), notOf: [])
  }

  /// An event that a rule takes and none of some others.
  func event(of rule: RuleBoxes, notOf others: [RuleBoxes]) -> Answer {
    var isUndecided = false
    for box in rule.boxes {
      // The box itself, what the rule leaves out, and each other rule with what that leaves out.
      var all = [box]
      func add(_ boxes: [Box]) -> Range<Int> {
        all += boxes
        return all.count - boxes.count..<all.count
      }
      let left = add(rule.unless)
      let ranges = others.map { (taken: add($0.boxes), left: add($0.unless)) }
      guard let space = EventSpace(of: all, context) else {
        isUndecided = true
        continue
      }
      let found = space.parts.filter { part in
        guard !left.contains(where: { part.boxes[$0] }) else { return false }
        return !ranges.contains { range in
          range.taken.contains { part.boxes[$0] } && !range.left.contains { part.boxes[$0] }
        }
      }
      // One that can be shown before one of which only the tests are known.
      if let part = found.first(where: { !$0.example.isUncertain }) ?? found.first { return .example(part.example) }
    }
    return isUndecided ? .undecided : .none
  }
}

extension EventExample {
  /// Whether some value is only known by what it passes, so that there may be none.
  var isUncertain: Bool {
    values.contains { _, value in
      if case .value(.unknown) = value { true } else { false }
    }
  }
}
