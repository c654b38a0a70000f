import EncircleRuleFiles

// MARK: - What authors have decided about findings

extension CheckCode {
  static let suppressionOfNothing = CheckDocumentation(
    .warning, "a comment that silences no finding",
    """
    A comment `# encircle: off` names an unknown finding, has no reason, or stands where it applies to nothing: the \
    finding that it should silence is then reported, contrary to the comment. A correct comment that has nothing to \
    silence is a note: the mistake may have been corrected, or the captures do not show it.
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
      """, capture: CheckCatalog.list)
}
