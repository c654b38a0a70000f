import EncircleRuleFiles

// MARK: - What the rules mean

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
    Exclude rules and excluded pages, including the pages of the system, alone or together, match every event that the \
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

  static let meaningOfException = CheckDocumentation(
    .warning, "an exception that takes nothing away",
    """
    No event that the rule matches passes the tests of this clause of `unless`: they contradict the rule's own tests, \
    or both hold in the given captures and events, but never together.
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
    .note, "a clause or selector that another one in its rule makes unnecessary",
    """
    Another clause of the rule, or another selector of the list, matches everything that it matches, or several do so \
    together.
    """,
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
    .note, "a rule that another one covers except for a few numbers",
    """
    If one range of the other rule had up to three more numbers, that rule would match, or exclude, everything that \
    this rule matches. This may be intended, but often a range is off by one. The finding shows an event that is left.
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
    .warning, "a rule that is not in force today",
    """
    `to` is in the past, so the rule matches no event of today. If `from` is in the future, this is a note. If `to` is \
    before `from`, the file has an error.
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

  static let meaningOfSameKind = CheckDocumentation(
    .warning, "a sameKind without effect",
    """
    `sameKind` frees the section, row and item of the innermost cell that a selector names. In all selectors of the \
    rule they are free already. An index, which Android's styles write for a row, is freed by `(*)` in the selector.
    """,
    wrong: """
      rules:
        - id: cart.buy
          sameKind: true
          include: { page: CartViewController, selector: CartCell/BuyButton }
      """,
    right: """
      rules:
        - id: cart.buy
          sameKind: true
          include: { page: CartViewController, selector: CartCell(section:0 row:1)/BuyButton }
      """)
}
