import EncircleTree

/// Finds which of many texts occur in another, in one pass over it (Aho and Corasick, Communications of the ACM 18, 1975).
///
/// As many states as the texts have bytes; the edges of a state lie together, those of the first one by byte.
struct TextAutomaton: Sendable {
  struct State: BitwiseCopyable, Sendable {
    var edgesStart: UInt32 = 0
    var edgeCount: UInt32 = 0
    /// The state of the longest proper end of this one's text that is the beginning of some text.
    var fallback: UInt32 = 0
    /// The number of the text that ends here plus 1, or 0.
    var text: UInt32 = 0
    /// The next state on the way of fallbacks in which a text ends, or 0.
    var nextText: UInt32 = 0
  }

  struct Edge: BitwiseCopyable, Sendable {
    var byte: UInt8
    var state: UInt32
  }

  let states: FrozenArray<State>
  let edges: FrozenArray<Edge>
  /// By byte, the edges of the first state.
  let first: FrozenArray<UInt32>
  /// The number of texts.
  let count: Int

  var byteCount: Int { states.byteCount + edges.byteCount + first.byteCount }

  /// Makes an automaton of different texts, none of them empty.
  ///
  /// - Complexity: O(bytes of all texts), expected.
  init(_ texts: [[UInt8]]) {
    var children: [UInt64: UInt32] = [:]
    var parents: [(state: UInt32, byte: UInt8)] = [(0, 0)]
    var states = [State()]
    for (number, text) in texts.enumerated() {
      var state: UInt32 = 0
      for byte in text {
        let key = UInt64(state) << 8 | UInt64(byte)
        if let known = children[key] {
          state = known
        } else {
          children[key] = UInt32(states.count)
          parents.append((state, byte))
          state = UInt32(states.count)
          states.append(State())
        }
      }
      states[Int(state)].text = UInt32(number + 1)
    }
    var edges: [(state: UInt32, edge: Edge)] = []
    for i in states.indices.dropFirst() {
      edges.append((parents[i].state, Edge(byte: parents[i].byte, state: UInt32(i))))
    }
    edges.sort { ($0.state, $0.edge.byte) < ($1.state, $1.edge.byte) }
    var first = [UInt32](repeating: 0, count: 256)
    for (i, (state, edge)) in edges.enumerated() {
      if states[Int(state)].edgeCount == 0 { states[Int(state)].edgesStart = UInt32(i) }
      states[Int(state)].edgeCount += 1
      if state == 0 { first[Int(edge.byte)] = edge.state }
    }
    // In breadth-first order, so that fallbacks, which are shorter, are known.
    var queue: [UInt32] = edges.lazy.filter { $0.state == 0 }.map(\.edge.state)
    var next = 0
    while next < queue.count {
      let state = Int(queue[next])
      next += 1
      let (parent, byte) = parents[state]
      if parent != 0 {
        var fallback = states[Int(parent)].fallback
        while true {
          if let found = children[UInt64(fallback) << 8 | UInt64(byte)] {
            states[state].fallback = found
            break
          }
          if fallback == 0 { break }
          fallback = states[Int(fallback)].fallback
        }
      }
      let fallback = states[Int(states[state].fallback)]
      states[state].nextText = fallback.text != 0 ? states[state].fallback : fallback.nextText
      let range = Int(states[state].edgesStart)..<Int(states[state].edgesStart + states[state].edgeCount)
      queue += edges[range].lazy.map(\.edge.state)
    }
    self.states = FrozenArray(states)
    self.edges = FrozenArray(edges.map(\.edge))
    self.first = FrozenArray(first)
    count = texts.count
  }

  /// What changes while texts are read.
  struct Scratch: ~Copyable {
    fileprivate var seen = GrowingBuffer<UInt32>()
    fileprivate var round: UInt32 = 0
  }

  /// Calls `body` with the number of each text that occurs, once.
  ///
  /// - Parameter automaton: Where it lies, so that nothing of it is copied or counted.
  /// - Complexity: O(*n* + texts found), *n* bytes.
  @inline(__always)
  static func forEachText(
    of automaton: UnsafePointer<TextAutomaton>, in value: UnsafeBufferPointer<UInt8>, _ scratch: inout Scratch,
    _ body: (UInt32) -> Void
  ) {
    let count = automaton.pointee.count
    if scratch.seen.count < count { scratch.seen.append(repeating: 0, count: count - scratch.seen.count) }
    scratch.round &+= 1
    if scratch.round == 0 {
      for i in 0..<scratch.seen.count { scratch.seen[i] = 0 }
      scratch.round = 1
    }
    let (first, states, edges) = (
      automaton.pointee.first.base, automaton.pointee.states.base, automaton.pointee.edges.base
    )
    var state: UInt32 = 0
    for byte in value {
      while true {
        if state == 0 {
          state = first[Int(byte)]
          break
        }
        let current = states + Int(state)
        var target: UInt32 = 0
        let start = edges + Int(current.pointee.edgesStart)
        for i in 0..<Int(current.pointee.edgeCount) where start[i].byte == byte {
          target = start[i].state
          break
        }
        if target != 0 {
          state = target
          break
        }
        state = current.pointee.fallback
      }
      var found = states[Int(state)].text != 0 ? state : states[Int(state)].nextText
      while found != 0 {
        let text = states[Int(found)].text - 1
        // What ends here has been found before, and so has all that its fallbacks lead to.
        if scratch.seen[Int(text)] == scratch.round { break }
        scratch.seen[Int(text)] = scratch.round
        body(text)
        found = states[Int(found)].nextText
      }
    }
  }
}
