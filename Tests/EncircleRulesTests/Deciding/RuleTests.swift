import EncircleRules
import EncircleTestSupport
import Testing

/// The decisions of rules, their clauses and the rule set as a whole, in words.
@Suite struct RuleTests {
  private static let click = #"{"event":"$AppClick","properties":{"$screen_name":"Home","p":"a"}}"#

  @Test(
    "a rule set decides by one procedure", .articles("H30", "H45", "W2"),
    arguments: [
      // Tracking.
      ("rules: []", click, "not selected"), ("track: all", click, "selected"),
      ("track: selected", click, "not selected"),
      ("track: all\nrules: [ { id: a, include: { event: $AppClick } } ]", click, "selected as a by a"),
      ("track: all\nrules: [ { id: a, include: { event: other } } ]", click, "selected"),
      ("track: all\nrules: [ { id: a, exclude: { event: $AppClick } } ]", click, "not selected; excluded by a"),
      ("rules: [ { id: a, exclude: { event: other } } ]", click, "not selected"),
      // Exclude beats include, in whatever order.
      (
        "rules: [ { id: a, include: { event: $AppClick } }, { id: b, exclude: { page: Home } } ]", click,
        "not selected by a; excluded by b"
      ),
      (
        "rules: [ { id: b, exclude: { page: Home } }, { id: a, include: { event: $AppClick } } ]", click,
        "not selected by a; excluded by b"
      ),
      (
        "rules: [ { id: a, exclude: { page: Home } }, { id: b, include: { page: Home } } ]", click,
        "not selected by b; excluded by a"
      ),
      // Ids in byte order, names once.
      (
        "rules: [ { id: b, include: { page: Home } }, { id: a, include: { page: Home } }, { id: B, include: { page: Home } } ]",
        click, "selected as B, a, b by B, a, b"
      ),
      (
        "rules: [ { id: b, include: { page: Home }, emit: x }, { id: a, include: { page: Home }, emit: x } ]", click,
        "selected as x by a, b"
      ),
      // Clauses: all fields, any clause.
      ("rules: [ { id: a, include: { event: $AppClick, page: Other } } ]", click, "not selected"),
      ("rules: [ { id: a, include: [ { page: Other }, { event: $AppClick } ] } ]", click, "selected as a by a"),
      ("rules: [ { id: a, include: { event: $AppClick, where: { p: a, q: b } } } ]", click, "not selected"),
      ("rules: [ { id: a, include: { event: [x, $AppClick], page: [y, Home] } } ]", click, "selected as a by a"),
      ("rules: [ { id: a, include: { event: { prefix: $App }, page: { not: Other } } } ]", click, "selected as a by a"),
      ("rules: [ { id: a, include: { event: { not: $AppClick } } } ]", click, "not selected"),
      // Unless.
      ("rules: [ { id: a, include: { event: $AppClick }, unless: { page: Home } } ]", click, "not selected"),
      (
        "rules: [ { id: a, include: { event: $AppClick }, unless: [ { page: Other }, { where: { p: a } } ] } ]", click,
        "not selected"
      ),
      (
        "rules: [ { id: a, include: { event: $AppClick }, unless: { page: Home, where: { p: b } } } ]", click,
        "selected as a by a"
      ),
      ("track: all\nrules: [ { id: a, exclude: { event: $AppClick }, unless: { page: Home } } ]", click, "selected"),
      // Disabled rules take no part.
      ("rules: [ { id: a, include: { event: $AppClick }, enabled: false } ]", click, "not selected"),
      ("track: all\nrules: [ { id: a, exclude: { event: $AppClick }, enabled: false } ]", click, "selected"),
      ("rules: [ { id: a, include: { event: $AppClick }, enabled: true } ]", click, "selected as a by a"),
      // Excluded pages, with their subclasses.
      ("track: all\npages: { exclude: Home }", click, "not selected; pages Home"),
      (
        "track: all\npages: { exclude: [Other, Base, Home] }\nclasses: { Home: Base }", click,
        "not selected; pages Base, Home"
      ),
      (
        "track: all\npages: { exclude: [Base] }\nclasses: { Home: Middle, Middle: Base }", click,
        "not selected; pages Base"
      ),
      ("track: all\npages: { exclude: [Sub] }\nclasses: { Sub: Home }", click, "selected"),
      (
        "track: all\npages: { exclude: [UIViewController] }",
        #"{"properties":{"$screen_name":"UIInputWindowController"}}"#,
        "not selected; pages UIInputWindowController, UIViewController"
      ),
      ("track: all\npages: { exclude: [Home] }", #"{"properties":{}}"#, "selected"),
      ("track: all\npages: { exclude: [Home] }", #"{"properties":{"$screen_name":["Home"]}}"#, "selected"),
      (
        "pages: { exclude: [Home] }\nrules: [ { id: a, include: { event: $AppClick } } ]", click,
        "not selected by a; pages Home"
      ),
      // Pages of the system, with their subclasses, and without by a switch.
      (
        "track: all", #"{"event":"$AppClick","properties":{"$screen_name":"SFBrowserRemoteViewController"}}"#,
        "not selected; pages SFBrowserRemoteViewController"
      ),
      (
        "track: all\npages: { defaults: false }",
        #"{"event":"$AppClick","properties":{"$screen_name":"SFBrowserRemoteViewController"}}"#, "selected"
      ),
      (
        "track: all\npages: { defaults: true }\nclasses: { Home: UIActivityViewController }", click,
        "not selected; pages UIActivityViewController"
      ),
      (
        "rules: [ { id: a, include: { event: $AppClick } } ]\nclasses: { Home: UIActivityViewController }", click,
        "not selected by a; pages UIActivityViewController"
      ),
      (
        "track: all", #"{"event":"pay","properties":{"$screen_name":"NSKVONotifying_UIInputWindowController"}}"#,
        "not selected; pages UIInputWindowController"
      ),
      ("track: all", #"{"event":"$AppClick","properties":{"$screen_name":"uiinputwindowcontroller"}}"#, "selected"),
      // Containers and alerts are ignored when they are viewed, not when they are tapped.
      (
        "track: all", #"{"event":"$AppViewScreen","properties":{"$screen_name":"UINavigationController"}}"#,
        "not selected; pages UINavigationController"
      ),
      (
        "track: all\nclasses: { Home: UITabBarController }",
        #"{"eventId":"da_screen","attributes":{"$screenName":"Home"}}"#, "not selected; pages UITabBarController"
      ),
      ("track: all", #"{"event":"$AppClick","properties":{"$screen_name":"UINavigationController"}}"#, "selected"),
      ("track: all", #"{"event":"$AppClick","properties":{"$screen_name":"UIAlertController"}}"#, "selected"),
      // HubbleData's page views.
      (
        "rules: [ { id: a, include: { event: da_screen, page: Home } } ]",
        #"{"eventId":"da_screen","attributes":{"$screenName":"Home","$screenTitle":""}}"#, "selected as a by a"
      ),
      (
        "rules: [ { id: a, include: { event: da_screen, page: Home } } ]",
        #"{"eventId":"da_screen","attributes":{"$screenName":"Home","$screen_name":"Other"}}"#, "not selected"
      ),
      (
        "rules: [ { id: a, include: { event: da_screen } } ]", #"{"event":"$AppClick","eventId":"da_screen"}"#,
        "not selected"
      ),
      // Kind-of tests of pages.
      (
        "rules: [ { id: a, include: { page: { kindOf: Base } } } ]\nclasses: { Home: Base }", click,
        "selected as a by a"
      ),
      ("rules: [ { id: a, include: { page: { kindOf: [X, Home] } } } ]", click, "selected as a by a"),
      (
        "rules: [ { id: a, include: { page: { not: { kindOf: Base } } } } ]\nclasses: { Home: Base }", click,
        "not selected"
      ),
      // Pages and events that are no texts.
      (
        "rules: [ { id: a, include: { page: { equals: 5 } } } ]", #"{"properties":{"$screen_name":"5"}}"#,
        "selected as a by a"
      ),
      ("rules: [ { id: a, include: { event: { in: [x, 5] } } } ]", #"{"event":5}"#, "not selected"),
      ("rules: [ { id: a, include: { event: '5' } } ]", #"{"event":5}"#, "not selected"),
      ("rules: [ { id: a, include: { event: { exists: false } } } ]", "{}", "selected as a by a"),
      // Renamed fields: the first place that the event has counts.
      (
        "fields: { event: /name, page: [screen, $screen_name] }\nrules: [ { id: a, include: { event: tap, page: Home } } ]",
        #"{"name":"tap","properties":{"$screen_name":"Home"}}"#, "selected as a by a"
      ),
      (
        "fields: { event: /name, page: [screen, $screen_name] }\nrules: [ { id: a, include: { event: tap, page: Home } } ]",
        #"{"name":"tap","properties":{"$screen_name":"Home","screen":null}}"#, "not selected"
      ),
      ("fields: { event: /name }\nrules: [ { id: a, include: { event: $AppClick } } ]", click, "not selected"),
      (
        "fields: { path: /data/path }\nrules: [ { id: a, include: { selector: B } } ]",
        #"{"data":{"path":"A(0)/B(1)"}}"#,
        "selected as a by a; path"
      ),
    ] as [(String, String, String)])
  func decisions(rules: String, event: String, expected: String) throws {
    #expect(try decide(rules, event).summary == expected)
  }

  @Test(
    "a rule holds from its first moment to its last",
    arguments: [
      ("from: 1772352000000", "1772352000000", true), ("from: 1772352000000", "1772351999999", false),
      ("from: 2026-03-01T08:00:00Z", "1772352000000", true), ("from: 2026-03-01T08:00:00Z", "1772351999999.9", false),
      ("from: 2026-03-01", "1772323200000", true), ("from: 2026-03-01", "1772323199999", false),
      ("to: 2026-03-01", "1772409599999", true), ("to: 2026-03-01", "1772409599999.999", true),
      ("to: 2026-03-01", "1772409600000", false), ("to: 1772352000000", "1772352000000.0", true),
      ("to: 1772352000000", "1.772352e12", true), ("to: 1772352000000", "1772352000001", false),
      ("from: 2026-03-01T16:00:00+08:00", "1772352000000", true),
      ("from: 2026-03-01T16:00:00+08:00", "1772351999999", false),
      ("from: 2026-03-01, to: 2026-03-02", "1772400000000", true), ("from: 2026-03-01", "1e400", true),
      ("to: 2026-03-01", "-1e400", true), ("from: 2026-03-01", "\"1772352000000\"", false),
      ("from: 2026-03-01", "null", false),
      ("from: 9007199254740993", "9007199254740993.0", true), ("from: 9007199254740993", "9007199254740992", false),
      ("to: 9007199254740992", "9007199254740992.5", true), ("to: 9007199254740992", "9007199254740993.0", false),
    ] as [(String, String, Bool)])
  func times(bounds: String, time: String, expected: Bool) throws {
    let rules = "rules: [ { id: a, include: { event: e }, \(bounds) } ]"
    #expect(try decide(rules, "{\"event\":\"e\",\"time\":\(time)}").isSelected == expected)
    #expect(try decide(rules, "{\"event\":\"e\"}").isSelected == false, "an event without time has no place in it")
  }

  @Test(
    "the rules of an app are for its events, and for those that name none",
    arguments: [
      (#"{"event":"e","properties":{"$app_id":"com.example.shop"}}"#, true), (#"{"event":"e","properties":{}}"#, true),
      (#"{"event":"e"}"#, true), (#"{"event":"e","properties":{"$app_id":"com.example.other"}}"#, false),
      (#"{"event":"e","properties":{"$app_id":"com.example.Shop"}}"#, false),
    ] as [(String, Bool)])
  func apps(event: String, expected: Bool) throws {
    let rules = "app: com.example.shop\nrules: [ { id: a, include: { event: e } } ]"
    #expect(try decide(rules, event).isSelected == expected)
    let pages = "app: com.example.shop\ntrack: all\npages: { exclude: Home }"
    let onPage = event.replacing("{\"event\"", with: "{\"$screen\":\"Home\",\"event\"")
    #expect(try decide(pages + "\nfields: { page: /$screen }", onPage).isSelected != expected)
  }

  @Test(
    "a version with anything beside it is not a version",
    arguments: [("5.2", true), (" 5.2", false), ("5.2 ", false), ("5.2 (17)", false), ("", false)])
  func versions(version: String, expected: Bool) throws {
    let event = #"{"event":"e","properties":{"$app_version":"\#(version)"}}"#
    let rules = "rules: [ { id: a, include: { where: { $app_version: { version: '>=5' } } } } ]"
    #expect(try decide(rules, event).isSelected == expected)
  }
}
