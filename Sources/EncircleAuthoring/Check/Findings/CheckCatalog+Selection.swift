import EncircleRuleFiles

private let twoPages = """
  <view class="UIWindow">
    <view class="UIView" controller="HomeViewController"><view class="AddButton"/></view>
    <view class="UIView" controller="CartViewController"><view class="AddButton"/></view>
  </view>
  """

private let checkout = """
  <view class="UIWindow"><view class="UIView" controller="CartViewController">
    <view class="CheckoutButton" superclasses="UIButton UIControl" title="去结算"><view class="UIButtonLabel" text="去结算"/></view>
    <view class="UIButton" title="全选"/>
  </view></view>
  """

// MARK: - What the rules select in captures

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
      """, capture: CheckCatalog.list)

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
      """, capture: CheckCatalog.list)

  static let selectionElsewhere = CheckDocumentation(
    .warning, "matches elements of pages other than the one that the rule names",
    """
    The id or name of the rule mentions a page, but its clause has no `page`, and the selector also matches elements \
    of other pages in the captures. Add `page`, or rename the rule.
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
    Several elements of one capture have this event ID, so the rule matches all of them, and no rule can distinguish \
    them by identity. Give the controls actions of their own, or test a selector and a text.
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
    Captures of two versions of the app show that the event ID stood for one element and stands for another one in the \
    later version, as when the first of two buttons was removed and the second took its index. The rule counts taps on \
    both. Select the element by a selector with a text or by its actions, or limit the rule to versions.
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

  static let selectionOfUntracked = CheckDocumentation(
    .warning, "a selector of elements that send no events",
    """
    SDKs send no events for the elements that the selector matches in the captures: they are labels in buttons, for \
    example, rather than the buttons. A tap counts for the control, the cell or the view with a recognizer around \
    them, whose selector is offered.
    """,
    wrong: """
      rules:
        - id: checkout
          include: { selector: CheckoutButton(0)/UIButtonLabel(0) }
      """,
    right: """
      rules:
        - id: checkout
          include: { selector: CheckoutButton(0) }
      """, capture: checkout)

  static let selectionOfNeverTogether = CheckDocumentation(
    .warning, "tests that each hold, but never together",
    """
    Two tests of the clause each hold for some of the given elements or events, but none of these passes both: the \
    text belongs to another element than the selector names, the page is another one, or the event never has the \
    property.
    """,
    wrong: """
      rules:
        - id: checkout
          include: { selector: CheckoutButton, where: { $element_content: 全选 } }
      """,
    right: """
      rules:
        - id: checkout
          include: { selector: CheckoutButton, where: { $element_content: 去结算 } }
      """, capture: checkout)

  static let selectionWithoutProperty = CheckDocumentation(
    .warning, "a property that no event gets",
    """
    None of the elements that the rule matches in the captures has a source for the property: the path has no row, the \
    selector leads to no element with a text, or the expression does not match. Page views have no element at all.
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
