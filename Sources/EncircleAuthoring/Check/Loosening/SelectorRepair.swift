import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// Why a selector matches nothing, and what it may have been meant to be.
package struct SelectorRepair: Sendable {
  /// The reason, or several, as sentences without a full stop; empty if none was found.
  package var reasons: [String]
  /// The selector that matches something; nil if none was found.
  package var selector: ElementSelector?
  /// The number of elements that it matches.
  package var count = 0
  /// One of them, in words.
  package var example: String?
  /// The longest end of the selector that matches an element; nil if not even the last step does.
  package var matchingEnd: ElementSelector?
  /// An element that it matches, in words.
  package var endExample: String?

  /// The reasons in one sentence; nil if there are none.
  package var sentence: String? { reasons.isEmpty ? nil : reasons.joined(separator: "; ") }
}

/// Finds out why selectors match nothing, by changing one thing at a time.
package struct SelectorLoosener {
  private(set) var search: PathSearch
  private let hierarchy: ClassHierarchy
  private let known: Set<UTF8String>
  private var nearest: NearestNames
  // A subclass of each class that was asked for.
  private var subclasses: [UTF8String: UTF8String?] = [:]
  // The work that is left for all selectors, and the most for one of them, in components that are visited.
  private static let mostSteps = 50_000_000
  private static let mostOfOne = 3_000_000
  // More things that are wrong at once are no mistake, but another screen.
  private static let mostChanges = 3

  /// Prepares a search.
  ///
  /// - Parameter paths: The paths of the elements that selectors are to match.
  package init(_ paths: ElementPaths, hierarchy: ClassHierarchy) {
    search = PathSearch(paths, hierarchy: hierarchy, steps: Self.mostSteps)
    self.hierarchy = hierarchy
    known = Set(paths.classes)
    nearest = NearestNames(among: known, isComplete: true)
  }

  /// Returns the classes that a selector names and no path has, each with the classes that are most like it, at most three.
  ///
  /// - Complexity: O(classes × length²) for each of a few classes.
  package func unknownClasses(of selector: ElementSelector) -> [(name: String, near: [String])] {
    var result: [(name: String, near: [String])] = []
    for case .component(let pattern, _) in selector.steps where result.count < 3 {
      guard case .name(let name) = pattern, !known.contains(name) else { continue }
      let word = name.text.lowercased()
      func contains(_ other: String) -> Bool {
        let other = other.lowercased()
        return word.utf8.count > 2
          && (other.containsBytes(of: word) || (other.utf8.count > 4 && word.containsBytes(of: other)))
      }
      var near = search.paths.classes.map(\.text).filter(contains).sorted { $0.utf8.count < $1.utf8.count }
      if let first = Diagnostic.nearest(to: name.text, among: known.sorted().map(\.text)) {
        near = [first] + near.filter { !$0.utf8.elementsEqual(first.utf8) }
      }
      result.append((name.text, Array(near.prefix(3))))
    }
    return result
  }

  /// A change of a selector. There are many, most of which do not help: only for one that does is the selector copied, and the reason
  /// put into words.
  private struct Change {
    enum Edit {
      /// Replaces a step.
      case step(Int, ElementSelector.Step)
      /// Inserts `**` before a step.
      case gap(before: Int)
      /// Removes a step.
      case removal(Int)
      /// Removes the anchor.
      case anchor
    }

    let edit: Edit
    /// Whether there may be others as good, so that the change is not a correction.
    var isVague = false
    let reason: () -> String

    /// Calls `body` with the changed selector, which is changed in place.
    func trying<R>(on selector: inout ElementSelector, _ body: (ElementSelector) -> R) -> R {
      switch edit {
      case .step(let i, var step):
        swap(&selector.steps[i], &step)
        defer { selector.steps[i] = step }
        return body(selector)
      case .gap(let i):
        selector.steps.insert(.recursiveWildcard, at: i)
        defer { selector.steps.remove(at: i) }
        return body(selector)
      case .removal(let i):
        let step = selector.steps.remove(at: i)
        defer { selector.steps.insert(step, at: i) }
        return body(selector)
      case .anchor:
        selector.isAnchored = false
        defer { selector.isAnchored = true }
        return body(selector)
      }
    }
  }

  /// A selector that is better than the one before it, and why.
  private struct Correction {
    let selector: ElementSelector
    let reason: String
    var isVague = false
  }

  /// Returns why a selector matches nothing.
  ///
  /// - Parameters:
  ///   - reading: Returns the selector as it is tried, such as with any row.
  ///   - isWanted: Returns whether a page is one that is asked for.
  /// - Complexity: bounded, whatever the selector and the paths.
  package mutating func repair(
    _ selector: ElementSelector, reading: (ElementSelector) -> ElementSelector = { $0 },
    isWanted: (UTF8String?) -> Bool = { _ in true }
  ) -> SelectorRepair {
    var result = SelectorRepair(reasons: [])
    guard selector.steps.count <= PathSearch.mostSteps, search.steps > 0 else { return result }
    let end = search.steps - Self.mostOfOne
    func isSpent() -> Bool { search.steps < max(0, end) }
    func score(_ selector: ElementSelector, _ reach: Int) -> Int {
      selector.steps.suffix(reach).count { $0 != .recursiveWildcard }
    }
    let first = search.find(reading(selector), isTrial: true)
    if first.reach > 0, first.reach < selector.steps.count {
      result.matchingEnd = ElementSelector(isAnchored: false, steps: Array(selector.steps.suffix(first.reach)))
      result.endExample = first.nearest.map { search.paths.text(of: $0) }
    }
    // What no path can have is changed first.
    var current = selector
    if let plain = withOtherSigns(current) {
      current = plain.selector
      result.reasons.append(plain.reason)
    }
    if let spelt = withKnownClasses(current) {
      current = spelt.selector
      result.reasons.append(spelt.reason)
    }
    var isVague = false
    var reach = score(current, search.find(reading(current), isTrial: true).reach)
    while !isSpent() {
      if !result.reasons.isEmpty {
        let found = search.find(reading(current))
        if !found.nodes.isEmpty {
          result.count = found.count
          let node = found.nodes.first { search.paths.pages(of: $0).contains(where: isWanted) } ?? found.nodes[0]
          result.example = search.paths.text(of: node)
          if !isVague { result.selector = current }
          return result
        }
      }
      // Each change is of one step.
      guard result.reasons.count + max(1, impossibleSteps(of: current)) <= Self.mostChanges else { break }
      var best: (correction: Correction, score: Int)?
      var matching: Correction?
      func look(_ changes: [Change], of base: ElementSelector, besides gap: Change? = nil) {
        var base = base
        for change in changes where !isSpent() {
          let isOnWantedPage = change.trying(on: &base) { selector in
            func correction() -> Correction {
              let reason = change.reason() + (gap.map { "; \($0.reason())" } ?? "")
              return Correction(selector: selector, reason: reason, isVague: change.isVague)
            }
            let tried = search.find(reading(selector), isTrial: true)
            if tried.nodes.isEmpty {
              let score = score(selector, tried.reach)
              if score > max(reach, best?.score ?? 0) { best = (correction(), score) }
              return false
            }
            let isOnWantedPage = tried.nodes.contains { search.paths.pages(of: $0).contains(where: isWanted) }
            if isOnWantedPage || matching == nil { matching = correction() }
            return isOnWantedPage
          }
          if isOnWantedPage { return }
        }
      }
      look(changes(of: current, reading), of: current)
      if matching == nil, best == nil {
        // A view in between may be left out besides.
        for gap in gapChanges(of: current) where matching == nil && !isSpent() {
          let wider = gap.trying(on: &current) { $0 }
          look(changes(of: wider, reading).filter { !$0.isVague }, of: wider, besides: gap)
        }
      }
      if matching == nil, best == nil { look(removals(of: current), of: current) }
      guard let correction = matching ?? best?.correction else { break }
      current = correction.selector
      isVague = isVague || correction.isVague
      result.reasons.append(correction.reason)
      reach = best?.score ?? reach
    }
    // Half a repair explains nothing.
    result.reasons = []
    return result
  }

  // MARK: - Signs

  /// Returns the selector without full-width signs, brackets and underscores of other styles; nil if it has none.
  private func withOtherSigns(_ selector: ElementSelector) -> Correction? {
    var steps: [ElementSelector.Step] = []
    var reasons: [String] = []
    for step in selector.steps {
      guard case .component(.name(let name), let locator) = step, !known.contains(name) else {
        steps.append(step)
        continue
      }
      if let (read, reason) = Self.otherSigns(name.text, locator, known) {
        steps += read
        if !reasons.contains(reason) { reasons.append(reason) }
      } else {
        steps.append(step)
      }
    }
    guard !reasons.isEmpty else { return nil }
    return Correction(
      selector: ElementSelector(isAnchored: selector.isAnchored, steps: steps),
      reason: reasons.joined(separator: "; "))
  }

  private static func otherSigns(
    _ name: String, _ locator: ElementSelector.LocatorPattern?, _ known: Set<UTF8String>
  ) -> ([ElementSelector.Step], String)? {
    if locator == nil, TextVariants.hasWideSigns(name),
      let plain = try? ElementSelector(parsing: TextVariants.plain(name)), plain.steps.count == 1
    {
      return (plain.steps, "\(name) has full-width signs")
    }
    if locator == nil, let step = bracketed(name) {
      return ([step], "the style hubbledata has no brackets as in \(name)")
    }
    if let parts = split(name, known) {
      var steps = parts.map { ElementSelector.Step.component(.name(UTF8String($0)), nil) }
      if let locator, let last = parts.last { steps[steps.count - 1] = .component(.name(UTF8String(last)), locator) }
      return (steps, "steps of selectors are joined by / rather than _")
    }
    return nil
  }

  /// Reads `Class[3]` and `Class[0][3]`; nil for anything else.
  private static func bracketed(_ name: String) -> ElementSelector.Step? {
    let bytes = Array(name.utf8)
    guard let open = bytes.firstIndex(of: UInt8(ascii: "[")), open > 0, bytes.last == UInt8(ascii: "]") else {
      return nil
    }
    let inner = String(decoding: bytes[(open + 1)..<(bytes.count - 1)], as: UTF8.self)
    let parts = inner.utf8.split(separator: UInt8(ascii: "]"), omittingEmptySubsequences: false).enumerated().map {
      $0 == 0 ? String(Substring($1)) : String(Substring($1.dropFirst()))
    }
    let tests = parts.map { part -> ElementSelector.NumberTest? in
      part.utf8.elementsEqual("-".utf8) || part.utf8.elementsEqual("*".utf8) ? .any : Int(part).map { .exactly($0) }
    }
    let pattern = ElementSelector.ClassPattern.name(UTF8String(String(decoding: bytes[..<open], as: UTF8.self)))
    guard !tests.contains(where: { $0 == nil }) else { return nil }
    let numbers = tests.compactMap { $0 }
    switch numbers.count {
    case 1: return .component(pattern, .index(numbers[0]))
    case 2:
      return .component(
        pattern,
        .fields([ElementSelector.FieldTest(.section, numbers[0]), ElementSelector.FieldTest(.row, numbers[1])]))
    default: return nil
    }
  }

  /// Returns the known classes that a name with `_` between them is made of; nil if it is not.
  private static func split(_ name: String, _ known: Set<UTF8String>) -> [String]? {
    let parts = Array(name.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false))
    guard parts.count > 1, parts.count <= 64 else { return nil }
    func text(_ range: Range<Int>) -> String {
      parts[range].map { String(Substring($0)) }.joined(separator: "_")
    }
    // The beginning of the class that ends before each part, along the way with the fewest classes.
    var last: [Int?] = [0] + Array(repeating: nil, count: parts.count)
    for end in 1...parts.count {
      for start in 0..<end where last[start] != nil && known.contains(UTF8String(text(start..<end))) {
        last[end] = start
        break
      }
    }
    guard last[parts.count] != nil else { return nil }
    var result: [String] = []
    var end = parts.count
    while end > 0, let start = last[end] {
      result.insert(text(start..<end), at: 0)
      end = start
    }
    return result.count > 1 ? result : nil
  }

  // MARK: - Changes

  /// Returns the changes of one thing, the likeliest mistakes first.
  private mutating func changes(
    of selector: ElementSelector, _ reading: (ElementSelector) -> ElementSelector
  ) -> [Change] {
    var result: [Change] = []
    // A class that occurs itself is less likely to be meant with its subclasses.
    for i in selector.steps.indices { result += classChanges(of: selector, i, occurs: false) }
    for i in selector.steps.indices { result += locatorChanges(of: selector, i, reading) }
    result += gapChanges(of: selector)
    for i in selector.steps.indices { result += classChanges(of: selector, i, occurs: true) }
    return result
  }

  /// Returns the selector with the nearest classes in place of those that no path has; nil if there are none.
  private mutating func withKnownClasses(_ selector: ElementSelector) -> Correction? {
    var result = selector
    var reasons: [String] = []
    for (i, step) in selector.steps.enumerated() {
      guard case .component(let pattern, let locator) = step else { continue }
      switch pattern {
      case .name(let name) where !known.contains(name) && subclass(of: name) == nil:
        guard let near = nearest.nearest(to: name) else { continue }
        result.steps[i] = .component(.name(UTF8String(near)), locator)
        reasons.append("there is no \(name), but \(near)")
      case .kindOf(let name) where !known.contains(name) && subclass(of: name) == nil:
        guard let near = nearest.nearest(to: name) else { continue }
        result.steps[i] = .component(.kindOf(UTF8String(near)), locator)
        reasons.append("there is no \(name), but \(near)")
      default: continue
      }
    }
    return reasons.isEmpty ? nil : Correction(selector: result, reason: reasons.joined(separator: "; "))
  }

  /// Returns the number of steps that no element matches, as no path has their classes or subclasses of them.
  private mutating func impossibleSteps(of selector: ElementSelector) -> Int {
    var count = 0
    for case .component(let pattern, _) in selector.steps {
      switch pattern {
      case .name(let name), .kindOf(let name): if !known.contains(name), subclass(of: name) == nil { count += 1 }
      case .any, .glob: continue
      }
    }
    return count
  }

  /// Returns a class of the paths that is a subclass of a class; nil if there is none.
  private mutating func subclass(of name: UTF8String) -> UTF8String? {
    if let known = subclasses[name] { return known }
    search.spend(known.count)
    let found = known.filter { $0 != name && hierarchy.isClass($0.text, kindOf: name.text) }.min()
    subclasses[name] = .some(found)
    return found
  }

  /// A class that stands for its subclasses.
  private mutating func classChanges(of selector: ElementSelector, _ i: Int, occurs: Bool) -> [Change] {
    guard case .component(.name(let name), let locator) = selector.steps[i], known.contains(name) == occurs,
      let sub = subclass(of: name)
    else { return [] }
    return [
      Change(edit: .step(i, .component(.kindOf(name), locator))) {
        "\(name) alone does not stand for its subclasses, such as \(sub), as :\(name) does"
      }
    ]
  }

  /// A locator of another kind, or with other numbers.
  private mutating func locatorChanges(
    of selector: ElementSelector, _ i: Int, _ reading: (ElementSelector) -> ElementSelector
  ) -> [Change] {
    guard case .component(let pattern, let locator?) = selector.steps[i] else { return [] }
    func with(_ locator: ElementSelector.LocatorPattern?) -> Change.Edit { .step(i, .component(pattern, locator)) }
    let kinds = otherKinds(of: locator).map { kind in
      Change(edit: with(kind.pattern)) { "\(pattern) \(kind.reason)" }
    }
    var anyLocator = selector
    anyLocator.steps[i] = .component(pattern, nil)
    let free = reading(anyLocator)
    let found = search.find(free, isTrial: true)
    // Other things may be wrong besides, but further in the step may still help.
    guard !found.nodes.isEmpty else { return kinds }
    var locators: [Locator] = []
    var seenLocators: Set<Locator> = []
    for component in search.components(of: i, in: free, found.nodes)
    where seenLocators.insert(component.locator).inserted {
      locators.append(component.locator)
    }
    let numbers = otherNumbers(than: locator, among: locators).map { other, reason, isVague in
      Change(edit: with(other), isVague: isVague) { "\(reason) of \(pattern)" }
    }
    let any = Change(edit: with(nil), isVague: true) {
      let seen = locators.prefix(4).map { "\(pattern)\($0.written)" }.joined(separator: ", ")
      return "there is no \(selector.steps[i]) there, but \(seen)"
    }
    return kinds + numbers + [any]
  }

  /// Returns locators of other kinds that may have been meant.
  private func otherKinds(
    of locator: ElementSelector.LocatorPattern
  ) -> [(pattern: ElementSelector.LocatorPattern?, reason: String)] {
    typealias Field = ElementSelector.FieldTest
    switch locator {
    case .index(let test):
      return [
        (.fields([Field(.section, .exactly(0)), Field(.row, test)]), "has a section and a row rather than an index"),
        (
          .fields([Field(.section, .exactly(0)), Field(.item, test)]), "has a section and an item rather than an index"
        ),
        (.fields([Field(.section, .any), Field(.row, test)]), "has a section and a row rather than an index"),
        (.fields([Field(.section, .any), Field(.item, test)]), "has a section and an item rather than an index"),
        (ElementSelector.LocatorPattern.none, "has no locator"),
      ]
    case .fields(let tests):
      var result: [(ElementSelector.LocatorPattern?, String)] = []
      func renamed(_ old: ElementSelector.Field, _ new: ElementSelector.Field) -> ElementSelector.LocatorPattern {
        .fields(tests.map { Field($0.field == old ? new : $0.field, $0.test) })
      }
      if tests.contains(where: { $0.field == .row }) {
        result.append((renamed(.row, .item), "has an item rather than a row"))
      }
      if tests.contains(where: { $0.field == .item }) {
        result.append((renamed(.item, .row), "has a row rather than an item"))
      }
      if let last = tests.last(where: { $0.field == .row || $0.field == .item }) {
        result.append((.index(last.test), "has an index rather than a section and a row"))
      }
      result.append((ElementSelector.LocatorPattern.none, "has no locator"))
      return result
    case .conditions: return [(nil, "has other names or another place")]
    case .texts: return [(nil, "has other texts"), (ElementSelector.LocatorPattern.none, "has other texts")]
    case .none: return []
    }
  }

  /// Returns the pattern with one number changed to the one that occurs, or freed if several do.
  private func otherNumbers(
    than locator: ElementSelector.LocatorPattern, among locators: [Locator]
  ) -> [(ElementSelector.LocatorPattern, String, Bool)] {
    switch locator {
    case .none, .texts, .conditions: return []
    case .index(let test):
      let numbers = locators.compactMap { if case .index(let number) = $0 { number } else { nil } }
      guard let (other, reason, isVague) = Self.other(test, numbers, "index") else { return [] }
      return [(.index(other), reason, isVague)]
    case .fields(let tests):
      return tests.indices.compactMap { i in
        let field = tests[i].field
        // The other fields must be as they are asked for.
        var rest = tests
        rest[i].test = .any
        let numbers = locators.filter { ElementSelector.LocatorPattern.fields(rest).matches($0) }.compactMap {
          locator in
          locator.fields.first { $0.name.utf8.elementsEqual(field.rawValue.utf8) }?.value
        }
        guard let (other, reason, isVague) = Self.other(tests[i].test, numbers, field.rawValue) else { return nil }
        var changed = tests
        changed[i].test = other
        return (.fields(changed), reason, isVague)
      }
    }
  }

  private static func other(
    _ test: ElementSelector.NumberTest, _ numbers: [Int], _ name: String
  ) -> (ElementSelector.NumberTest, String, Bool)? {
    let numbers = Set(numbers.filter { $0 != Locator.unknown }).sorted()
    guard let first = numbers.first, !numbers.contains(where: test.matches) else { return nil }
    if numbers.count == 1 { return (.exactly(first), "\(first) is the only \(name)", false) }
    // Authors who count from 1 are off by one at the end.
    if case .range(let lower?, let upper?) = test, lower == upper, let last = numbers.last, lower == last + 1 {
      return (.exactly(last), "\(last) is the last \(name), counted from 0,", false)
    }
    let shown = numbers.prefix(5).map { "\($0)" }.joined(separator: ", ") + (numbers.count > 5 ? ", …" : "")
    return (.any, "there are only the \(name) numbers \(shown)", true)
  }

  /// A step too many or too few.
  private func gapChanges(of selector: ElementSelector) -> [Change] {
    var result: [Change] = []
    let steps = selector.steps
    for i in steps.indices.dropFirst() where steps[i - 1] != .recursiveWildcard && steps[i] != .recursiveWildcard {
      result.append(
        Change(edit: .gap(before: i)) {
          "there are other views between \(steps[i - 1]) and \(steps[i]), which ** stands for"
        })
    }
    if selector.isAnchored {
      result.append(
        Change(edit: .anchor) { "\(steps[0]) is not the window, with which a path begins after /" })
    }
    return result
  }

  /// A step that is not there.
  private func removals(of selector: ElementSelector) -> [Change] {
    var result: [Change] = []
    let steps = selector.steps
    for i in steps.indices where steps.count > 1 && steps[i] != .recursiveWildcard {
      guard steps.indices.contains(where: { $0 != i && steps[$0] != .recursiveWildcard }) else { continue }
      // Without its last step the selector would be about another element.
      let isLast = i == steps.count - 1
      result.append(
        Change(edit: .removal(i), isVague: isLast) {
          if isLast {
            var shorter = selector
            shorter.steps.removeLast()
            return "there is no \(steps[i]) in \(shorter)"
          }
          return "there is no \(steps[i]) around \(ElementSelector(isAnchored: false, steps: Array(steps[(i + 1)...])))"
        })
    }
    return result
  }
}

extension Locator {
  /// The locator as paths write it.
  fileprivate var written: String {
    let fields = fields
    if fields.isEmpty { return "" }
    return "(" + fields.map { $0.name.isEmpty ? "\($0.value)" : "\($0.name):\($0.value)" }.joined(separator: " ") + ")"
  }
}
