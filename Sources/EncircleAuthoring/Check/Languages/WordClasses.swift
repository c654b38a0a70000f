/// A pattern over words of symbols: a path is a word of components, a text a word of scalars.
struct GappedPattern {
  /// One item of a pattern.
  enum Item: Hashable {
    /// Any number of symbols, also none.
    case gap
    /// One symbol that has a property, which is named by its number.
    case one(Int)
  }

  /// The items, in order; several gaps in a row mean the same as one.
  var items: [Item]
}

/// A deterministic automaton that finds words in several languages at once.
protocol WordAutomaton {
  associatedtype State: Hashable

  /// The state before the first symbol.
  var start: State { get }
  /// The cost of a step of the automaton, in steps of ``WordClasses/Budget``.
  var cost: Int { get }
  /// The maximum number of steps before the division is given up.
  var stepLimit: Int { get }
  /// This is true if a step failed, so that the states after it are meaningless.
  var isTooLarge: Bool { get }

  /// Returns the state after one symbol more.
  func after(_ symbol: Int, _ state: State) -> State
  /// Returns the languages that have the words that lead to a state.
  func matching(_ state: State) -> Bits
}

extension WordAutomaton {
  var stepLimit: Int { WordClasses.stepLimit }
  var isTooLarge: Bool { false }
}

/// The words of an alphabet, divided by the patterns that match them.
///
/// The patterns together are a nondeterministic automaton with a state for each position in each pattern. A word leads
/// to a set of states; the sets that words can reach are found in order of the words' length (subset construction:
/// Rabin and Scott, "Finite Automata and Their Decision Problems", 1959). The result shows whether patterns have a word
/// in common and whether one covers others, with an example.
struct WordClasses {
  /// Words that match the same patterns.
  struct WordClass {
    /// The patterns that match the words.
    let matching: Bits
    /// The shortest of the words, as numbers of symbols; at least one, and no more than were asked for.
    var words: [[Int]]
  }

  /// The maximum number of sets of states, and of steps between them, before the division is given up.
  static let setLimit = 20_000
  static let stepLimit = 4_000_000
  // The maximum number of bits in the tables of the automaton.
  private static let tableLimit = 1 << 28

  /// The work that all comparisons of a run may do together, so that no rule set takes forever.
  ///
  /// A step takes about as long as one transition between two sets of up to 64 states.
  final class Budget {
    /// The remaining steps.
    private(set) var left: Int

    init(_ steps: Int = 30_000_000) { left = steps }

    var isSpent: Bool { left <= 0 }

    func spend(_ steps: Int) { left -= min(steps, left) }

    /// Spends some steps; returns whether any are left.
    func allows(_ steps: Int) -> Bool {
      spend(steps)
      return !isSpent
    }
  }

  /// The classes in the order of their shortest words.
  private(set) var classes: [WordClass] = []

  /// Divides all words of at least one symbol.
  ///
  /// - Parameters:
  ///   - symbols: The properties of each symbol. Among words of the same length, earlier symbols come first.
  ///   - wordsPerClass: The number of words to return for each class.
  ///   - budget: The remaining work; the steps are subtracted from it.
  /// - Returns: Nil if there are more than ``setLimit`` sets of states, whose number can be exponential, or if the steps
  ///   would be too many.
  /// - Complexity: O(sets × symbols × states).
  init?(
    of patterns: [GappedPattern], symbols: [Bits], wordsPerClass: Int = 1,
    budget: Budget? = nil
  ) {
    if budget?.isSpent ?? false { return nil }
    let items = patterns.reduce(0) { $0 + $1.items.count + 1 }
    guard items * (symbols.count + 1) <= Self.tableLimit, budget?.allows(items * symbols.count / 64) ?? true else {
      return nil
    }
    self.init(
      of: PatternStates(patterns, symbols), symbolCount: symbols.count, wordsPerClass: wordsPerClass, budget: budget)
  }

  /// Divides all words of at least one symbol by the languages that an automaton finds them in.
  init?<Automaton: WordAutomaton>(
    of states: Automaton, symbolCount: Int, wordsPerClass: Int, budget: Budget?
  ) {
    if budget?.isSpent ?? false { return nil }
    let cost = states.cost
    // The number of words that have reached each set of states.
    var visits: [Automaton.State: Int] = [:]
    var nodes: [(state: Automaton.State, parent: Int, symbol: Int)] = [(states.start, -1, -1)]
    var numbers: [Bits: Int] = [:]
    var next = 0
    var steps = 0
    while next < nodes.count {
      let state = nodes[next].state
      for symbol in 0..<symbolCount {
        steps += cost
        let reached = states.after(symbol, state)
        let visited = visits[reached, default: 0]
        guard visited < wordsPerClass else { continue }
        visits[reached] = visited + 1
        nodes.append((reached, next, symbol))
        let matching = states.matching(reached)
        let number = numbers[matching] ?? classes.count
        if number == classes.count {
          numbers[matching] = number
          classes.append(WordClass(matching: matching, words: []))
        }
        if classes[number].words.count < wordsPerClass {
          var word: [Int] = []
          var node = nodes.count - 1
          while node > 0 {
            word.append(nodes[node].symbol)
            node = nodes[node].parent
          }
          classes[number].words.append(word.reversed())
        }
      }
      next += 1
      budget?.spend(symbolCount * cost)
      if budget?.isSpent ?? false || states.isTooLarge { return nil }
      if visits.count > Self.setLimit || steps > states.stepLimit { return nil }
    }
  }
}

/// The states of the automaton: the positions before each item and at the end of each pattern, one pattern after the
/// other.
struct PatternStates: WordAutomaton {
  let start: Bits
  /// The number of states.
  let count: Int
  var cost: Int { 1 + count / 64 }
  private let gaps: Bits
  private let ends: [Int]
  // For each symbol, the states whose item matches it.
  private let statesBySymbol: [Bits]

  init(_ patterns: [GappedPattern], _ symbols: [Bits]) {
    var items: [GappedPattern.Item?] = []
    var starts: [Int] = []
    var ends: [Int] = []
    for pattern in patterns {
      starts.append(items.count)
      var previous: GappedPattern.Item?
      for item in pattern.items where item != .gap || previous != .gap {
        items.append(item)
        previous = item
      }
      ends.append(items.count)
      items.append(nil)
    }
    var gaps = Bits(count: items.count)
    var statesBySymbol = Array(repeating: Bits(count: items.count), count: symbols.count)
    for (i, item) in items.enumerated() {
      switch item {
      case nil: break
      case .gap: gaps[i] = true
      case .one(let predicate): for s in symbols.indices where symbols[s][predicate] { statesBySymbol[s][i] = true }
      }
    }
    count = items.count
    self.gaps = gaps
    self.ends = ends
    self.statesBySymbol = statesBySymbol
    var start = Bits(count: items.count)
    for i in starts { start[i] = true }
    self.start = Self.closed(start, gaps)
  }

  /// Returns the states, plus the states after gaps, because a gap may be empty.
  private static func closed(_ state: Bits, _ gaps: Bits) -> Bits {
    var skipped = state
    skipped.formIntersection(gaps)
    var result = state
    result.formUnion(skipped.advanced())
    return result
  }

  /// Returns the states that a symbol leads to from some states.
  func after(_ symbol: Int, _ state: Bits) -> Bits {
    var matched = state
    matched.formIntersection(statesBySymbol[symbol])
    var result = matched.advanced()
    var waiting = state
    waiting.formIntersection(gaps)
    result.formUnion(waiting)
    return Self.closed(result, gaps)
  }

  /// Returns the patterns that end in a state.
  func matching(_ state: Bits) -> Bits {
    var result = Bits(count: ends.count)
    for (i, end) in ends.enumerated() where state[end] { result[i] = true }
    return result
  }
}
