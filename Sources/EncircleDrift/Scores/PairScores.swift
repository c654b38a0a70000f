/// The probability of each pair of elements, with the two best of each row and column.
struct PairScores {
  let rows: Int
  let columns: Int
  private(set) var values: [Float]
  private var rowBest: [Best]
  private var columnBest: [Best]

  private struct Best {
    var place: Int32 = -1
    var value: Float = 0
    var second: Float = 0

    mutating func add(_ value: Float, at place: Int) {
      if value > self.value {
        second = self.value
        self.value = value
        self.place = Int32(place)
      } else if value > second {
        second = value
      }
    }
  }

  /// - Parameter values: Row by row.
  init(rows: Int, columns: Int, values: [Float]) {
    self.rows = rows
    self.columns = columns
    self.values = values
    rowBest = Array(repeating: Best(), count: rows)
    columnBest = Array(repeating: Best(), count: columns)
    for i in 0..<rows {
      for j in 0..<columns {
        let value = values[i * columns + j]
        guard value > 0 else { continue }
        rowBest[i].add(value, at: j)
        columnBest[j].add(value, at: i)
      }
    }
  }

  subscript(i: Int, j: Int) -> Float { values[i * columns + j] }

  /// The best score of an old element with another new one.
  func rivalInRow(_ i: Int, _ j: Int) -> Float { rowBest[i].place == Int32(j) ? rowBest[i].second : rowBest[i].value }

  /// The best score of a new element with another old one.
  func rivalInColumn(_ i: Int, _ j: Int) -> Float {
    columnBest[j].place == Int32(i) ? columnBest[j].second : columnBest[j].value
  }

  /// The new element with the best score, if any has one.
  func best(_ i: Int) -> Int? { rowBest[i].place < 0 ? nil : Int(rowBest[i].place) }
}
