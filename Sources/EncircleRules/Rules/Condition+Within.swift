extension Condition {
  /// The condition on the list of texts within an element that asks what a condition on a text means there: what must hold holds for
  /// one of the texts, what must not (`not`) for none. It holds for nothing that is not known.
  package var onTextsWithin: Condition { .all([.exists(true), asked]) }

  /// The condition that ``onTextsWithin`` was made of; nil if this is none of those.
  package var ofTextWithin: Condition? {
    guard case .all(let parts) = self, parts.count == 2, case .exists(true) = parts[0] else { return nil }
    return parts[1].ofOneText
  }

  private var asked: Condition {
    switch self {
    case .not(let part): return .not(part.asked)
    case .all(let parts):
      // One text must meet all that must hold together.
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
