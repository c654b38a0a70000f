/// Gives each different step a number.
///
/// A hash table with open addressing and linear probing, at most half full.
struct StepNumbers {
  /// The steps by their numbers.
  private(set) var steps: [SelectorStep] = []
  // A slot holds half of the hash, which distinguishes most steps, and the number plus 1 in the lower half; 0 is free.
  private var slots = [UInt64](repeating: 0, count: 64)
  // Makes collisions unpredictable for authors of rules.
  private let seed = UInt64.random(in: .min ... .max)

  /// Returns the number of a step, which is added if it is new.
  ///
  /// - Complexity: O(1) amortised.
  mutating func number(of step: SelectorStep) -> UInt32 {
    let hash = hash(step)
    let place = place(of: step, hash)
    if slots[place] != 0 { return UInt32(truncatingIfNeeded: slots[place]) - 1 }
    steps.append(step)
    slots[place] = slot(hash, number: steps.count - 1)
    if steps.count * 2 > slots.count { grow() }
    return UInt32(steps.count - 1)
  }

  private func slot(_ hash: UInt64, number: Int) -> UInt64 { (hash >> 32) << 32 | UInt64(UInt32(number + 1)) }

  /// Returns the slot that holds a step, or the free one where it belongs.
  private func place(of step: SelectorStep, _ hash: UInt64) -> Int {
    let mask = slots.count - 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while slots[place] != 0 {
      let isSame = slots[place] >> 32 == hash >> 32 && steps[Int(UInt32(truncatingIfNeeded: slots[place])) - 1] == step
      if isSame { break }
      place = (place + 1) & mask
    }
    return place
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    for (number, step) in steps.enumerated() {
      let hash = hash(step)
      slots[place(of: step, hash)] = slot(hash, number: number)
    }
  }

  private func hash(_ step: SelectorStep) -> UInt64 {
    let tests = UInt64(step.classTest.rawValue) << 8 | UInt64(step.locatorTest.rawValue)
    let start = KeyHash.mix(seed, tests << 32 | UInt64(step.number))
    return KeyHash.mix(KeyHash.mix(start, step.first.bits), step.second.bits)
  }
}
