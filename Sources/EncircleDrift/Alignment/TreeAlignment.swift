/// An ordered tree, in post-order.
@_spi(Training) public struct PostOrderTree: Sendable {
  /// The pre-order numbers in post-order.
  let elements: [Int32]
  /// The place of the leftmost leaf below each place.
  let leftmost: [Int32]
  /// The highest place of each leftmost leaf, ascending: the subtrees whose distances are computed.
  let keyRoots: [Int32]
  /// The sum of the sizes of the subtrees of the key roots.
  let keyWeight: Int

  /// Orders a forest.
  ///
  /// - Parameter end: The end of the subtree of each element in pre-order.
  /// - Complexity: O(elements).
  public init(subtreeEnds end: [Int32]) {
    let count = end.count
    var elements: [Int32] = []
    var leftmost: [Int32] = []
    elements.reserveCapacity(count + 1)
    leftmost.reserveCapacity(count + 1)
    var open: [(element: Int32, start: Int32)] = []
    func close(before i: Int32) {
      while let last = open.last, end[Int(last.element)] <= i {
        elements.append(last.element)
        leftmost.append(last.start)
        open.removeLast()
      }
    }
    for i in 0..<Int32(count) {
      close(before: i)
      open.append((i, Int32(elements.count)))
    }
    close(before: Int32(count))
    // A root above all windows makes a tree of the forest.
    elements.append(-1)
    leftmost.append(0)
    var highest: [Int32: Int32] = [:]
    for (place, leaf) in leftmost.enumerated() { highest[leaf] = Int32(place) }
    keyRoots = highest.values.sorted()
    keyWeight = keyRoots.reduce(0) { $0 + Int($1) - Int(leftmost[Int($1)]) + 1 }
    self.elements = elements
    self.leftmost = leftmost
  }
}

/// The ordered alignment of two trees at the least cost, by K. Zhang and D. Shasha, "Simple fast algorithms for the editing
/// distance between trees and related problems", SIAM Journal on Computing 18 (1989).
///
/// Removing or adding an element costs 1. Ancestors stay ancestors, and the order stays.
@_spi(Training) public struct TreeAlignment {
  private let old: PostOrderTree
  private let new: PostOrderTree
  private let costs: [Float]  // of pairs of places in post-order
  private var treeDistances: [Float]
  private var forest: [Float]
  private let width: Int

  /// The number of steps that aligning two trees takes, but for a constant factor.
  public static func steps(_ old: PostOrderTree, _ new: PostOrderTree) -> Int {
    let (product, overflow) = old.keyWeight.multipliedReportingOverflow(by: new.keyWeight)
    return overflow ? .max : product
  }

  /// Aligns two trees.
  ///
  /// - Parameter cost: The cost of making old element `i` of new element `j`, by pre-order numbers: `cost[i * new.count + j]`.
  /// - Returns: For each old element in pre-order, the new element that it is aligned with, or -1.
  /// - Complexity: O(steps), memory O(old × new).
  public static func align(_ old: PostOrderTree, _ new: PostOrderTree, cost: [Float]) -> [Int32] {
    var alignment = TreeAlignment(old, new, cost)
    alignment.withTables { tables in
      for i in old.keyRoots {
        for j in new.keyRoots { tables.computeDistances(Int(i), Int(j)) }
      }
    }
    return alignment.trace()
  }

  private init(_ old: PostOrderTree, _ new: PostOrderTree, _ cost: [Float]) {
    self.old = old
    self.new = new
    let (rows, columns) = (old.elements.count, new.elements.count)
    width = columns + 1
    // More than removing and adding, so that the roots above the windows are aligned with each other only.
    var costs = Array(repeating: Float(3), count: rows * columns)
    for (a, i) in old.elements.enumerated() where i >= 0 {
      for (b, j) in new.elements.enumerated() where j >= 0 {
        costs[a * columns + b] = cost[Int(i) * (columns - 1) + Int(j)]
      }
    }
    costs[rows * columns - 1] = 0
    self.costs = costs
    treeDistances = Array(repeating: 0, count: rows * columns)
    forest = Array(repeating: 0, count: (rows + 1) * width)
  }

  /// The arrays of an alignment while it is computed.
  private struct Tables {
    let oldLeft: UnsafeBufferPointer<Int32>
    let newLeft: UnsafeBufferPointer<Int32>
    let costs: UnsafeBufferPointer<Float>
    let trees: UnsafeMutableBufferPointer<Float>
    let forest: UnsafeMutableBufferPointer<Float>

    /// Computes the distances between all prefixes of two subtrees. Row and column 0 stand for an empty forest; row `r`
    /// is for the places up to `leftmost + r - 1`.
    func computeDistances(_ i: Int, _ j: Int) {
      let (firstOld, firstNew) = (Int(oldLeft[i]), Int(newLeft[j]))
      let (rows, columns) = (i - firstOld + 1, j - firstNew + 1)
      let stride = newLeft.count
      let width = stride + 1
      for c in 0...columns { forest[c] = Float(c) }
      for r in 1...rows {
        let a = firstOld + r - 1
        let above = Int(oldLeft[a]) - firstOld
        let row = r * width
        forest[row] = Float(r)
        var left = Float(r)
        for c in 1...columns {
          let b = firstNew + c - 1
          let before = Int(newLeft[b]) - firstNew
          var best = min(forest[row - width + c], left) + 1
          if above == 0, before == 0 {
            best = min(best, forest[row - width + c - 1] + costs[a * stride + b])
            trees[a * stride + b] = best
          } else {
            best = min(best, forest[above * width + before] + trees[a * stride + b])
          }
          forest[row + c] = best
          left = best
        }
      }
    }
  }

  private mutating func withTables(_ body: (Tables) -> Void) {
    old.leftmost.withUnsafeBufferPointer { oldLeft in
      new.leftmost.withUnsafeBufferPointer { newLeft in
        costs.withUnsafeBufferPointer { costs in
          treeDistances.withUnsafeMutableBufferPointer { trees in
            forest.withUnsafeMutableBufferPointer { forest in
              body(Tables(oldLeft: oldLeft, newLeft: newLeft, costs: costs, trees: trees, forest: forest))
            }
          }
        }
      }
    }
  }

  /// Finds the pairs of an alignment at the least cost, going back through the distances.
  private mutating func trace() -> [Int32] {
    var result = Array(repeating: Int32(-1), count: old.elements.count - 1)
    var open = [(old.elements.count - 1, new.elements.count - 1)]
    while let (i, j) = open.popLast() {
      withTables { $0.computeDistances(i, j) }
      let (firstOld, firstNew) = (Int(old.leftmost[i]), Int(new.leftmost[j]))
      var r = i - firstOld + 1
      var c = j - firstNew + 1
      while r > 0, c > 0 {
        let (a, b) = (firstOld + r - 1, firstNew + c - 1)
        let here = forest[r * width + c]
        let (above, before) = (Int(old.leftmost[a]) - firstOld, Int(new.leftmost[b]) - firstNew)
        // The very sums that were compared before, so they are equal to the bit.
        if above == 0, before == 0 {
          if here == forest[(r - 1) * width + c - 1] + costs[a * new.elements.count + b] {
            if old.elements[a] >= 0, new.elements[b] >= 0 { result[Int(old.elements[a])] = new.elements[b] }
            r -= 1
            c -= 1
            continue
          }
        } else if here == forest[above * width + before] + treeDistances[a * new.elements.count + b] {
          open.append((a, b))
          r = above
          c = before
          continue
        }
        if here == forest[(r - 1) * width + c] + 1 { r -= 1 } else { c -= 1 }
      }
    }
    return result
  }
}
