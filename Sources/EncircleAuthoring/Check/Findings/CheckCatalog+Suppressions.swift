import EncircleRuleFiles

// MARK: - What authors have decided about findings

extension CheckCode {
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
      """, capture: CheckCatalog.list)
}
