import Foundation

/// The amount of input that tests try which generate many inputs.
///
/// `ENCIRCLE_TEST_SIZE` in the environment, which `make test SIZE=…` sets, is a percentage of their full size; without it
/// they run at a thirtieth, so that `make test` takes little time. The seeds are the same: a smaller test tries the first of
/// the inputs that the full one tries.
public enum TestSize {
  /// The share of the full size, from 1 to 100 percent.
  static let percent: Int = {
    let size = ProcessInfo.processInfo.environment["ENCIRCLE_TEST_SIZE"].flatMap { Int($0) } ?? 3
    return min(max(size, 1), 100)
  }()

  /// `true` if tests run at their full size.
  public static let isFull = percent == 100

  /// A number of repetitions: `full`, or the share of it, rounded up.
  public static func scaled(_ full: Int) -> Int { (full * percent + 99) / 100 }

  /// The seeds or cases of a parameterized test: all of them, or the first of them, at least one.
  public static func scaled<T>(_ full: some Collection<T>) -> [T] { Array(full.prefix(scaled(full.count))) }

  /// A part of the cases of a loop inside a parameterized test: all of them at full size, else every third, beginning at
  /// another one for each `number`, so that all tests together try all cases.
  public static func part<T>(_ full: [T], of number: Int) -> [T] {
    if isFull { return full }
    return Swift.stride(from: number % 3, to: full.count, by: 3).map { full[$0] }
  }

  /// Some of the cases of a loop, evenly spaced: all of them at full size, else the share of it, but at least `least`.
  public static func spread<T>(_ full: [T], atLeast least: Int) -> [T] {
    let count = max(scaled(full.count), min(least, full.count))
    return (0..<count).map { full[$0 * full.count / count] }
  }

  /// The distance between the places that a test tries in some text: `full`, or as much farther as the size is smaller.
  public static func stride(_ full: Int) -> Int { full * 100 / percent }
}
