import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// Tries selectors on the paths of captures, within a limit of work.
struct PathSearch {
  let paths: ElementPaths
  private let hierarchy: ClassHierarchy
  // The classes that each pattern matches.
  private var matching: [ElementSelector.ClassPattern: [Bool]] = [:]
  /// The components that may still be visited.
  private(set) var steps: Int

  init(_ paths: ElementPaths, hierarchy: ClassHierarchy, steps: Int) {
    self.paths = paths
    self.hierarchy = hierarchy
    self.steps = steps
  }

  /// A selector with the classes that its steps match.
  private struct Compiled {
    let selector: ElementSelector
    /// For each step, an array that is true at the numbers of the classes that it matches; nil for `**`.
    let classes: [[Bool]?]
    /// The positions behind each `**`.
    let wildcards: UInt64

    var count: Int { classes.count }

    /// Adds the positions that are reached when `**` matches nothing.
    func closed(_ mask: UInt64) -> UInt64 {
      var mask = mask
      while true {
        let more = ((mask & wildcards) >> 1) & ~mask
        if more == 0 { return mask }
        mask |= more
      }
    }
  }

  private mutating func compiled(_ selector: ElementSelector) -> Compiled {
    var patterns: [[Bool]?] = []
    var wildcards: UInt64 = 0
    for (i, step) in selector.steps.enumerated() {
      if case .component(let pattern, _) = step {
        patterns.append(classes(of: pattern))
      } else {
        patterns.append(nil)
        wildcards |= 1 << UInt64(i + 1)
      }
    }
    return Compiled(selector: selector, classes: patterns, wildcards: wildcards)
  }

  /// The result of a search for a selector.
  struct Result {
    /// The first paths that match, at most ``PathSearch/maximumMatches``.
    var nodes: [Int32] = []
    /// The number of elements of all paths that match.
    var count = 0
    /// The maximum number of steps at the end of the selector that some path matches.
    var reach = 0
    /// A path that those steps match.
    var nearest: Int32?
  }

  static let maximumMatches = 64
  // Positions in a selector are the bits of a word.
  static let maximumSteps = 60

  /// Counts other work.
  mutating func spend(_ work: Int) { steps -= work }

  /// Returns the classes that a pattern matches, by their numbers.
  private mutating func classes(of pattern: ElementSelector.ClassPattern) -> [Bool] {
    if let known = matching[pattern] { return known }
    steps -= paths.classes.count
    let result = paths.classes.map { pattern.matches($0, hierarchy: hierarchy) }
    matching[pattern] = result
    return result
  }

  /// Finds the paths that a selector matches.
  ///
  /// - Parameter isTrial: True if the search may stop after ``PathSearch/maximumMatches`` paths.
  mutating func find(_ selector: ElementSelector, isTrial: Bool = false) -> Result {
    var result = Result()
    let count = selector.steps.count
    guard count <= Self.maximumSteps, steps > 0 else { return result }
    steps -= paths.classes.count / 8
    // Most trials end here, where a class is unknown.
    if case .component(let pattern, _) = selector.steps[count - 1], !classes(of: pattern).contains(true) {
      return result
    }
    let compiled = compiled(selector)
    func visit(_ node: Int32) -> Bool {
      guard paths.nodes[Int(node)].count > 0 else { return true }
      let (least, visited) = least(of: compiled, from: node, at: count)
      steps -= visited
      if count - least > result.reach {
        result.reach = count - least
        result.nearest = node
      }
      if least == 0 {
        result.count += paths.nodes[Int(node)].count
        if result.nodes.count < Self.maximumMatches { result.nodes.append(node) }
        if isTrial, result.nodes.count == Self.maximumMatches { return false }
      }
      return steps > 0
    }
    if let last = compiled.classes[count - 1] {
      for (name, isMatch) in last.enumerated() where isMatch {
        for node in paths.nodesOfClass[name] where !visit(node) { return result }
      }
    } else {
      for node in paths.nodes.indices where !visit(Int32(node)) { return result }
    }
    return result
  }

  /// Returns the number of the outermost step that is reached from a component if the steps after `start` are already
  /// matched, 0 if all are, and the number of components that were visited. An anchored selector is matched only if its
  /// first step matches the window.
  private func least(of selector: Compiled, from node: Int32, at start: Int) -> (least: Int, visited: Int) {
    // Bit i is set if the steps from number i on are matched.
    var mask = selector.closed(1 << UInt64(start))
    var least = start
    var visited = 1
    var current = node
    while current >= 0 {
      visited += mask.nonzeroBitCount
      let link = paths.links[Int(current)]
      var next: UInt64 = 0
      // Without a step in front of it, position 0 leads nowhere.
      var rest = mask & ~1
      while rest != 0 {
        let bit = rest.trailingZeroBitCount
        rest &= rest - 1
        if let classes = selector.classes[bit - 1] {
          if classes[Int(link.className)], accepts(selector.selector.steps[bit - 1], current) {
            next |= 1 << UInt64(bit - 1)
          }
        } else {
          next |= 1 << UInt64(bit)
        }
      }
      mask = selector.closed(next)
      guard mask != 0 else { break }
      // All steps may be matched below the window.
      let isBelow = selector.selector.isAnchored && link.parent >= 0
      least = min(least, max(mask.trailingZeroBitCount, isBelow ? 1 : 0))
      if least == 0 { break }
      current = link.parent
    }
    return (least, visited)
  }

  private func accepts(_ step: ElementSelector.Step, _ node: Int32) -> Bool {
    guard case .component(_, let locator?) = step else { return true }
    let component = paths.nodes[Int(node)].component
    return locator.matches(component.locator) || (component.unknownPlace.map { locator.matches($0) } ?? false)
  }

  /// Returns the components that a step matches in paths that the selector matches.
  mutating func components(of step: Int, in selector: ElementSelector, _ nodes: [Int32]) -> [ElementPaths.Component] {
    let compiled = compiled(selector)
    var result: [ElementPaths.Component] = []
    for node in nodes where steps > 0 {
      // The positions in the selector that are reached, from the innermost component outwards.
      var mask = compiled.closed(1 << UInt64(compiled.count))
      for place in paths.chain(of: node) where steps > 0 {
        let component = paths.nodes[Int(place)].component
        var next: UInt64 = 0
        for bit in 1...compiled.count where mask & (1 << UInt64(bit)) != 0 {
          steps -= 1
          guard let classes = compiled.classes[bit - 1] else {
            next |= 1 << UInt64(bit)
            continue
          }
          guard classes[Int(component.className)], accepts(selector.steps[bit - 1], place) else { continue }
          next |= 1 << UInt64(bit - 1)
          // The steps before it must be matched from its superview on.
          guard bit - 1 == step else { continue }
          if step == 0 {
            if !selector.isAnchored || component.parent < 0 { result.append(component) }
          } else {
            let (least, visited) = least(of: compiled, from: component.parent, at: step)
            steps -= visited
            if least == 0 { result.append(component) }
          }
        }
        mask = compiled.closed(next)
        if mask == 0 { break }
      }
    }
    return result
  }
}
