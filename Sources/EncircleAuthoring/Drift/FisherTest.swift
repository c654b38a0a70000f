#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// R. A. Fisher's exact test of two shares: how likely is it that they differ so much by chance? It holds for any counts, also for
/// 0 of 12.
///
/// Given the totals, the number of hits in the second group has a hypergeometric distribution. The result is twice the smaller of the two
/// tails, at most 1.
public enum FisherTest {
  /// Returns the probability by chance of shares that differ as much or more.
  ///
  /// - Parameters:
  ///   - first: The hits among the members of the first group.
  ///   - second: The hits among the members of the second group.
  /// - Precondition: Hits are at least 0 and no more than the members.
  /// - Complexity: O(√members), as only one tail is added up, and no terms that add nothing.
  public static func probability(
    first: (hits: Int, of: Int), second: (hits: Int, of: Int)
  ) -> Double {
    precondition(0...first.of ~= first.hits && 0...second.of ~= second.hits)
    let hits = first.hits + second.hits
    let least = max(0, hits - first.of)
    let most = min(hits, second.of)
    guard least < most else { return 1 }
    let ways: Double = logChoose(second.of, second.hits) + logChoose(first.of, first.hits)
    let all = first.of + second.of
    let here: Double = exp(ways - logChoose(all, hits))
    // The tail that leads away from the most likely number: its terms only become smaller.
    let mode = Int(Double(hits + 1) * Double(second.of + 1) / Double(all + 2))
    let isUpper = second.hits >= mode
    var tail = here
    var term = here
    var k = second.hits
    while term > tail * 1e-17, isUpper ? k < most : k > least {
      if isUpper {
        term *= nextShare(k)
        k += 1
      } else {
        k -= 1
        term /= nextShare(k)
      }
      tail += term
    }
    // Both tails include the term of the observed value.
    return min(1, 2 * min(tail, 1 + here - tail))

    /// Returns the ratio of the next higher term to the term of `k`.
    func nextShare(_ k: Int) -> Double {
      Double(second.of - k) * Double(hits - k) / (Double(k + 1) * Double(first.of - hits + k + 1))
    }
  }

  private static func logChoose(_ n: Int, _ k: Int) -> Double {
    logFactorial(n) - logFactorial(k) - logFactorial(n - k)
  }

  private static func logFactorial(_ n: Int) -> Double {
    guard n >= small.count else { return small[n] }
    // Stirling's series; the next term is less than 10⁻¹².
    let x = Double(n)
    return x * log(x) - x + 0.5 * log(2 * .pi * x) + 1 / (12 * x) - 1 / (360 * x * x * x)
  }

  private static let small: [Double] = (1..<256).reduce(into: [0]) { $0.append($0[$0.count - 1] + log(Double($1))) }
}
