import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// Suggests selectors for the element of an event, without a capture.
///
/// The rest of the screen is unknown, so suggestions may not be unique. Every suggestion matches the event.
public struct EventSuggester: Sendable {
  private let subject: EventSubject
  private let steps: [ElementSelector.Step]
  private let origins: [ClassOrigin]
  private let names: [UTF8String]
  private let hierarchy: ClassHierarchy
  /// The number of the innermost cell, or nil.
  private let cell: Int?
  /// The number of the innermost row that the path has as an index, or nil.
  private let indexedRow: Int?

  // The maximum number of ancestors that are tried as landmarks.
  private static let maximumLandmarks = 6
  // The maximum number of steps from a landmark down to the element without **.
  private static let longestSegment = 6
  // The maximum number of suggestions that are tried, and of components of the path in all of them together; at least one is always
  // tried.
  private static let maximumTries = 40
  private static let maximumTriedComponents = 5_000

  /// Prepares an event.
  ///
  /// - Complexity: O(length of the path).
  public init(_ subject: EventSubject) {
    self.subject = subject
    let components = subject.path?.components ?? []
    names = components.map { UTF8String($0.className) }
    let hierarchy: ClassHierarchy = subject.style.isAndroid ? .builtInOnAndroid : .builtIn
    self.hierarchy = hierarchy
    origins = names.map { ClassOrigin(of: $0, in: hierarchy) }
    steps = components.enumerated().map { i, component in
      // A resource id distinguishes a view from its siblings without the index.
      let texts = Self.texts(of: component, isOwn: i == components.count - 1)
      let hasID = subject.style.isAndroid && component.className.utf8.contains(UInt8(ascii: "#"))
      return .component(
        .name(UTF8String(component.className)),
        hasID ? nil : texts ?? ElementSelector.LocatorPattern(exactly: component.locator))
    }
    var indexedRow: Int?
    if subject.style == .hubbleDataAndroid,
      let open = EventSubject.pathInAnyRow(of: subject.event, subject.style, subject.fields, lists: hierarchy)
    {
      indexedRow =
        zip(components, open.components).enumerated()
        .filter { $0.element.0.locator != $0.element.1.locator }.last?.offset
    }
    self.indexedRow = indexedRow
    cell = components.indices.last {
      switch components[$0].locator {
      case .row, .item: true
      default: $0 == indexedRow
      }
    }
  }

  /// Returns the pattern for the label of a component or, if the element itself has none, for its text; nil if it has
  /// neither, or the text is a state that changes.
  private static func texts(of component: PathComponent, isOwn: Bool) -> ElementSelector.LocatorPattern? {
    guard let texts = component.texts else { return nil }
    if !texts.id.isEmpty { return .texts([.init(.id, UTF8String(texts.id))]) }
    guard isOwn, Suggester.isSteady(texts.text),
      ClassHierarchy.builtIn.isClass(component.className, kindOf: "UIButton")
    else { return nil }
    return .texts([.init(.text, UTF8String(texts.text))])
  }

  /// Returns selectors for the element, the best first; none if the event has no path.
  ///
  /// If the best has a free row, the second has the row of the event, if there is one.
  ///
  /// - Parameter limit: The maximum number of suggestions. A path with very many components gives fewer.
  /// - Complexity: O(length of the path).
  public func suggestions(limit: Int = 5) -> [Suggestion] {
    guard !steps.isEmpty else { return [] }
    var found: [Suggestion] = []
    let distinctive = distinctiveEvidence
    if subject.style.isWeb {
      found = PageSelectors((subject.path?.components ?? []).compactMap(\.texts?.web)).candidates.map {
        suggestion($0, [], isKind: false)
      }
    } else if !distinctive.isEmpty {
      for selector in selectors(steps, cell: nil, isDistinctive: true) {
        found.append(suggestion(selector, distinctive, isKind: false))
      }
    } else {
      if let cell, case .component(let pattern, let locator?) = steps[cell],
        let free = cell == indexedRow ? ElementSelector.LocatorPattern.index(.any) : locator.withFreeRow.first
      {
        var open = steps
        open[cell] = .component(pattern, free)
        found += selectors(open, cell: cell, isDistinctive: false).map { suggestion($0, [], isKind: true) }
        if free != locator {
          found += selectors(steps, cell: cell, isDistinctive: false).map { suggestion($0, [], isKind: false) }
        }
      } else {
        found += selectors(steps, cell: nil, isDistinctive: false).map { suggestion($0, [], isKind: false) }
      }
    }
    let sorted = found.stablySorted { [$0.stability.penalty, $0.selector.steps.count] }
    var result: [Suggestion] = []
    // Each suggestion is tried, because the reading of a path depends on the classes that the rules name. A trial takes as long
    // as a decision, which is some milliseconds for a hostile path.
    let tries = max(1, min(Self.maximumTries, Self.maximumTriedComponents / steps.count))
    for suggestion in Suggester.order(sorted).prefix(tries).map({ sorted[$0] })
    where result.count < max(0, limit) && matches(suggestion) {
      result.append(suggestion)
    }
    return result
  }

  /// Returns the rule for a suggestion or, without one, a rule that names the event by its event ID, or by its name and
  /// page. Nil if the event has none of these.
  public func rule(for suggestion: Suggestion?) -> SuggestedRule? {
    SuggestedRule(suggestion, for: subject)
  }

  // MARK: - Selectors

  private func selectors(_ steps: [ElementSelector.Step], cell: Int?, isDistinctive: Bool) -> [ElementSelector] {
    let own = steps.count - 1
    var result: [ElementSelector] = []
    func add(_ steps: [ElementSelector.Step], isAnchored: Bool = false) {
      let selector = ElementSelector(isAnchored: isAnchored, steps: steps)
      guard selector.description.utf8.count <= ElementSelector.maximumLength, !result.contains(selector) else { return }
      result.append(selector)
    }
    func relaxed(_ level: Int) -> ElementSelector.Step {
      guard case .component(let pattern, let locator?) = steps[level] else { return steps[level] }
      switch locator {
      case .none: return .component(pattern, nil)
      // An index above 0 shows that there are siblings of the class. For the element itself, nothing is known of later siblings.
      case .index(.range(lower: 0, upper: 0)) where origins[level] == .app && level < own && level != cell:
        return .component(pattern, nil)
      case .index where isDistinctive && level == own: return .component(pattern, nil)
      case .fields where isDistinctive && level == own: return .component(pattern, nil)
      default: return steps[level]
      }
    }
    var isNamed: Bool { if case .component(_, .texts?) = steps[own] { true } else { false } }
    func identifiesCell(_ level: Int) -> Bool {
      cell.map { level == $0 || (level > $0 && origins[level] == .app) } ?? true
    }
    if origins[own] == .app && identifiesCell(own) || isNamed || isDistinctive || own == cell { add([relaxed(own)]) }
    var landmarks = 0
    for level in stride(from: own - 1, through: cell ?? 0, by: -1) where landmarks < Self.maximumLandmarks {
      let isRegion =
        origins[level] == .app || level == cell || (origins[level] == .framework && !ClassOrigin.isPlain(names[level]))
      guard isRegion, identifiesCell(level) else { continue }
      landmarks += 1
      if own - level > 1 { add([relaxed(level), .recursiveWildcard, relaxed(own)]) }
      if own - level <= Self.longestSegment { add((level...own).map(relaxed)) }
    }
    if cell == nil, own > 0 { add([relaxed(own - 1), relaxed(own)]) }
    if result.isEmpty || cell != nil { add(steps, isAnchored: true) }
    return result
  }

  private func suggestion(
    _ selector: ElementSelector, _ evidence: [Suggestion.Evidence], isKind: Bool
  ) -> Suggestion {
    var stability = SelectorStability(of: selector, hierarchy: hierarchy)
    for value in evidence {
      if case .eventID = value { stability.add(.barIdentity) } else { stability.add(value.reason(in: subject.style)) }
    }
    if !evidence.isEmpty { stability.removeBreadth() }
    return Suggestion(
      selector: selector, page: subject.page, needsPage: false, evidence: evidence,
      uniqueness: isKind ? .kind(count: 0) : .element, elements: [], stability: stability)
  }

  // MARK: - Values

  /// The values that name the element by themselves: the texts of an alert and its option; actions, text or identity of an item
  /// of a bar.
  private var distinctiveEvidence: [Suggestion.Evidence] {
    let content = subject.content.flatMap { $0.isEmpty ? nil : UTF8String($0) }
    let title = subject.text(.alertTitle)
    let message = subject.text(.alertMessage)
    if title != nil || message != nil || Self.isAlertOption(names.last, in: subject.style), let content {
      var result: [Suggestion.Evidence] = []
      if let title { result.append(.alertTitle(UTF8String(title))) }
      if title?.isEmpty ?? true, let message, !message.isEmpty { result.append(.alertMessage(UTF8String(message))) }
      return result + [.content(content)]
    }
    guard names.dropLast().contains(where: Suggester.isBar) else { return [] }
    if let actions = subject.text(.actions), !actions.isEmpty, !Suggester.isSystems(UTF8String(actions)) {
      return [.actions(UTF8String(actions))]
    }
    let isName = names.last.map { !ClassHierarchy.builtIn.showsState($0.text) } ?? true
    if let content, isName, Suggester.isSteady(content.text) { return [.content(content)] }
    if let id = subject.eventID, subject.style == .hubbleData { return [.eventID(id)] }
    return []
  }

  /// Returns whether a path ends with an option of an alert, by the class there. GrowingIO writes all of them as `Button`.
  static func isAlertOption(_ className: UTF8String?, in style: PathStyleName) -> Bool {
    className.map { alertOptions.contains($0) || style == .growingIO && $0 == "Button" } ?? false
  }

  private static let alertOptions: Set<UTF8String> = [
    "_UIInterfaceActionCustomViewRepresentationView", "_UIAlertControllerActionView",
    "_UIAlertControllerCollectionViewCell",
  ]

  // MARK: - Trying

  /// Returns whether the written selector of a suggestion matches the event.
  private func matches(_ suggestion: Suggestion) -> Bool {
    guard suggestion.selector.isReadAsWritten(in: subject.style) else { return false }
    var clause = RuleClause()
    clause.selectors = [suggestion.selector]
    var rule = SelectionRule("suggestion", .include, [clause])
    rule.readSelectors(in: subject.style)
    var rules = RuleSet()
    rules.style = subject.style
    rules.fields = subject.fields
    rules.rules = [rule]
    var decider = Decider(Matcher(rules))
    return !decider.decide(subject.event).rules.isEmpty
  }
}
