import EncircleAuthoring
import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// The choices by which a person widens and narrows what a clause about an element selects: this row or any, this page or
/// any, and so on. Each choice changes the clause; whatever is chosen, it selects the element, and a wider choice selects all
/// that a narrower one does.
struct ClauseChips {
  enum Choice: String, CaseIterable {
    case this, any
  }

  /// What a chip is about. Levels count lists from the innermost, which is 0.
  enum Subject: Hashable {
    case row(level: Int)
    case section(level: Int)
    case page
    case text
    case alert
    case element

    /// The name in requests and answers: that of an outer list has its number, as in `row-2`.
    var id: String {
      switch self {
      case .row(let level): level == 0 ? "row" : "row-\(level + 1)"
      case .section(let level): level == 0 ? "section" : "section-\(level + 1)"
      case .page: "page"
      case .text: "text"
      case .alert: "alert"
      case .element: "element"
      }
    }
  }

  struct Chip {
    let subject: Subject
    /// What it is about, for people.
    let title: String
    /// The titles of both choices.
    let this: String
    let any: String
  }

  /// The lists that have chips: more are never nested in an app.
  static let mostLevels = 3
  /// The longest text of an element that a rule would test, in bytes.
  private static let longestText = 1_000

  /// Those that mean something for the element, in the order in which people narrow: place, page, what it says.
  let chips: [Chip]
  private let skeleton: SelectorSkeleton?
  private let page: String?
  private let content: String?
  private let alert: (field: EventFields.Field, text: String)?
  private let eventID: EventID
  private let actions: Suggestion.Evidence?
  private let settings: RuleSettings
  // What the best suggestion needs, so that it is chosen unless somebody chooses otherwise.
  private let preferred: Set<Subject>

  /// - Parameters:
  ///   - element: An element of the screen; of one that no SDK tracks, no event will come.
  ///   - suggestions: Those for the element, the best first.
  init(
    _ element: ElementID, in screen: IdentifiedTree, _ suggestions: [SuggestedClause], _ settings: RuleSettings
  ) {
    self.settings = settings
    let style = settings.ruleSet.style
    let base = suggestions.first { $0.suggestion.isUnique } ?? suggestions.first
    let evidence = base?.suggestion.evidence ?? []
    let path = SelectorSkeleton.path(of: element, in: screen, PathChains(of: screen), style)
    // A path too long for a selector leaves the event ID.
    skeleton = suggestions.isEmpty ? nil : path.map { SelectorSkeleton(base?.suggestion.selector, path: $0) }
    page = screen.page(of: element, in: style)
    content = ElementContents(of: screen).content(of: element).flatMap {
      $0.isEmpty || $0.utf8.count > Self.longestText ? nil : $0
    }
    // Only these SDKs send the texts of alerts.
    let alertTexts = style == .hubbleData || style == .lede ? screen.alertTexts(of: element) : nil
    if let title = alertTexts?.title, !title.isEmpty {
      alert = (.alertTitle, title)
    } else if let message = alertTexts?.message, !message.isEmpty {
      alert = (.alertMessage, message)
    } else {
      alert = nil
    }
    eventID = screen.eventID(of: element)
    actions = evidence.first { if case .actions = $0 { true } else { false } }

    var chips: [Chip] = []
    for (number, level) in (skeleton?.levels ?? []).prefix(Self.mostLevels).enumerated() {
      let cell = number == 0 ? "" : " of \(level.className)"
      let field = level.rowField.rawValue
      if let row = level.row {
        chips.append(
          Chip(
            subject: .row(level: number), title: field.capitalized + cell, this: "this \(field) (\(row))",
            any: "any \(field)"))
      }
      if let section = level.section {
        chips.append(
          Chip(
            subject: .section(level: number), title: "Section" + cell, this: "this section (\(section))",
            any: "any section"))
      }
    }
    if let page { chips.append(Chip(subject: .page, title: "Page", this: "this page (\(page))", any: "any page")) }
    if let content {
      chips.append(
        Chip(
          subject: .text, title: "Text",
          this: "with the text “\(VisibleText.shortened(content, columns: 40))”", any: "with any text"))
    }
    if let alert {
      chips.append(
        Chip(
          subject: .alert, title: "Alert",
          this: "this alert (“\(VisibleText.shortened(alert.text, columns: 40))”)", any: "any alert"))
    }
    var preferred: Set<Subject> = [.page]
    for value in evidence {
      switch value {
      case .content: preferred.insert(.text)
      case .alertTitle, .alertMessage: preferred.insert(.alert)
      case .eventID:
        preferred.insert(.element)
        chips.append(
          Chip(
            subject: .element, title: "Element", this: "exactly this element", any: "any element in this place"))
      case .noContent, .actions, .developerID: break
      }
    }
    self.chips = chips
    self.preferred = preferred.intersection(chips.map(\.subject))
  }

  // MARK: - Clauses

  /// The clause of a choice; a chip that is not in it is at `any`.
  func clause(narrowed: Set<Subject>) -> ElementClause {
    var clause = ElementClause(style: settings.ruleSet.style, fields: settings.ruleSet.fields)
    if narrowed.contains(.page) { clause.page = page }
    if let skeleton {
      let fixed = skeleton.levels.prefix(Self.mostLevels).indices.map { level in
        (section: narrowed.contains(.section(level: level)), row: narrowed.contains(.row(level: level)))
      }
      clause.selector = skeleton.selector(fixed)
    }
    if skeleton == nil || narrowed.contains(.element) { clause.eventID = eventID }
    if let actions { clause.add(actions) }
    if narrowed.contains(.text), let content { clause.add(.content, content) }
    if narrowed.contains(.alert), let alert { clause.add(alert.field, alert.text) }
    return clause
  }

  // MARK: - Choosing

  /// The choices of a request.
  ///
  /// - Throws: ``ServiceError`` with 422 for what is no chip or no choice of one. A chip that this element does not have is
  ///   ignored: choices stay when a person goes on to another element.
  static func choices(_ body: JSONBody?) throws -> [String: Choice] {
    guard let body else { return [:] }
    var choices: [String: Choice] = [:]
    let subjects: [Subject] =
      [.page, .text, .alert, .element]
      + (0..<mostLevels).flatMap { [Subject.row(level: $0), .section(level: $0)] }
    let names = subjects.map(\.id)
    for (name, value) in try body.members {
      guard let known = names.first(where: { $0.utf8.elementsEqual(name.utf8) }) else {
        throw value.error("Unknown chip: expected one of \(names.joined(separator: ", ")).", code: "unknown-chip")
      }
      let text = try value.text
      guard let choice = Choice.allCases.first(where: { $0.rawValue.utf8.elementsEqual(text.utf8) }) else {
        throw value.error("This must be \"this\" or \"any\".")
      }
      choices[known] = choice
    }
    return choices
  }

  /// What is narrowed: what was chosen and, for the other chips, as little as leaves only elements of this one's kind on the
  /// screen, that is those in other rows of its list. The page stays unless it is freed: other screens, which nobody has
  /// captured, may have the same path.
  ///
  /// - Parameter selected: Returns, for each of some rules, the elements of the screen that it selects.
  func narrowed(
    _ choices: [String: Choice], for element: ElementID, in screen: IdentifiedTree,
    selected: ([SelectionRule]) throws -> [[Int]]
  ) throws -> Set<Subject> {
    let chosen = Set(chips.map(\.subject).filter { choices[$0.id] == .this })
    let free = chips.map(\.subject).filter { choices[$0.id] == nil }
    let base = chosen.union(preferred.intersection(free))
    // In the order of preference: fewer first, and those of inner lists before others.
    let open = free.filter { !base.contains($0) }
    let candidates = Self.subsets(open).map { base.union($0) }
    let found = try selected(candidates.map { clause(narrowed: $0).rule })
    let chains = PathChains(of: screen)
    func kind(_ element: ElementID) -> [PathComponent]? {
      SelectorSkeleton.path(of: element, in: screen, chains, settings.ruleSet.style).map(SelectorSkeleton.kind)
    }
    let own = kind(element)
    var isOfKind: [Int: Bool] = [:]
    func others(_ elements: [Int]) -> Int {
      elements.count { other in
        if let known = isOfKind[other] { return !known }
        let same = kind(ElementID(other)) == own
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

  /// All subsets, those with fewer members first.
  private static func subsets(_ subjects: [Subject]) -> [Set<Subject>] {
    // Three levels, the text and the alert make 256.
    let count = min(subjects.count, 8)
    return (0..<(1 << count)).map { bits in
      Set(subjects.indices.prefix(count).filter { bits >> $0 & 1 == 1 }.map { subjects[$0] })
    }
    .enumerated().sorted { ($0.element.count, $0.offset) < ($1.element.count, $1.offset) }.map(\.element)
  }
}
