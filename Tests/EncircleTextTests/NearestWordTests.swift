import EncircleTestSupport
import EncircleText
import Testing

@Suite struct NearestWordTests {
  /// The whole matrix of the optimal string alignment distance.
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var rows = (0...a.count).map { i in (0...b.count).map { j in i == 0 ? j : j == 0 ? i : 0 } }
    for i in a.indices {
      for j in b.indices {
        var least = min(rows[i][j + 1], rows[i + 1][j]) + 1
        least = min(least, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, rows[i - 1][j - 1] + 1) }
        rows[i + 1][j + 1] = least
      }
    }
    return rows[a.count][b.count]
  }

  /// Compares a word with all candidates.
  private static func nearest(to word: String, among candidates: [String], within most: Int) -> String? {
    var best: (distance: Int, candidate: String)?
    for candidate in candidates {
      let longer = max(word.utf8.count, candidate.utf8.count)
      let distance = distance(Array(word.utf8), Array(candidate.utf8))
      guard longer > 1, distance <= min(most, max(1, longer / 3)), distance < best?.distance ?? .max else { continue }
      best = (distance, candidate)
    }
    return best?.candidate
  }

  @Test("The nearest word is the one found by comparing all", arguments: TestSize.scaled(UInt64(0)..<400))
  func agreement(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let letters = Array("abcXYZ_é".unicodeScalars)
    var candidates = (0..<20).map { _ in
      let count = Int.random(in: 0...18, using: &random)
      return String(String.UnicodeScalarView((0..<count).map { _ in random.pick(letters) }))
    }
    let word = candidates.removeLast()
    // Some that differ in a few letters.
    for _ in 0..<10 {
      var near = Array(word.unicodeScalars)
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let place = Int.random(in: 0...near.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: near.insert(random.pick(letters), at: place)
        case 1 where place < near.count: near.remove(at: place)
        case 2 where place < near.count: near[place] = random.pick(letters)
        case 3 where place + 1 < near.count: near.swapAt(place, place + 1)
        default: continue
        }
      }
      candidates.append(String(String.UnicodeScalarView(near)))
    }
    candidates.shuffle(using: &random)
    for most in [1, 2, .max] {
      #expect(
        Diagnostic.nearest(to: word, among: candidates, within: most)
          == Self.nearest(to: word, among: candidates, within: most))
    }
  }
}
