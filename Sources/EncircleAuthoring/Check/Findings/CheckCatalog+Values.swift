import EncircleRuleFiles

// MARK: - Values

extension CheckCode {
  static let valueThatNeverOccurs = CheckDocumentation(
    .warning, "a value that never occurs where it is tested",
    """
    No given capture or event has the value in this property, but a similar one occurs: with other full-width signs, a \
    traditional character, a typing error. Actions and types of elements, which developers name, are reported if no \
    capture has them; any other text only if a similar one occurs. A test of an app that the file is not for is \
    reported, too.
    """,
    wrong: """
      rules:
        - id: logout
          include: { where: { $alert_title: 退出登陆 } }
      """,
    right: """
      rules:
        - id: logout
          include: { where: { $alert_title: 退出登录 } }
      """, event: #"{"event":"$AppClick","properties":{"$alert_title":"退出登录"}}"#)

  static let valueOfOtherType = CheckDocumentation(
    .warning, "a test of a type that the property never has",
    """
    Values are not converted: a text of digits is not a number. In the given captures and events, the property always \
    has another type than the test requires, so the test never holds. SDKs send versions as texts, for which there is \
    `version`.
    """,
    wrong: """
      rules:
        - id: new
          include: { event: $AppClick, where: { $app_version: { ">=": 5.2 } } }
      """,
    right: """
      rules:
        - id: new
          include: { event: $AppClick, where: { $app_version: { version: ">=5.2" } } }
      """)

  static let valueThatIsPattern = CheckDocumentation(
    .warning, "a pattern that is compared as plain text",
    """
    A plain text must equal the value, byte by byte. Parts of texts, patterns, regular expressions and comparisons \
    have tests of their own: `prefix`, `suffix`, `contains`, `glob`, `matches`, `">="` and so on.
    """,
    wrong: """
      rules:
        - id: home
          include: { page: "Home*", where: { amount: ">= 3" } }
      """,
    right: """
      rules:
        - id: home
          include: { page: { prefix: Home }, where: { amount: { ">=": 3 } } }
      """)
}
