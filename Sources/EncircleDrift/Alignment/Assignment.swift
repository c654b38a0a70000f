/// Pairs elements one to one so that the sum of their gains is greatest.
///
/// Groups of elements that no gain connects are assigned separately, each by the Hungarian method (H. W. Kuhn, "The Hungarian
/// method for the assignment problem", 1955) with potentials and shortest augmenting paths.
struct Assignment {
  /// A possible pair, with its gain, which is greater than 0.
  struct Edge {
    var row: Int32
    var column: Int32
    var gain: Float
  }

  /// Returns the chosen edges.
  ///
  /// - Parameter limit: The greatest number of rows or columns of a connected group that is assigned exactly. Larger groups
  ///   are assigned by descending gain.
  /// - Complexity: O(edges log edges + Σ limit² × rows of the group).
  static func choose(_ edges: [Edge], limit: Int) -> [Edge] {
    var groups = DisjointGroups()
    for edge in edges { groups.join(edge.row, ~edge.column) }
    var members: [Int32: [Edge]] = [:]
    for edge in edges { members[groups.root(edge.row), default: []].append(edge) }
    var chosen: [Edge] = []
    for (_, group) in members.sorted(by: {
      ($0.value[0].row, $0.value[0].column) < ($1.value[0].row, $1.value[0].column)
    }) {
      let rows = Array(Set(group.map(\.row))).sorted()
      let columns = Array(Set(group.map(\.column))).sorted()
      if group.count == 1 {
        chosen += group
      } else if rows.count > limit || columns.count > limit {
        chosen += bestFirst(group)
      } else {
        chosen += exactly(group, rows, columns)
      }
    }
    return chosen
  }

  private static func bestFirst(_ edges: [Edge]) -> [Edge] {
    var (rows, columns) = (Set<Int32>(), Set<Int32>())
    return edges.sorted { ($1.gain, $0.row, $0.column) < ($0.gain, $1.row, $1.column) }.filter { edge in
      guard !rows.contains(edge.row), !columns.contains(edge.column) else { return false }
      rows.insert(edge.row)
      columns.insert(edge.column)
      return true
    }
  }

  private static func exactly(_ edges: [Edge], _ rows: [Int32], _ columns: [Int32]) -> [Edge] {
    let n = rows.count
    // Each row also has a private column without gain; choosing it leaves the row out.
    let m = columns.count + n
    let rowPlace = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1, $0 + 1) })
    let columnPlace = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, $0 + 1) })
    let unconnected: Float = 1e6
    var costs = Array(repeating: unconnected, count: (n + 1) * (m + 1))
    for row in 1...n { costs[row * (m + 1) + columns.count + row] = 0 }
    for edge in edges { costs[rowPlace[edge.row]! * (m + 1) + columnPlace[edge.column]!] = -edge.gain }
    var rowPotential = Array(repeating: Float(0), count: n + 1)
    var columnPotential = Array(repeating: Float(0), count: m + 1)
    var rowOf = Array(repeating: 0, count: m + 1)
    var before = Array(repeating: 0, count: m + 1)
    for row in 1...n {
      rowOf[0] = row
      var column = 0
      var least = Array(repeating: Float.infinity, count: m + 1)
      var isDone = Array(repeating: false, count: m + 1)
      repeat {
        isDone[column] = true
        let current = rowOf[column]
        var delta = Float.infinity
        var following = 0
        for j in 1...m where !isDone[j] {
          let reduced = costs[current * (m + 1) + j] - rowPotential[current] - columnPotential[j]
          if reduced < least[j] {
            least[j] = reduced
            before[j] = column
          }
          if least[j] < delta {
            delta = least[j]
            following = j
          }
        }
        for j in 0...m {
          if isDone[j] {
            rowPotential[rowOf[j]] += delta
            columnPotential[j] -= delta
          } else {
            least[j] -= delta
          }
        }
        column = following
      } while rowOf[column] != 0
      repeat {
        let previous = before[column]
        rowOf[column] = rowOf[previous]
        column = previous
      } while column != 0
    }
    return edges.filter { rowOf[columnPlace[$0.column]!] == rowPlace[$0.row]! }
  }
}

/// Groups of numbers that are joined step by step.
private struct DisjointGroups {
  private var parents: [Int32: Int32] = [:]

  mutating func root(_ member: Int32) -> Int32 {
    var root = member
    while let next = parents[root], next != root { root = next }
    var walk = member
    while let next = parents[walk], next != root {
      parents[walk] = root
      walk = next
    }
    return root
  }

  mutating func join(_ a: Int32, _ b: Int32) {
    let (a, b) = (root(a), root(b))
    if a != b { parents[max(a, b)] = min(a, b) }
  }
}
