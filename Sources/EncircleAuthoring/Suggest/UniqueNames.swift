import EncircleText

/// Makes names unique: the second of two equal names ends with `_2`.
struct UniqueNames {
  private var taken: Set<UTF8String>
  private var next: [UTF8String: Int] = [:]

  /// - Parameter taken: Names that others have.
  init(taken: some Sequence<UTF8String>) { self.taken = Set(taken) }

  /// Returns a name that begins with the given one and is not yet taken, and marks it as taken.
  ///
  /// - Complexity: O(1) on average.
  mutating func unique(_ name: String) -> String {
    let key = UTF8String(name)
    if taken.insert(key).inserted { return name }
    var number = next[key] ?? 2
    while !taken.insert(UTF8String("\(name)_\(number)")).inserted { number += 1 }
    next[key] = number + 1
    return "\(name)_\(number)"
  }
}
