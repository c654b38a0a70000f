import EncircleRuleFiles

// The texts of `encircle check --list` and of docs/checks.md. Each example is a test: the wrong one must have the
// finding, the right one must not.

private let list = """
  <view class="UIWindow"><view class="UITableView" controller="CartViewController">
    <view class="CartCell" superclasses="UITableViewCell" indexPath="0 0"><view class="UILabel"/><view class="BuyButton"/></view>
    <view class="CartCell" superclasses="UITableViewCell" indexPath="0 1"><view class="UILabel"/><view class="BuyButton"/></view>
    <view class="CartCell" superclasses="UITableViewCell" indexPath="0 2"><view class="UILabel"/><view class="BuyButton"/></view>
  </view></view>
  """

private let twoPages = """
  <view class="UIWindow">
    <view class="UIView" controller="HomeViewController"><view class="AddButton"/></view>
    <view class="UIView" controller="CartViewController"><view class="AddButton"/></view>
  </view>
  """

// MARK: - Selection in captures

extension CheckCode {
  static let selectionOfNothing = CheckDocumentation(
    .warning, "matches nothing in the captures",
    """
    No capture has an element that the selector or event ID matches, or only on other pages than the rule asks for. Either \
    it is misspelt, or the screen has changed, or no capture shows it yet.
    """,
    wrong: """
      rules:
        - id: cart.buy
          include: { page: CartViewController, selector: CartCell(section:1 row:*)/BuyButton }
      """,
    right: """
      rules:
        - id: cart.buy
          include: { page: CartViewController, selector: CartCell(section:0 row:*)/BuyButton }
      """, capture: list)

  static let selectionOfMuch = CheckDocumentation(
    .warning, "matches many elements of one capture",
    """
    The rule matches more elements of one screen than people would mean: more than 50, or than `limit` in the rule's \
    `checks`. A longer selector, a page or a locator narrows it.
    """,
    wrong: """
      checks: { matches-many: { limit: 4 } }
      rules:
        - id: cart.all
          include: { selector: CartCell/** }
      """,
    right: """
      checks: { matches-many: { limit: 4 } }
      rules:
        - id: cart.all
          include: { selector: CartCell/BuyButton }
      """, capture: list)

  static let selectionElsewhere = CheckDocumentation(
    .warning, "matches elements of other pages than the rule speaks of",
    """
    The rule's id or name names a page, its clause has none, and the selector also matches elements of other pages of the \
    captures. Add `page`, or change the name of the rule.
    """,
    wrong: """
      rules:
        - id: home.add
          include: { selector: AddButton }
      """,
    right: """
      rules:
        - id: home.add
          include: { page: HomeViewController, selector: AddButton }
      """, capture: twoPages)

  static let selectionOfTwins = CheckDocumentation(
    .warning, "an identity that several elements share",
    """
    Several elements of one capture have this event ID, so the rule matches all of them, and no rule can tell them apart \
    by identity. Give the controls actions of their own, or test a selector and a text.
    """,
    wrong: """
      rules:
        - id: chat.bar
          include: { identity: path(UIWindow(0)_UINavigationBar(0)_UIButton)&actions(tap:) }
      """,
    right: """
      rules:
        - id: chat.bar
          include: { identity: path(UIWindow(0)_UINavigationBar(0)_UIButton)&actions(close:) }
      """,
    capture: """
      <view class="UIWindow"><view class="UINavigationBar">
        <view class="UIButton" actions="tap:"/><view class="UIButton" actions="tap:"/><view class="UIButton" actions="close:"/>
      </view></view>
      """)

  static let selectionOfSuccessor = CheckDocumentation(
    .warning, "an event ID that means another element in a later version",
    """
    By captures of two versions of the app, the event ID stood for one element, and stands for another one in the later version, \
    as when the first of two buttons was removed and the second took its index. The rule counts taps on both. Select the element \
    by a selector with a text or by its actions, or bound the rule's versions.
    """,
    wrong: """
      rules:
        - id: order.cancel
          include: { identity: path(UIWindow(0)_OrderBar(0)_UIButton(0))&controller(OrderViewController) }
      """,
    right: """
      rules:
        - id: order.note
          include: { identity: path(UIWindow(0)_OrderBar(0)_UILabel(0))&controller(OrderViewController) }
      """,
    capture: """
      <view class="UIWindow"><view class="OrderBar" frame="0 700 390 80" controller="OrderViewController">
        <view class="UILabel" frame="8 0 200 20" text="Total: 12"/>
        <view class="UIButton" frame="8 24 90 40" title="Cancel order"/>
        <view class="UIButton" frame="120 24 120 40" title="Pay now"/>
      </view></view>
      """,
    laterCapture: """
      <view class="UIWindow"><view class="OrderBar" frame="0 700 390 80" controller="OrderViewController">
        <view class="UILabel" frame="8 0 200 20" text="Total: 12"/>
        <view class="UIButton" frame="120 24 120 40" title="Pay now"/>
      </view></view>
      """)
}

// MARK: - Properties

extension CheckCode {
  static let selectionWithoutProperty = CheckDocumentation(
    .warning, "a property that no event gets",
    """
    None of the elements that the rule matches in the captures has what the property is read from: no row in the path, no \
    element at the selector with a text, or no match of the expression. Views of pages have no element at all.
    """,
    wrong: """
      rules:
        - id: cart.buy
          include: { selector: CartCell/BuyButton }
          properties: { name: { element: ../UIImageView(0) } }
      """,
    right: """
      rules:
        - id: cart.buy
          include: { selector: CartCell/BuyButton }
          properties: { name: { element: ../UILabel(0) } }
      """,
    capture: """
      <view class="UIWindow"><view class="UITableView" controller="CartViewController">
        <view class="CartCell" superclasses="UITableViewCell" indexPath="0 0">
          <view class="UILabel" text="桃"/><view class="BuyButton" actions="buy"/>
        </view>
      </view></view>
      """)
}

// MARK: - Names

extension CheckCode {
  static let nameOfClass = CheckDocumentation(
    .warning, "an unknown class",
    """
    Neither the captures nor the rules' `classes` nor the tables of UIKit and Android have the class, so the step matches \
    nothing. Without captures only names that look like typing errors are reported.
    """,
    wrong: """
      rules:
        - id: cart.buy
          include: { selector: CartCel/BuyButton }
      """,
    right: """
      rules:
        - id: cart.buy
          include: { selector: CartCell/BuyButton }
      """, capture: list)

  static let nameOfPage = CheckDocumentation(
    .warning, "an unknown page",
    "No capture, event or declared class has a page of that name, so the clause matches nothing.",
    wrong: """
      rules:
        - id: cart.buy
          include: { page: CartViewControler, selector: BuyButton }
      """,
    right: """
      rules:
        - id: cart.buy
          include: { page: CartViewController, selector: BuyButton }
      """, capture: list)

  static let nameOfProperty = CheckDocumentation(
    .warning, "an unknown property",
    """
    No event that was given has the property, and no SDK sends it; a test of it is always false. Without events only \
    names that begin with `$` are reported, as an app may have any other properties.
    """,
    wrong: """
      rules:
        - id: cart.pay
          include: { event: pay, where: { amonut: { ">": 100 } } }
      """,
    right: """
      rules:
        - id: cart.pay
          include: { event: pay, where: { amount: { ">": 100 } } }
      """, event: #"{"event":"pay","properties":{"amount":120,"$screen_name":"CartViewController"}}"#)

  static let nameOfEvent = CheckDocumentation(
    .warning, "an unknown event",
    """
    No event that was given has the name, and no SDK sends it. Without events only names that begin with `$` or look like \
    typing errors are reported.
    """,
    wrong: """
      rules:
        - id: click
          include: { event: $AppClik, page: CartViewController }
      """,
    right: """
      rules:
        - id: click
          include: { event: $AppClick, page: CartViewController }
      """)

  static let nameOfAction = CheckDocumentation(
    .warning, "an action that no control of the captures has",
    "The identity of a bar item names its actions; no control of the captures has this one.",
    wrong: """
      rules:
        - id: chat.quit
          include: { identity: path(UIWindow(0)_UINavigationBar(0)_UIButton)&actions(quitGrop:) }
      """,
    right: """
      rules:
        - id: chat.quit
          include: { identity: path(UIWindow(0)_UINavigationBar(0)_UIButton)&actions(quitGroup:) }
      """,
    capture: """
      <view class="UIWindow"><view class="UINavigationBar"><view class="UIButton" actions="quitGroup:"/></view></view>
      """)
}

// MARK: - Meaning

extension CheckCode {
  static let meaningOfNothing = CheckDocumentation(
    .error, "tests that no event can pass",
    """
    The tests of the clause contradict each other, or `unless` leaves out everything that they match, so no event at all \
    matches. This is computed from the sets of values that pass the tests.
    """,
    wrong: """
      rules:
        - id: pay.large
          include: { event: pay, where: { amount: { ">": 100, "<=": 99.5 } } }
      """,
    right: """
      rules:
        - id: pay.large
          include: { event: pay, where: { amount: { ">": 99.5, "<=": 100 } } }
      """)

  static let meaningOfNoVersion = CheckDocumentation(
    .error, "a range of versions without a version",
    "No version is in the range. A pre-release comes before its release: 6.0-beta is within <6.",
    wrong: """
      rules:
        - id: click
          include: { event: $AppClick, where: { $app_version: { version: ">=6 <5.2" } } }
      """,
    right: """
      rules:
        - id: click
          include: { event: $AppClick, where: { $app_version: { version: ">=5.2 <6" } } }
      """)

  static let meaningExcluded = CheckDocumentation(
    .error, "an include rule that can never select",
    """
    Exclude rules and excluded pages, those of the system among them, alone or together, match every event that the \
    rule matches, and exclude beats include. This is computed from the automata of the selectors and the sets of values.
    """,
    wrong: """
      rules:
        - id: cart.buy
          include: { page: CartViewController, selector: CartCell(section:0 row:*)/BuyButton }
        - id: no.cells
          exclude: [ { selector: CartCell(row:0...4)/** }, { selector: CartCell(row:5...)/** } ]
      """,
    right: """
      rules:
        - id: cart.buy
          include: { page: CartViewController, selector: CartCell(section:0 row:*)/BuyButton }
        - id: no.cells
          exclude: [ { selector: CartCell(row:0...4)/** }, { selector: CartCell(row:9...)/** } ]
      """)

  static let meaningTwice = CheckDocumentation(
    .warning, "two rules with the same meaning",
    "Both match exactly the same events, though they may be written differently. One is enough, unless two names are wanted.",
    wrong: """
      rules:
        - id: buy
          include: { page: CartViewController, selector: CartCell/BuyButton }
        - id: buy.again
          include: { page: [CartViewController], selector: CartCell(*)/BuyButton }
        - id: buy.third
          include: { page: { in: [CartViewController] }, selector: "**/CartCell/BuyButton" }
      """,
    right: """
      rules:
        - id: buy
          include: { page: CartViewController, selector: CartCell(0)/BuyButton }
        - id: buy.again
          include: { page: CartViewController, selector: CartCell(1)/BuyButton }
      """)

  static let meaningCovered = CheckDocumentation(
    .warning, "a rule whose events another rule already matches",
    """
    Another rule of the same kind matches every event that this one matches, and more. For an include rule that selects \
    under another name this is a note, since that may be its purpose.
    """,
    wrong: """
      rules:
        - id: cells
          include: { selector: CartCell/** }
          emit: buy
        - id: first
          include: { selector: CartCell(section:0 row:0)/BuyButton }
          emit: buy
      """,
    right: """
      rules:
        - id: cells
          include: { selector: CartCell(row:1...)/** }
          emit: buy
        - id: first
          include: { selector: CartCell(section:0 row:0)/BuyButton }
          emit: buy
      """)

  static let meaningOfClause = CheckDocumentation(
    .note, "a clause or selector that another one of its rule makes needless",
    "Another clause of the rule, or another selector of the list, matches everything that it matches; or several do together.",
    wrong: """
      rules:
        - id: buy
          include: { selector: [CartCell/BuyButton, "CartCell(section:0 row:*)/BuyButton"] }
      """,
    right: """
      rules:
        - id: buy
          include: { selector: [CartCell/BuyButton, "ProductCell(section:0 row:*)/BuyButton"] }
      """)

  static let meaningNearly = CheckDocumentation(
    .note, "a rule that another one covers but for a few numbers",
    """
    If one range of the other rule had up to three numbers more, it would match, or exclude, everything that this rule \
    matches. That may be meant, but often a range is off by one. An event that is left is shown.
    """,
    wrong: """
      rules:
        - id: rows
          include: { selector: CartCell(section:0 row:*)/BuyButton }
        - id: no.rows
          exclude: { selector: CartCell(row:1...)/** }
      """,
    right: """
      rules:
        - id: rows
          include: { selector: CartCell(section:0 row:*)/BuyButton }
        - id: no.rows
          exclude: { selector: CartCell(row:0...1)/** }
      """)

  static let meaningOver = CheckDocumentation(
    .warning, "a rule that is out of its time",
    """
    `to` is past, so the rule matches no event of today. If `from` is yet to come, this is a note. If `to` is before \
    `from`, the file has an error.
    """,
    wrong: """
      rules:
        - id: sale
          to: 2020-11-12
          include: { selector: SaleButton }
      """,
    right: """
      rules:
        - id: sale
          from: 2020-11-11
          include: { selector: SaleButton }
      """)

  static let meaningOfTolerance = CheckDocumentation(
    .warning, "a tolerance without effect",
    """
    `tolerance` is for events of an element that a new version of the app has moved. The rule names no element, so it cannot lose \
    one. Name it by `selector`, `eventID` or `identity`, or leave `tolerance` out.
    """,
    wrong: """
      rules:
        - id: cart.visits
          tolerance: 0.9
          include: { event: $AppViewScreen, page: CartViewController }
      """,
    right: """
      rules:
        - id: cart.buy
          tolerance: 0.9
          include: { page: CartViewController, selector: BuyButton }
      """)
}

// MARK: - Stability

extension CheckCode {
  static let stabilityOfIndex = CheckDocumentation(
    .warning, "an index where something more stable would do",
    """
    The selector depends on the index of the element among siblings of the same class, which changes when one is added or \
    moved. In a capture another selector without such an index matches the same elements.
    """,
    wrong: """
      rules:
        - id: pay
          include: { selector: UIView(1)/PayButton }
      """,
    right: """
      rules:
        - id: pay
          include: { selector: PayButton }
      """,
    capture: """
      <view class="UIWindow"><view class="UIView" controller="PayViewController">
        <view class="UIView"/><view class="UIView"><view class="PayButton"/></view>
      </view></view>
      """)

  static let stabilityOfWrapper = CheckDocumentation(
    .warning, "anchored at the window through private views",
    """
    From the window to the element the selector names private views of the system that only hold others. They change with \
    releases of the system, and with how the page is shown. Begin at a class of the app instead.
    """,
    wrong: """
      rules:
        - id: pay
          include: { selector: /UIWindow(0)/UITransitionView(0)/UIView(0)/PayButton(0) }
      """,
    right: """
      rules:
        - id: pay
          include: { selector: PayView/PayButton(0) }
      """)

  static let stabilityOfRow = CheckDocumentation(
    .warning, "one row of a list whose rows are data",
    """
    The selector names a row, and the list has others like it in a capture: tomorrow something else stands there. Free the \
    row, or silence this where the place is meant.
    """,
    wrong: """
      rules:
        - id: cart.buy
          include: { selector: CartCell(section:0 row:1)/BuyButton }
      """,
    right: """
      rules:
        - id: cart.buy
          include: { selector: CartCell(section:0 row:*)/BuyButton }
      """, capture: list)

  static let stabilityOfText = CheckDocumentation(
    .note, "relies on text that is localised",
    """
    The rule tests a text that people read, which is another in other languages and changes when somebody rewords it. A list \
    with texts of several languages is fine.
    """,
    wrong: """
      rules:
        - id: buy
          include: { selector: BuyButton, where: { $element_content: 立即购买 } }
      """,
    right: """
      rules:
        - id: buy
          include: { selector: BuyButton, where: { $element_content: [立即购买, Buy now] } }
      """)

  static let stabilityOfEventID = CheckDocumentation(
    .warning, "an event ID without the identity that it stands for",
    """
    People cannot read a hash, and no tool can find out how its element has changed. `identity` names the same element \
    and can be read; `encircle lookup` finds it.
    """,
    wrong: """
      rules:
        - id: buy
          include: { eventID: 51effcaa9874689615be5a6eb3c1f57edf80bb5374681c07fd09b3dbe2a62f4a }
      """,
    right: """
      rules:
        - id: buy
          include: { identity: path(UIWindow(0)_UIView(0)_UIButton(0))&controller(CartViewController) }
      """)

  static let stabilityOfSystem = CheckDocumentation(
    .warning, "a class that only some releases of the system have",
    """
    The system draws this control with other classes in other releases, of those that apps support today or that captures \
    are from, so the rule matches only some of the users. A list of selectors matches all.
    """,
    wrong: """
      rules:
        - id: bar
          include: { selector: UITabBar/UITabBarButton }
      """,
    right: """
      rules:
        - id: bar
          include: { selector: [UITabBar/UITabBarButton, UITabBar/**/_UITabButton] }
      """)

  static let suppressionOfNothing = CheckDocumentation(
    .warning, "a comment that silences no finding",
    """
    A comment `# encircle: off` names no finding that there is, has no reason, or stands where it holds for nothing: then \
    what it was to silence is found, and the comment says otherwise. One that is well written but has nothing to silence is \
    a note: what was found may have been put right, or the captures do not show it.
    """,
    wrong: """
      rules:
        - id: cart.first
          # encircle: off exact-rows - the first row is the banner
          include: { selector: CartCell(section:0 row:0)/BuyButton }
      """,
    right: """
      rules:
        - id: cart.first
          # encircle: off exact-row - the first row is the banner
          include: { selector: CartCell(section:0 row:0)/BuyButton }
      """, capture: list)
}
