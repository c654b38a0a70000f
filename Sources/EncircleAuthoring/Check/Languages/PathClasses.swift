import EncircleIdentity
import EncircleRules
import EncircleTree

/// All element paths, divided by the selectors that match them, with a shortest path for each part.
///
/// There are infinitely many components, but one for each kind that the steps of the selectors distinguish is enough.
///
/// ```swift
/// let classes = PathClasses(of: [a, b])
/// let onlyA = classes?.classes.first { $0.matching[0] && !$0.matching[1] }  // nil: b covers a
/// ```
struct PathClasses {
  struct PathClass {
    /// The selectors that match.
    let matching: Bits
    /// A shortest path.
    let path: ElementPath
  }

  /// The parts, in order of the length of their paths.
  let classes: [PathClass]

  // The maximum number of different steps of the selectors.
  private static let maximumSteps = 2_000

  /// Divides the paths; nil if that takes too long.
  ///
  /// - Parameter style: The style of the events' paths; in some styles an index or a row may be unknown.
  /// - Complexity: Exponential in the number of `**` and `*` in the worst case, which ``WordClasses/setLimit`` bounds.
  init?(
    of selectors: [ElementSelector], hierarchy: ClassHierarchy = .builtIn, style: PathStyleName = .hubbleData,
    budget: WordClasses.Budget? = nil
  ) {
    var steps: [ElementSelector.Step: Int] = [:]
    var classPatterns: [ElementSelector.ClassPattern: Int] = [:]
    var locatorPatterns: [ElementSelector.LocatorPattern?: Int] = [:]
    var predicates: [(class: Int, locator: Int)] = []
    func number<Key: Hashable>(_ key: Key, _ numbers: inout [Key: Int]) -> Int {
      let number = numbers[key] ?? numbers.count
      numbers[key] = number
      return number
    }
    let patterns = selectors.map { selector in
      GappedPattern(
        items: (selector.isAnchored ? [] : [.gap])
          + selector.steps.map { step in
            guard case .component(let pattern, let locator) = step else { return .gap }
            if let known = steps[step] { return .one(known) }
            let new = predicates.count
            predicates.append((number(pattern, &classPatterns), number(locator, &locatorPatterns)))
            steps[step] = new
            return .one(new)
          })
    }
    guard predicates.count <= Self.maximumSteps else { return nil }
    let classesInOrder = classPatterns.sorted { $0.value < $1.value }.map(\.key)
    let locatorsInOrder = locatorPatterns.sorted { $0.value < $1.value }.map(\.key)
    guard let names = ClassAlphabet(of: classesInOrder, hierarchy: hierarchy, budget: budget) else { return nil }
    guard let locators = LocatorAlphabet(of: locatorsInOrder, hasUnknown: style != .hubbleData, budget: budget) else {
      return nil
    }
    guard budget?.allows(names.symbols.count * locators.symbols.count * (1 + predicates.count / 8)) ?? true else {
      return nil
    }

    var components: [PathComponent] = []
    var symbols: [Bits] = []
    var seen: Set<Bits> = []
    for name in names.symbols {
      for locator in locators.symbols {
        var bits = Bits(count: predicates.count)
        for (i, predicate) in predicates.enumerated() {
          bits[i] = name.matching[predicate.class] && locator.matching[predicate.locator]
        }
        guard seen.insert(bits).inserted else { continue }
        symbols.append(bits)
        components.append(PathComponent(name.name, locator.locator, texts: locator.texts))
      }
    }
    guard let words = WordClasses(of: patterns, symbols: symbols, budget: budget) else { return nil }
    classes = words.classes.map { words in
      PathClass(matching: words.matching, path: ElementPath(words.words[0].map { components[$0] }))
    }
  }
}
