extension Condition {
  /// This condition on a single text, as a condition on the list of texts within an element. A positive test must hold for one
  /// of the texts; a test inside `not` must hold for none of them. The condition is false while the texts are unknown.
  package var onTextsWithin: Condition { .all([.exists(true), asked]) }

  /// The condition that ``onTextsWithin`` was made from; nil if this condition was not made by it.
  package var ofTextWithin: Condition? {
    guard case .all(let parts) = self, parts.count == 2, case .exists(true) = parts[0] else { return nil }
    return parts[1].ofOneText
  }

  private var asked: Condition {
    switch self {
    case .not(let part): return .not(part.asked)
    case .all(let parts):
      // All positive tests must hold for the same text.
      let positive = parts.filter { !$0.isNegation }
      let negative = parts.filter(\.isNegation).map(\.asked)
      let first: [Condition] =
        positive.isEmpty ? [] : [.items(.any, positive.count == 1 ? positive[0] : .all(positive))]
      let all = first + negative
      return all.count == 1 ? all[0] : .all(all)
    default: return .items(.any, self)
    }
  }

  private var ofOneText: Condition {
    switch self {
    case .not(let part): .not(part.ofOneText)
    case .all(let parts): .all(parts.map(\.ofOneText))
    case .items(.any, let part): part
    default: self
    }
  }

  private var isNegation: Bool { if case .not = self { true } else { false } }
}
