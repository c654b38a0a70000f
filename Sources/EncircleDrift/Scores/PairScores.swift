/// The probability of each pair of elements, with the two best of each row and column.
struct PairScores {
  let rows: Int
  let columns: Int
  private let values: [Float]
  private var rowBest: [TopTwo]
  private var columnBest: [TopTwo]

  /// - Parameter values: Row by row.
  init(rows: Int, columns: Int, values: [Float]) {
    self.rows = rows
    self.columns = columns
    self.values = values
    rowBest = Array(repeating: TopTwo(), count: rows)
    columnBest = Array(repeating: TopTwo(), count: columns)
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

  /// Returns the best score of an old element with any other new one.
  func rivalInRow(_ i: Int, _ j: Int) -> Float { rowBest[i].rival(of: j) }

  /// Returns the best score of a new element with any other old one.
  func rivalInColumn(_ i: Int, _ j: Int) -> Float { columnBest[j].rival(of: i) }

  /// Returns the new element with the best score for an old one; nil if there is none.
  func best(_ i: Int) -> Int? { rowBest[i].place < 0 ? nil : Int(rowBest[i].place) }
}

/// The greatest value that was added, where, and the greatest of the others.
struct TopTwo {
  private(set) var place: Int32 = -1
  private(set) var value: Float = 0
  private var second: Float = 0

  mutating func add(_ value: Float, at place: Int) {
    if value > self.value {
      second = self.value
      self.value = value
      self.place = Int32(place)
    } else if value > second {
      second = value
    }
  }

  /// Returns the greatest value at any other place.
  func rival(of place: Int) -> Float { self.place == Int32(place) ? second : value }
}
