import EncircleEvents
import EncircleText

/// One of the alternatives of an action: everything in it must hold.
struct PostHogStep {
  /// An expression that the chain must match, or must not.
  private struct ChainCondition {
    let expression: String
    let isNegated: Bool
    /// The reason why it cannot be used; nil if it can.
    let refusal: String?

    init(_ expression: String, isNegated: Bool = false) {
      (self.expression, self.isNegated) = (expression, isNegated)
      refusal = ImportTests.refusal(of: expression)
    }

    /// Creates a condition with an expression that can be used.
    init(usable expression: String) { (self.expression, isNegated, refusal) = (expression, false, nil) }
  }

  private let step: DefinitionNode
  private let allowsWider: Bool
  private var event: String?
  /// Conditions on properties, by `where`'s names.
  private var tests: [EventObject.Member] = []
  // Their places by name.
  private var places: [UTF8String: Int] = [:]
  private var chain: [ChainCondition] = []
  private var selector: PostHogSelector?
  private var reasons: [ImportReason] = []
  private var isLeftOut = false
  /// The number of tests that were added to others of the same property.
  private var joined = 0

  /// The maximum number of joined tests, and of conditions on the chain, because both are nested.
  private static let maximumJoined = 8

  private static let texts = [
    "event", "selector", "selector_regex", "tag_name", "text", "text_matching", "href", "href_matching", "url",
    "url_matching",
  ]

  private static let chainPlaces: [String] = ["$elements_chain", "/elements_chain"]

  init(_ step: DefinitionNode, allowsWider: Bool) {
    self.step = step
    self.allowsWider = allowsWider
  }

  /// Reads all conditions.
  mutating func read() {
    guard step.isObject else { return leaveOut(.unknownForm, step.pointer) }
    if let wrong = step.mistyped(texts: Self.texts) { return leaveOut(.unknownForm, wrong.pointer) }
    event = step["event"]?.words
    if event?.hasSameBytes(as: "$autocapture") ?? false { readElement() } else { noteIgnored() }
    readURL()
    if let properties = step["properties"], !properties.isList { leaveOut(.unknownForm, properties.pointer) }
    for property in step["properties"]?.items ?? [] {
      switch PostHogProperty(property).test {
      case .property(let name, let test, let found):
        reasons += found
        addTest(name, test, property.pointer)
      case .chain(let expressions, let isNegated):
        // Several values of one property are alternatives.
        chain.append(ChainCondition(Self.any(expressions), isNegated: isNegated))
      case .selector(let own):
        // A clause has one selector.
        if selector == nil { selector = own } else { leaveOut(.unknownForm, property.pointer, own.text) }
      case .none(let reason): leaveOut(reason.code, reason.pointer, reason.detail)
      }
    }
    if event == nil, selector == nil, tests.isEmpty, chain.isEmpty, !isLeftOut {
      isLeftOut = true
      reasons.append(ImportReason(.matchesEverything, .skipped, step.pointer))
    } else if event == nil, !isLeftOut {
      reasons.append(ImportReason(.anyEvent, .exact, step.pointer + "/event"))
    }
  }

  private static func any(_ expressions: [String]) -> String {
    expressions.count == 1 ? expressions[0] : expressions.map { "(?:\($0))" }.joined(separator: "|")
  }

  /// Leaves out a condition. If the rule may not take more events for that, the whole step is left out.
  private mutating func leaveOut(_ code: ImportReason.Code, _ pointer: String, _ detail: String? = nil) {
    let mayWiden: Bool =
      switch code {
      case .personProperty, .cohort, .group, .expression, .dateOperator: allowsWider
      default: false
      }
    reasons.append(ImportReason(code, mayWiden ? .wider : .skipped, pointer, detail))
    if !mayWiden { isLeftOut = true }
  }

  private mutating func addTest(_ name: String, _ test: EventValue, _ pointer: String) {
    guard let old = places[UTF8String(name)] else {
      places[UTF8String(name)] = tests.count
      return tests.append(.init(name: name, value: test))
    }
    guard joined < Self.maximumJoined else { return leaveOut(.unknownForm, pointer, name) }
    joined += 1
    if let both = ImportTests.both(tests[old].value, test) {
      tests[old].value = .object(both)
    } else if name.utf8.first != UInt8(ascii: "/") {
      // Tests that do not fit into one mapping are put under the other name of the property.
      addTest(JSONPointer.member(name, of: "/properties"), test, pointer)
    } else {
      leaveOut(.unknownForm, pointer, name)
    }
  }

  // MARK: - Elements

  private mutating func readElement() {
    if let words = step["selector"]?.words {
      selector = PostHogSelector(words, expression: step["selector_regex"]?.words, pointer: step.pointer + "/selector")
    }
    if let tag = step["tag_name"]?.words {
      chain.append(ChainCondition(PostHogSelector.expression(ofTag: tag)))
    }
    readText("text", "text_matching") { .init(first: false, $0) }
    readText("href", "href_matching") { .init(first: true, $0) }
  }

  private mutating func readText(
    _ name: String, _ matching: String, _ make: (TextInChain.Value) -> PostHogProperty.ChainTest
  ) {
    guard let node = step[name], let text = node.text else { return }
    guard !text.isEmpty else {
      return reasons.append(ImportReason(.unknownForm, .unverified, node.pointer, "an empty text"))
    }
    let kind = step[matching]?.words ?? "exact"
    switch PostHogProperty.value(text, matching: kind, node.pointer) {
    case .success(let (value, found)):
      reasons += found
      chain.append(ChainCondition(make(value).expression))
    case .failure(let problem): leaveOut(problem.reason.code, problem.reason.pointer, problem.reason.detail)
    }
  }

  private mutating func noteIgnored() {
    for name in ["selector", "tag_name", "text", "href"] where step[name]?.words != nil {
      reasons.append(ImportReason(.ignoredThere, .exact, "\(step.pointer)/\(name)", name))
    }
  }

  private mutating func readURL() {
    guard let url = step["url"], let text = url.words else { return }
    switch step["url_matching"]?.words ?? "contains" {
    case "contains":
      let like = LikeText(text)
      if like.hasWildcards { reasons.append(ImportReason(.wildcardInText, .exact, url.pointer, text)) }
      addTest("$current_url", .object(like.test(fold: false)), url.pointer)
    case "exact": addTest("$current_url", .string(text), url.pointer)
    case "regex":
      let expression = "(?s)" + text
      if let refusal = ImportTests.refusal(of: expression) {
        return leaveOut(.refusedExpression, url.pointer, refusal)
      }
      addTest("$current_url", ["matches": .string(expression)], url.pointer)
    case let other: leaveOut(.unknownForm, step.pointer + "/url_matching", other)
    }
  }

  // MARK: - Clauses

  /// Returns the clauses that compare the chain itself.
  func literal() -> ImportedForm {
    var form = ImportedForm(.literal)
    form.reasons = reasons
    guard !isLeftOut else { return form }
    var chain = chain
    if let selector {
      guard let expression = selector.literal else {
        form.reasons.append(selector.whyNoLiteral)
        return form
      }
      form.reasons += selector.literalReasons
      chain.insert(ChainCondition(usable: expression), at: 0)
    }
    form.clauses = clauses(chain, of: &form) { _ in }
    return form
  }

  /// Returns the clauses with a selector; nil if the step has no selector that rules support.
  func readable() -> ImportedForm? {
    guard !isLeftOut, let selector, let readable = selector.readable else { return nil }
    var form = ImportedForm(.readable)
    form.reasons = reasons + selector.readableReasons
    form.clauses = clauses(chain, of: &form) { clause in
      clause.members.insert(.init(name: "style", value: .string(readable.style.rawValue)), at: 0)
      clause["selector"] = ImportTests.oneOf(readable.selectors.map { .string($0) })
    }
    return form
  }

  /// Returns a clause for each place of the chain: all expressions must match in the same place.
  private func clauses(
    _ chain: [ChainCondition], of form: inout ImportedForm, _ add: (inout EventObject) -> Void
  ) -> [EventObject] {
    guard let test = chainTest(chain, of: &form) else { return [] }
    var places: [EventObject] = test.members.isEmpty ? [[:]] : Self.chainPlaces.map { [$0: .object(test)] }
    if test["exists"] != nil {
      // An event without a chain also meets a negated test of it.
      places.append(EventObject(Self.chainPlaces.map { .init(name: $0, value: ["exists": false]) }))
    }
    return places.map { place in
      var clause = EventObject()
      clause["event"] = event.map { .string($0) }
      add(&clause)
      var conditions = EventObject(tests)
      conditions.members += place.members
      if !conditions.members.isEmpty { clause["where"] = .object(conditions) }
      return clause
    }
  }

  /// Returns the test of the chain; empty if there is none, and nil if rules cannot express it.
  private func chainTest(_ chain: [ChainCondition], of form: inout ImportedForm) -> EventObject? {
    let positive = chain.filter { !$0.isNegated }.map(\.expression)
    let negative = chain.filter(\.isNegated).map(\.expression)
    var test: EventObject = negative.isEmpty ? [:] : ["not": ["matches": .string(Self.any(negative))]]
    for expression in positive.reversed() {
      let own: EventObject = ["matches": .string(expression)]
      let both = test.members.isEmpty ? own : ImportTests.both(.object(own), .object(test))
      guard let both, positive.count <= Self.maximumJoined else {
        form.reasons.append(ImportReason(.unknownForm, .skipped, step.pointer, "many conditions on elements"))
        return nil
      }
      test = both
    }
    // An event without a chain at this place may have it at the other.
    if positive.isEmpty, !negative.isEmpty { test["exists"] = true }
    if let refusal = (chain.filter { !$0.isNegated } + chain.filter(\.isNegated)).compactMap(\.refusal).first {
      form.reasons.append(ImportReason(.refusedExpression, .skipped, step.pointer, refusal))
      return nil
    }
    return test
  }
}
