/// Sorts numbers by radix, one byte at a time from the lowest: events that many rules match have long lists of numbers.
struct NumberSorter: ~Copyable {
  private var other = GrowingBuffer<UInt32>()
  private var starts = GrowingBuffer<UInt32>(capacity: 256)

  // Below this count, insertion sort is faster.
  private static let fewest = 48

  init() { starts.append(repeating: 0, count: 256) }

  /// Sorts numbers.
  ///
  /// - Parameter limit: Greater than each of them.
  /// - Complexity: O(*n* · bytes of the limit); O(*n*²) for few.
  mutating func sort(_ numbers: inout GrowingBuffer<UInt32>, below limit: Int) {
    guard numbers.count >= Self.fewest else { return insertionSort(&numbers) }
    var shift: UInt32 = 0
    while limit > 1 << shift {
      for i in 0..<256 { starts[i] = 0 }
      for i in 0..<numbers.count { starts[Int(numbers[i] >> shift & 0xFF)] += 1 }
      var start: UInt32 = 0
      for i in 0..<256 {
        let count = starts[i]
        starts[i] = start
        start += count
      }
      other.removeAll()
      other.appendUninitialized(count: numbers.count)
      for i in 0..<numbers.count {
        let digit = Int(numbers[i] >> shift & 0xFF)
        other[Int(starts[digit])] = numbers[i]
        starts[digit] += 1
      }
      swap(&numbers, &other)
      shift += 8
    }
  }

  private func insertionSort(_ numbers: inout GrowingBuffer<UInt32>) {
    var i = 1
    while i < numbers.count {
      let number = numbers[i]
      var place = i
      while place > 0, numbers[place - 1] > number {
        numbers[place] = numbers[place - 1]
        place -= 1
      }
      numbers[place] = number
      i += 1
    }
  }
}
