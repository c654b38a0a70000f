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
    .warning, "an event to be circled that no rule emits",
    """
    The plan beside the rules has `tracking: circled` for the event, but no rule that is in force emits its name: \
    either the rule has not been written yet, or it emits another name. Give an event that need not exist yet `status: \
    planned`.
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
    .note, "a rule that emits an event that is not in the plan",
    """
    The plan beside the rules does not have the name: add the event to it, or correct the name. Without a plan, \
    nothing is reported.
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
    .warning, "a test of another type than the planned one",
    """
    The plan gives the property of the event a type, and the rule that emits the event tests it as another type. \
    Values are not converted, so the test holds for no event that is as planned.
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
    `destinations` names the tools: `sensors`, `growingio` or `segment`; without it, nothing is reported. Names and \
    properties in a plan beside the rules are checked, too.
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
