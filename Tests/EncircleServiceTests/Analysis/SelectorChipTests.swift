import EncircleIdentity
import EncircleRules
import EncircleTestSupport
import EncircleTree
import Foundation
import Testing

@testable import EncircleService

@Suite struct SelectorChipTests {
  /// The shipped captures that a style can serve, with their taps.
  private struct Library {
    let settings: RuleSettings
    let screens: [(screen: IdentifiedTree, taps: ScreenTaps)]
    let dictionary: ElementDictionary

    init(_ style: PathStyleName) throws {
      var ruleSet = RuleSet()
      ruleSet.style = style
      ruleSet.fields = EventFields(style: style)
      let settings = RuleSettings(ruleSet)
      self.settings = settings
      var dictionary = ElementDictionary(style: style)
      var screens: [(screen: IdentifiedTree, taps: ScreenTaps)] = []
      for name in PackageFolder.captureNames {
        let screen = try Screens.named(name)
        guard style.style.lack(of: screen) == nil else { continue }
        dictionary.insert(screen)
        let stored = StoredScreen(id: name, name: name, page: nil, appVersion: nil, identified: screen)
        screens.append((screen, ScreenTaps(stored, settings)))
      }
      self.screens = screens
      self.dictionary = dictionary
    }

    func elements(of taps: ScreenTaps, _ rules: [SelectionRule]) throws -> [[Int]] {
      try ClauseSearch.elements(of: taps, rules, settings, dictionary)
    }
  }

  /// One tracked element of each kind of all captures: others of a kind have the same choices.
  private static func elements(
    of screen: IdentifiedTree, _ taps: ScreenTaps, _ style: PathStyleName, _ seen: inout Set<[PathComponent]>
  ) -> [ElementID] {
    let chains = PathChains(of: screen)
    return taps.elements.map { ElementID(rawValue: $0) }.filter { element in
      guard let path = SelectorSkeleton.path(of: element, in: screen, chains, style) else { return true }
      return seen.insert(SelectorSkeleton.kind(of: path)).inserted
    }
  }

  @Test(arguments: [PathStyleName.hubbleData, .sensors, .lede])
  func `whatever is chosen, the clause selects the element, and a wider choice all that a narrower one does`(
    style: PathStyleName
  ) throws {
    let library = try Library(style)
    #expect(!library.screens.isEmpty)
    var combinations = 0
    var seen: Set<[PathComponent]> = []
    for (screen, taps) in library.screens {
      for element in TestSize.scaled(Self.elements(of: screen, taps, style, &seen)) {
        let suggestions = SuggestedClause.all(for: element, in: screen, limit: 5, library.settings)
        let chips = ClauseChips(element, in: screen, suggestions, library.settings)
        let subjects = chips.chips.map(\.subject)
        #expect(subjects.count <= 10)
        let all = (0..<(1 << subjects.count)).map { bits in
          Set(subjects.indices.filter { bits >> $0 & 1 == 1 }.map { subjects[$0] })
        }
        // At full size all combinations of the first six chips, which no element of the shipped captures has more of.
        let some = Array(all.prefix(TestSize.scaled(64)))
        combinations += some.count
        let found = try library.elements(of: taps, some.map { chips.clause(narrowed: $0).rule }).map { Set($0) }
        // What is written selects what was shown.
        let written = try some.prefix(8).map {
          try ClauseReader.rule(JSONBody(.object(chips.clause(narrowed: $0).object)), library.settings)
        }
        #expect(try library.elements(of: taps, written).map { Set($0) } == Array(found.prefix(8)))
        for (narrowed, selected) in zip(some, found) {
          #expect(
            selected.contains(element.index),
            "\(taps.name) element \(element), \(narrowed): \(chips.clause(narrowed: narrowed))")
        }
        for (i, narrow) in found.enumerated() {
          for bit in subjects.indices.prefix(6) where i >> bit & 1 == 1 {
            #expect(
              narrow.isSubset(of: found[i & ~(1 << bit)]),
              "\(taps.name) element \(element): \(subjects[bit].id) narrows \(some[i])")
          }
        }
      }
    }
    #expect(combinations > 20)
  }

  @Test func `what is not chosen is as wide as selects only elements of the same kind, on this page`() throws {
    let library = try Library(.hubbleData)
    var rows = 0
    var seen: Set<[PathComponent]> = []
    for (screen, taps) in library.screens {
      let chains = PathChains(of: screen)
      func kind(_ element: ElementID) -> [PathComponent]? {
        SelectorSkeleton.path(of: element, in: screen, chains, .hubbleData).map(SelectorSkeleton.kind)
      }
      for element in Self.elements(of: screen, taps, .hubbleData, &seen) {
        let suggestions = SuggestedClause.all(for: element, in: screen, limit: 5, library.settings)
        guard let best = suggestions.first, best.suggestion.isUnique else { continue }
        let chips = ClauseChips(element, in: screen, suggestions, library.settings)
        let narrowed = try chips.narrowed([:], for: element, in: screen) {
          try library.elements(of: taps, $0)
        }
        let selected = try library.elements(of: taps, [chips.clause(narrowed: narrowed).rule])[0]
        let own = kind(element)
        #expect(
          selected.allSatisfy { kind(ElementID($0)) == own },
          "\(taps.name) element \(element): \(chips.clause(narrowed: narrowed)) selects \(selected)")
        if screen.page(of: element) != nil { #expect(narrowed.contains(.page)) }
        if chips.chips.contains(where: { $0.subject == .row(level: 0) }), !narrowed.contains(.row(level: 0)) {
          rows += 1
        }
      }
    }
    // Lists are open by default.
    #expect(rows > 10)
  }

  @Test func `chips are there for what the element has`() throws {
    let library = try Library(.hubbleData)
    func chips(_ name: String, where isWanted: (IdentifiedTree, ElementID) -> Bool) throws -> [String] {
      let (screen, _) = try #require(library.screens.first { $0.taps.name == name })
      let element = try #require(
        screen.tree.elements.first { screen.trackingType(of: $0) != nil && isWanted(screen, $0) })
      let suggestions = SuggestedClause.all(for: element, in: screen, limit: 5, library.settings)
      return ClauseChips(element, in: screen, suggestions, library.settings).chips.map(\.subject.id)
    }
    let cell = try chips("home-feed.xml") { $0.cellLocator(of: $1) != nil }
    #expect(cell.starts(with: ["row", "section"]))
    let alert = try chips("alert-ios26.xml") { $0.alertTexts(of: $1) != nil }
    #expect(alert.contains("alert"))
    #expect(!alert.contains("row"))
    let button = try chips("login.xml") { $0.cellLocator(of: $1) == nil }
    #expect(!button.contains("row") && !button.contains("alert"))
  }

  @Test func `a skeleton keeps the steps of its selector, and names a cell only where a choice needs it`() throws {
    let path = [
      [PathComponent("UIWindow", .index(0))], [PathComponent("UITableView", .index(0))],
      [PathComponent("ProductCell", .row(section: 1, row: 4))], [PathComponent("UIView", .index(0))],
      [PathComponent("AddButton", .index(2))],
    ]
    let skeleton = SelectorSkeleton(try ElementSelector(parsing: "UITableView/**/AddButton"), path: path)
    #expect(skeleton.selector([(false, false)]).description == "UITableView/**/AddButton")
    #expect(
      skeleton.selector([(false, true)]).description == "UITableView/ProductCell(section:* row:4)/**/AddButton")
    #expect(
      skeleton.selector([(true, true)]).description == "UITableView/ProductCell(section:1 row:4)/**/AddButton")
    let whole = SelectorSkeleton(nil, path: path)
    #expect(
      whole.selector([(true, false)]).description
        == "/UIWindow(0)/UITableView(0)/ProductCell(section:1 row:*)/UIView(0)/AddButton(2)")
  }
}
