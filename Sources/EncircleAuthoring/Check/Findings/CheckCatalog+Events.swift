import EncircleRuleFiles

private let checkout = """
  <view class="UIWindow"><view class="UIView" controller="CartViewController">
    <view class="CheckoutButton" superclasses="UIButton UIControl" title="去结算"><view class="UIButtonLabel" text="去结算"/></view>
    <view class="UIButton" title="全选"/>
  </view></view>
  """

// MARK: - What SDKs send

extension CheckCode {
  static let selectionOfUntracked = CheckDocumentation(
    .warning, "a selector of elements that send no events",
    """
    All elements of the captures that the selector matches are such as no SDK sends events from: the label in a button, \
    rather than the button. The tap is that of the control, the cell or the view with a recognizer around it, whose selector \
    is offered.
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
    Each of two tests of the clause holds for elements or events that were given, but no element or event passes both: the \
    text is that of another element than the selector's, the page is another one, or the event never has the property.
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

  static let meaningOfException = CheckDocumentation(
    .warning, "an exception that takes nothing away",
    """
    No event that the rule matches passes the tests of this clause of `unless`: they contradict those of the rule, or in the \
    captures and events that were given both hold, but never together.
    """,
    wrong: """
      rules:
        - id: checkout
          include: { page: CartViewController, selector: CheckoutButton }
          unless: { page: HomeViewController }
      """,
    right: """
      rules:
        - id: checkout
          include: { selector: CheckoutButton }
          unless: { page: HomeViewController }
      """)

  static let nameOfApp = CheckDocumentation(
    .warning, "an app that no capture or event is of",
    "The rules of the file are for an app, by its identifier, and all captures and events that were given are of others.",
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
    The text is a selector, but hardly one that is meant: it has the separators, alternatives or indexes of XPath, CSS, regular \
    expressions or Android, which here are parts of class names.
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
