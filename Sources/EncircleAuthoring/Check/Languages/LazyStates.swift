/// Reads words symbol by symbol.
protocol WordMachine {
  /// The state after the beginning of a word.
  associatedtype Progress: Hashable

  /// The state before the first symbol.
  var start: Progress { get }
  /// The cost of reading a symbol, in steps of ``WordClasses/Budget``.
  var cost: Int { get }

  /// Returns the state after one more symbol.
  func after(_ symbol: Int, _ current: Progress) -> Progress
  /// Returns the result for a word.
  func result(_ current: Progress) -> Int8
}

/// A deterministic automaton whose states are numbers, created only when a word reaches them.
class LazyStates {
  /// This is true if the automaton has too many states, so that its answers are meaningless.
  fileprivate(set) var isTooLarge = false
  /// The maximum number of states.
  static let maximumStates = 5_000

  /// Returns the state after one symbol more; state 0 is before the first one.
  func after(_ symbol: Int, _ state: Int32) -> Int32 { 0 }

  /// Returns the result for the words that lead to a state.
  func result(_ state: Int32) -> Int8 { 0 }
}

/// The states of one machine.
final class LazyMachineStates<Machine: WordMachine>: LazyStates {
  private let machine: Machine
  private let symbolCount: Int
  private let budget: WordClasses.Budget?
  private var progress: [Machine.Progress]
  private var numbers: [Machine.Progress: Int32]
  private var results: [Int8]
  // For each state and symbol, the next state; -1 if it has not been computed yet.
  private var table: [Int32]

  init(_ machine: Machine, symbolCount: Int, budget: WordClasses.Budget?) {
    self.machine = machine
    self.symbolCount = symbolCount
    self.budget = budget
    progress = [machine.start]
    numbers = [machine.start: 0]
    results = [machine.result(machine.start)]
    table = Array(repeating: -1, count: symbolCount)
  }

  override func after(_ symbol: Int, _ state: Int32) -> Int32 {
    let place = Int(state) * symbolCount + symbol
    if table[place] >= 0 { return table[place] }
    budget?.spend(machine.cost)
    let next = machine.after(symbol, progress[Int(state)])
    let number: Int32
    if let known = numbers[next] {
      number = known
    } else {
      guard progress.count < Self.maximumStates else {
        isTooLarge = true
        return 0
      }
      number = Int32(progress.count)
      numbers[next] = number
      progress.append(next)
      results.append(machine.result(next))
      table += repeatElement(-1, count: symbolCount)
    }
    table[place] = number
    return number
  }

  override func result(_ state: Int32) -> Int8 { results[Int(state)] }
}

/// Finds a regular expression in texts.
struct ExpressionMachine: WordMachine {
  private let states: ExpressionStates
  private let reading: [Bits]
  let cost: Int

  /// - Parameter symbols: A scalar of each symbol.
  init(_ states: ExpressionStates, symbols: [UInt32]) {
    self.states = states
    reading = symbols.map { states.reading($0) }
    cost = 2 + states.count / 16
  }

  var start: Bits { states.start }

  func after(_ symbol: Int, _ current: Bits) -> Bits { states.after(reading[symbol], current) }

  func result(_ current: Bits) -> Int8 { states.accepts(current) ? 1 : 0 }
}

/// Compares texts with a version.
struct VersionMachine: WordMachine {
  /// The result for a text that is not a version.
  static let noVersion: Int8 = 2

  private let states: VersionStates
  private let symbols: [UInt32]
  let cost = 2

  /// - Parameter symbols: A scalar of each symbol.
  init(_ states: VersionStates, symbols: [UInt32]) {
    self.states = states
    self.symbols = symbols
  }

  var start: VersionStates.Progress { VersionStates.Progress() }

  func after(_ symbol: Int, _ current: VersionStates.Progress) -> VersionStates.Progress {
    states.after(symbols[symbol], current)
  }

  func result(_ current: VersionStates.Progress) -> Int8 { states.order(current) ?? Self.noVersion }
}
