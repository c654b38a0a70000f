/// Numbers steps, equal ones alike.
///
/// A hash table with open addressing and linear probing, at most half full.
struct StepNumbers {
  /// The steps by their numbers.
  private(set) var steps: [SelectorStep] = []
  // 0 is free, else the number + 1.
  private var slots = [UInt32](repeating: 0, count: 64)
  // Makes collisions unpredictable for whoever writes rules.
  private let seed = UInt64.random(in: .min ... .max)

  /// The number of a step, which is added if it is new.
  ///
  /// - Complexity: O(1) amortised.
  mutating func number(of step: SelectorStep) -> UInt32 {
    let slot = slot(of: step)
    if slots[slot] != 0 { return slots[slot] - 1 }
    steps.append(step)
    slots[slot] = UInt32(steps.count)
    if steps.count * 2 > slots.count { grow() }
    return UInt32(steps.count - 1)
  }

  /// Where a step is, or has room.
  private func slot(of step: SelectorStep) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash(step)) & mask
    while slots[slot] != 0, steps[Int(slots[slot] - 1)] != step { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    for (number, step) in steps.enumerated() { slots[slot(of: step)] = UInt32(number + 1) }
  }

  private func hash(_ step: SelectorStep) -> UInt64 {
    let tests = UInt64(step.classTest.rawValue) << 8 | UInt64(step.locatorTest.rawValue)
    let start = KeyHash.mix(seed, tests << 32 | UInt64(step.number))
    return hash(step.second, hash(step.first, start))
  }

  private func hash(_ numbers: SelectorStep.Numbers, _ start: UInt64) -> UInt64 {
    let lower = KeyHash.mix(start, UInt64(bitPattern: Int64(numbers.lower)))
    return KeyHash.mix(lower &+ UInt64(UInt32(bitPattern: numbers.members)), UInt64(bitPattern: Int64(numbers.upper)))
  }
}
