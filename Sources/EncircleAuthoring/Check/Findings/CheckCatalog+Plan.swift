import EncircleRuleFiles

private let plan = """
  events:
    - event: add_to_cart
      tracking: circled
      properties: [{ property: price, type: number }]
  """

// MARK: - The plan

extension CheckCode {
  static let planWithoutRule = CheckDocumentation(
    .warning, "an event that is to be circled, and that no rule emits",
    """
    The plan beside the rules has `tracking: circled` for the event, but no rule that is in force emits its name: \
    either the rule is still to be written, or it emits another name. An event that need not be there yet has \
    `status: planned`.
    """,
    wrong: """
      rules:
        - id: cart.add
          include: { selector: AddButton }
          emit: add_cart
      """,
    right: """
      rules:
        - id: cart.add
          include: { selector: AddButton }
          emit: add_to_cart
      """, plan: plan)

  static let ruleWithoutPlan = CheckDocumentation(
    .note, "a rule that emits an event which the plan does not mention",
    """
    There is a plan beside the rules, and it does not have the name: either the event is to be added to it, or another name is meant. \
    Without a plan nothing is found.
    """,
    wrong: """
      rules:
        - id: cart.add
          include: { selector: AddButton }
          emit: add_cart
      """,
    right: """
      rules:
        - id: cart.add
          include: { selector: AddButton }
          emit: add_to_cart
      """, plan: plan)

  static let planOfOtherType = CheckDocumentation(
    .warning, "a test of a type that is not the planned one",
    """
    The plan gives the property of the event a type, and the rule that emits the event tests it as another type. \
    Nothing is cast, so the test holds for no event that is as planned.
    """,
    wrong: """
      rules:
        - id: cart.add
          include: { selector: AddButton, where: { price: "12" } }
          emit: add_to_cart
      """,
    right: """
      rules:
        - id: cart.add
          include: { selector: AddButton, where: { price: 12 } }
          emit: add_to_cart
      """, plan: plan)

  static let nameRefused = CheckDocumentation(
    .warning, "a name that a destination refuses",
    """
    The events go to a tool that refuses the name, because of its characters or its length, or because it is reserved. \
    `destinations` names the tools: `sensors`, `growingio` or `segment`; without it nothing is found. Names and \
    properties of a plan beside the rules are looked at, too.
    """,
    wrong: """
      checks: { refused-name: { destinations: [sensors] } }
      rules:
        - id: cart.add
          include: { selector: AddButton }
      """,
    right: """
      checks: { refused-name: { destinations: [sensors] } }
      rules:
        - id: cart.add
          include: { selector: AddButton }
          emit: cart_add
      """)
}
