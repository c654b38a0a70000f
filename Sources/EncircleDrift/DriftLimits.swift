/// Limits of the work of finding elements again. Larger screens are compared by cheaper means, never refused.
public struct DriftLimits: Sendable {
  /// The maximum product of the numbers of elements for comparing every pair of elements.
  public var pairs = 4_000_000
  /// The greatest number of steps of the tree alignments of all scenes together, in each round. Beyond that, elements are only
  /// assigned by their scores.
  public var alignmentSteps = 200_000_000
  /// The greatest number of elements on each side that are assigned at the least total cost; larger groups are assigned
  /// best first.
  public var assignedElements = 300

  public init() {}

  /// The number of bytes of names and texts that are compared.
  static let comparedBytes = 64
  /// The maximum number of different names whose similarity is computed.
  static let comparedNames = 1200
  /// The maximum number of names in the bag of an element's contents.
  static let bagSize = 48
}
