import EncircleRuleFiles

// MARK: - Names

extension CheckCode {
  static let nameOfClass = CheckDocumentation(
    .warning, "an unknown class",
    """
    Neither the captures nor the rules' `classes` nor the tables of UIKit and Android have the class, so the step matches \
    nothing. Without captures only names that look like typing errors are reported, and in style `sensors-android` short \
    names such as `MaterialButton`, which only a test with `:` knows.
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
      """, capture: CheckCatalog.list)

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
      """, capture: CheckCatalog.list)

  static let nameOfProperty = CheckDocumentation(
    .warning, "an unknown property",
    """
    No given event has the property, and no SDK sends it, so a test of it is always false. Without events, only names \
    that begin with `$` are reported, as an app may have any other properties.
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
    No given event has the name, and no SDK sends it. Without events, only names that begin with `$` or look like \
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

  static let nameOfApp = CheckDocumentation(
    .warning, "an app to which no capture or event belongs",
    "The file names the app that its rules are for, but all given captures and events belong to other apps.",
    wrong: """
      app: com.example.shpo
      rules:
        - id: click
          include: { event: $AppClick }
      """,
    right: """
      app: com.example.shop
      rules:
        - id: click
          include: { event: $AppClick }
      """,
    event: #"{"event":"$AppClick","properties":{"$app_id":"com.example.shop"}}"#)

  static let notationOfOthers = CheckDocumentation(
    .warning, "a selector in the notation of another tool",
    """
    The text is a selector, but probably not the intended one: it has the separators, alternatives or indexes of \
    XPath, CSS, regular expressions or Android, which here are parts of class names.
    """,
    wrong: """
      rules:
        - id: checkout
          include: { selector: UIView>CheckoutButton }
      """,
    right: """
      rules:
        - id: checkout
          include: { selector: UIView/CheckoutButton }
      """)
}
