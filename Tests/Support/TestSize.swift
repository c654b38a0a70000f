import Foundation

/// How much the tests try that generate many inputs.
///
/// With `ENCIRCLE_FULL_TESTS=1` in the environment, which `make test FULL=1` and CI set, such tests run at their full size;
/// otherwise at about a tenth of it, so that `make test` takes little time. The seeds are the same: a smaller test tries the
/// first of the inputs that the full one tries.
public enum TestSize {
  /// Whether tests run at their full size.
  public static let isFull = ProcessInfo.processInfo.environment["ENCIRCLE_FULL_TESTS"] == "1"

  /// A number of repetitions: `full`, or a tenth of it, rounded up.
  public static func scaled(_ full: Int) -> Int { isFull ? full : (full + 9) / 10 }

  /// The seeds or cases of a parameterized test: all of them, or the first tenth, rounded up.
  public static func scaled<T>(_ full: some Collection<T>) -> [T] { Array(full.prefix(scaled(full.count))) }

  /// The distance between the places that a test tries in some text: `full`, or ten times as far.
  public static func stride(_ full: Int) -> Int { isFull ? full : full * 10 }
}
