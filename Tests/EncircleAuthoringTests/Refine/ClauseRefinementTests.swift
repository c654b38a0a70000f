import EncircleCapture
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleTree
import Testing

@testable import EncircleAuthoring

@Suite struct ClauseRefinementTests {
  /// The shipped captures that a style can serve, with the events of their elements.
  private struct Library {
    private static let styles: [PathStyleName] = [.hubbleData, .sensors, .lede]
    private static let made = Dictionary(
      uniqueKeysWithValues: styles.map { style in (style, Result { try Library(making: style) }) })

    let settings: SelectionSettings
    let screens: [(name: String, screen: IdentifiedTree, events: ScreenEvents)]
    let dictionary: ElementDictionary

    /// Takes the library of a style, which all tests share.
    init(_ style: PathStyleName) throws { self = try #require(Self.made[style]).get() }

    private init(making style: PathStyleName) throws {
      settings = SelectionSettings(style: style)
      var dictionary = ElementDictionary(style: style)
      var screens: [(name: String, screen: IdentifiedTree, events: ScreenEvents)] = []
      for name in TestSize.isFull ? PackageFolder.captureNames : PackageFolder.smallCaptureNames {
        let screen = try Screens.named(name)
        guard style.style.unmetRequirement(for: screen) == nil else { continue }
        dictionary.insert(screen)
        screens.append((name, screen, ScreenEvents(screen, settings)))
      }
      self.screens = screens
      self.dictionary = dictionary
    }

    func elements(of events: ScreenEvents, _ rules: [SelectionRule]) -> [[ElementID]] {
      var finder = RuleSearch(rules, settings, dictionary).finder()
      return finder.elements(of: events, count: rules.count)
    }
  }

  /// One tracked element of each kind of all captures: others of a kind have the same choices.
  private static func elements(
    of screen: IdentifiedTree, _ events: ScreenEvents, _ style: PathStyleName, _ seen: inout Set<[PathComponent]>
  ) -> [ElementID] {
    let (chains, hierarchy) = (PathChains(of: screen), ClassHierarchy(of: screen))
    return events.elements.filter { element in
      guard let path = SelectorSkeleton.path(of: element, in: screen, chains, hierarchy, style) else { return true }
      return seen.insert(SelectorSkeleton.kind(of: path)).inserted
    }
  }

  /// Returns `true` if a test of this size tries the element.
  private static func isTried(_ element: ElementID) -> Bool { TestSize.isFull || element.index % 4 == 0 }

  @Test(arguments: [PathStyleName.hubbleData, .sensors, .lede])
  func `with any choice the clause selects the element, and a wider choice includes the narrower ones`(
    style: PathStyleName
  ) throws {
    let library = try Library(style)
    #expect(!library.screens.isEmpty)
    var combinations = 0
    var seen: Set<[PathComponent]> = []
    for (name, screen, events) in library.screens {
      for element in TestSize.scaled(Self.elements(of: screen, events, style, &seen)) {
        let suggestions = SuggestedClause.all(for: element, in: screen, limit: 5, library.settings)
        let refinements = ClauseRefinements(of: element, in: screen, suggestions, library.settings)
        let subjects = refinements.subjects
        #expect(subjects.count <= 10)
        let all = (0..<(1 << subjects.count)).map { bits in
          Set(subjects.indices.filter { bits >> $0 & 1 == 1 }.map { subjects[$0] })
        }
        // At full size all combinations of the first six refinements, which no element of the shipped captures has more of.
        let some = Array(all.prefix(TestSize.scaled(64)))
        combinations += some.count
        let found = library.elements(of: events, some.map { refinements.clause(narrowed: $0).rule }).map { Set($0) }
        // The written rule selects the shown elements.
        let written = try some.prefix(8).map {
          try ClauseReader.rule(.object(refinements.clause(narrowed: $0).object), at: "", in: style)
        }
        #expect(library.elements(of: events, written).map { Set($0) } == Array(found.prefix(8)))
        for (narrowed, selected) in zip(some, found) {
          #expect(
            selected.contains(element),
            "\(name) element \(element), \(narrowed): \(refinements.clause(narrowed: narrowed))")
        }
        for (i, narrow) in found.enumerated() {
          for bit in subjects.indices.prefix(6) where i >> bit & 1 == 1 {
            #expect(
              narrow.isSubset(of: found[i & ~(1 << bit)]),
              "\(name) element \(element): \(subjects[bit].id) narrows \(some[i])")
          }
        }
      }
    }
    #expect(combinations > 20)
  }

  @Test func `a row that paths have as an index can be this row or any`() throws {
    let screen = try Screens.named("android-shop.xml")
    let settings = SelectionSettings(style: .hubbleDataAndroid)
    let checkBox = ElementID(19)
    let suggestions = SuggestedClause.all(for: checkBox, in: screen, limit: 5, settings)
    let refinements = ClauseRefinements(of: checkBox, in: screen, suggestions, settings)
    #expect(refinements.subjects.contains(.row(level: 0)) && !refinements.subjects.contains(.section(level: 0)))
    let events = ScreenEvents(screen, settings)
    func selected(_ rules: [SelectionRule]) -> [[ElementID]] {
      var finder = RuleSearch(rules, settings, ElementDictionary(style: settings.style)).finder()
      return finder.elements(of: events, count: rules.count)
    }
    let narrowed = refinements.narrowed([:], for: checkBox, in: screen, selected: selected)
    #expect(narrowed == [.page])
    let clauses = [narrowed, narrowed.union([.row(level: 0)])].map { refinements.clause(narrowed: $0).rule }
    #expect(selected(clauses).map { $0.map(\.index) } == [[19, 24], [19]])
  }

  @Test func `without choices a clause selects only elements of the same kind on this page, in any row`() throws {
    let library = try Library(.hubbleData)
    var rows = 0
    var seen: Set<[PathComponent]> = []
    for (name, screen, events) in library.screens {
      let (chains, hierarchy) = (PathChains(of: screen), ClassHierarchy(of: screen))
      func kind(_ element: ElementID) -> [PathComponent]? {
        SelectorSkeleton.path(of: element, in: screen, chains, hierarchy, .hubbleData).map(SelectorSkeleton.kind)
      }
      for element in Self.elements(of: screen, events, .hubbleData, &seen) where Self.isTried(element) {
        let suggestions = SuggestedClause.all(for: element, in: screen, limit: 5, library.settings)
        guard let best = suggestions.first, best.suggestion.isUnique else { continue }
        let refinements = ClauseRefinements(of: element, in: screen, suggestions, library.settings)
        let narrowed = refinements.narrowed([:], for: element, in: screen) { library.elements(of: events, $0) }
        let selected = library.elements(of: events, [refinements.clause(narrowed: narrowed).rule])[0]
        let own = kind(element)
        #expect(
          selected.allSatisfy { kind($0) == own },
          "\(name) element \(element): \(refinements.clause(narrowed: narrowed)) selects \(selected)")
        if screen.page(of: element) != nil { #expect(narrowed.contains(.page)) }
        if refinements.subjects.contains(.row(level: 0)), !narrowed.contains(.row(level: 0)) {
          rows += 1
        }
      }
    }
    // Lists are open by default.
    #expect(rows > (TestSize.isFull ? 10 : 2))
  }

  @Test func `an element has refinements for its own properties`() throws {
    let library = try Library(.hubbleData)
    func subjects(_ name: String, where isWanted: (IdentifiedTree, ElementID) -> Bool) throws -> [String] {
      let (_, screen, _) = try #require(library.screens.first { $0.name == name })
      let element = try #require(
        screen.tree.elements.first { screen.trackingType(of: $0) != nil && isWanted(screen, $0) })
      let suggestions = SuggestedClause.all(for: element, in: screen, limit: 5, library.settings)
      return ClauseRefinements(of: element, in: screen, suggestions, library.settings).subjects.map(\.id)
    }
    let cell = try subjects("home-feed.xml") { $0.cellLocator(of: $1) != nil }
    #expect(cell.starts(with: ["row", "section"]))
    let alert = try subjects("alert-ios26.xml") { $0.alertTexts(of: $1) != nil }
    #expect(alert.contains("alert"))
    #expect(!alert.contains("row"))
    let button = try subjects("login.xml") { $0.cellLocator(of: $1) == nil }
    #expect(!button.contains("row") && !button.contains("alert"))
  }

  @Test func `an element can have all ten subjects, and a clause shows which ones are narrowed`() throws {
    let capture = """
      <viewTree version="1"><view class="UIWindow">
        <view class="UIView" controller="HomeController"/>
        <view class="_UIAlertControllerView" controller="UIAlertController" title="退群">
          <view class="UITableView"><view class="OuterCell" superclasses="UITableViewCell UIView" indexPath="0 1">
            <view class="UITableView"><view class="MiddleCell" superclasses="UITableViewCell UIView" indexPath="1 2">
              <view class="UITableView"><view class="InnerCell" superclasses="UITableViewCell UIView" indexPath="2 3">
                <view class="UIButton" title="加入" actions="add:"/>
              </view></view>
            </view></view>
          </view></view>
        </view>
      </view></viewTree>
      """
    let screen = IdentifiedTree(try CaptureReader().read(Array(capture.utf8)))
    let button = try #require(screen.tree.elements.first { screen.className(of: $0) == "UIButton" })
    let settings = SelectionSettings(style: .hubbleData)
    let suggestions = SuggestedClause.all(for: button, in: screen, limit: 5, settings)
      .filter { $0.suggestion.evidence == [.eventID(screen.eventID(of: button))] }
    let refinements = ClauseRefinements(of: button, in: screen, suggestions, settings)
    let subjects = refinements.subjects
    let all = Set(subjects)
    #expect(subjects.count == 10 && all == Set(ClauseRefinements.Subject.all))

    var choices: [Set<ClauseRefinements.Subject>] = [[], all]
    for subject in subjects { choices += [[subject], all.subtracting([subject])] }
    for narrowed in choices {
      #expect(refinements.narrowed(by: refinements.clause(narrowed: narrowed).object) == narrowed)
    }
    // What is not chosen is searched for among eight subjects, beside those that are narrowed in any case.
    var searched = 0
    let narrowed = refinements.narrowed([:], for: button, in: screen) { rules in
      searched = rules.count
      return rules.map { _ in [button] }
    }
    #expect(searched == 256 && narrowed == [.page, .element])
  }

  @Test func `in PostHog's style a clause tests the text in the path, but no state of a control`() throws {
    let capture = """
      <viewTree version="1"><view class="UIWindow"><view class="UIView" controller="CartViewController">
        <view class="UIButton" title="Pay" actions="a"/><view class="UIButton" title="Don't" actions="a"/>
        <view class="UISwitch" on="false" actions="a"/><view class="UISwitch" on="true" actions="a"/>
      </view></view></viewTree>
      """
    let screen = IdentifiedTree(try CaptureReader().read(Array(capture.utf8)))
    let settings = SelectionSettings(style: .postHog)
    for (name, text, other) in [("UIButton", "Don't", "Pay"), ("UISwitch", "true", "false")] {
      let element = try #require(screen.tree.elements.filter { screen.className(of: $0) == name }.last)
      let suggestions = SuggestedClause.all(for: element, in: screen, limit: 5, settings)
      let refinements = ClauseRefinements(of: element, in: screen, suggestions, settings)
      let hasText = refinements.subjects.contains(.text)
      #expect(hasText == (name == "UIButton"))
      for narrowed in [[.page], [.page, .text]] as [Set<ClauseRefinements.Subject>] {
        var ruleSet = settings.ruleSet
        ruleSet.rules = [refinements.clause(narrowed: narrowed).rule]
        var decider = Decider(Matcher(ruleSet))
        let selected = try [text, other].map { sent in
          let path = #"\#(name):text=\"\#(sent)\";UIView;UIWindow"#
          let json = """
            {"event":"$autocapture","properties":{"$screen_name":"Cart","$elements_chain":"\(path)"}}
            """
          return decider.decide(try AnalyticsEvent(json: Array(json.utf8))).isSelected
        }
        let isOther = !hasText || !narrowed.contains(.text)
        #expect(selected == [true, isOther], "\(refinements.clause(narrowed: narrowed))")
      }
    }
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
