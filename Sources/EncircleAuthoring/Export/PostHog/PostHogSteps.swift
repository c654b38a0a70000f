import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Expresses a rule as the steps of an action.
struct PostHogSteps {
  private let rule: SelectionRule
  private let ruleSet: RuleSet
  private let excludedPages: Set<UTF8String>
  private(set) var steps: [PostHogAction.Step] = []
  var reasons: [PostHogReason] = []

  /// - Parameters:
  ///   - rule: The part of a rule that decides the events of the rule set's style.
  ///   - ruleSet: Rules in one style.
  ///   - excludedPages: The result of ``excludedPages(of:)`` for these rules.
  init(_ rule: SelectionRule, in ruleSet: RuleSet, excludedPages: Set<UTF8String>) {
    self.rule = rule
    self.ruleSet = ruleSet
    self.excludedPages = excludedPages
    do throws(PostHogReason) { try read() } catch {
      steps = []
      reasons.append(error)
    }
  }

  /// Returns the pages that rules exclude, by their classes and as events name their screens.
  static func excludedPages(of ruleSet: RuleSet) -> Set<UTF8String> {
    let names = ruleSet.excludedPages.filter { $0.scope == .all }.map(\.name)
    return Set(names + names.map { UTF8String(PathStyleName.postHogScreen(ofController: $0.text)) })
  }

  private mutating func read() throws(PostHogReason) {
    try checkRule()
    var exceptions: [PostHogException] = []
    for (number, clause) in rule.unless.enumerated() { exceptions.append(try exception(clause, number)) }
    for (number, clause) in rule.clauses.enumerated() {
      for step in try at(
        .clause(.clauses, number), { (own) throws(PostHogReason) in try own.steps(of: clause, number) })
      where !steps.contains(step) {
        for step in try without(exceptions, step) where !steps.contains(step) { steps.append(step) }
        guard steps.count <= PostHogFilters.maximumAlternatives else { throw PostHogFilters.tooMany }
      }
    }
    if steps.isEmpty { throw PostHogReason(.contradiction, "It contradicts itself.") }
  }

  private mutating func checkRule() throws(PostHogReason) {
    guard rule.isEnabled else { throw PostHogReason(.disabled, .refused, "It is not enabled.", key: "/enabled") }
    guard rule.effect == .include else {
      throw PostHogReason(.exclude, .refused, "An action cannot leave events out.", key: "/exclude")
    }
    guard !rule.sameKind else {
      throw PostHogReason(.sameKind, .refused, "An action cannot take elements of the same kind.", key: "/sameKind")
    }
    guard rule.from == nil, rule.to == nil, rule.windows.isEmpty else {
      throw PostHogReason(.timeLimits, "An action cannot have time limits.").at(rule.from == nil ? .to : .from)
    }
    if rule.tolerance != nil {
      reasons.append(
        PostHogReason(.tolerance, .unsure, "An action cannot match elements approximately.").at(.tolerance))
    }
    for number in rule.properties.indices {
      reasons.append(
        PostHogReason(.propertyGiven, .unsure, "An action cannot add properties to events.").at(.given(number)))
    }
  }

  /// Runs `body`, and gives its reasons their place in the rule.
  mutating func at<Result>(
    _ part: RuleSource.Part, _ body: (inout PostHogSteps) throws(PostHogReason) -> Result
  ) throws(PostHogReason) -> Result {
    let known = reasons.count
    do throws(PostHogReason) {
      let result = try body(&self)
      for i in known..<max(known, reasons.count) { reasons[i] = reasons[i].at(part) }
      return result
    } catch {
      throw error.at(part)
    }
  }

  // MARK: - Clauses

  private mutating func steps(of clause: RuleClause, _ number: Int) throws(PostHogReason) -> [PostHogAction.Step] {
    guard clause.eventIDs.isEmpty else {
      throw PostHogReason(.eventIDs, "PostHog does not know event IDs and identities.")
        .at(.element(.clauses, number, 0))
    }
    let names = try at(.event(.clauses, number)) { (own) throws(PostHogReason) in try own.names(clause.event) }
    var elements: [PostHogAction.Element] = []
    for (i, selector) in clause.selectors.enumerated() {
      try at(.selector(.clauses, number, i)) { (own) throws(PostHogReason) in
        elements += try own.elements(selector, names)
      }
    }
    var filters = try filters(of: clause.page, .page(.clauses, number))
    if clause.page == nil, !excludedPages.isEmpty { noteExcludedPages() }
    if let app = try appFilters() { filters = try PostHogFilters.product(filters, app) }
    var start = PostHogAction.Step()
    for (i, test) in clause.properties.enumerated() {
      try at(.property(.clauses, number, i)) { (own) throws(PostHogReason) in
        try own.add(test, names, to: &start, &filters)
      }
    }
    if start.element.text != nil, elements.contains(where: { $0.text != nil }) {
      throw PostHogReason(.texts, "An action can test one text only.")
    }
    if start.element.tag != nil, elements.contains(where: { $0.tag != nil }) {
      throw PostHogReason(.texts, "An action can test one tag only.")
    }
    let variants = max(1, names.count) * max(1, elements.count) * filters.count
    guard variants <= PostHogFilters.maximumAlternatives else { throw PostHogFilters.tooMany }
    var steps: [PostHogAction.Step] = []
    for name in names.map({ Optional($0) }) + (clause.event == nil ? [nil] : []) {
      for element in elements.isEmpty ? [start.element] : elements {
        for list in filters {
          var step = start
          step.event = name
          step.filters = list
          // A text and a tag that the clause tests are kept.
          step.element = element
          if let text = start.element.text { step.element.text = text }
          if let tag = start.element.tag { step.element.tag = tag }
          guard !step.isEmpty else {
            throw PostHogReason(.matchesEverything, "A step without conditions takes every event.")
          }
          steps.append(step)
        }
      }
    }
    return steps
  }

  private func names(_ condition: Condition?) throws(PostHogReason) -> [UTF8String] {
    guard let condition else { return [] }
    guard let names = SDKConfiguration.texts(condition) else {
      throw PostHogReason(.eventName, "An action names an event as a whole.")
    }
    let root = PropertyReference(parsing: "/event")
    guard ruleSet.fields.places(of: .event).contains(where: { $0 == root }) else {
      throw PostHogReason(.otherFields, "The rules have the name of an event elsewhere than PostHog.")
    }
    return names
  }

  private mutating func elements(
    _ selector: ElementSelector, _ names: [UTF8String]
  ) throws(PostHogReason) -> [PostHogAction.Element] {
    let style = ruleSet.style
    guard style == .postHog || style == .postHogWeb else {
      throw PostHogReason(
        .otherStyle, "Its selector is about paths of the style \(style.rawValue), not of posthog or posthog-web.")
    }
    guard names == [UTF8String(style.eventShape.tapName)] else {
      throw PostHogReason(.otherEvents, "PostHog tests elements only for $autocapture: name only this event.")
    }
    var elements: [PostHogAction.Element] = []
    for read in selector.read(in: style) {
      let element = try PostHogElement(read)
      elements.append(element.element)
      reasons += element.reasons
    }
    return elements
  }

  /// Returns the filters for the app of the rule. Events that name no app are taken as well.
  private func appFilters() throws(PostHogReason) -> PostHogAlternatives? {
    guard !rule.apps.isEmpty, ruleSet.style != .postHogWeb else { return nil }
    guard case .property(let key)? = ruleSet.fields.places(of: .app).first else { return nil }
    return [
      [.init(key, .exact, .list(rule.apps.map { .string($0.text) }))], [.init(key, .isNotSet)],
    ]
  }

  private mutating func filters(
    of page: Condition?, _ part: RuleSource.Part
  ) throws(PostHogReason) -> PostHogAlternatives {
    guard let page else { return [[]] }
    return try at(part) { (own) throws(PostHogReason) in
      let page = own.asSent(page)
      try own.checkPage(page)
      var filters = PostHogFilters(try own.pageKey())
      let alternatives = try filters.alternatives(page)
      own.reasons += filters.reasons
      return alternatives
    }
  }

  func pageKey() throws(PostHogReason) -> UTF8String {
    guard let key = ruleSet.style == .postHog ? "$screen_name" : ruleSet.style == .postHogWeb ? "$pathname" : nil else {
      throw PostHogReason(
        .otherStyle, "Its page is one of the style \(ruleSet.style.rawValue), not of posthog or posthog-web.")
    }
    let property = UTF8String(key)
    guard ruleSet.fields.places(of: .page).contains(.property(property)) else {
      throw PostHogReason(.otherFields, "The rules have the page elsewhere than \(key).")
    }
    return property
  }

  /// Returns the test of a page for pages as the events of the style have them.
  func asSent(_ page: Condition) -> Condition { ruleSet.style == .postHogWeb ? page.withEncodedPaths : page }

  /// Refuses pages that the rules exclude, and notes conditions that may include such pages.
  private mutating func checkPage(_ page: Condition) throws(PostHogReason) {
    guard !excludedPages.isEmpty else { return }
    guard let names = SDKConfiguration.texts(page) else { return noteExcludedPages() }
    if let name = names.first(where: excludedPages.contains) {
      throw PostHogReason(.excludedPage, "Events on the page \(name) are excluded.")
    }
  }

  private mutating func noteExcludedPages() {
    reasons.append(PostHogReason(.excludedPages, .wider, "Pages that the rules exclude are not left out."))
  }

  // MARK: - Properties

  private mutating func add(
    _ test: PropertyTest, _ names: [UTF8String], to step: inout PostHogAction.Step,
    _ alternatives: inout PostHogAlternatives
  ) throws(PostHogReason) {
    // An import joins the tests of a step in one, of which all must hold.
    switch test.condition {
    case .all(let conditions) where Self.chainPlaces.contains(test.property):
      for condition in conditions { try add(.init(test.property, condition), names, to: &step, &alternatives) }
      return
    case .not(.not(let condition)) where Self.chainPlaces.contains(test.property):
      return try add(.init(test.property, condition), names, to: &step, &alternatives)
    default: break
    }
    if let text = Self.textOfChain(test) {
      guard names == ["$autocapture"], step.element.text == nil else {
        throw PostHogReason(.texts, "An action can test one text only, and only for $autocapture.")
      }
      step.element.text = text
      return
    }
    if let tag = Self.tagOfChain(test) {
      guard names == ["$autocapture"], step.element.tag == nil else {
        throw PostHogReason(.texts, "An action can test one tag only, and only for $autocapture.")
      }
      step.element.tag = tag
      return
    }
    let key = try Self.key(test.property)
    if key == "$current_url", step.url == nil, let url = Self.address(test.condition) {
      (step.url, step.urlMatching) = (url.text, url.matching)
      return
    }
    var filters = PostHogFilters(key)
    let own = try filters.alternatives(test.condition)
    reasons += filters.reasons
    alternatives = try PostHogFilters.product(alternatives, own)
  }

  /// Returns the name that the property at a place in events has in PostHog.
  static func key(_ place: PropertyReference) throws(PostHogReason) -> UTF8String {
    switch place {
    case .property(let name):
      guard name != "$elements_chain" else {
        throw PostHogReason(.otherPlace, "PostHog keeps the chain apart from properties.")
      }
      return name
    case .pointer: throw PostHogReason(.otherPlace, "An action asks for properties only, not for \(place).")
    case .textsWithin: throw PostHogReason(.within, "PostHog does not know the texts around an element.")
    }
  }

  /// Returns an address that a step can compare directly; nil if there is none. A step with an empty address takes every
  /// address. An address that is compared as a part must not contain `%`, `_` or `\`, which would be wildcards or escapes.
  private static func address(
    _ condition: Condition
  ) -> (text: UTF8String, matching: PostHogAction.Matching)? {
    switch condition {
    case .isOneOf(let values, fold: false):
      guard values.count == 1, case .string(let text) = values[0], !text.text.isEmpty else { return nil }
      return (text, .exact)
    case .text(.contains, let text, fold: false):
      let means = text.text.utf8.contains { [UInt8(ascii: "%"), UInt8(ascii: "_"), UInt8(ascii: "\\")].contains($0) }
      return means ? nil : (text, .contains)
    case .all(let conditions), .any(let conditions): return conditions.count == 1 ? address(conditions[0]) : nil
    default: return nil
    }
  }

  private static let chainPlaces = ["$elements_chain", "/elements_chain"].map { PropertyReference(parsing: $0) }

  /// Returns the text that a test asks of any element of the chain, as an import writes it; nil for other tests.
  private static func textOfChain(_ test: PropertyTest) -> UTF8String? {
    let text = partOfChain(test, between: "(?s)[:\"]text=\"", and: "\"")
    return text?.text.utf8.contains(UInt8(ascii: "\"")) ?? true ? nil : text
  }

  /// Returns the tag or class that a test asks of any element of the chain, likewise.
  private static func tagOfChain(_ test: PropertyTest) -> UTF8String? {
    partOfChain(test, between: "(^|;)", and: "(\\.|$|;|:)")
  }

  /// Returns the text that an expression on the chain quotes between these parts; nil for other tests.
  private static func partOfChain(_ test: PropertyTest, between start: String, and end: String) -> UTF8String? {
    guard chainPlaces.contains(test.property), case .matches(let expression) = test.condition, !expression.foldsCase
    else { return nil }
    let text = expression.description
    guard text.beginsWithBytes(of: start), text.endsWithBytes(of: end),
      text.utf8.count > start.utf8.count + end.utf8.count
    else { return nil }
    let quoted = String(decoding: text.utf8.dropFirst(start.utf8.count).dropLast(end.utf8.count), as: UTF8.self)
    // The expression must match one literal text: quoting that text must give the expression again.
    guard let plain = unquoted(quoted), RegularExpression.quoting(plain).hasSameBytes(as: quoted) else { return nil }
    return UTF8String(plain)
  }

  /// Returns the text that ``RegularExpression/quoting(_:)`` quoted; nil if a backslash is at its end.
  static func unquoted(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\\"), !isEscaped {
        isEscaped = true
      } else {
        bytes.append(byte)
        isEscaped = false
      }
    }
    return isEscaped ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
