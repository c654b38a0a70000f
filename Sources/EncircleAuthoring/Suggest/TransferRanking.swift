import EncircleIdentity
import EncircleText
import EncircleTree

/// Orders suggestions for an element of one capture by their matches in other captures.
///
/// The best suggestions select the same kind of element in every capture with a match, and find it wherever another suggestion does.
public struct TransferRanking: Sendable {
  /// The outcomes of a suggestion in another capture.
  public enum Outcome: String, Hashable, Sendable {
    /// The same element, or for a free row elements of its kind.
    case same
    /// Several elements where it should be one, or another element.
    case other
    /// Nothing, although another suggestion finds the element.
    case missed
    /// Nothing.
    case nothing
  }

  /// The element; nil if the suggestions are for an event, so that nothing else is known about its element.
  private let original: (element: ElementID, screen: IdentifiedTree, contents: ElementContents)?
  private let style: PathStyleName
  private let suggestions: [Suggestion]
  // For each capture, the outcome of each suggestion.
  private var outcomes: [[Outcome]] = []

  /// Prepares suggestions, before they are tried elsewhere.
  public init(
    _ suggestions: [Suggestion], for element: ElementID, in screen: IdentifiedTree, style: PathStyleName = .hubbleData
  ) {
    self.suggestions = suggestions
    self.style = style
    original = (element, screen, ElementContents(of: screen, in: style))
  }

  /// Prepares suggestions for the element of an event.
  public init(_ suggestions: [Suggestion], style: PathStyleName) {
    self.suggestions = suggestions
    self.style = style
    original = nil
  }

  /// Adds a capture.
  ///
  /// - Parameter matches: For each suggestion, the elements of the capture that its selector matches.
  /// - Complexity: O(matches × depth), and the size of the capture if a suggestion tests a text.
  public mutating func add(_ other: IdentifiedTree, matches: [[ElementID]]) {
    let contents = ElementContents(of: other, in: style)
    var row: [Outcome] = zip(suggestions, matches).map { suggestion, matches in
      let page = suggestion.page
      let selected = matches.filter { candidate in
        other.trackingType(of: candidate, in: style) != nil
          && (page == nil || sameText(other.page(of: candidate, in: style), page))
          && suggestion.evidence.allSatisfy { $0.holds(for: candidate, other, contents) }
      }
      return outcome(of: suggestion, selected, in: other, contents)
    }
    if row.contains(.same) {
      for i in row.indices where row[i] == .nothing { row[i] = .missed }
    }
    outcomes.append(row)
  }

  /// Returns the outcomes of a suggestion in the captures, in the order of their addition.
  public func outcomes(of suggestion: Int) -> [Outcome] { outcomes.map { $0[suggestion] } }

  /// The numbers of the suggestions, the best first. Suggestions of the same rank keep their order.
  ///
  /// If the best has a free row, the second is the best without.
  public var order: [Int] {
    guard !outcomes.isEmpty else { return Array(suggestions.indices) }
    let failures = suggestions.indices.map { suggestion in
      outcomes.count { $0[suggestion] == .other || $0[suggestion] == .missed }
    }
    let sorted = suggestions.indices.sorted { a, b in
      if suggestions[a].isUnique != suggestions[b].isUnique { return suggestions[a].isUnique }
      return (failures[a], a) < (failures[b], b)
    }
    return Suggester.order(sorted.map { suggestions[$0] }).map { sorted[$0] }
  }

  // MARK: - Comparing elements

  private func outcome(
    of suggestion: Suggestion, _ selected: [ElementID], in other: IdentifiedTree, _ otherContents: ElementContents
  ) -> Outcome {
    guard let first = selected.first else { return .nothing }
    if case .kind = suggestion.uniqueness {
      let kind = other.path(of: first).withoutRows(.innermost)
      let isOneKind = selected.allSatisfy {
        other.path(of: $0).withoutRows(.innermost) == kind && isAlike($0, in: other, otherContents, isKind: true)
      }
      return isOneKind ? .same : .other
    }
    return selected.count == 1 && isAlike(first, in: other, otherContents, isKind: false) ? .same : .other
  }

  /// Returns whether nothing is known to be different about an element: its class and type and, outside of lists, the first of the
  /// developer's identifier, actions and text that both have.
  private func isAlike(
    _ candidate: ElementID, in other: IdentifiedTree, _ otherContents: ElementContents, isKind: Bool
  ) -> Bool {
    guard let (element, screen, contents) = original else { return true }
    guard screen.trackingType(of: element, in: style) == other.trackingType(of: candidate, in: style) else {
      return false
    }
    if isKind { return sameText(screen.className(of: element), other.className(of: candidate)) }
    for name in [AttributeName.identifier, .actions] {
      if let a = screen.tree.value(name, of: element), let b = other.tree.value(name, of: candidate), !a.isEmpty,
        !b.isEmpty
      {
        if name == .identifier, !DeveloperID.isName(a) || !DeveloperID.isName(b) { continue }
        // Many elements share the system's own actions.
        if name == .actions, sameText(a, b), a.utf8.first == UInt8(ascii: "_") { continue }
        return sameText(a, b)
      }
    }
    guard screen.trackingType(of: element) == .button, let a = contents.content(of: element),
      let b = otherContents.content(of: candidate), !a.isEmpty, !b.isEmpty
    else { return true }
    return sameText(a, b)
  }
}
