/// The features that make a matched pair more or less certain.
@_spi(Training) public enum ConfidenceFeature: Int, CaseIterable, Sendable {
  case logOdds, margin, rivalsOfOld, rivalsOfNew, onlyAssigned
  case parentMatched, childrenMatched, leaf, neighboursMatched, oneNeighbourMatched
  case textEqual, textNone, textChanged, classEqual, frameEqual, sizeEqual
  case pathEqual, indexEqual, placeEqual, heightOnScreen
  case screenMatched, elementsNumber, sizesOfScreens, unmatchedAlike
  case sceneOverlap, sceneMargin, ofRest, acrossScenes

  /// The topic of the feature in reasons.
  var topic: ReasonTopic {
    switch self {
    // The parts of the score are shown instead.
    case .logOdds: .base
    case .margin, .rivalsOfOld, .rivalsOfNew, .onlyAssigned, .unmatchedAlike: .rivals
    case .parentMatched: .parent
    case .childrenMatched, .leaf: .subviews
    case .neighboursMatched, .oneNeighbourMatched: .neighbours
    case .textEqual, .textNone, .textChanged: .text
    case .classEqual: .className
    case .frameEqual, .sizeEqual: .frame
    case .pathEqual, .indexEqual: .path
    case .placeEqual, .heightOnScreen: .place
    case .screenMatched, .elementsNumber, .sizesOfScreens, .sceneOverlap, .sceneMargin, .ofRest, .acrossScenes:
      .screen
    }
  }
}
