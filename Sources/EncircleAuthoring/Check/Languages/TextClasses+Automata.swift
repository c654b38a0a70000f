import EncircleRules
import EncircleText

extension TextClasses {
  /// Divides all texts of at least one scalar; nil if that takes too long.
  ///
  /// - Complexity: Exponential in the size of the expressions in the worst case, which ``WordClasses/setLimit`` and
  ///   ``LazyStates/maximumStates`` bound.
  init?(of languages: [TextLanguage], textsPerClass: Int, budget: WordClasses.Budget?) {
    let patterns = languages.compactMap { if case .pattern(let pattern) = $0 { pattern } else { nil } }
    guard patterns.count < languages.count else {
      self.init(of: patterns, textsPerClass: textsPerClass, budget: budget)
      return
    }
    guard patterns.reduce(0, { $0 + $1.items.count + 1 }) <= Self.stateLimit else { return nil }
    guard let automaton = PatternAutomaton(languages, textsPerClass, budget),
      let words = WordClasses(
        of: automaton, symbolCount: automaton.symbols.scalars.count, wordsPerClass: textsPerClass, budget: budget)
    else { return nil }
    self.init(
      classes: words.classes.map { words in
        TextClass(
          matching: words.matching, texts: Self.texts(words.words, automaton.symbols.scalars, textsPerClass))
      })
  }

  /// Returns texts for words of symbols: first one for each word, then more until there are enough.
  private static func texts(_ words: [[Int]], _ scalars: [[Unicode.Scalar]], _ count: Int) -> [String] {
    func text(_ word: [Int], _ choice: [Int]) -> String {
      String(String.UnicodeScalarView(zip(word, choice).map { scalars[$0][$1] }))
    }
    var result = words.map { text($0, Array(repeating: 0, count: $0.count)) }
    for word in words {
      var choice = Array(repeating: 0, count: word.count)
      while result.count < count {
        // The next choice of scalars, counted as a number whose last digit is the first scalar.
        guard let digit = word.indices.first(where: { choice[$0] + 1 < scalars[word[$0]].count }) else { break }
        for i in 0..<digit { choice[i] = 0 }
        choice[digit] += 1
        result.append(text(word, choice))
      }
    }
    return result
  }
}

/// The automaton of several languages of texts.
private struct PatternAutomaton: WordAutomaton {
  struct State: Hashable {
    var patterns: Bits
    var machines: [Int32]
  }

  let symbols: TextSymbols
  let start: State
  private let patterns: PatternStates
  private let machines: [LazyStates]
  private let results: [Result]

  /// The ways to find the result of a language.
  private enum Result {
    case pattern(Int)
    case expression(machine: Int)
    case versions([(comparison: String, machine: Int)])
  }

  init?(_ languages: [TextLanguage], _ count: Int, _ budget: WordClasses.Budget?) {
    var predicates = TextPredicates()
    var gapped: [GappedPattern] = []
    var versions: [UTF8String: Int] = [:]
    var makers: [([UInt32]) -> LazyStates] = []
    var results: [Result] = []
    for language in languages {
      switch language {
      case .pattern(let pattern):
        results.append(.pattern(gapped.count))
        gapped.append(predicates.add(pattern))
      case .expression(let states):
        guard budget?.allows(states.count * (1 + states.count / 64)) ?? true else { return nil }
        for set in states.sets { predicates.add(set) }
        results.append(.expression(machine: makers.count))
        makers.append { symbols in
          LazyMachineStates(
            ExpressionMachine(states, symbols: symbols), symbolCount: symbols.count, budget: budget)
        }
      case .versions(let range):
        results.append(
          .versions(
            range.comparisons.map { comparison, version in
              if let known = versions[UTF8String(version)] { return (comparison, known) }
              let states = VersionStates(version)
              predicates.add(states)
              versions[UTF8String(version)] = makers.count
              makers.append { symbols in
                LazyMachineStates(VersionMachine(states, symbols: symbols), symbolCount: symbols.count, budget: budget)
              }
              return (comparison, makers.count - 1)
            }))
      }
    }
    guard let symbols = predicates.symbols(count, budget) else { return nil }
    guard budget?.allows(symbols.scalars.count * (1 + gapped.reduce(0) { $0 + $1.items.count } / 8)) ?? true else {
      return nil
    }
    self.symbols = symbols
    self.results = results
    patterns = PatternStates(gapped, symbols.matching)
    machines = makers.map { $0(symbols.scalars.map { $0[0].value }) }
    start = State(patterns: patterns.start, machines: Array(repeating: 0, count: machines.count))
  }

  var cost: Int { 2 + patterns.count / 64 + machines.count }

  // Without expressions, and with versions compared separately, most comparisons are still possible.
  var stepLimit: Int { 500_000 }

  var isTooLarge: Bool { machines.contains { $0.isTooLarge } }

  func after(_ symbol: Int, _ state: State) -> State {
    var next = state
    next.patterns = patterns.after(symbol, state.patterns)
    for i in machines.indices { next.machines[i] = machines[i].after(symbol, state.machines[i]) }
    return next
  }

  func matching(_ state: State) -> Bits {
    let ends = patterns.matching(state.patterns)
    var bits = Bits(count: results.count)
    for (i, result) in results.enumerated() {
      switch result {
      case .pattern(let number): bits[i] = ends[number]
      case .expression(let machine): bits[i] = machines[machine].result(state.machines[machine]) == 1
      case .versions(let comparisons):
        bits[i] = comparisons.allSatisfy { comparison, machine in
          let order = machines[machine].result(state.machines[machine])
          guard order != VersionMachine.noVersion else { return false }
          return switch comparison {
          case ">=": order >= 0
          case "<=": order <= 0
          case "!=": order != 0
          case ">": order > 0
          case "<": order < 0
          default: order == 0
          }
        }
      }
    }
    return bits
  }
}

/// The predicates of scalars that languages have.
private struct TextPredicates {
  private var literals: [TextClasses.Predicate: Int] = [:]
  private var sets: [ScalarRanges: Int] = [:]
  private var cuts: Set<UInt32> = []
  private var preferred: [Unicode.Scalar] = []
  // The scalars at which comparisons of versions may change.
  private var versionCuts: Set<UInt32> = []
  private var hasVersionTexts = false

  private mutating func cut(_ range: ClosedRange<UInt32>) {
    cuts.insert(range.lowerBound)
    cuts.insert(range.upperBound + 1)
  }

  mutating func add(_ pattern: TextPattern) -> GappedPattern {
    GappedPattern(
      items: pattern.items.map { item in
        guard case .scalar(let scalar) = item else { return .gap }
        for variant in pattern.fold ? TextClasses.variants(of: scalar) : [scalar] {
          cut(variant.value...variant.value)
          preferred.append(variant)
        }
        let predicate = TextClasses.Predicate(scalar: scalar, fold: pattern.fold)
        let number = literals[predicate] ?? literals.count
        literals[predicate] = number
        return .one(number)
      })
  }

  mutating func add(_ set: ScalarRanges) {
    if sets[set] == nil { sets[set] = sets.count }
    for range in set.ranges {
      cut(range)
      // A small range is a literal of an expression, which makes a readable example.
      if range.count <= 2, let scalar = Unicode.Scalar(range.lowerBound) { preferred.append(scalar) }
    }
  }

  /// Adds the distinctions that comparisons with a version make.
  mutating func add(_ version: VersionStates) {
    for scalar in [0x2B, 0x2D, 0x2E, 0x30] + version.scalars { versionCuts.formUnion([scalar, scalar + 1]) }
    versionCuts.insert(0x3A)
    cuts.formUnion(versionCuts)
    if version.hasTexts { hasVersionTexts = true }
  }

  func symbols(_ count: Int, _ budget: WordClasses.Budget?) -> TextSymbols? {
    let total = literals.count + sets.count
    let sorted = versionCuts.sorted()
    return TextSymbols(
      cuts: cuts, preferred: preferred, count: count, budget: budget, cost: 1 + total / 4
    ) { scalar in
      var bits = Bits(count: total + sorted.count + 1)
      for (predicate, number) in literals { bits[number] = predicate.matches(scalar) }
      for (set, number) in sets { bits[literals.count + number] = set.contains(scalar) }
      // Versions are ordered by their scalars. If no tested version has a tag with letters, all scalars other than digits, `+`,
      // `-` and `.` are alike.
      let isInVersions = (0x30...0x39).contains(scalar) || [0x2B, 0x2D, 0x2E].contains(scalar)
      if hasVersionTexts || isInVersions {
        bits[total + (sorted.firstIndex { $0 > scalar } ?? sorted.count)] = true
      }
      return bits
    }
  }
}
