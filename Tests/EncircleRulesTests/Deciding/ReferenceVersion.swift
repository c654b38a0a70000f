/// A dotted version with pre-release tags.
struct ReferenceVersion {
  var numbers: [Int]
  var tags: [String]

  init?(_ text: String) {
    let known = text.split(separator: "+", omittingEmptySubsequences: false)[0]
    let parts = known.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    guard numbers.allSatisfy({ !$0.isEmpty && $0.allSatisfy { "0123456789".contains($0) } }) else { return nil }
    self.numbers = numbers.compactMap { Int($0) }
    tags = parts.count > 1 ? parts[1].split(separator: ".", omittingEmptySubsequences: false).map(String.init) : []
    if tags.contains("") { return nil }
  }

  static func < (a: ReferenceVersion, b: ReferenceVersion) -> Bool {
    let count = max(a.numbers.count, b.numbers.count)
    func filled(_ numbers: [Int]) -> [Int] { numbers + Array(repeating: 0, count: count - numbers.count) }
    let (x, y) = (filled(a.numbers), filled(b.numbers))
    if x != y { return x.lexicographicallyPrecedes(y) }
    if a.tags.isEmpty || b.tags.isEmpty { return !a.tags.isEmpty && b.tags.isEmpty }
    for (s, t) in zip(a.tags, b.tags) where s != t {
      switch (Int(s), Int(t)) {
      case (let m?, let n?): if m != n { return m < n }
      case (nil, nil): return Array(s.utf8).lexicographicallyPrecedes(Array(t.utf8))
      case (let m, _): return m != nil
      }
    }
    return a.tags.count < b.tags.count
  }
}
