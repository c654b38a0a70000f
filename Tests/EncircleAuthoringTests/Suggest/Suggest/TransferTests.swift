import EncircleAuthoring
import EncircleCapture
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import EncircleTree
import Foundation
import Testing

/// Whether the first suggestion for an element of one capture selects exactly the same element in all other captures of the same
/// screen, which it has not seen. `ENCIRCLE_SUGGEST_REPORT=1` prints the figures and what is not unique, and why.
@Suite struct TransferTests {
  /// The elements of captures, counted by what their first suggestions select in the other captures of the same screen.
  struct Counts: CustomStringConvertible {
    /// The elements that no other capture shows the screen of.
    var alone = 0
    /// Exactly the element, wherever it is.
    var exact = 0
    /// The element and others, or only others.
    var others = 0
    /// Nothing in a capture that shows the element.
    var missing = 0
    /// The elements that no rule distinguishes from others in their own capture.
    var shared = 0
    /// A line for each element whose suggestion is not exact.
    var notes: [String] = []

    var compared: Int { exact + others + missing }
    var share: Double { compared == 0 ? 1 : Double(exact) / Double(compared) }

    var description: String {
      "\(compared) elements in several captures: \(exact) exact, \(others) select others, \(missing) miss the element "
        + "(\(Int(share * 1000) / 10) %); \(alone) in one capture alone, \(shared) that no rule can tell from others\n"
        + notes.joined(separator: "\n")
    }
  }

  private struct Capture {
    var name: String
    /// The app, or who published the capture where it does not say.
    var app: String
    var twin: ScreenTwin
  }

  @Test("the first suggestion selects exactly the element in the other shipped captures of its screen")
  func shipped() throws {
    let captures = try PackageFolder.smallCaptureNames.map { name in
      let screen = try Screens.named(name)
      return Capture(name: name, app: screen.tree.header.app ?? name, twin: ScreenTwin(screen))
    }
    let counts = try Self.measure(captures)
    Self.report(counts)
    #expect(counts.compared >= (TestSize.isFull ? 100 : 33), "\(counts)")
    // The others are in containers whose classes the app renamed between two versions.
    #expect(counts.share >= (TestSize.isFull ? 0.95 : 0.9) && counts.others == 0, "\(counts)")
  }

  @Test(
    "the first suggestion selects exactly the element in other real captures of its screen",
    .enabled(if: PackageFolder.shared != nil, "there is no folder with real dumps"))
  func dumps() throws {
    let shared = try #require(PackageFolder.shared)
    var captures: [Capture] = []
    for folder in ["dumps", "vectors"] {
      let root = shared.appendingPathComponent(folder)
      let names = (FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []).sorted()
      for name in names where [".xml", ".txt", ".uix", ".json"].contains(where: { name.hasSuffix($0) }) {
        guard let tree = try? CaptureReader().read(contentsOf: root.appendingPathComponent(name).path), tree.count >= 5
        else { continue }
        // The name of a file begins with the repository that it comes from.
        let parts = name.split(separator: "/").last.map(String.init)?.components(separatedBy: "__") ?? []
        let publisher = parts.count > 2 ? parts.prefix(2).joined(separator: "/") : name
        captures.append(
          Capture(name: name, app: tree.header.app ?? publisher, twin: ScreenTwin(IdentifiedTree(tree))))
      }
    }
    let counts = try Self.measure(captures)
    Self.report(counts)
    #expect(captures.count >= 100)
    // Most of the others are in captures that say little: no pages, no texts, classes of a test driver, other languages.
    #expect(counts.share >= (TestSize.isFull ? 0.97 : 0.92), "\(counts)")
  }

  private static func report(_ counts: Counts) {
    if ProcessInfo.processInfo.environment["ENCIRCLE_SUGGEST_REPORT"] == "1" { print(counts) }
  }

  private static func measure(_ captures: [Capture]) throws -> Counts {
    var counts = Counts()
    let pages = captures.map { capture in
      Set(capture.twin.trackable.map { UTF8String(capture.twin.screen.page(of: $0) ?? "") })
    }
    let paths = captures.map { capture in Set(capture.twin.trackable.map { capture.twin.screen.path(of: $0) }) }
    let events = captures.map { capture in
      let sent = ElementEvents(of: capture.twin.screen)
      return capture.twin.trackable.map { sent.event(of: $0) }
    }
    for (i, capture) in captures.enumerated() {
      let screen = capture.twin.screen
      let suggester = Suggester(screen)
      let sameApp = captures.indices.filter { $0 != i && captures[$0].app == capture.app }
      // Without a page, captures with much the same elements show the same screen.
      let alike = sameApp.filter { other in
        guard pages[i].contains(""), pages[other].contains("") else { return false }
        return 2 * paths[i].intersection(paths[other]).count >= paths[i].union(paths[other]).count
      }
      for element in TestSize.part(capture.twin.trackable, of: i) {
        let page = screen.page(of: element).map { UTF8String($0) }
        let others = page.map { page in sameApp.filter { pages[$0].contains(page) } } ?? alike
        if others.isEmpty {
          counts.alone += 1
          continue
        }
        guard let first = suggester.suggestions(for: element).first else { continue }
        guard first.isUnique else {
          counts.shared += 1
          continue
        }
        let rule = SuggestedRule(first, for: element, in: screen)
        var decider = Decider(Matcher(try RuleFiles(text: rule.yaml).ruleSet()))
        let isKind = if case .kind = first.uniqueness { true } else { false }
        var wrong: String?
        var isMissing = false
        for other in others {
          let twin = captures[other].twin
          let selected = twin.trackable.indices.filter { decider.decide(events[other][$0]).isSelected }.map {
            twin.trackable[$0]
          }
          guard let expected = capture.twin.counterparts(of: element, in: twin, isKind: isKind), selected != expected
          else {
            continue
          }
          let isLost = selected.isEmpty || selected.allSatisfy(expected.contains)
          if wrong == nil || (isMissing && !isLost) {
            isMissing = isLost
            wrong =
              "\(capture.name) \(element) \(first.selector)"
              + (first.evidence.isEmpty ? "" : " where \(first.evidence)")
              + ": in \(captures[other].name) \(selected.map(\.index)), not \(expected.map(\.index))"
          }
        }
        switch wrong {
        case nil: counts.exact += 1
        case let note?:
          if isMissing { counts.missing += 1 } else { counts.others += 1 }
          counts.notes.append((isMissing ? "misses  " : "others  ") + note)
        }
      }
    }
    return counts
  }
}
