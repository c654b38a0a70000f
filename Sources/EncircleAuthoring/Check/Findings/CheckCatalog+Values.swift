import EncircleRuleFiles

// MARK: - Values

extension CheckCode {
  static let valueThatNeverOccurs = CheckDocumentation(
    .warning, "a value that never occurs where it is tested",
    """
    No capture or event that was given has the value at that property, and one that does occur is nearly the same: other \
    full-width signs, a traditional character, a typing error. Actions and types of elements, which developers name, are \
    unknown if no capture has them. What users write is not: a text is reported only if a near one occurs. A test of an app \
    that the file is not for is reported, too.
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
    Nothing is cast: a text of digits is not a number. In the captures and events that were given the property always \
    has another type than the test asks for, so that the test never holds. SDKs send versions as texts, for which there \
    is `version`.
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
    A text alone must be equal, byte by byte. Beginnings, forms, expressions and comparisons have tests of their own: \
    `prefix`, `suffix`, `contains`, `glob`, `matches`, `">="` and so on.
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
