import EncircleTestSupport
import EncircleTree
import Testing

@testable @_spi(Training) import EncircleDrift

/// The tree alignment and the assignment, against slow and obvious ones.
@Suite struct AlignmentTests {
  @Test("an alignment keeps order and ancestors, and has the least cost", arguments: TestSize.scaled(0..<300))
  func alignment(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let old = MadeView.any(&random, views: Int.random(in: 1...8, using: &random))
    let new = MadeView.any(&random, views: Int.random(in: 1...8, using: &random))
    let costs = (0..<old.count * new.count).map { _ in Float(Int.random(in: 0...10, using: &random)) / 4 }
    func ends(_ tree: ViewTree) -> [Int32] { tree.elements.map { tree.subtreeEnd(of: $0).rawValue } }
    let (oldEnds, newEnds) = (ends(old), ends(new))
    let pairs = TreeAlignment.align(PostOrderTree(subtreeEnds: oldEnds), PostOrderTree(subtreeEnds: newEnds)) { i, j in
      costs[i * new.count + j]
    }
    var total: Float = 0
    for (i, j) in pairs.enumerated() {
      total += j < 0 ? 1 : costs[i * new.count + Int(j)]
      guard j >= 0 else { continue }
      for (k, l) in pairs.enumerated() where l >= 0 && k > i {
        #expect(l > j)
        #expect((k < oldEnds[i]) == (l < newEnds[Int(j)]))
      }
    }
    total += Float(new.count - pairs.count { $0 >= 0 })
    var distances: [[[Int]]: Float] = [:]
    func distance(_ a: [Int], _ b: [Int]) -> Float {
      guard let i = a.last, let j = b.last else { return Float(size(a, oldEnds) + size(b, newEnds)) }
      if let known = distances[[a, b]] { return known }
      let (inA, inB) = (children(i, oldEnds), children(j, newEnds))
      let result = min(
        distance(a.dropLast() + inA, b) + 1, distance(a, b.dropLast() + inB) + 1,
        distance(a.dropLast(), b.dropLast()) + distance(inA, inB) + costs[i * new.count + j])
      distances[[a, b]] = result
      return result
    }
    #expect(abs(total - distance(roots(oldEnds), roots(newEnds))) < 0.001)
  }

  private func size(_ forest: [Int], _ ends: [Int32]) -> Int { forest.reduce(0) { $0 + Int(ends[$1]) - $1 } }

  private func roots(_ ends: [Int32]) -> [Int] { chain(from: 0, to: ends.count, ends) }
  private func children(_ i: Int, _ ends: [Int32]) -> [Int] { chain(from: i + 1, to: Int(ends[i]), ends) }
  private func chain(from start: Int, to end: Int, _ ends: [Int32]) -> [Int] {
    var result: [Int] = []
    var next = start
    while next < end {
      result.append(next)
      next = Int(ends[next])
    }
    return result
  }

  @Test("an assignment is one to one and has the greatest gain", arguments: TestSize.scaled(0..<300))
  func assignment(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var edges: [Assignment.Edge] = []
    for row in 0..<Int32(Int.random(in: 1...5, using: &random)) {
      for column in 0..<Int32(5) where Bool.random(using: &random) {
        edges.append(Assignment.Edge(row: row, column: column, gain: Float(Int.random(in: 1...9, using: &random)) / 8))
      }
    }
    let chosen = Assignment.choose(edges, limit: 10)
    #expect(Set(chosen.map(\.row)).count == chosen.count && Set(chosen.map(\.column)).count == chosen.count)
    func best(_ row: Int32, _ taken: Set<Int32>) -> Float {
      guard row < 5 else { return 0 }
      let choices = edges.filter { $0.row == row && !taken.contains($0.column) }
      return choices.reduce(best(row + 1, taken)) { max($0, $1.gain + best(row + 1, taken.union([$1.column]))) }
    }
    #expect(abs(chosen.reduce(0) { $0 + $1.gain } - best(0, [])) < 0.001)
    // Best first, it is still one to one.
    let greedy = Assignment.choose(edges, limit: 0)
    #expect(Set(greedy.map(\.row)).count == greedy.count && Set(greedy.map(\.column)).count == greedy.count)
  }
}
