/// The features of two elements that do not depend on which other elements belong together.
///
/// Paths, indexes and places on the screen are left out, because they fit only elements that have not moved, which are easy to
/// find anyway.
@_spi(Training) public enum LocalFeature: Int, CaseIterable, Sendable {
  case identifierEqual, identifierDiffers, identifierLost
  case labelEqual, labelDiffers, labelLost
  case actionsEqual, actionsDiffer, controllerEqual, controllerDiffers
  case textEqual, textEqualUnique, textSimilarity, textDiffers, textNone, textLost, textLength
  case classEqual, classSimilarity, classLastWord, classUnique, classRarity
  case subtreeEqual, subtreeEqualUnique, leafBoth, leafOne, innerTexts, innerTextsNone, innerTextsEqual, innerClasses
  case sizeRatio
  case nearbyTexts, nearbyTextsNone
  case width, widthEqual, height, heightEqual, left, leftEqual, rightEqual, frameEqual, frameMissing
  case parentClassEqual, parentClass, parentTextsEqual, grandparentClassEqual, ancestors, depthDifference, rootBoth,
    rootOne
  case previousClass, nextClass, previousEdge, nextEdge, previousEqual, nextEqual
  case siblingsEqual

  /// The topic of the feature in reasons.
  var topic: ReasonTopic {
    switch self {
    case .identifierEqual, .identifierDiffers, .identifierLost: .identifier
    case .labelEqual, .labelDiffers, .labelLost: .label
    case .actionsEqual, .actionsDiffer: .actions
    case .controllerEqual, .controllerDiffers: .controller
    case .textEqual, .textEqualUnique, .textSimilarity, .textDiffers, .textNone, .textLost, .textLength: .text
    case .classEqual, .classSimilarity, .classLastWord, .classUnique, .classRarity: .className
    case .subtreeEqual, .subtreeEqualUnique, .leafBoth, .leafOne, .innerTexts, .innerTextsNone, .innerTextsEqual,
      .innerClasses, .sizeRatio:
      .contents
    case .nearbyTexts, .nearbyTextsNone: .nearbyTexts
    case .width, .widthEqual, .height, .heightEqual, .left, .leftEqual, .rightEqual, .frameEqual, .frameMissing: .frame
    case .parentClassEqual, .parentClass, .parentTextsEqual, .grandparentClassEqual, .ancestors, .depthDifference,
      .rootBoth, .rootOne:
      .ancestors
    case .previousClass, .nextClass, .previousEdge, .nextEdge, .previousEqual, .nextEqual, .siblingsEqual: .siblings
    }
  }
}
