import EncircleEvents
import EncircleSessions
import EncircleTestSupport
import Foundation
import Testing

/// The rules of the Sensors SDK's clicks, each with a session that shows it.
@Suite struct ClickRuleTests {
  typealias Session = BriefSession

  /// A rule with a session and the events of the session.
  struct Example: CustomTestStringConvertible, Sendable {
    /// The path of the code and the name of the rule.
    let rule: String
    var configuration = ""
    let signals: [String]
    /// Of clicks the ID of the element, else its type; of other events the name.
    let sent: [String]
    var testDescription: String { rule }
  }

  private static let home = #"define "controller":"home","class":"HomeViewController""#
  private static let table = #"view "view":"t","class":"UITableView","controller":"home","elementId":"t""#
  private static let grid = #"view "view":"t","class":"UICollectionView","controller":"home","elementId":"t""#
  private static let cell = #"view "view":"c","class":"UITableViewCell","in":"t","attributes":{"indexPath":"0 0"}"#
  private static let tile = #"view "view":"c","class":"UICollectionViewCell","in":"t","attributes":{"indexPath":"0 0"}"#
  private static let selection = #"select "view":"t","indexPath":[0,0]"#
  /// The next signal comes 1/16 s after the last one, or 1/8 s.
  private static let sixteenth = "+-0.9375"
  private static let eighth = "+-0.875"

  private static func tap(_ name: String, _ members: String = "") -> String {
    #"tap "view":"\#(name)","controller":"home","elementId":"\#(name)"\#(members.isEmpty ? "" : ",\(members)")"#
  }

  private static func gesture(_ name: String, _ members: String = "") -> String {
    let recognizer = members.contains(#""recognizer":"#) ? "" : #","recognizer":"UITapGestureRecognizer""#
    let state = members.contains(#""state":"#) ? "" : #","state":"ended""#
    return #"gesture "view":"\#(name)","controller":"home","elementId":"\#(name)"\#(recognizer)\#(state)"#
      + (members.isEmpty ? "" : ",\(members)")
  }

  private static let button = #""class":"UIButton""#

  static let controls: [Example] = [
    Example(
      rule: "control/interval",
      signals: [home, tap("a", button), sixteenth, tap("a"), sixteenth, tap("b", button), sixteenth, tap("a")],
      sent: ["a", "b", "a"]),
    Example(
      rule: "control/interval-stamp",
      signals: [
        home, tap("a", #""class":"UIButton","attributes":{"hidden":true}"#), sixteenth,
        tap("a", #""attributes":{"hidden":false}"#), sixteenth, tap("a"), sixteenth, tap("a"), eighth, tap("a"),
      ],
      sent: ["a", "a", "a"]),
    Example(
      rule: "control/senders",
      signals: [
        home, tap("a", button + #","sender":"UITabBarItem""#), tap("a", #""sender":"UIBarButtonItem""#),
        tap("a", #""sender":"UIKeyCommand""#), tap("a", #""sender":"UIButton""#), tap("a"),
      ],
      sent: ["a", "a"]),
    Example(
      rule: "control/any-phase",
      signals: [home]
        + ["UISwitch", "UIStepper", "UIPageControl", "MySwitch"].flatMap { name in
          let base = name == "MySwitch" ? #","base":"UISwitch""# : ""
          return [
            tap(name, #""class":"\#(name)"\#(base),"phase":"began""#), tap(name, #""phase":"moved""#),
            tap(name, #""event":"none""#),
          ]
        } + [
          tap("segments", #""class":"UISegmentedControl","attributes":{"selectedIndex":0},"event":"motion""#)
        ],
      sent: ["UISwitch", "UIStepper", "UIPageControl", "MySwitch"].flatMap { [$0, $0, $0] } + ["segments"]),
    Example(
      rule: "control/touch-ended",
      signals: [home]
        + ["UIButton", "UISlider", "UIDatePicker", "UIRefreshControl", "MyControl"].flatMap { name in
          ["began", "moved", "stationary", "cancelled", "ended"].map {
            tap(name, #""class":"\#(name)","phase":"\#($0)""#)
          } + [tap(name, #""event":"none""#), tap(name, #""event":"motion""#)]
        },
      sent: ["UIButton", "UISlider", "UIDatePicker", "UIRefreshControl", "MyControl"]),
    Example(
      rule: "control/text-field",
      signals: [home, tap("a", #""class":"UITextField","event":"none""#), tap("a"), tap("a", #""phase":"began""#)],
      sent: ["a"]),
    Example(
      rule: "control/slider-tracking",
      signals: [home, tap("a", #""class":"UISlider","tracking":true"#), tap("a", #""tracking":false"#)],
      sent: ["a"]),
    Example(
      rule: "control/segment-none",
      signals: [
        home, tap("a", #""class":"UISegmentedControl""#), tap("a", #""attributes":{"selectedIndex":-1}"#),
        tap("a", #""attributes":{"selectedIndex":1}"#),
      ],
      sent: ["a"]),
    Example(
      rule: "control/order",
      signals: [
        home, tap("a", button + #","effect":[{"action":"track","event":"Before"}]"#),
        tap("b", button + #","after":true,"effect":[{"action":"track","event":"After"}]"#),
        #"define "controller":"tabs","class":"ShopTabs","base":"UITabBarController""#,
        tap("c", button + #","to":"ShopTabs","effect":[{"action":"track","event":"Tabs"}]"#),
        tap("d", button + #","to":"UITabBar","effect":[{"action":"track","event":"Bar"}]"#),
      ],
      sent: ["a", "Before", "After", "b", "Tabs", "c", "Bar", "d"]),
    // The action is performed in any case.
    Example(
      rule: "control/exceptions",
      signals: [
        home, tap("a", button + #","ignoreView":true,"effect":[{"action":"track","event":"Done"}]"#),
      ],
      sent: ["Done"]),
  ]

  static let views: [Example] = [
    Example(
      rule: "any/ignored-view",
      signals: [
        home, tap("a", button + #","attributes":{"hidden":true}"#), tap("b", button + #","ignoreView":true"#),
        #"view "view":"box","class":"UIView","controller":"home","attributes":{"hidden":true},"ignoreView":true"#,
        #"tap "view":"c","in":"box","class":"UIButton","elementId":"c","attributes":{"alpha":0}"#,
        gesture("d", #""class":"UIView","attributes":{"hidden":true}"#),
      ],
      sent: ["c"]),
    Example(
      rule: "any/ignored-type", configuration: #""ignoreTypes":["UIButton"],"ignoreControllers":["Secret"]"#,
      signals: [
        home, tap("a", button), tap("b", #""class":"MyButton","base":"UIButton""#), tap("c", #""class":"MyControl""#),
        #"define "controller":"home","class":"Secret""#, tap("c"), gesture("d", #""class":"UIView""#),
        #"define "controller":"home","class":"MoreSecret","base":"Secret""#, tap("c"),
      ],
      sent: ["c", "c"]),
    Example(
      rule: "any/ignored-item-buttons", configuration: #""ignoreTypes":["UITabBarItem","UIBarButtonItem"]"#,
      signals: [
        home, tap("a", #""class":"UITabBarButton""#), tap("b", #""class":"_UIButtonBarButton""#),
        tap("c", #""class":"UINavigationButton""#), tap("d", #""class":"MyTabButton","base":"UITabBarButton""#),
      ],
      sent: ["d"]),
    Example(
      rule: "any/controller-blacklist",
      signals: [
        #"define "controller":"home","class":"Viewer","base":"UISplitViewController""#, tap("a", button),
        gesture("b", #""class":"UIView""#), table, cell, selection, #"trackClick "view":"a""#,
        #"define "controller":"home","class":"UIEditUserWordController""#, tap("a"), selection,
        #"define "controller":"home","class":"WordController","base":"UIEditUserWordController""#, tap("a"),
      ],
      sent: ["t", "a", "t", "a"]),
    Example(
      rule: "any/application-state",
      signals: [home] + Session.left + [tap("a", button), table, cell, selection, gesture("b", #""class":"UIView""#)],
      sent: ["$AppEnd", "a", "t", "b"]),
    Example(
      rule: "code/code",
      configuration: #""autoTrack":["start"],"ignoreTypes":["UIButton"],"ignoreControllers":["Home"]"#,
      signals: [
        #"define "controller":"home","class":"Home""#,
        #"trackClick "view":"a","class":"UIButton","controller":"home","elementId":"a""#, sixteenth,
        #"trackClick "view":"a","attributes":{"hidden":true}"#, #"trackClick "view":"a","ignoreView":true"#,
        #"trackClick "view":"nobody""#,
      ],
      sent: ["a", "a", "a"]),
    Example(
      rule: "cell/delegate",
      signals: [
        home, table, cell, selection, #"view "view":"label","class":"UILabel","in":"c""#,
        #"select "view":"label","indexPath":[0,0]"#,
      ],
      sent: ["t"]),
    Example(
      rule: "cell/off-screen",
      signals: [
        home, grid, tile, selection, #"select "view":"t","indexPath":[0,1]"#, #"select "view":"t","indexPath":[1,0]"#,
      ],
      sent: ["t"]),
    Example(
      rule: "cell/interval", signals: [home, table, cell, selection, sixteenth, selection, sixteenth, selection],
      sent: ["t", "t", "t"]),
    Example(
      rule: "cell/ignored", configuration: #""ignoreTypes":["QuietCell"],"ignoreControllers":["Secret"]"#,
      signals: [
        home, table, cell, #"view "view":"c","attributes":{"hidden":true}"#, selection,
        #"view "view":"c","attributes":{"hidden":false},"class":"QuietCell","base":"UITableViewCell""#, selection,
        #"view "view":"c","class":"LoudCell","base":"UITableViewCell","elementId":"not this""#, selection,
        #"view "view":"t","ignoreView":true"#, selection, #"view "view":"t","ignoreView":false"#,
        #"define "controller":"home","class":"Secret""#, selection,
      ],
      sent: ["t"]),
    Example(
      rule: "cell/when", configuration: #""autoTrack":["start","end","screen"]"#,
      signals: [home, table, cell, selection, tap("a", button), gesture("b", #""class":"UIView""#)], sent: []),
  ]

  static let gestures: [Example] = [
    Example(
      rule: "gesture/class",
      signals: [home, #"view "view":"a","class":"UIView""#]
        + [
          "UITapGestureRecognizer", "UILongPressGestureRecognizer", "_UIContextMenuSelectionGestureRecognizer",
          "UIPanGestureRecognizer", "UISwipeGestureRecognizer", "UIPinchGestureRecognizer",
          "UIRotationGestureRecognizer", "UIScreenEdgePanGestureRecognizer",
        ].map { gesture("a", #""recognizer":"\#($0)""#) } + [
          gesture("a", #""recognizer":"MyTap","recognizerBase":"UITapGestureRecognizer""#)
        ],
      sent: ["a", "a", "a"]),
    Example(
      rule: "gesture/state",
      signals: [home, #"view "view":"a","class":"UIView""#]
        + ["possible", "began", "changed", "ended", "cancelled", "failed"].map { gesture("a", #""state":"\#($0)""#) },
      sent: ["a", "a"]),
    Example(
      rule: "gesture/targets",
      signals: [
        home,
        gesture(
          "a", #""class":"UIView","actions":["act:","act2:"],"effect":[{"action":"track","event":"Done"}]"#),
      ],
      sent: ["a", "Done"]),
    Example(
      rule: "gesture/valid-target",
      signals: [
        home, gesture("a", #""class":"UIView","actions":["missing:"]"#), gesture("a", #""actions":[]"#),
        gesture("a", #""actions":["missing:","act:"]"#),
      ],
      sent: ["a"]),
    Example(
      rule: "gesture/interval", signals: [home, gesture("a", #""class":"UIView""#), sixteenth, gesture("a")],
      sent: ["a", "a"]),
    Example(
      rule: "gesture/table-cell",
      signals: [
        home, table, cell,
        #"view "view":"a","class":"UITableViewCellContentView","base":"UIView","in":"c","elementId":"a""#,
      ]
        + [
          #"["_longPressGestureRecognized:"]"#, #"["_longPressGestureRecognized:","missing:"]"#,
          #"["_longPressGestureRecognized:","act:"]"#, #"["_handleMenuGesture:"]"#,
        ].map { #"gesture "view":"a","recognizer":"UILongPressGestureRecognizer","state":"ended","actions":\#($0)"# },
      sent: ["a", "a"]),
    Example(
      rule: "gesture/collection-cell",
      signals: [
        home, grid, tile, #"view "view":"a","class":"UIView","in":"c","elementId":"a""#,
        #"view "view":"b","class":"UIView","in":"a","elementId":"b""#,
      ]
        + [("a", "_handleMenuGesture:"), ("a", "_longPressGestureRecognized:"), ("b", "_handleMenuGesture:")].map {
          #"gesture "view":"\#($0)","recognizer":"UITapGestureRecognizer","state":"ended","actions":["\#($1)"]"#
        },
      sent: ["a", "b"]),
    Example(
      rule: "gesture/options",
      signals: [home]
        + options.flatMap { group, option in
          [
            #"view "view":"\#(group)","class":"\#(group)","base":"UIView","controller":"home","frame":[0,0,90,90]"#,
            #"view "view":"in \#(group)","class":"UIView","in":"\#(group)","frame":[10,10,80,80]"#,
            #"view "view":"\#(option)","class":"\#(option)","base":"UIView","in":"in \#(group)","frame":[10,0,20,20],"elementId":"\#(option)""#,
          ]
            + ["[20,10]", "[39,29]", "[40,29]", "[20,30]", "[19,10]"].map {
              #"gesture "view":"\#(group)","recognizer":"UITapGestureRecognizer","state":"ended","point":\#($0)"#
            }
        },
      sent: options.flatMap { [$1, $1] }),
    Example(
      rule: "gesture/sdk-alert",
      signals: [
        #"define "controller":"own","class":"SAAlertController""#,
        #"define "controller":"alert","class":"UIAlertController","parent":"own""#,
      ]
        + options.prefix(2).flatMap { group, option in
          [
            #"view "view":"\#(group)","class":"\#(group)","base":"UIView","controller":"alert","frame":[0,0,90,90]"#,
            #"view "view":"\#(option)","class":"\#(option)","base":"UIView","in":"\#(group)","frame":[0,0,90,90]"#,
            #"gesture "view":"\#(group)","recognizer":"UITapGestureRecognizer","state":"ended","point":[5,5]"#,
          ]
        },
      sent: []),
  ]

  private static let options = [
    ("_UIAlertControllerView", "_UIAlertControllerCollectionViewCell"),
    ("_UIAlertControllerInterfaceActionGroupView", "_UIInterfaceActionCustomViewRepresentationView"),
    ("UIInterfaceActionGroupView", "_UIContextMenuActionView"),
    ("_UIContextMenuActionsListView", "_UIContextMenuActionsListCell"),
  ]

  @Test("Each rule of clicks decides the events", arguments: controls + views + gestures)
  func rule(_ example: Example) throws {
    let result = try Session.replay(Session.front + example.signals, configuration: example.configuration)
    #expect(Self.sent(result) == example.sent)
  }

  private static func sent(_ result: Session.Result) -> [String] {
    result.events.filter { $0.name != "$AppStart" }.map { event in
      let name = event.name ?? event.type
      return text(event.properties, "$element_id") ?? text(event.properties, "$element_type") ?? name
    }
  }

  /// Returns a member that is a text.
  private static func text(_ object: EventObject, _ name: String) -> String? {
    if case .string(let text)? = object[name] { text } else { nil }
  }

  // MARK: - The SDK's own table

  private static let file = PackageFolder.shared?.appending(path: "sessions/click-rules.ndjson")

  /// Returns the rows of the SDK's table of rules.
  private static func rows() throws -> [EventObject] {
    try Data(contentsOf: #require(file)).split(separator: 0x0A).map { line in
      guard case .object(let row) = try EventValue(json: line) else { throw CocoaError(.coderReadCorrupt) }
      return row
    }
  }

  private static func classes(_ row: EventObject, _ member: String) -> [String] {
    guard case .list(let values)? = row[member] else { return [] }
    return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  @Test(
    "Every rule in the SDK's table of rules has a session here",
    .enabled(if: file != nil, "the folder with the SDK's rules is missing"))
  func rulesAreComplete() throws {
    let names = Set((Self.controls + Self.views + Self.gestures).map(\.rule))
    var rules: Set<String> = []
    for row in try Self.rows() {
      let name = "\(Self.text(row, "path") ?? "")/\(Self.text(row, "rule") ?? "")"
      if Self.classes(row, "public").isEmpty { rules.insert(name) }
    }
    #expect(rules == names)
  }

  @Test(
    "The lists of controllers and views hold for public classes with their subclasses, for private ones exactly",
    .enabled(if: file != nil, "the folder with the SDK's rules is missing"))
  func listsAgree() throws {
    var lists = 0
    for row in try Self.rows() where !Self.classes(row, "public").isEmpty {
      let rule = try #require(Self.text(row, "rule"))
      let (kinds, names) = (Self.classes(row, "public"), Self.classes(row, "private"))
      // A click is never in a navigation controller, only in the page that it shows.
      let isEmpty = rule == "controllers $AppClick"
      let classes =
        (kinds.filter { !isEmpty || $0 != "UINavigationController" } + names).flatMap { [($0, ""), ("My\($0)", $0)] }
        + [("Other", "")]
      let signals = classes.flatMap { Self.signals(of: $0, base: $1, rule) }
      let result = Self.sent(try Session.replay(Session.front + signals))
      #expect(Set(result) == Set(names.map { "My\($0)" } + ["Other"]), "\(rule)")
      lists += 1
    }
    #expect(lists == 3)
  }

  /// Returns signals of a class that a list decides on; its events have its name.
  private static func signals(of name: String, base: String, _ rule: String) -> [String] {
    let members = #""class":"\#(name)""# + (base.isEmpty ? "" : #","base":"\#(base)""#)
    switch rule {
    case "controllers $AppClick":
      return [
        #"define "controller":"\#(name)",\#(members)"#,
        #"tap "view":"\#(name)","class":"UIButton","controller":"\#(name)","elementId":"\#(name)""#,
      ]
    case "controllers $AppViewScreen":
      return [
        #"appear "controller":"\#(name)",\#(members),"properties":{"$element_id":"\#(name)"}"#,
        #"trackScreen "controller":"\#(name)""#,
      ]
    default: return [gesture(name, members)]
    }
  }
}
