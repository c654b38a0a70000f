/// The topics of reasons for or against a pair.
@_spi(Training) public enum ReasonTopic: Int, CaseIterable, Sendable {
  case identifier, label, actions, controller, text, className, contents, nearbyTexts, frame, ancestors, siblings
  case rivals, parent, subviews, neighbours, alignment, order, place, path, screen, base
}
