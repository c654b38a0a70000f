/// The states of a nondeterministic automaton that finds a regular expression anywhere in a text of at least one scalar.
///
/// It is made as Thompson, "Regular Expression Search Algorithm", 1968, does it.
struct ExpressionStates {
  /// A state of the automaton, with the states that follow.
  enum State {
    /// Reads a scalar of a set.
    case one(set: Int, next: Int)
    /// Reads nothing, and goes on with either state.
    case either(Int, Int)
    /// Goes on at the beginning of the text.
    case begin(Int)
    /// Goes on at the end of the text.
    case end(Int)
    /// Leads nowhere yet.
    case last

    /// Returns the state with all that follows moved.
    func moved(by distance: Int) -> State {
      switch self {
      case .one(let set, let next): .one(set: set, next: next + distance)
      case .either(let a, let b): .either(a + distance, b + distance)
      case .begin(let next): .begin(next + distance)
      case .end(let next): .end(next + distance)
      case .last: .last
      }
    }
  }

  /// The sets of scalars that the states read.
  let sets: [ScalarRanges]
  /// The states before the first scalar.
  let start: Bits
  /// The number of states.
  var count: Int { states.count }
  private let states: [State]
  private let accept: Int
  // The states before any later scalar, because the expression may begin there.
  private let restart: Bits
  // The state that is reached by all texts that begin with a match.
  private let accepted: Bits
  // For each state that reads a scalar, the states behind it.
  private let behind: [Bits]
  // The states that accept at the end of a text.
  private let acceptingAtEnd: Bits

  /// - Complexity: O(states²).
  init(_ states: [State], start: Int, accept: Int, sets: [ScalarRanges]) {
    self.states = states
    self.accept = accept
    self.sets = sets
    func reached(_ start: Int, atBegin: Bool = false, atEnd: Bool = false) -> Bits {
      var result = Bits(count: states.count)
      var seen = Bits(count: states.count)
      var open = [start]
      while let state = open.popLast() {
        guard !seen[state] else { continue }
        seen[state] = true
        switch states[state] {
        case .one: result[state] = true
        case .either(let a, let b): open += [a, b]
        case .begin(let next): if atBegin { open.append(next) }
        case .end(let next): if atEnd { open.append(next) } else { result[state] = true }
        case .last: if state == accept { result[state] = true }
        }
      }
      return result
    }
    self.start = reached(start, atBegin: true)
    restart = reached(start)
    var accepted = Bits(count: states.count)
    accepted[accept] = true
    self.accepted = accepted
    var acceptingAtEnd = accepted
    var behind = Array(repeating: Bits(count: 0), count: states.count)
    for (i, state) in states.enumerated() {
      switch state {
      case .one(_, let next): behind[i] = reached(next)
      case .end(let next): if reached(next, atEnd: true)[accept] { acceptingAtEnd[i] = true }
      case .either, .begin, .last: break
      }
    }
    self.behind = behind
    self.acceptingAtEnd = acceptingAtEnd
  }

  /// Returns the states that read a scalar.
  func reading(_ scalar: UInt32) -> Bits {
    let isIn = sets.map { $0.contains(scalar) }
    var result = Bits(count: states.count)
    for case (let i, .one(let set, _)) in states.enumerated() where isIn[set] { result[i] = true }
    return result
  }

  /// Returns the states that some states lead to with a scalar that `reading` states read.
  func after(_ reading: Bits, _ current: Bits) -> Bits {
    if current[accept] { return accepted }
    var matched = current
    matched.formIntersection(reading)
    var result = restart
    for state in matched.numbers { result.formUnion(behind[state]) }
    return result[accept] ? accepted : result
  }

  /// Returns whether a text that has led to these states has a match.
  func accepts(_ current: Bits) -> Bool {
    var end = current
    end.formIntersection(acceptingAtEnd)
    return !end.isEmpty
  }
}
