import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// Reads a selector and checks that it is printed as it was parsed, and matches what the grammar defines.
func readSelector(_ input: [UInt8]) -> CInt {
  let text = String(decoding: input, as: UTF8.self)
  if let relative = try? RelativeSelector(parsing: text) {
    precondition((try? RelativeSelector(parsing: relative.description)) == relative, "a written way is read as it was")
  }
  readPageSelectors(text)
  guard let selector = parse(text) else { return 0 }
  precondition(parse(selector.description) == selector, "reading a written selector gives the same: \(selector)")

  let canonical = selector.canonical
  precondition(canonical.canonical == canonical, "the canonical form of a canonical form is another one: \(canonical)")
  precondition(parse(canonical.description) == canonical, "reading a written selector gives the same: \(canonical)")

  let matcher = SelectorMatcher(selector)
  let canonicalMatcher = SelectorMatcher(canonical)
  for path in paths {
    let isMatch = matcher.matches(path)
    precondition(isMatch == canonicalMatcher.matches(path), "\(canonical) means something else")
    precondition(isMatch == matches(selector, path), "\(selector) matches or not: \(path.written(.slashes))")
    precondition(isMatch == matches(canonical, path), "\(canonical) matches or not: \(path.written(.slashes))")
  }
  return 0
}

/// Reads selectors of web pages in CSS syntax.
private func readPageSelectors(_ text: String) {
  do throws(SelectorError) {
    for selector in try ElementSelector.css(parsing: text) {
      let canonical = selector.canonical
      for one in [selector, canonical] {
        precondition(
          (try? ElementSelector.css(parsing: one.description)) == [one],
          "reading a written selector gives the same: \(one)")
      }
      precondition(
        canonical.canonical == canonical, "the canonical form of a canonical form is another one: \(canonical)")
      let (matcher, canonicalMatcher) = (SelectorMatcher(selector), SelectorMatcher(canonical))
      for path in pagePaths {
        let isMatch = matcher.matches(path)
        precondition(isMatch == canonicalMatcher.matches(path), "\(canonical) means something else")
        precondition(isMatch == matches(selector, path), "\(selector) matches or not")
      }
    }
  } catch {
    precondition((0...text.utf8.count).contains(error.offset), "the place is in the text")
    precondition(!error.diagnostic.description.isEmpty && !error.message.isEmpty)
  }
}

private func page(
  _ tag: String, id: String? = nil, classes: [String] = [], attributes: [UTF8String: String] = [:], place: Int
) -> PathComponent {
  var facts = WebFacts(tag: tag)
  (facts.id, facts.classes, facts.attributes) = (id, classes, attributes)
  (facts.nthChild, facts.nthOfType) = (place, place)
  return PathComponent(tag, texts: ComponentTexts(facts))
}

private let pagePaths: [ElementPath] = [
  ElementPath([page("a", place: 1)]),
  ElementPath([
    page("a", id: "a", place: 1), page("b", classes: ["a", "b"], attributes: ["a": "b"], place: 2), page("a", place: 1),
    page("a", classes: ["a"], attributes: ["a": ""], place: 2),
  ]),
  ElementPath([
    page("body", place: 2), page("ul", id: "goods", place: 1), page("li", classes: ["row"], place: 3),
    page("button", classes: ["add"], attributes: ["data-a": "x"], place: 2),
  ]),
]

private func matches(_ test: ElementSelector.PageTest, _ facts: WebFacts) -> Bool {
  switch test {
  case .id(let id): facts.id.map { Array($0.utf8) == Array(id.text.utf8) } ?? false
  case .hasClass(let name): (facts.classes ?? []).contains { Array($0.utf8) == Array(name.text.utf8) }
  case .hasAttribute(let name): facts.attributes.keys.contains(name)
  case .attribute(let name, let value):
    facts.attributes.contains { $0.key == name && Array($0.value.utf8) == Array(value.text.utf8) }
  case .nthOfType(let number): facts.nthOfType == number
  case .nthChild(let number): facts.nthChild == number
  }
}

private func parse(_ text: String) -> ElementSelector? {
  do throws(SelectorError) {
    let syntax = try SelectorSyntax(parsing: text)
    let selector = syntax.selector
    precondition(!selector.steps.isEmpty && selector.steps.count == syntax.stepSpans.count)
    var end = 0
    for span in syntax.stepSpans {
      precondition(span.lowerBound >= end && !span.isEmpty && span.upperBound <= text.utf8.count, "steps have places")
      end = span.upperBound
    }
    return selector
  } catch {
    precondition((0...text.utf8.count).contains(error.offset), "the place is in the text")
    precondition(!error.diagnostic.description.isEmpty && !error.message.isEmpty)
    return nil
  }
}

private let paths: [ElementPath] = [
  ElementPath([PathComponent("UIWindow", .index(0))]),
  ElementPath([PathComponent("A"), PathComponent("A", .index(1)), PathComponent("A")]),
  ElementPath([
    PathComponent("UIWindow", .index(0)), PathComponent("UIView", .index(0)), PathComponent("UITableView", .index(0)),
    PathComponent("ProductCell", .row(section: 0, row: 7)), PathComponent("UIButton", .index(1)),
  ]),
  ElementPath([
    PathComponent("UIWindow", .index(0)), PathComponent("UICollectionView", .index(2)),
    PathComponent("Cell", .item(section: 1, item: 3)), PathComponent("a/b(c) 'd'", .index(0)),
  ]),
  ElementPath([
    PathComponent("UIScrollView", .index(0)), PathComponent("FeedView", .position(x: 1, y: -1)),
    PathComponent("UINavigationBar", .index(0)), PathComponent("_UIButtonBarButton"), PathComponent("aba"),
  ]),
]

// MARK: - The meaning of selectors, from the grammar

/// Returns whether a selector matches a path, by the numbers of components that its first steps can match.
private func matches(_ selector: ElementSelector, _ path: ElementPath) -> Bool {
  let components = path.components
  // matched[n]: the steps so far can match exactly the first n components.
  var matched = (0...components.count).map { $0 == 0 || !selector.isAnchored }
  for step in selector.steps {
    switch step {
    case .recursiveWildcard:
      for n in 1...components.count where matched[n - 1] { matched[n] = true }
    case .component(let pattern, let locator):
      for n in (1...components.count).reversed() {
        let component = components[n - 1]
        matched[n] =
          matched[n - 1] && matches(pattern, component.className)
          && locator.map { locator in
            guard case .conditions(let tests) = locator else { return matches(locator, component.locator) }
            return component.texts?.web.map { facts in tests.allSatisfy { matches($0, facts) } } ?? false
          } ?? true
      }
      matched[0] = false
    }
  }
  return matched[components.count]
}

private func matches(_ pattern: ElementSelector.LocatorPattern, _ locator: Locator) -> Bool {
  switch (pattern, locator) {
  case (.none, .none): true
  case (.texts(let tests), .none): tests.allSatisfy { $0.text.text.isEmpty }
  case (.index(let test), .index(let index)): matches(test, index)
  case (.fields(let tests), .row), (.fields(let tests), .item), (.fields(let tests), .position):
    tests.allSatisfy { test in
      locator.fields.contains { $0.name == test.field.rawValue && matches(test.test, $0.value) }
    }
  default: false
  }
}

private func matches(_ test: ElementSelector.NumberTest, _ number: Int) -> Bool {
  switch test {
  case .any: true
  case .range(let lower, let upper): (lower ?? .min) <= number && number <= (upper ?? .max)
  case .oneOf(let numbers): numbers.contains(number)
  }
}

private func matches(_ pattern: ElementSelector.ClassPattern, _ name: String) -> Bool {
  switch pattern {
  case .any: true
  case .name(let wanted): wanted == UTF8String(name)
  case .kindOf(let base): ClassHierarchy.builtIn.isClass(name, kindOf: base.text)
  case .glob(let glob):
    matches(Array(glob.text.utf8), Array(name.utf8))
  }
}

/// Returns whether a glob matches a text, in the same way.
private func matches(_ glob: [UInt8], _ text: [UInt8]) -> Bool {
  var matched = (0...text.count).map { $0 == 0 }
  for byte in glob {
    if byte == UInt8(ascii: "*") {
      for n in 0..<text.count where matched[n] { matched[n + 1] = true }
    } else {
      for n in (0..<text.count).reversed() { matched[n + 1] = matched[n] && text[n] == byte }
      matched[0] = false
    }
  }
  return matched[text.count]
}
