import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

extension SelectorLoosener {
  /// A change of a selector. Most changes do not help, so the selector is copied and the reason worded only for a change that does.
  struct Change {
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
    /// This is true if other changes may be just as good, so that the changed selector is not offered as a correction.
    var isVague = false
    /// This is true if another number, or none, takes the place of a number.
    var changesNumber = false
    let reason: () -> String

    /// Calls `body` with the changed selector. The change is made in place and undone afterwards.
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

  /// Returns the changes of one thing, the likeliest mistakes first.
  mutating func changes(
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

  /// Returns the selector with classes that no path has replaced by the nearest known ones; nil if there is no such replacement.
  mutating func withKnownClasses(_ selector: ElementSelector) -> Correction? {
    var result = selector
    var reasons: [String] = []
    for (i, step) in selector.steps.enumerated() {
      guard case .component(let pattern, let locator) = step else { continue }
      switch pattern {
      case .name(let name) where !known.contains(name) && subclass(of: name) == nil:
        guard let near = nearest.respelling(of: name) else { continue }
        result.steps[i] = .component(.name(UTF8String(near)), locator)
        reasons.append("there is no \(name), but \(near)")
      case .kindOf(let name) where !known.contains(name) && subclass(of: name) == nil:
        guard let near = nearest.respelling(of: name) else { continue }
        result.steps[i] = .component(.kindOf(UTF8String(near)), locator)
        reasons.append("there is no \(name), but \(near)")
      default: continue
      }
    }
    return reasons.isEmpty ? nil : Correction(selector: result, reason: reasons.joined(separator: "; "))
  }

  /// Returns the number of steps that no element matches, as no path has their classes or subclasses of them.
  mutating func impossibleSteps(of selector: ElementSelector) -> Int {
    var count = 0
    for case .component(let pattern, _) in selector.steps {
      switch pattern {
      case .name(let name), .kindOf(let name): if !known.contains(name), subclass(of: name) == nil { count += 1 }
      case .any, .glob: continue
      }
    }
    return count
  }

  /// Returns a class in the paths that is a subclass of `name`; nil if there is none.
  private mutating func subclass(of name: UTF8String) -> UTF8String? {
    if let known = subclasses[name] { return known }
    search.spend(known.count)
    let found = known.filter { $0 != name && hierarchy.isClass($0.text, kindOf: name.text) }.min()
    subclasses[name] = .some(found)
    return found
  }

  /// Returns a change that makes a class name match its subclasses, too.
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

  /// Returns changes that give a step a locator of another kind, or one with other numbers.
  private mutating func locatorChanges(
    of selector: ElementSelector, _ i: Int, _ reading: (ElementSelector) -> ElementSelector
  ) -> [Change] {
    guard case .component(let pattern, let locator?) = selector.steps[i] else { return [] }
    func with(_ locator: ElementSelector.LocatorPattern?) -> Change.Edit { .step(i, .component(pattern, locator)) }
    let kinds = otherKinds(of: locator).map { kind in
      let isRemoved = kind.pattern == nil || kind.pattern == ElementSelector.LocatorPattern.none
      return Change(edit: with(kind.pattern), changesNumber: isRemoved) { "\(pattern) \(kind.reason)" }
    }
    var anyLocator = selector
    anyLocator.steps[i] = .component(pattern, nil)
    let free = reading(anyLocator)
    let found = search.find(free, isTrial: true)
    // If no path matches with any locator, something else is wrong, too. Another kind of locator may still help.
    guard !found.nodes.isEmpty else { return kinds }
    var locators: [Locator] = []
    var seenLocators: Set<Locator> = []
    for component in search.components(of: i, in: free, found.nodes)
    where seenLocators.insert(component.locator).inserted {
      locators.append(component.locator)
    }
    let numbers = otherNumbers(than: locator, among: locators).map { other, reason, isVague in
      Change(edit: with(other), isVague: isVague, changesNumber: true) { "\(reason) of \(pattern)" }
    }
    let any = Change(edit: with(nil), isVague: true) {
      let seen = locators.prefix(4).map { "\(pattern)\($0.written)" }.joined(separator: ", ")
      return "there is no \(selector.steps[i]) there, but \(seen)"
    }
    // A locator of the right kind has only wrong numbers.
    let hasRightKind = Self.withoutNumbers(locator).map { kind in locators.contains { kind.matches($0) } } ?? false
    return (hasRightKind ? [] : kinds) + numbers + [any]
  }

  /// Returns the pattern of all locators of the same kind; nil if a pattern has no numbers.
  private static func withoutNumbers(_ locator: ElementSelector.LocatorPattern) -> ElementSelector.LocatorPattern? {
    switch locator {
    case .index: .index(.any)
    case .fields(let tests): .fields(tests.map { ElementSelector.FieldTest($0.field, .any) })
    case .none, .texts, .conditions: nil
    }
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

  /// Returns the pattern with one number changed to the number that occurs, or freed if several numbers occur.
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
        // The other fields must match the pattern.
        var rest = tests
        rest[i].test = .any
        let numbers = locators.filter { ElementSelector.LocatorPattern.fields(rest).matches($0) }.compactMap {
          locator in
          locator.fields.first { $0.name.hasSameBytes(as: field.rawValue) }?.value
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
    // An author who counts from 1 asks for one more than the last number.
    if case .range(let lower?, let upper?) = test, lower == upper, let last = numbers.last, lower == last + 1 {
      return (.exactly(last), "\(last) is the last \(name), counted from 0,", false)
    }
    let shown = NameList.shortened(numbers.map { "\($0)" }, atMost: 5)
    return (.any, "there are only the \(name) numbers \(shown)", true)
  }

  /// Returns changes that allow for views between two steps, or above the first step.
  func gapChanges(of selector: ElementSelector) -> [Change] {
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

  /// Returns changes that remove a step.
  func removals(of selector: ElementSelector) -> [Change] {
    var result: [Change] = []
    let steps = selector.steps
    for i in steps.indices where steps.count > 1 && steps[i] != .recursiveWildcard {
      guard steps.indices.contains(where: { $0 != i && steps[$0] != .recursiveWildcard }) else { continue }
      // Without its last step the selector would name another element.
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
