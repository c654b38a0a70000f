#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A weighted sum of features: what each feature adds is its reason.
@_spi(Training) public struct AdditiveModel: Sendable {
  /// What is added whatever the features are.
  public var bias: Float
  /// A weight for each feature, in the order of its enumeration.
  public var weights: [Float]

  public init(bias: Float, weights: [Float]) {
    self.bias = bias
    self.weights = weights
  }

  func score(_ values: UnsafeMutableBufferPointer<Float>) -> Float {
    var sum = bias
    weights.withUnsafeBufferPointer { weights in
      for i in 0..<weights.count { sum += weights[i] * values[i] }
    }
    return sum
  }
}

/// Returns the probability that log odds mean.
func probability(_ logOdds: Float) -> Float { 1 / (1 + exp(-logOdds)) }

/// Returns the log odds of a probability between 0 and 1, both excluded.
func logOdds(_ probability: Float) -> Float { log(probability / (1 - probability)) }
