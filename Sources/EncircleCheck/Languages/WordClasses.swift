/// A pattern over words of symbols: paths are words of components, texts words of characters.
struct GappedPattern {
  /// What stands at one place.
  enum Item: Hashable {
    /// Any number of symbols, also none.
    case gap
    /// One symbol that a predicate takes.
    case one(Int)
  }

  /// The items, in order; of several gaps in a row the first counts.
  var items: [Item]
}

/// The words of an alphabet, divided by which of some patterns they match.
///
/// The patterns are one nondeterministic automaton with a state for each place in each pattern. What a word makes of it is a
/// set of places; the sets that words can reach are found in order of the words' length (subset construction: Rabin and
/// Scott, "Finite Automata and Their Decision Problems", 1959). Whether patterns have a word in common, whether one
/// covers others, and an example of each, is then read off.
struct WordClasses {
  /// Words that match the same patterns.
  struct WordClass {
    /// The patterns that they match.
    let matching: Bits
    /// The shortest of them, as numbers of symbols; at least one, and no more than were asked for.
    var words: [[Int]]
  }

  /// How many sets of places are looked at before the patterns count as too entangled, and how many steps between them.
  static let setLimit = 20_000
  private static let stepLimit = 400_000

  /// What all divisions together may take, so that no rule set takes forever.
  final class Budget {
    /// Steps between sets of up to 64 places.
    private(set) var left: Int

    init(_ steps: Int = 100_000_000) { left = steps }

    var isSpent: Bool { left <= 0 }

    func spend(_ steps: Int) { left -= steps }
  }

  /// By first appearance, shorter words before longer ones.
  private(set) var classes: [WordClass] = []

  /// Divides all words of at least one symbol.
  ///
  /// - Parameters:
  ///   - symbols: By symbol: the predicates that take it. Of words of one length those of earlier symbols come first.
  ///   - wordsPerClass: How many words of each class are wanted.
  ///   - budget: What this may take at most, and is taken from.
  /// - Returns: Nil if that takes more than ``setLimit`` sets of places: it can take exponentially many.
  /// - Complexity: O(sets × symbols × places).
  init?(
    of patterns: [GappedPattern], symbols: [Bits], wordsPerClass: Int = 1,
    budget: Budget? = nil
  ) {
    if budget?.isSpent ?? false { return nil }
    let places = Places(patterns, symbols)
    let cost = 1 + places.count / 64
    // By set of places: how many words have been taken there.
    var visits: [Bits: Int] = [:]
    var nodes: [(state: Bits, parent: Int, symbol: Int)] = [(places.start, -1, -1)]
    var numbers: [Bits: Int] = [:]
    var next = 0
    var steps = 0
    while next < nodes.count {
      let state = nodes[next].state
      for symbol in symbols.indices {
        steps += 1
        let reached = places.after(symbol, state)
        let visited = visits[reached, default: 0]
        guard visited < wordsPerClass else { continue }
        visits[reached] = visited + 1
        nodes.append((reached, next, symbol))
        let matching = places.matching(reached)
        let place = numbers[matching] ?? classes.count
        if place == classes.count {
          numbers[matching] = place
          classes.append(WordClass(matching: matching, words: []))
        }
        if classes[place].words.count < wordsPerClass {
          var word: [Int] = []
          var node = nodes.count - 1
          while node > 0 {
            word.append(nodes[node].symbol)
            node = nodes[node].parent
          }
          classes[place].words.append(word.reversed())
        }
      }
      next += 1
      budget?.spend(symbols.count * cost)
      if budget?.isSpent ?? false { return nil }
      if visits.count > Self.setLimit || steps > Self.stepLimit { return nil }
    }
  }
}

/// The places in patterns, all patterns one after the other: before each item, and the end.
private struct Places {
  let start: Bits
  /// The number of places.
  let count: Int
  private let gaps: Bits
  private let ends: [Int]
  // By symbol: the places whose item takes it.
  private let taking: [Bits]

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
    var taking = Array(repeating: Bits(count: items.count), count: symbols.count)
    for (i, item) in items.enumerated() {
      switch item {
      case nil: break
      case .gap: gaps[i] = true
      case .one(let predicate): for s in symbols.indices where symbols[s][predicate] { taking[s][i] = true }
      }
    }
    count = items.count
    self.gaps = gaps
    self.ends = ends
    self.taking = taking
    var start = Bits(count: items.count)
    for i in starts { start[i] = true }
    self.start = Self.closed(start, gaps)
  }

  /// A gap may stand for nothing.
  private static func closed(_ state: Bits, _ gaps: Bits) -> Bits {
    var skipped = state
    skipped.formIntersection(gaps)
    var result = state
    result.formUnion(skipped.advanced())
    return result
  }

  func after(_ symbol: Int, _ state: Bits) -> Bits {
    var taken = state
    taken.formIntersection(taking[symbol])
    var result = taken.advanced()
    var waiting = state
    waiting.formIntersection(gaps)
    result.formUnion(waiting)
    return Self.closed(result, gaps)
  }

  func matching(_ state: Bits) -> Bits {
    var result = Bits(count: ends.count)
    for (i, end) in ends.enumerated() where state[end] { result[i] = true }
    return result
  }
}
