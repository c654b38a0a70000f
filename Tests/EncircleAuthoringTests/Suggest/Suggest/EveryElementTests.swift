import EncircleAuthoring
import EncircleCapture
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import EncircleTree
import Foundation
import Testing

/// Suggestions for every trackable element of captures, checked with the tests' own reading of selectors.
@Suite struct EveryElementTests {
  /// The numbers of elements, by the kind of their first suggestion.
  struct Counts: CustomStringConvertible {
    var elements = 0
    var bySelector = 0
    var byPage = 0
    var byEvidence = 0
    var shared = 0

    var description: String {
      "\(elements) trackable elements: \(bySelector) by selector, \(byPage) with the page, \(byEvidence) with what else events "
        + "carry, \(shared) that no rule can tell from others"
    }

    static func += (a: inout Counts, b: Counts) {
      a.elements += b.elements
      a.bySelector += b.bySelector
      a.byPage += b.byPage
      a.byEvidence += b.byEvidence
      a.shared += b.shared
    }
  }

  /// The number of elements of a capture that are tried, so that the test stays fast in a debug build.
  private static func mostElements(_ screen: IdentifiedTree) -> Int {
    TestSize.scaled(screen.tree.count > 1000 ? 25 : 80)
  }

  @Test("the first suggestion is unique wherever a selector can be", arguments: PackageFolder.captureNames)
  func shipped(name: String) throws {
    let counts = try Self.check(try Screens.named(name), name)
    print("\(name), \(counts)")
    // The parts of one bar button for which no event is sent, and the capture that shows such elements.
    let shared = ["collisions.xml": 8, "product-page.xml": 2]
    #expect(counts.shared <= shared[name] ?? 0, "\(counts)")
  }

  @Test(
    "the first suggestion is unique in real dumps, too",
    .enabled(if: PackageFolder.shared != nil, "there is no folder with real dumps"))
  func dumps() throws {
    let folder = try #require(PackageFolder.shared).appendingPathComponent("dumps")
    let names = (FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []).sorted()
    var counts = Counts()
    var read = 0
    let captures = names.filter { name in [".xml", ".txt", ".uix"].contains { name.hasSuffix($0) } }
    for name in TestSize.part(captures, of: 0) {
      guard let tree = try? CaptureReader().read(contentsOf: folder.appendingPathComponent(name).path),
        tree.count >= 10
      else { continue }
      read += 1
      counts += try Self.check(IdentifiedTree(tree), name)
    }
    print("\(read) dumps, \(counts)")
    #expect(read >= (TestSize.isFull ? 100 : 33))
    #expect(counts.elements > TestSize.scaled(160))
  }

  private static func check(_ screen: IdentifiedTree, _ capture: String) throws -> Counts {
    let paths = screen.tree.elements.map { screen.path(of: $0) }
    let openPaths = screen.tree.elements.map { screen.pathWithUnknownRows(of: $0) }
    let contents = ElementContents(of: screen)
    let trackable = screen.tree.elements.filter { screen.trackingType(of: $0) != nil }
    let suggester = Suggester(screen)
    var counts = Counts()
    let step = max(1, trackable.count / mostElements(screen))
    for i in stride(from: 0, to: trackable.count, by: step) {
      let element = trackable[i]
      let place: Comment = "\(capture), element \(element)"
      let suggestions = suggester.suggestions(for: element)
      let first = try #require(suggestions.first, place)
      counts.elements += 1
      for suggestion in suggestions.prefix(2) {
        try check(suggestion, of: element, screen, (paths, openPaths), contents, place)
      }
      // Where the capture does not say the row, no selector can name it.
      let hasUnknownRow = screen.unknownPlace(around: element)
      if case .kind = first.uniqueness, !hasUnknownRow {
        #expect(suggestions.count >= 2 && suggestions[1].uniqueness == .element, place)
      }
      // A selector with the page can name the element alone if no other element has the same path and page.
      let twins = paths.indices.filter {
        paths[$0] == paths[element.index]
          && screen.page(of: ElementID($0)).map { UTF8String($0) } == screen.page(of: element).map { UTF8String($0) }
      }
      if twins.count == 1 {
        #expect(first.isUnique, place)
      }
      if !first.isUnique {
        counts.shared += 1
        #expect(twins.allSatisfy { first.elements.contains(ElementID($0)) }, place)
      } else if !first.evidence.isEmpty {
        counts.byEvidence += 1
      } else if first.needsPage {
        counts.byPage += 1
      } else {
        counts.bySelector += 1
      }
    }
    return counts
  }

  private static func check(
    _ suggestion: Suggestion, of element: ElementID, _ screen: IdentifiedTree,
    _ paths: (exact: [ElementPath], open: [ElementPath]),
    _ contents: ElementContents, _ place: Comment
  ) throws {
    let written = suggestion.selector.description
    #expect(try ElementSelector(parsing: written) == suggestion.selector, place)
    let selector = ReferenceSelector(written)
    let page = screen.page(of: element).map { UTF8String($0) }
    #expect(suggestion.page.map { UTF8String($0) } == page, place)
    var selected: [ElementID] = []
    // Elements of other classes cannot match, as the last step has the class.
    for other in screen.tree.elements
    where paths.exact[other.index].components.last?.className == screen.className(of: element) {
      guard selector.matches(paths.exact[other.index]) || selector.matches(paths.open[other.index]) else { continue }
      if suggestion.needsPage, screen.page(of: other).map({ UTF8String($0) }) != page { continue }
      let isSelected = suggestion.evidence.allSatisfy {
        switch $0 {
        case .content(let text): contents.content(of: other).map { UTF8String($0) } == text
        case .noContent: contents.content(of: other) == nil
        case .actions(let names):
          screen.isNavigationBarItem(other)
            && screen.tree.value(.actions, of: other)?.split(whereSeparator: \.isWhitespace).joined(separator: ",")
              == names.text
        case .alertTitle(let text): screen.alertTexts(of: other)?.title.map { UTF8String($0) } == text
        case .alertMessage(let text): screen.alertTexts(of: other)?.message.map { UTF8String($0) } == text
        case .eventID(let id): screen.eventID(of: other) == id
        case .developerID(let id): screen.tree.value(.identifier, of: other).map { UTF8String($0) } == id
        // Suggesters of places make none.
        case .within: false
        }
      }
      guard isSelected else { continue }
      selected.append(other)
    }
    #expect(selected == suggestion.elements, "\(place): \(written)")
    #expect(selected.contains(element), "\(place): \(written)")
    switch suggestion.uniqueness {
    case .element: #expect(selected == [element], "\(place): \(written)")
    case .kind(let count):
      #expect(count == selected.count, place)
      let kind = paths.open[element.index].withoutRows(.innermost)
      for other in selected {
        #expect(paths.open[other.index].withoutRows(.innermost) == kind, "\(place): \(written) selects \(other)")
      }
    case .shared(let count):
      let twins = selected.filter { paths.exact[$0.index] == paths.exact[element.index] }
      #expect(count > 1 && twins.count == count, "\(place): \(written)")
    }
  }

  @Test(
    "the rule of the first suggestion loads, and selects the event of the element and of nothing else that it should not",
    arguments: PackageFolder.captureNames)
  func rules(name: String) throws {
    let screen = try Screens.named(name)
    let suggester = Suggester(screen)
    let trackable = screen.tree.elements.filter { screen.trackingType(of: $0) != nil }
    let sent = ElementEvents(of: screen)
    let events = trackable.map { sent.event(of: $0) }
    let isTracked = Set(trackable)
    for i in stride(from: 0, to: trackable.count, by: max(1, trackable.count / TestSize.scaled(20))) {
      let first = try #require(suggester.suggestions(for: trackable[i]).first)
      let rule = SuggestedRule(first, for: trackable[i], in: screen)
      let set = try RuleFiles(text: rule.yaml, name: name + ".yaml").ruleSet()
      #expect(set.rules.count == 1)
      let matcher = Matcher(set)
      var decider = Decider(matcher)
      let selected = trackable.indices.filter { decider.decide(events[$0]).isSelected }.map {
        trackable[$0]
      }
      // The rule also has the page, so it leaves out rows of the same kind on other pages.
      let expected = first.elements.filter {
        isTracked.contains($0) && screen.page(of: $0).map { UTF8String($0) } == first.page.map { UTF8String($0) }
      }
      #expect(selected == expected, "\(name), element \(trackable[i]):\n\(rule.yaml)")
      #expect(selected.contains(trackable[i]))
    }
  }
}

extension IdentifiedTree {
  /// Returns `true` if an element is, or lies in, a cell whose row the capture does not say.
  fileprivate func unknownPlace(around element: ElementID) -> Bool {
    var current: ElementID? = element
    while let element = current {
      if unknownPlace(of: element) != nil { return true }
      current = tree.parent(of: element)
    }
    return false
  }
}
