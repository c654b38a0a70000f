#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A weighted sum of features. The part that each feature adds is shown as a reason.
@_spi(Training) public struct AdditiveModel: Sendable {
  /// The constant term.
  public var bias: Float
  /// A weight for each feature, in the order of its enumeration.
  public var weights: [Float]

  public init(bias: Float, weights: [Float]) {
    self.bias = bias
    self.weights = weights
  }

  func score(_ values: UnsafeMutableBufferPointer<Float>) -> Float {
    bias + Self.product(weights, from: 0, values)
  }

  /// Returns the sum of the products of values and as many weights.
  ///
  /// - Parameter start: The place of the first weight.
  @inline(__always) static func product(
    _ weights: [Float], from start: Int, _ values: UnsafeMutableBufferPointer<Float>
  ) -> Float {
    precondition(start + values.count <= weights.count)
    return weights.withUnsafeBufferPointer { weights in
      // There are four independent sums, because each addition would otherwise wait for the one before it.
      var sums = SIMD4<Float>(repeating: 0)
      var i = 0
      while i + 4 <= values.count {
        let w = SIMD4(weights[start + i], weights[start + i + 1], weights[start + i + 2], weights[start + i + 3])
        sums += w * SIMD4(values[i], values[i + 1], values[i + 2], values[i + 3])
        i += 4
      }
      var sum = sums.sum()
      while i < values.count {
        sum += weights[start + i] * values[i]
        i += 1
      }
      return sum
    }
  }
}

/// Returns the probability for log odds.
func probability(_ logOdds: Float) -> Float { 1 / (1 + exp(-logOdds)) }

/// Returns the log odds of a probability between 0 and 1, both excluded.
func logOdds(_ probability: Float) -> Float { log(probability / (1 - probability)) }
