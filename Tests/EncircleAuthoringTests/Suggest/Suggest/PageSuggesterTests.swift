import EncircleCapture
import EncircleIdentity
import EncircleRules
import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

@testable import EncircleAuthoring

/// Suggestions for elements of web pages.
@Suite struct PageSuggesterTests {
  private static func flowers() throws -> IdentifiedTree {
    IdentifiedTree(
      try CaptureReader().read(contentsOf: PackageFolder.viewTrees.appendingPathComponent("flowers.html").path))
  }

  @Test(
    "a name is one that people gave, or one that a tool made, or says a look or a state",
    arguments: [
      ("cart", .people), ("goods-list", .people), ("step3", .people), ("h2", .people), ("navItem", .people),
      ("加入", .people),
      ("css-1x2y3z", .generated), ("sc-bdVaJa", .generated), ("jss123", .generated), ("Button_root__a1B2c", .generated),
      ("svelte-1tky8bj", .generated), ("ember1234", .generated), ("mt-4", .look), ("md:w-1/2", .look), ("-mt-2", .look),
      ("text-gray-500", .look), ("grid-cols-3", .look), ("px-2.5", .look), ("[&>svg]:w-4", .look), ("flex", .look),
      ("border-b", .look), ("divide-y", .look), ("rounded-t-lg", .look), ("bg-emerald-50", .look),
      ("bg-primary", .look), ("overflow-x-auto", .look), ("cursor-not-allowed", .look),
      ("text-muted-foreground", .look), ("shrink-0", .look),
      ("sr-only", .look), ("me-2", .look), ("d-inline-block", .look), ("fw-bold", .look), ("flex-grow-1", .look),
      ("place-order", .people), ("order-items", .people), ("overflow-menu", .people), ("start-trial", .people),
      ("active", .state), ("is-open", .state), ("ng-star-inserted", .state), ("text-title", .people),
      ("ant-tabs-tab-active", .state), ("tab--selected", .state), ("Mui-focusVisible", .state), ("cdk-focused", .state),
      ("router-link-exact-active", .state), ("ant-tabs-tab", .people), ("btn-activate", .people),
      ("list-item", .people),
    ] as [(String, PageName)])
  func names(_ name: String, _ origin: PageName) {
    #expect(PageName(ofClass: UTF8String(name)) == origin)
  }

  @Test(
    "an attribute is for a framework's own use, or for a state, or people's",
    arguments: [
      ("data-testid", .people), ("data-opener", .people), ("data-v-7ba5bd90", .generated), ("data-active", .state),
      ("data-focus-visible", .state),
    ] as [(String, PageName)])
  func attributes(_ name: String, _ origin: PageName) {
    #expect(PageName(ofAttribute: UTF8String(name)) == origin)
  }

  @Test(
    "an id counted up by a framework is not taken for one given by people",
    arguments: [
      ":r1:", "radix-12", "item-4711", "a81bc81b-dead-4e5d", "_r_1_", "«r1»", "field-:R1a6:", "menu-_r_2_-trigger",
      "tabs-«r1»-panel", "mat-input-0", "mat-tab-label-0-1", "ui-id-3",
    ])
  func generatedIDs(_ id: String) { #expect(PageName(ofValue: UTF8String(id)) == .generated) }

  @Test(
    "an id that only looks a little like one of a framework is people's",
    arguments: ["user_r_id", "a:r", "nav:read", "material-list", "mat-list", "search_results_"])
  func ids(_ id: String) { #expect(PageName(ofValue: UTF8String(id)) == .people) }

  @Test(
    "every tap has suggestions that select it, and none asks for a generated name",
    arguments: [PathStyleName.sensorsWeb, .postHogWeb])
  func all(style: PathStyleName) throws {
    let screen = try Self.flowers()
    let suggester = TapSuggester(screen, style: style)
    let tracked = screen.tree.elements.filter { screen.trackingType(of: $0, in: style) != nil }
    for element in TestSize.part(tracked, of: style == .sensorsWeb ? 0 : 1) {
      let found = suggester.suggestions(for: element, limit: 3)
      #expect(!found.isEmpty, "\(style) \(element)")
      for suggestion in found {
        let text = suggestion.selector.description
        #expect(!text.contains("css-") && !text.contains("mt-4") && !text.contains("active"), "\(text)")
        #expect(suggestion.elements.contains(element), "\(text)")
      }
    }
  }

  @Test("names given by people come first, and a button in a row means any row")
  func best() throws {
    let screen = try Self.flowers()
    func first(_ attribute: String, _ value: String, _ style: PathStyleName) throws -> Suggestion {
      let element = try #require(
        screen.tree.elements.first { element in
          screen.tree.attributes(of: element).contains { $0.name == attribute && $0.value == value }
        })
      return try #require(TapSuggester(screen, style: style).suggestions(for: element, limit: 1).first)
    }
    #expect(try first("id", "filter", .sensorsWeb).selector.description == "#filter")
    #expect(try first("id", "filter", .postHogWeb).selector.description == "#filter")
    let add = try first("data-action", "basket-add", .postHogWeb)
    #expect(add.selector.description == #"button[data-action="basket-add"]"#)
    #expect(add.uniqueness == .kind(count: 2))
    let other = try first("data-action", "basket-add", .sensorsWeb)
    #expect(other.selector.description == "button.add")
    #expect(other.uniqueness == .kind(count: 2))
  }

  private static let page = """
    <!DOCTYPE html><html><head><title>T</title></head><body>
    <div id="box"><button>Pay</button><button>Cancel</button><p><span>x</span></p><p><span>y</span></p></div>
    <ul><li><button>A</button><button>B</button></li><li><button>A</button><button>B</button></li></ul>
    </body></html>
    """

  private static func ownPage() throws -> IdentifiedTree { IdentifiedTree(try CaptureReader().read(Array(page.utf8))) }

  @Test(
    "buttons beside each other are elements of their own, in all rows of a list",
    arguments: [PathStyleName.sensorsWeb, .postHogWeb])
  func places(style: PathStyleName) throws {
    let screen = try Self.ownPage()
    var ruleSet = RuleSet()
    ruleSet.style = style
    ruleSet.fields = EventFields(style: style)
    let rules = ScreenSuggester(screen, ruleSet).proposals().rules
    #expect(rules.map(\.elements.count).sorted() == [1, 1, 2, 2])
    for rule in rules {
      let isExact = rule.reviewReasons.allSatisfy { if case .relies = $0 { true } else { false } }
      #expect(isExact, "\(rule.suggestion.selector)")
    }
    var coverage = ScreenCoverage(ruleSet)
    coverage.add(screen, name: "page.html")
    let open = coverage.finish().open
    #expect(open.count == rules.count)
    // What it says of them can be looked for.
    for element in open {
      let selectors = try ElementSelector.parsing(element.selector, in: style)
      #expect(selectors.map(\.isCSS) == [true], "\(element.selector)")
    }
  }

  @Test(
    "a button in one of several cells or columns of a row means any row",
    arguments: [PathStyleName.sensorsWeb, .postHogWeb])
  func cells(style: PathStyleName) throws {
    let row = "<tr><td><a href='/1'>1</a></td><td>x</td><td><button>Cancel</button></td></tr>"
    let card = "<div class='card'><div class='col'><img></div><div class='col'><button>Buy</button></div></div>"
    let html = """
      <html><head><title>T</title></head><body><table id='orders'><tbody>\(row)\(row)</tbody></table>
      <div id='cards'>\(card)\(card)\(card)</div></body></html>
      """
    let screen = IdentifiedTree(try CaptureReader().read(Array(html.utf8)))
    let buttons = screen.tree.elements.filter { screen.className(of: $0) == "button" }
    let suggester = TapSuggester(screen, style: style)
    let kinds = try buttons.map { button in
      try #require(suggester.suggestions(for: button, limit: 1).first).uniqueness
    }
    #expect(kinds == [.kind(count: 2), .kind(count: 2), .kind(count: 3), .kind(count: 3), .kind(count: 3)])
  }

  @Test(
    "of an element without events all elements count that its selector matches",
    arguments: [PathStyleName.sensorsWeb, .postHogWeb])
  func untracked(style: PathStyleName) throws {
    let screen = try Self.ownPage()
    let spans = screen.tree.elements.filter { screen.className(of: $0) == "span" }
    #expect(spans.count == 2 && spans.allSatisfy { screen.trackingType(of: $0, in: style) == nil })
    for suggestion in TapSuggester(screen, style: style).suggestions(for: spans[0]) {
      #expect(suggestion.elements == [spans[0]], "\(suggestion.selector)")
      #expect(suggestion.selector.description.contains("p:nth-of-type(1)"), "\(suggestion.selector)")
    }
  }
}
