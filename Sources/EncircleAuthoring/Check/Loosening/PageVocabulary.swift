import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// The tags, ids, classes and attributes in captures of web pages.
///
/// They are compared with the selectors that match nothing, after the captures are gone.
package struct PageVocabulary: Sendable {
  // More names than any site has. With more, no reasons are given.
  private static let maximumNames = 100_000
  // Longer values of attributes are not kept.
  private static let longestValue = 200
  // A selector with more unknown names is not mistyped; it is meant for another page.
  private static let maximumReasons = 3

  private var tags: Set<UTF8String> = []
  // The tests that elements pass, without their places.
  private var tests: Set<ElementSelector.PageTest> = []
  // The number of unknown names for which a similar one is still sought, because each search goes through all names.
  private var searches = 200

  /// Creates an empty vocabulary.
  package init() {}

  /// Adds the names of a capture's elements.
  ///
  /// - Complexity: O(length of the names).
  package mutating func add(_ screen: IdentifiedTree) {
    for element in screen.tree.elements where tests.count < Self.maximumNames {
      tags.insert(UTF8String(screen.tree.className(of: element)))
      for (name, value) in screen.tree.attributes(of: element) {
        tests.insert(.hasAttribute(UTF8String(name)))
        if value.utf8.count <= Self.longestValue { tests.insert(.attribute(UTF8String(name), UTF8String(value))) }
        if name.hasSameBytes(as: "id") { tests.insert(.id(UTF8String(value))) }
        guard name.hasSameBytes(as: "class") else { continue }
        for word in value.utf8.split(whereSeparator: isWhiteSpace) {
          tests.insert(.hasClass(UTF8String(String(Substring(word)))))
        }
      }
    }
  }

  /// Returns the reason why a selector matches nothing: the names that no element has, each with the most similar one; nil if
  /// elements have all names, or too few of them.
  ///
  /// - Complexity: O(names × length²) for each of a few names.
  package mutating func reason(_ selector: ElementSelector) -> String? {
    guard tests.count < Self.maximumNames else { return nil }
    var reasons: [String] = []
    for case .component(let pattern, let locator) in selector.steps {
      if case .name(let tag) = pattern, !tags.contains(tag) {
        reasons.append(reason(tag.text, among: tags.map(\.text)))
      }
      guard case .conditions(let asked)? = locator else { continue }
      for test in asked where isKept(test) && !tests.contains(test) {
        reasons.append(reason(test.description, among: tests.filter { isLike($0, test) }.map(\.description)))
      }
    }
    return (1...Self.maximumReasons).contains(reasons.count) ? reasons.joined(separator: "; ") : nil
  }

  private mutating func reason(_ name: String, among known: [String]) -> String {
    searches -= 1
    let near = searches >= 0 ? Diagnostic.nearest(to: name, among: known.sorted()) : nil
    return "there is no \(name)" + (near.map { ", but \($0)" } ?? "")
  }

  /// Returns whether the vocabulary has a test if an element passes it.
  private func isKept(_ test: ElementSelector.PageTest) -> Bool {
    switch test {
    case .nthOfType, .nthChild: false
    case .id, .hasClass, .hasAttribute: true
    case .attribute(_, let value): value.text.utf8.count <= Self.longestValue
    }
  }

  /// Returns whether a test may have been meant in place of another one.
  private func isLike(_ known: ElementSelector.PageTest, _ test: ElementSelector.PageTest) -> Bool {
    switch (known, test) {
    case (.id, .id), (.hasClass, .hasClass), (.hasAttribute, .hasAttribute): true
    case (.attribute(let name, _), .attribute(let other, _)): name == other
    default: false
    }
  }
}
