import EncircleText

/// Finds which of many texts occur in another, in one pass over it (Aho and Corasick, Communications of the ACM 18, 1975).
///
/// The automaton has as many states as the texts have bytes, numbered in breadth-first order, so that the successors of a state
/// are consecutive. The first states, which are active most of the time, have a row with the next state for each class of bytes;
/// all bytes that occur in no text form one class. In the other states, the bytes are compared one by one, and the fallback is
/// taken if none matches.
struct TextAutomaton: ~Copyable, Sendable {
  private struct State: BitwiseCopyable, Sendable {
    /// The successors of the state: next ..< next + nextCount.
    var next: UInt32 = 0
    var nextCount: UInt32 = 0
    /// The state of the longest proper suffix of this state's text that is a prefix of some text.
    var fallback: UInt32 = 0

    var successors: Range<Int> { Int(next)..<Int(next + nextCount) }
  }

  private struct Ending: BitwiseCopyable, Sendable {
    /// The number of the text that ends in a state plus 1, or 0.
    var text: UInt32 = 0
    /// The next state along the fallbacks at which a text ends, or 0.
    var next: UInt32 = 0
  }

  private let states: FrozenArray<State>
  /// For each state, the byte that leads to it, plus ``endsText`` if a text ends there or in one of its fallbacks.
  private let labels: FrozenArray<UInt16>
  private let endings: FrozenArray<Ending>
  private let byteClasses: FrozenArray<UInt8>
  /// For states that have a row, rows[state << rowShift | class] is the next state, plus ``rowEndsText`` if a text ends
  /// there or in one of its fallbacks.
  private let rows: FrozenArray<UInt32>
  private let rowShift: Int
  /// The number of texts.
  let count: Int

  // The maximum memory for rows, in bytes, so that they stay in the processor's caches.
  private static let maximumRowBytes = 128 << 10
  private static let endsText: UInt16 = 1 << 8
  private static let rowEndsText: UInt32 = 1 << 31

  var byteCount: Int {
    states.byteCount + labels.byteCount + endings.byteCount + byteClasses.byteCount + rows.byteCount
  }

  /// Makes an automaton from distinct, non-empty texts with a total of less than 2 GiB.
  ///
  /// - Complexity: O(bytes of all texts), plus a sort of the texts.
  init(_ texts: [[UInt8]]) {
    var states = [State()]
    var labels: [UInt16] = [0]
    var endings = [Ending()]
    // For each state, the texts, in sorted order, whose prefix leads to it, and the length of this prefix.
    let order = texts.indices.sorted { texts[$0].lexicographicallyPrecedes(texts[$1]) }
    var queue: [(texts: Range<Int>, length: Int)] = [(0..<texts.count, 0)]
    var state = 0
    while state < queue.count {
      let (range, length) = queue[state]
      var i = range.lowerBound
      // A text that ends in this state sorts before the texts that go on.
      if i < range.upperBound, texts[order[i]].count == length {
        endings[state].text = UInt32(order[i] + 1)
        i += 1
      }
      states[state].next = UInt32(states.count)
      while i < range.upperBound {
        let byte = texts[order[i]][length]
        var end = i + 1
        while end < range.upperBound, texts[order[end]][length] == byte { end += 1 }
        queue.append((i..<end, length + 1))
        states.append(State())
        labels.append(UInt16(byte))
        endings.append(Ending())
        i = end
      }
      states[state].nextCount = UInt32(states.count) - states[state].next
      state += 1
    }

    // Fallbacks are shorter, so in breadth-first order they are known.
    for parent in states.indices.dropFirst() {
      for child in states[parent].successors {
        var fallback = Int(states[parent].fallback)
        while true {
          if let found = states[fallback].successors.first(where: { labels[$0] == labels[child] }) {
            states[child].fallback = UInt32(found)
            break
          }
          if fallback == 0 { break }
          fallback = Int(states[fallback].fallback)
        }
      }
    }
    for i in states.indices.dropFirst() {
      let fallback = endings[Int(states[i].fallback)]
      endings[i].next = fallback.text != 0 ? states[i].fallback : fallback.next
      if endings[i].text != 0 || endings[i].next != 0 { labels[i] |= Self.endsText }
    }

    let (byteClasses, rows, rowShift) = Self.rows(of: states, labels)
    self.states = FrozenArray(states)
    self.labels = FrozenArray(labels)
    self.endings = FrozenArray(endings)
    self.byteClasses = FrozenArray(byteClasses)
    self.rows = FrozenArray(rows)
    self.rowShift = rowShift
    count = texts.count
  }

  /// Returns the rows of the first states, and the classes of bytes by which they are read.
  private static func rows(
    of states: [State], _ labels: [UInt16]
  ) -> (byteClasses: [UInt8], rows: [UInt32], rowShift: Int) {
    // Class 0 is for the bytes that occur in no text. If every byte occurs, class 0 belongs to one of them.
    var byteClasses = [UInt8](repeating: 0, count: 256)
    var classCount = 1
    for label in labels.dropFirst() where byteClasses[Int(label & 0xFF)] == 0 && classCount < 256 {
      byteClasses[Int(label & 0xFF)] = UInt8(classCount)
      classCount += 1
    }
    let rowShift = Int.bitWidth - (classCount - 1).leadingZeroBitCount
    let rowCount = min(states.count, maximumRowBytes >> (rowShift + 2))
    var rows = [UInt32](repeating: 0, count: rowCount << rowShift)
    for state in 0..<rowCount {
      if state > 0 {
        let fallback = Int(states[state].fallback)
        for i in 0..<1 << rowShift { rows[state << rowShift | i] = rows[fallback << rowShift | i] }
      }
      for child in states[state].successors {
        rows[state << rowShift | Int(byteClasses[Int(labels[child] & 0xFF)])] =
          UInt32(child) | (labels[child] & endsText == 0 ? 0 : rowEndsText)
      }
    }
    return (byteClasses, rows, rowShift)
  }

  /// Buffers for one text after the other.
  struct Scratch: ~Copyable {
    fileprivate var seen = GrowingBuffer<UInt32>()
    fileprivate var round: UInt32 = 0
  }

  /// Calls `body` once with the number of each text that occurs.
  ///
  /// - Complexity: O(*n* + texts found), *n* bytes.
  @inline(__always)
  func forEachText(in value: UnsafeBufferPointer<UInt8>, _ scratch: inout Scratch, _ body: (UInt32) -> Void) {
    if scratch.seen.count < count { scratch.seen.append(repeating: 0, count: count - scratch.seen.count) }
    scratch.round &+= 1
    if scratch.round == 0 {
      for i in 0..<scratch.seen.count { scratch.seen[i] = 0 }
      scratch.round = 1
    }
    // Read into locals, because the compiler cannot know that `body` does not change them.
    let (states, labels, endings) = (states.base, labels.base, endings.base)
    let (rowBase, rowShift, byteClasses) = (rows.base, rowShift, byteClasses.base)
    let rowCount = rows.count >> rowShift
    var state = 0
    var endsText = false
    for byte in value {
      while true {
        if state < rowCount {
          let target = rowBase[state &<< rowShift | Int(byteClasses[Int(byte)])]
          state = Int(target & ~Self.rowEndsText)
          endsText = target & Self.rowEndsText != 0
          break
        }
        let current = states + state
        let next = labels + Int(current.pointee.next)
        let count = Int(current.pointee.nextCount)
        var i = 0
        while i < count, UInt8(truncatingIfNeeded: next[i]) != byte { i &+= 1 }
        if i < count {
          state = Int(current.pointee.next) &+ i
          endsText = next[i] & Self.endsText != 0
          break
        }
        state = Int(current.pointee.fallback)
      }
      guard endsText else { continue }
      var found = endings[state].text != 0 ? state : Int(endings[state].next)
      while found != 0 {
        let text = endings[found].text - 1
        // If this text was already found, so were all texts along its fallbacks.
        if scratch.seen[Int(text)] == scratch.round { break }
        scratch.seen[Int(text)] = scratch.round
        body(text)
        found = Int(endings[found].next)
      }
    }
  }
}
