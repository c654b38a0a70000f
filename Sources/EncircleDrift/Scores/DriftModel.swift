/// The weights of all scores. `DriftModel+Trained.swift`, written by `Benchmarks/drift/train.py`, has the weights in use.
@_spi(Training) public struct DriftModel: Sendable {
  /// The score of a pair without context.
  public var local: AdditiveModel
  /// The scores of a pair in the light of a mapping, one for each round: features of ``LocalFeature``, then of
  /// ``ContextFeature``.
  public var rounds: [AdditiveModel]
  /// The log odds that a matched pair is right.
  public var confidence: AdditiveModel

  public init(local: AdditiveModel, rounds: [AdditiveModel], confidence: AdditiveModel) {
    self.local = local
    self.rounds = rounds
    self.confidence = confidence
  }
}
