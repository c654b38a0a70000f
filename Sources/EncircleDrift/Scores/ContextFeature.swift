/// The features of two elements that depend on a first mapping: whether their surroundings belong together, too.
@_spi(Training) public enum ContextFeature: Int, CaseIterable, Sendable {
  case score, rowMargin, columnMargin, bestOfBoth
  case parentScore, parentMatched, parentMatchedElsewhere, ancestorMatched, ancestorMissed
  case childrenScore, childrenMatched, insideMatched, insideMatchedElsewhere
  case previousScore, nextScore, previousMatched, nextMatched, siblingsBothMatched
  case aligned, oldAlignedElsewhere, newAlignedElsewhere
  case orderBefore, orderAfter, nearness, rankInParent
  case shiftBefore, shiftAfter, shiftFromParent

  /// The topic of the feature in reasons.
  var topic: ReasonTopic {
    switch self {
    case .score, .rowMargin, .columnMargin, .bestOfBoth: .rivals
    case .parentScore, .parentMatched, .parentMatchedElsewhere, .ancestorMatched, .ancestorMissed: .parent
    case .childrenScore, .childrenMatched, .insideMatched, .insideMatchedElsewhere: .subviews
    case .previousScore, .nextScore, .previousMatched, .nextMatched, .siblingsBothMatched: .neighbours
    case .aligned, .oldAlignedElsewhere, .newAlignedElsewhere: .alignment
    case .orderBefore, .orderAfter, .nearness, .rankInParent: .order
    case .shiftBefore, .shiftAfter, .shiftFromParent: .place
    }
  }
}
