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

  /// What was found for a selector.
  struct Result {
    /// The first paths that match, at most ``PathSearch/mostMatches``.
    var nodes: [Int32] = []
    /// The number of elements of all of them.
    var count = 0
    /// The most steps at the end of the selector that some path matches.
    var reach = 0
    /// A path that they match.
    var nearest: Int32?
  }

  static let mostMatches = 64
  // Positions in a selector are the bits of a word.
  static let mostSteps = 60

  /// Returns the classes that a pattern matches, by their numbers.
  private mutating func classes(of pattern: ElementSelector.ClassPattern) -> [Bool] {
    if let known = matching[pattern] { return known }
    steps -= paths.classes.count
    let result = paths.classes.map { pattern.matches($0, hierarchy: hierarchy) }
    matching[pattern] = result
    return result
  }

  /// Finds the paths that a selector matches.
  mutating func find(_ selector: ElementSelector, stopsAtFirst: Bool = false) -> Result {
    var result = Result()
    let count = selector.steps.count
    guard count <= Self.mostSteps, steps > 0 else { return result }
    var patterns: [[Bool]?] = []
    for step in selector.steps {
      if case .component(let pattern, _) = step { patterns.append(classes(of: pattern)) } else { patterns.append(nil) }
    }
    func visit(_ node: Int32) -> Bool {
      guard paths.nodes[Int(node)].count > 0 else { return true }
      let (least, visited) = least(of: selector, patterns, from: node, at: count)
      steps -= visited
      if count - least > result.reach {
        result.reach = count - least
        result.nearest = node
      }
      if least == 0 {
        result.count += paths.nodes[Int(node)].count
        if result.nodes.count < Self.mostMatches { result.nodes.append(node) }
        if stopsAtFirst { return false }
      }
      return steps > 0
    }
    if let last = patterns[count - 1] {
      for (name, isMatch) in last.enumerated() where isMatch {
        for node in paths.nodesOfClass[name] where !visit(node) { return result }
      }
    } else {
      for node in paths.nodes.indices where !visit(Int32(node)) { return result }
    }
    return result
  }

  /// Returns the number of the outermost step that is reached from a component when the steps behind `start` are matched
  /// already, 0 if all are, and the number of components that were visited. An anchored selector is not all matched unless
  /// its first step stands for the window.
  private func least(
    of selector: ElementSelector, _ patterns: [[Bool]?], from node: Int32, at start: Int
  ) -> (least: Int, visited: Int) {
    // Bit i says that the steps from number i on are matched.
    var mask = closed(1 << UInt64(start), patterns)
    var least = start
    var visited = 0
    var current = node
    while current >= 0 {
      visited += 1
      let component = paths.nodes[Int(current)]
      var next: UInt64 = 0
      var rest = mask
      while rest != 0 {
        let bit = rest.trailingZeroBitCount
        rest &= rest - 1
        guard bit > 0 else { continue }
        if let classes = patterns[bit - 1] {
          if classes[Int(component.className)], accepts(selector.steps[bit - 1], component) {
            next |= 1 << UInt64(bit - 1)
          }
        } else {
          next |= 1 << UInt64(bit)
        }
      }
      mask = closed(next, patterns)
      guard mask != 0 else { break }
      let reached = mask.trailingZeroBitCount
      if reached == 0, selector.isAnchored, component.parent >= 0 {
        // All steps are matched below the window.
        least = min(least, 1)
      } else {
        least = min(least, reached)
      }
      if least == 0 { break }
      current = component.parent
    }
    return (least, visited)
  }

  /// Adds the positions that are reached over ** which stand for nothing.
  private func closed(_ mask: UInt64, _ patterns: [[Bool]?]) -> UInt64 {
    var mask = mask
    for bit in stride(from: patterns.count, to: 0, by: -1)
    where mask & (1 << UInt64(bit)) != 0 && patterns[bit - 1] == nil {
      mask |= 1 << UInt64(bit - 1)
    }
    return mask
  }

  private func accepts(_ step: ElementSelector.Step, _ component: ElementPaths.Node) -> Bool {
    guard case .component(_, let locator?) = step else { return true }
    return locator.matches(component.locator) || (component.unknownPlace.map { locator.matches($0) } ?? false)
  }

  /// Returns the components that a step stands for in paths that the selector matches.
  mutating func components(of step: Int, in selector: ElementSelector, _ nodes: [Int32]) -> [ElementPaths.Node] {
    var patterns: [[Bool]?] = []
    for step in selector.steps {
      if case .component(let pattern, _) = step { patterns.append(classes(of: pattern)) } else { patterns.append(nil) }
    }
    var result: [ElementPaths.Node] = []
    for node in nodes where steps > 0 {
      // Which positions are reached before each component, from the innermost one outwards.
      var mask = closed(1 << UInt64(selector.steps.count), patterns)
      for place in paths.chain(of: node) {
        steps -= 1
        let component = paths.nodes[Int(place)]
        var next: UInt64 = 0
        for bit in 1...selector.steps.count where mask & (1 << UInt64(bit)) != 0 {
          if let classes = patterns[bit - 1] {
            guard classes[Int(component.className)], accepts(selector.steps[bit - 1], component) else { continue }
            next |= 1 << UInt64(bit - 1)
            // The steps before it must be matched from its superview on.
            if bit - 1 == step {
              let outer =
                step == 0
                ? (!selector.isAnchored || component.parent < 0 ? 0 : 1)
                : least(of: selector, patterns, from: component.parent, at: step).least
              if outer == 0 { result.append(component) }
            }
          } else {
            next |= 1 << UInt64(bit)
          }
        }
        mask = closed(next, patterns)
        if mask == 0 { break }
      }
    }
    return result
  }
}
