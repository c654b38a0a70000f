import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// The elements of captures that a definition may have been made for. A person must confirm one: an import never adopts them
/// automatically.
package struct ImportProposal: Sendable {
  /// An element, and the clause that would select it.
  package struct Element: Sendable {
    /// The name of the capture.
    package var capture: String
    package var element: ElementID
    /// The class and the text of the element.
    package var title: String
    /// From 0 to 1.
    package var score: Double
    package var reasons: [FoundElement.Reason]
    /// The best suggestion for it, in the form of rule files; nil if there is none.
    package var clause: EventObject?
  }

  package var verdict: FoundAgain.Verdict
  /// The elements, best first; empty if no element is like it.
  package var elements: [Element]
}

/// Proposes elements of captures for definitions that are not certain.
///
/// ```swift
/// var finder = ImportFinder(screens, style: .hubbleData)
/// finder.propose(for: &report)
/// ```
package struct ImportFinder {
  /// An element of a capture.
  private struct Place: Hashable {
    var capture: Int
    var element: Int
    var style: PathStyleName
  }

  private struct Suggesting: Hashable {
    var capture: Int
    var style: PathStyleName
  }

  private let captures: [NamedScreen]
  private let style: PathStyleName?
  // A finder for each style that a definition is written in.
  private var finders: [PathStyleName: ElementFinder] = [:]
  private var suggesters: [Suggesting: TapSuggester] = [:]
  // Definitions may be for the same elements.
  private var clauses: [Place: EventObject?] = [:]

  /// - Parameter style: The style of the paths that events will have. If it is nil, definitions for Android and for web pages use
  ///   their own style, all others `hubbledata`.
  package init(_ captures: [(name: String, screen: IdentifiedTree)], style: PathStyleName?) {
    self.captures = captures.map { NamedScreen(name: $0.name, screen: $0.screen) }
    self.style = style
  }

  /// Adds proposals to definitions that have facts to search by and no certain readable rule.
  ///
  /// - Complexity: O(elements × depth + definitions × elements of their pages × depth²), plus the cost of suggestions for the proposed
  ///   elements.
  package mutating func propose(for report: inout ImportReport) {
    for i in report.entries.indices {
      let entry = report.entries[i]
      let isCertain = entry.grade == .exact && entry.form?.kind == .readable
      guard !isCertain, let circled = entry.definition.circled else { continue }
      let finder = finders[circled.style] ?? ElementFinder(captures.map(\.screen), style: circled.style)
      finders[circled.style] = finder
      report.entries[i].proposal = proposal(finder.find(circled), circled.style)
    }
  }

  private mutating func proposal(_ found: FoundAgain, _ own: PathStyleName) -> ImportProposal {
    guard found.verdict == .found || found.verdict == .several else {
      return ImportProposal(verdict: found.verdict, elements: [])
    }
    var elements: [ImportProposal.Element] = []
    for element in found.elements {
      let capture = captures[element.capture]
      elements.append(
        ImportProposal.Element(
          capture: capture.name, element: element.element, title: capture.title(of: element.element),
          score: element.score, reasons: element.reasons, clause: clause(element, own)))
    }
    return ImportProposal(verdict: found.verdict, elements: elements)
  }

  /// Returns the clause of the first suggestion for an element that was found.
  private mutating func clause(_ found: FoundElement, _ own: PathStyleName) -> EventObject? {
    let screen = captures[found.capture].screen
    let isNamed = style != nil
    let style = style ?? (own.isWeb || own.isAndroid ? own : .hubbleData)
    guard style.style.unmetRequirement(for: screen) == nil else { return nil }
    let place = Place(capture: found.capture, element: found.element.index, style: style)
    if let known = clauses[place] { return known }
    let key = Suggesting(capture: found.capture, style: style)
    let suggester = suggesters[key] ?? TapSuggester(screen, style: style)
    suggesters[key] = suggester
    let first = suggester.suggestions(for: found.element, limit: 1).first
    var clause = first.map {
      ElementClause($0, for: found.element, in: screen, style: style, fields: EventFields(style: style)).object
    }
    if !isNamed, style != .hubbleData {
      clause?.members.insert(.init(name: "style", value: .string(style.rawValue)), at: 0)
    }
    clauses[place] = .some(clause)
    return clause
  }
}

extension ImportProposal {
  /// The result, in one sentence for people.
  package var sentence: String {
    switch verdict {
    case .found: "One element of the captures is like it."
    case .several: "Several elements of the captures are like it, but none is certain."
    case .none: "No element of its page is like it."
    case .noCapture: "No capture shows its page."
    }
  }
}
