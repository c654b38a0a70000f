/// Matches all selectors that name no class, and so have no key, in one pass over a path from the element up.
///
/// A trie over steps, the last step of a selector first, so that selectors with the same end share their states; `**` is a
/// state with an edge to itself. The automaton stays nondeterministic: it has at most as many states as the selectors have
/// steps, and a path of *d* components costs at most *d* times the number of states.
struct SelectorAutomaton: ~Copyable, Sendable {
  struct State: BitwiseCopyable, Sendable {
    /// Edges: edges[edgesStart ..< edgesStart + edgeCount].
    var edgesStart: UInt32 = 0
    var edgeCount: UInt32 = 0
    /// The state that `**` leads to; 0 if there is none.
    var gap: UInt32 = 0
    /// This is true if `**` leads to this state, so that it stays active.
    var isGap = false
    private let padding: (UInt8, UInt8, UInt8) = (0, 0, 0)
    /// The list of entries whose selectors end here, plus 1; 0 if there is none.
    var accept: UInt32 = 0
  }

  struct Edge: BitwiseCopyable, Sendable {
    var step: UInt32
    var state: UInt32
  }

  let states: FrozenArray<State>
  let edges: FrozenArray<Edge>
  /// Lists of entries: accepts[acceptStarts[l] ..< acceptStarts[l + 1]].
  let accepts: FrozenArray<UInt32>
  let acceptStarts: FrozenArray<UInt32>

  var isEmpty: Bool { states.count == 1 }
  var byteCount: Int { states.byteCount + edges.byteCount + accepts.byteCount + acceptStarts.byteCount }

  /// Buffers for one path after the other.
  struct Scratch: ~Copyable {
    fileprivate var active = GrowingBuffer<UInt32>()
    fileprivate var next = GrowingBuffer<UInt32>()
    // For each state, the last round that activated it. For each step, twice the last round that evaluated it, plus one
    // if it matched the component. A round is one component of one path.
    fileprivate var stateRounds = GrowingBuffer<UInt32>()
    fileprivate var stepRounds = GrowingBuffer<UInt32>()
    fileprivate var round: UInt32 = 0

    fileprivate mutating func begin(states: Int, steps: Int) {
      if stateRounds.count < states { stateRounds.append(repeating: 0, count: states - stateRounds.count) }
      if stepRounds.count < steps { stepRounds.append(repeating: 0, count: steps - stepRounds.count) }
    }

    fileprivate mutating func beginRound() {
      round += 1
      if round == 1 << 30 {
        for i in 0..<stateRounds.count { stateRounds[i] = 0 }
        for i in 0..<stepRounds.count { stepRounds[i] = 0 }
        round = 1
      }
    }
  }

  /// Calls `body` with the entries of the selectors that match a path, more than once if a selector matches in several ways.
  ///
  /// - Complexity: O(components × states).
  func forEachMatch(
    _ path: UnsafeBufferPointer<ComponentNumbers>, _ table: borrowing SelectorTable, _ classes: borrowing ClassTable,
    _ scratch: inout Scratch, _ body: (UInt32) -> Void
  ) {
    scratch.begin(states: states.count, steps: table.steps.count)
    scratch.next.removeAll()
    scratch.beginRound()
    enter(0, &scratch, body)
    swap(&scratch.active, &scratch.next)
    for position in (0..<path.count).reversed() {
      scratch.beginRound()
      scratch.next.removeAll()
      let component = path.baseAddress.unsafelyUnwrapped + position
      for i in 0..<scratch.active.count {
        let number = scratch.active[i]
        let state = states[Int(number)]
        if state.isGap { enter(number, &scratch, isNew: false, body) }
        for edge in edges[Int(state.edgesStart)..<Int(state.edgesStart + state.edgeCount)] {
          if scratch.stepRounds[Int(edge.step)] >> 1 != scratch.round {
            let isMatch = table.matches(table.steps.address(of: Int(edge.step)), component, classes)
            scratch.stepRounds[Int(edge.step)] = scratch.round << 1 | (isMatch ? 1 : 0)
          }
          if scratch.stepRounds[Int(edge.step)] & 1 == 1 { enter(edge.state, &scratch, body) }
        }
      }
      if scratch.next.count == 0 { return }
      swap(&scratch.active, &scratch.next)
    }
    for i in 0..<scratch.active.count {
      let state = states[Int(scratch.active[i])]
      if !state.isGap { report(state, body) }
    }
  }

  /// Activates a state, and the target of its `**`, for the next component.
  private func enter(_ number: UInt32, _ scratch: inout Scratch, isNew: Bool = true, _ body: (UInt32) -> Void) {
    guard scratch.stateRounds[Int(number)] != scratch.round else { return }
    scratch.stateRounds[Int(number)] = scratch.round
    scratch.next.append(number)
    let state = states[Int(number)]
    // A selector that ends in `**` matches any continuation.
    if state.isGap, isNew { report(state, body) }
    if state.gap != 0 { enter(state.gap, &scratch, body) }
  }

  private func report(_ state: State, _ body: (UInt32) -> Void) {
    guard state.accept != 0 else { return }
    let list = Int(state.accept) - 1
    for value in accepts[Int(acceptStarts[list])..<Int(acceptStarts[list + 1])] { body(value) }
  }
}

extension SelectorAutomaton {
  /// Collects selectors.
  struct Builder {
    private struct Edge: Hashable {
      let state: UInt32
      let step: UInt32
    }

    private var states = [State()]
    private var children: [Edge: UInt32] = [:]
    private var accepted: [UInt32: [UInt32]] = [:]

    /// Adds a selector by the numbers of its steps, the last one first, with its entry.
    mutating func add(_ steps: some Sequence<UInt32>, _ table: [SelectorStep], entry: UInt32) {
      var state: UInt32 = 0
      for step in steps {
        if table[Int(step)].classTest == .recursiveWildcard {
          // `**/**` means `**`.
          if states[Int(state)].isGap { continue }
          if states[Int(state)].gap == 0 {
            states[Int(state)].gap = UInt32(states.count)
            var gap = State()
            gap.isGap = true
            states.append(gap)
          }
          state = states[Int(state)].gap
        } else {
          let edge = Edge(state: state, step: step)
          if let known = children[edge] {
            state = known
          } else {
            children[edge] = UInt32(states.count)
            state = UInt32(states.count)
            states.append(State())
          }
        }
      }
      accepted[state, default: []].append(entry)
    }

    func freeze() -> SelectorAutomaton {
      var states = states
      var edges: [SelectorAutomaton.Edge] = []
      let sorted = children.sorted { ($0.key.state, $0.key.step) < ($1.key.state, $1.key.step) }
      for (edge, child) in sorted {
        if states[Int(edge.state)].edgeCount == 0 { states[Int(edge.state)].edgesStart = UInt32(edges.count) }
        states[Int(edge.state)].edgeCount += 1
        edges.append(SelectorAutomaton.Edge(step: edge.step, state: child))
      }
      var accepts: [UInt32] = []
      var starts: [UInt32] = [0]
      for (state, values) in accepted.sorted(by: { $0.key < $1.key }) {
        accepts += values
        starts.append(UInt32(accepts.count))
        states[Int(state)].accept = UInt32(starts.count - 1)
      }
      return SelectorAutomaton(
        states: FrozenArray(states), edges: FrozenArray(edges), accepts: FrozenArray(accepts),
        acceptStarts: FrozenArray(starts))
    }
  }
}

// MARK: - Saving

extension SelectorAutomaton {
  func write(to writer: inout CompiledWriter) {
    writer.append(states)
    writer.append(edges)
    writer.append(accepts)
    writer.append(acceptStarts)
  }

  init(from reader: inout CompiledReader) throws(CompiledRulesError) {
    let states: FrozenArray<State> = try reader.array()
    let edges: FrozenArray<Edge> = try reader.array()
    let accepts: FrozenArray<UInt32> = try reader.array()
    let acceptStarts: FrozenArray<UInt32> = try reader.array()
    self.init(states: states, edges: edges, accepts: accepts, acceptStarts: acceptStarts)
  }

  /// Returns whether every number in the tables refers to something that is there.
  func isConsistent(stepCount: Int, entryCount: Int) -> Bool {
    guard states.count > 0, states.bytes(at: MemoryLayout<State>.offset(of: \.isGap) ?? 0, areAtMost: 1),
      acceptStarts.areStarts(upTo: accepts.count),
      accepts.all.allSatisfy({ Int($0) < entryCount }),
      edges.all.allSatisfy({ Int($0.step) < stepCount && Int($0.state) < states.count })
    else { return false }
    return states.all.allSatisfy { state in
      UInt64(state.edgesStart) + UInt64(state.edgeCount) <= UInt64(edges.count) && Int(state.gap) < states.count
        && Int(state.accept) < acceptStarts.count
        // Gaps do not lead to other gaps, so entering a state activates at most two states.
        && (state.gap == 0 || (!state.isGap && states[Int(state.gap)].isGap && states[Int(state.gap)].gap == 0))
    }
  }
}
