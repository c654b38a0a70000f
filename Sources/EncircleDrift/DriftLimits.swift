/// How much work finding elements again may take. What is larger is compared by cheaper means, never refused.
public struct DriftLimits: Sendable {
  /// The greatest product of the numbers of elements for which each element is compared with each other one.
  public var pairs = 4_000_000
  /// The greatest number of steps of one tree alignment; beyond that, elements are aligned in the order of their scores.
  public var alignmentSteps = 200_000_000
  /// The greatest number of elements on each side that are assigned at the least total cost; larger groups are assigned
  /// best first.
  public var assignedElements = 300

  public init() {}

  /// Of longer names and texts, only the beginning is compared, in bytes.
  static let comparedBytes = 64
  /// The greatest number of different names whose similarity is computed.
  static let comparedNames = 1200
  /// The greatest number of names in the bag of what lies in an element.
  static let bagSize = 48
}
