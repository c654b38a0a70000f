import EncircleRuleFiles

// MARK: - What will not last

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
    Between the window and the element, the selector names private views of the system that only contain others. They \
    change with releases of the system, and with the way in which the page is shown. Begin at a class of the app \
    instead.
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
    The selector names a row, and in a capture the list has others like it, so tomorrow the row may show something \
    else. Free the row, or silence the finding where the position is meant.
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
      """, capture: CheckCatalog.list)

  static let stabilityOfText = CheckDocumentation(
    .note, "relies on localised text",
    """
    The rule tests a text that people read, which differs between languages and changes when somebody rewords it. A \
    list of texts in several languages is fine.
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
    In some of the releases that apps support today or that captures come from, the system draws this control with \
    other classes, so the rule matches only some of the users. A list of selectors matches all.
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
}
