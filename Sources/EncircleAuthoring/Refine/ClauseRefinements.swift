import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// The choices by which a person widens and narrows a clause about an element: this row or any, this page or any, and so on.
/// With any choice the clause selects the element, and a wider choice selects everything that a narrower one does.
package struct ClauseRefinements {
  /// The width of a refinement.
  package enum Choice: String, CaseIterable, Sendable {
    case this, any
  }

  /// The subject of a refinement. Levels number lists from the innermost, which is 0.
  package enum Subject: Hashable, Sendable {
    case row(level: Int)
    case section(level: Int)
    case page
    case text
    case alert
    case element

    /// The subjects that elements may have.
    package static let all: [Subject] =
      [.page, .text, .alert, .element]
      + (0..<ClauseRefinements.maximumLevels).flatMap { [Subject.row(level: $0), .section(level: $0)] }

    /// The name for programs; an outer list has its number in it, as in `row-2`.
    package var id: String {
      switch self {
      case .row(let level): level == 0 ? "row" : "row-\(level + 1)"
      case .section(let level): level == 0 ? "section" : "section-\(level + 1)"
      case .page: "page"
      case .text: "text"
      case .alert: "alert"
      case .element: "element"
      }
    }

    /// Finds the subject with a name for programs; nil if there is none.
    package init?(id: String) {
      guard let subject = Self.all.first(where: { $0.id.hasSameBytes(as: id) }) else { return nil }
      self = subject
    }
  }

  /// A feature of the element that a clause tests or leaves open.
  package struct Refinement: Sendable {
    package let subject: Subject
    /// The title for people.
    package let title: String
    /// The titles of both choices.
    fileprivate let this: String
    fileprivate let any: String

    package func title(of choice: Choice) -> String { choice == .this ? this : any }
  }

  /// The lists that have refinements: more are never nested in an app.
  package static let maximumLevels = 3
  /// The longest text of an element that a rule would test, in bytes.
  private static let longestText = 1_000

  /// The refinements that apply to the element, in the order in which people narrow: place, page, text.
  package let refinements: [Refinement]
  // The clause that tests the values which the SDK of a running app sends, if the style has no selector for the element.
  private let sensors: SensorsClause?
  private let skeleton: SelectorSkeleton?
  // This is true if the capture has the path in the element's events.
  private let namesPlace: Bool
  private let page: String?
  private let content: String?
  private let alert: (field: EventFields.Field, text: String)?
  private let eventID: EventID
  // The evidence without a refinement: actions, a developer's id, the absence of a text.
  private let kept: [Suggestion.Evidence]
  private let style: PathStyleName
  // The clause without any of the choices.
  private let clause: ElementClause
  // The subjects that the best suggestion needs; they are narrowed unless a person chooses otherwise.
  private let preferred: Set<Subject>

  /// The subjects of the refinements.
  package var subjects: [Subject] { refinements.map(\.subject) }

  /// - Parameters:
  ///   - element: An element of the screen; if no SDK tracks it, no event will match.
  ///   - suggestions: Those for the element, the best first.
  package init(
    of element: ElementID, in screen: IdentifiedTree, _ suggestions: [SuggestedClause], _ settings: SelectionSettings
  ) {
    style = settings.style
    clause = ElementClause(about: element, in: screen, style: style, fields: settings.fields)
    sensors = SensorsClause(of: element, in: screen, settings)
    // A configuration of the Sensors SDK can express the first suggestion.
    let best = settings.style.isSensors ? suggestions.first : suggestions.first { $0.suggestion.isUnique }
    let base = best ?? suggestions.first
    let evidence = base?.suggestion.evidence ?? []
    namesPlace = base?.suggestion.namesPlace ?? true
    // A path too long for a selector leaves the event ID.
    if sensors == nil, let base, base.suggestion.namesPlace,
      let path = SelectorSkeleton.path(
        of: element, in: screen, PathChains(of: screen), ClassHierarchy(of: screen, in: style), style)
    {
      skeleton = SelectorSkeleton(base.suggestion.selector, path: path)
    } else {
      skeleton = nil
    }
    // Events of some elements do not name the page.
    if let sensors {
      page = sensors.page
    } else {
      page = base.map(\.suggestion.page) ?? screen.page(of: element, in: style)
    }
    let text: String? =
      if let sensors {
        sensors.content
      } else if style == .postHog {
        // Its events have the text in the path alone. The state of a control is no name: the next tap changes it.
        screen.showsState(element) ? nil : skeleton?.ownText
      } else {
        ElementEvents(of: screen, style: style, fields: settings.fields).content(of: element)
      }
    content = text.flatMap { $0.isEmpty || $0.utf8.count > Self.longestText ? nil : $0 }
    alert = sensors == nil ? Self.alert(of: element, in: screen, style) : nil
    eventID = screen.eventID(of: element)
    kept = evidence.filter { value in
      switch value {
      case .actions, .developerID, .noContent, .within: true
      case .content, .alertTitle, .alertMessage, .eventID: false
      }
    }

    var refinements = Self.places(skeleton?.levels ?? [])
    if let position = sensors?.position {
      refinements.append(
        Refinement(subject: .row(level: 0), title: "Row", this: "this row (\(position))", any: "any row"))
    }
    if let page {
      refinements.append(
        Refinement(subject: .page, title: "Page", this: "this page (\(page))", any: "any page"))
    }
    if let content {
      refinements.append(
        Refinement(
          subject: .text, title: "Text", this: "with the text “\(Self.shortened(content))”", any: "with any text"))
    }
    if let alert {
      refinements.append(
        Refinement(
          subject: .alert, title: "Alert", this: "this alert (“\(Self.shortened(alert.text))”)", any: "any alert"))
    }
    var preferred = Self.preferred(evidence, for: element, in: screen, style)
    if let base, Self.textTests(of: base.suggestion.selector).contains(where: { $0.field == .text }) {
      preferred.insert(.text)
    }
    if preferred.contains(.element) {
      refinements.append(
        Refinement(
          subject: .element, title: "Element", this: "exactly this element", any: "any element in this place"))
    }
    self.refinements = refinements
    self.preferred = preferred.intersection(refinements.map(\.subject))
  }

  /// Returns the subjects that a suggestion with this evidence needs, whether or not the element has them.
  private static func preferred(
    _ evidence: [Suggestion.Evidence], for element: ElementID, in screen: IdentifiedTree, _ style: PathStyleName
  ) -> Set<Subject> {
    var preferred: Set<Subject> = [.page]
    if style.isSensors {
      // The SDK leaves the row of the innermost list open, and nothing else. The row of an alert's option identifies it.
      let isOption = screen.trackingType(of: element, in: style) == .alert
      for level in 0..<maximumLevels {
        preferred.insert(.section(level: level))
        if level > 0 || isOption { preferred.insert(.row(level: level)) }
      }
    }
    for value in evidence {
      switch value {
      case .content: preferred.insert(.text)
      case .alertTitle, .alertMessage: preferred.insert(.alert)
      case .eventID: preferred.insert(.element)
      case .noContent, .actions, .developerID, .within: break
      }
    }
    return preferred
  }

  /// Returns the text that identifies an alert, and its field. Only some SDKs send the texts of alerts.
  private static func alert(
    of element: ElementID, in screen: IdentifiedTree, _ style: PathStyleName
  ) -> (field: EventFields.Field, text: String)? {
    guard style == .hubbleData || style == .lede, let texts = screen.alertTexts(of: element) else { return nil }
    if let title = texts.title, !title.isEmpty { return (.alertTitle, title) }
    if let message = texts.message, !message.isEmpty { return (.alertMessage, message) }
    return nil
  }

  /// Returns the refinements by the places of an element in the lists that contain it.
  private static func places(_ levels: [SelectorSkeleton.Level]) -> [Refinement] {
    var refinements: [Refinement] = []
    for (number, level) in levels.prefix(maximumLevels).enumerated() {
      let cell = number == 0 ? "" : " of \(level.className)"
      let field = level.rowField.rawValue
      if let row = level.row {
        refinements.append(
          Refinement(
            subject: .row(level: number), title: field.capitalized + cell, this: "this \(field) (\(row))",
            any: "any \(field)"))
      }
      if let section = level.section {
        refinements.append(
          Refinement(
            subject: .section(level: number), title: "Section" + cell, this: "this section (\(section))",
            any: "any section"))
      }
    }
    return refinements
  }

  private static func shortened(_ text: String) -> String { VisibleText.shortened(text, columns: 40) }

  // MARK: - Clauses

  /// Returns the clause in which some subjects are narrowed.
  ///
  /// - Parameter narrowed: The subjects at `this`; others are at `any`.
  package func clause(narrowed: Set<Subject>) -> ElementClause {
    if let sensors {
      return sensors.clause(
        page: narrowed.contains(.page), row: narrowed.contains(.row(level: 0)), text: narrowed.contains(.text))
    }
    var clause = self.clause
    if narrowed.contains(.page) { clause.page = page }
    if let skeleton {
      let fixed = skeleton.levels.prefix(Self.maximumLevels).indices.map { level in
        (section: narrowed.contains(.section(level: level)), row: narrowed.contains(.row(level: level)))
      }
      clause.selector = skeleton.selector(fixed)
    }
    if skeleton == nil && namesPlace || narrowed.contains(.element) { clause.eventID = eventID }
    for value in kept { clause.add(value) }
    if let content {
      if style == .postHog, let selector = clause.selector {
        clause.selector = Self.selector(selector, testing: narrowed.contains(.text) ? content : nil)
      } else if narrowed.contains(.text) {
        clause.add(.content, content)
      }
    }
    if narrowed.contains(.alert), let alert { clause.add(alert.field, alert.text) }
    return clause
  }

  /// Returns the tests of texts in the last step of a selector, which only selectors of PostHog have.
  private static func textTests(of selector: ElementSelector) -> [ElementSelector.TextTest] {
    guard case .component(_, .texts(let tests)?)? = selector.steps.last else { return [] }
    return tests
  }

  /// Returns a selector of PostHog whose last step tests the text, or no text if it is nil.
  private static func selector(_ selector: ElementSelector, testing text: String?) -> ElementSelector {
    guard case .component(let pattern, _)? = selector.steps.last else { return selector }
    var tests = textTests(of: selector).filter { $0.field != .text }
    if let text { tests.insert(.init(.text, UTF8String(text)), at: 0) }
    var selector = selector
    selector.steps[selector.steps.count - 1] = .component(pattern, tests.isEmpty ? nil : .texts(tests))
    return selector
  }

  // MARK: - Choosing

  /// Returns the narrowed subjects: the chosen ones and as few others as possible so that only elements of the same kind remain
  /// on the screen, that is, elements in other rows of its list. The page stays unless a person frees it, because other screens,
  /// which nobody has captured, may have the same path.
  ///
  /// - Parameters:
  ///   - choices: Choices of subjects that the element does not have are ignored, because choices stay when a person goes on
  ///     to another element.
  ///   - selected: Returns, for each of some rules, the elements of the screen that it selects.
  package func narrowed(
    _ choices: [Subject: Choice], for element: ElementID, in screen: IdentifiedTree,
    selected: ([SelectionRule]) throws -> [[ElementID]]
  ) rethrows -> Set<Subject> {
    let chosen = Set(subjects.filter { choices[$0] == .this })
    let free = subjects.filter { choices[$0] == nil }
    let base = chosen.union(preferred.intersection(free))
    // The candidates are in order of preference: fewer subjects come first, and inner lists before outer ones. At most 256
    // candidates are searched for in the capture.
    let candidates = Self.subsets(free.filter { !base.contains($0) }, most: 8).map { base.union($0) }
    guard candidates.count > 1 else { return base }
    let found = try selected(candidates.map { clause(narrowed: $0).rule })
    lazy var chains = PathChains(of: screen)
    lazy var hierarchy = ClassHierarchy(of: screen, in: style)
    func kind(_ element: ElementID) -> [PathComponent]? {
      SelectorSkeleton.path(of: element, in: screen, chains, hierarchy, style).map(SelectorSkeleton.kind)
    }
    let own = kind(element)
    var isOfKind: [ElementID: Bool] = [:]
    func others(_ elements: [ElementID]) -> Int {
      elements.count { other in
        if let known = isOfKind[other] { return !known }
        let same = kind(other) == own
        isOfKind[other] = same
        return !same
      }
    }
    var best = (number: 0, others: Int.max)
    for (number, elements) in found.enumerated() {
      let count = others(elements)
      if count < best.others { best = (number, count) }
    }
    return candidates[best.number]
  }

  /// Returns the narrowed subjects of a clause that these refinements made; nil for any other clause.
  ///
  /// - Complexity: O(2ⁿ) clauses for *n* subjects, at most ten.
  package func narrowed(by clause: EventObject) -> Set<Subject>? {
    let wanted = Self.ordered(.object(clause))
    return Self.subsets(subjects).first { Self.ordered(.object(self.clause(narrowed: $0).object)) == wanted }
  }

  /// Returns the value with the members of its objects in byte order of their names. Clauses have few levels.
  private static func ordered(_ value: EventValue) -> EventValue {
    switch value {
    case .object(let object):
      .object(
        EventObject(
          object.members.map { EventObject.Member(name: $0.name, value: ordered($0.value)) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }))
    case .list(let values): .list(values.map(ordered))
    default: value
    }
  }

  /// Returns all subsets of the first `most` subjects, smaller subsets first.
  private static func subsets(_ subjects: [Subject], most: Int = Subject.all.count) -> [Set<Subject>] {
    let count = min(subjects.count, most)
    return (0..<(1 << count)).map { bits in
      Set(subjects.indices.prefix(count).filter { bits >> $0 & 1 == 1 }.map { subjects[$0] })
    }
    .sorted { $0.count < $1.count }
  }
}
