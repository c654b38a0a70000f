/// An ordered tree, in post-order.
@_spi(Training) public struct PostOrderTree: Sendable {
  /// The pre-order numbers in post-order.
  let elements: [Int32]
  /// The place of the leftmost leaf below each place.
  let leftmost: [Int32]
  /// For each leftmost leaf, the highest place that has it, in ascending order. These places are the roots of the subtrees
  /// whose distances are computed.
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
///
/// The computation maximises gains instead of minimising the cost. Aligning two elements gains what it saves over removing one
/// and adding the other: 2 less the cost of the pair. The result is the same, but removing and adding an element then needs no
/// addition, and pairs of subtrees without a gain are skipped.
@_spi(Training) public struct TreeAlignment {
  private let old: PostOrderTree
  private let new: PostOrderTree
  private let gains: [Float]  // of pairs of places in post-order
  // For each pair of places, the number of pairs with a gain that come before it.
  private let gainCounts: [Int32]
  private var treeGains: [Float]
  private var forest: [Float]
  private let width: Int

  /// Returns the number of steps that the alignment of two trees takes, up to a constant factor.
  public static func steps(_ old: PostOrderTree, _ new: PostOrderTree) -> Int {
    let (product, overflow) = old.keyWeight.multipliedReportingOverflow(by: new.keyWeight)
    return overflow ? .max : product
  }

  /// Aligns two trees.
  ///
  /// - Parameter cost: The cost of making an old element of a new one, by their pre-order numbers.
  /// - Returns: For each old element in pre-order, the new element that it is aligned with, or -1.
  /// - Complexity: O(steps), memory O(old × new).
  public static func align(_ old: PostOrderTree, _ new: PostOrderTree, cost: (Int, Int) -> Float) -> [Int32] {
    var alignment = TreeAlignment(old, new, cost)
    alignment.withTables { tables in
      for i in old.keyRoots {
        for j in new.keyRoots where tables.canGain(Int(i), Int(j)) { tables.computeGains(Int(i), Int(j)) }
      }
    }
    return alignment.trace()
  }

  private init(_ old: PostOrderTree, _ new: PostOrderTree, _ cost: (Int, Int) -> Float) {
    self.old = old
    self.new = new
    let (rows, columns) = (old.elements.count, new.elements.count)
    width = columns + 1
    // The roots above the windows are aligned with each other only.
    var gains = Array(repeating: Float(-1), count: rows * columns)
    var counts = Array(repeating: Int32(0), count: (rows + 1) * width)
    for a in 0..<rows {
      let i = Int(old.elements[a])
      var inRow: Int32 = 0
      for b in 0..<columns {
        let j = Int(new.elements[b])
        let isInside = i >= 0 && j >= 0
        let gain: Float = isInside ? 2 - cost(i, j) : i == j ? 2 : -1
        gains[a * columns + b] = gain
        if gain > 0 { inRow += 1 }
        counts[(a + 1) * width + b + 1] = counts[a * width + b + 1] + inRow
      }
    }
    self.gains = gains
    gainCounts = counts
    treeGains = Array(repeating: 0, count: rows * columns)
    forest = Array(repeating: 0, count: (rows + 1) * width)
  }

  /// The arrays of an alignment while it is computed.
  private struct Tables {
    let oldLeft: UnsafeBufferPointer<Int32>
    let newLeft: UnsafeBufferPointer<Int32>
    let gains: UnsafeBufferPointer<Float>
    let counts: UnsafeBufferPointer<Int32>
    let trees: UnsafeMutableBufferPointer<Float>
    let forest: UnsafeMutableBufferPointer<Float>

    /// Returns whether any pair of elements of two subtrees has a gain.
    func canGain(_ i: Int, _ j: Int) -> Bool {
      let width = newLeft.count + 1
      let (firstOld, firstNew) = (Int(oldLeft[i]), Int(newLeft[j]))
      let below = counts[(i + 1) * width + j + 1] - counts[(i + 1) * width + firstNew]
      return below > counts[firstOld * width + j + 1] - counts[firstOld * width + firstNew]
    }

    /// Computes the gains between all prefixes of two subtrees. Row and column 0 represent an empty forest; row `r` is
    /// for the places up to `leftmost + r - 1`.
    func computeGains(_ i: Int, _ j: Int) {
      let (firstOld, firstNew) = (Int(oldLeft[i]), Int(newLeft[j]))
      let (rows, columns) = (i - firstOld + 1, j - firstNew + 1)
      let stride = newLeft.count
      let width = stride + 1
      for c in 0...columns { forest[c] = 0 }
      for r in 1...rows {
        let a = firstOld + r - 1
        let above = Int(oldLeft[a]) - firstOld
        let row = r * width
        let up = row - width
        let pairs = a * stride + firstNew - 1
        forest[row] = 0
        var left: Float = 0
        if above == 0 {
          for c in 1...columns {
            let isWhole = Int(newLeft[firstNew + c - 1]) == firstNew
            // Before a whole subtree is an empty forest.
            let here = isWhole ? forest[up + c - 1] + gains[pairs + c] : trees[pairs + c]
            left = Self.greatest(forest[up + c], here, left)
            if isWhole { trees[pairs + c] = left }
            forest[row + c] = left
          }
        } else {
          let base = above * width - firstNew
          for c in 1...columns {
            let here = forest[base + Int(newLeft[firstNew + c - 1])] + trees[pairs + c]
            left = Self.greatest(forest[up + c], here, left)
            forest[row + c] = left
          }
        }
      }
    }

    // The value that was computed last is compared last, because the next cell waits for it.
    @inline(__always) private static func greatest(_ a: Float, _ b: Float, _ last: Float) -> Float {
      let best = a > b ? a : b
      return best > last ? best : last
    }
  }

  private mutating func withTables<Result>(_ body: (Tables) -> Result) -> Result {
    old.leftmost.withUnsafeBufferPointer { oldLeft in
      new.leftmost.withUnsafeBufferPointer { newLeft in
        gains.withUnsafeBufferPointer { gains in
          gainCounts.withUnsafeBufferPointer { counts in
            treeGains.withUnsafeMutableBufferPointer { trees in
              forest.withUnsafeMutableBufferPointer { forest in
                body(
                  Tables(
                    oldLeft: oldLeft, newLeft: newLeft, gains: gains, counts: counts, trees: trees, forest: forest))
              }
            }
          }
        }
      }
    }
  }

  /// Finds the pairs of an alignment with the greatest gain, going back through the gains.
  private mutating func trace() -> [Int32] {
    var result = Array(repeating: Int32(-1), count: old.elements.count - 1)
    var open = [(old.elements.count - 1, new.elements.count - 1)]
    while let (i, j) = open.popLast() {
      withTables { $0.computeGains(i, j) }
      let (firstOld, firstNew) = (Int(old.leftmost[i]), Int(new.leftmost[j]))
      var r = i - firstOld + 1
      var c = j - firstNew + 1
      while r > 0, c > 0 {
        let (a, b) = (firstOld + r - 1, firstNew + c - 1)
        let here = forest[r * width + c]
        let (above, before) = (Int(old.leftmost[a]) - firstOld, Int(new.leftmost[b]) - firstNew)
        // These are the same sums as in the computation, so they compare equal exactly.
        if above == 0, before == 0 {
          let gain = gains[a * new.elements.count + b]
          if gain > 0, here == forest[(r - 1) * width + c - 1] + gain {
            if old.elements[a] >= 0, new.elements[b] >= 0 { result[Int(old.elements[a])] = new.elements[b] }
            r -= 1
            c -= 1
            continue
          }
        } else {
          let gain = treeGains[a * new.elements.count + b]
          if gain > 0, here == forest[above * width + before] + gain {
            open.append((a, b))
            r = above
            c = before
            continue
          }
        }
        if here == forest[(r - 1) * width + c] { r -= 1 } else { c -= 1 }
      }
    }
    return result
  }
}
