import EncircleText

/// Makes the possible keys of selectors, and collects the tables of a ``PathIndex`` as keys are chosen.
struct SelectorKeys {
  /// A key under which a selector can be filed.
  struct Key {
    enum Form {
      /// The last `length` steps, with the locators that the mask fixes.
      case end(length: Int, mask: UInt32, erased: UInt64, isWhole: Bool)
      case singleClass(ClassNumber)
      case singleComponent(ClassNumber)
      case pair(outer: ClassNumber)
    }

    let key: UInt64
    let form: Form
  }

  private let keys: PathKeys
  private let limits: IndexLimits
  private let selectors: SelectorTable.Builder
  /// The steps of the selectors by their numbers.
  let steps: [SelectorStep]
  private let parts: [StepPart]
  private var masks = StringTable()
  private var maskEntries: [UInt32] = []
  private var maskStarts: [UInt32] = [0]
  private var uses: [(key: UInt64, value: UInt32)] = []
  private var endLengths: Set<Int> = []
  private var hasWholePaths = false
  private var classUses: [ClassNumber: UInt8] = [:]
  private var automaton = SelectorAutomaton.Builder()
  private var prefilter = SuffixPrefilter.Builder()
  // Scratch for the mask of an end.
  private var scratch: [UInt32] = []

  /// The contribution of a step to the key of an end.
  private struct StepPart {
    /// This is true if the step names a class; otherwise the other members do not count.
    var isName = false
    var mode = MaskMode.classOnly
    /// The hash of the class.
    var classHash: UInt64 = 0
    /// The hash of the parts of the component that the step fixes.
    var maskedHash: UInt64 = 0

    init(_ step: SelectorStep, _ keys: PathKeys) {
      guard step.classTest == .name else { return }
      isName = true
      classHash = keys.classHash(step.number)
      let mask = step.mask
      mode = mask.mode
      maskedHash = keys.hash(mask.mode, classHash, mask.kind, mask.first, mask.second)
    }
  }

  init(keys: PathKeys, limits: IndexLimits, selectors: SelectorTable.Builder) {
    self.keys = keys
    self.limits = limits
    self.selectors = selectors
    steps = selectors.steps
    parts = steps.map { StepPart($0, keys) }
  }

  /// Calls `body` with each key of a selector, starting with the key of its end; never if the selector names no class.
  mutating func forEachKey(of selector: Int, _ body: (Key) -> Void) {
    let numbers = selectors.steps(of: selector)
    var length = 0
    for number in numbers {
      if !parts[Int(number)].isName { break }
      length += 1
    }
    let isWhole = length == numbers.count
    if length > 0 { body(endKey(numbers.prefix(length), isWhole: isWhole)) }
    // Nothing but the end, and perhaps a wildcard in front of it: there are no other keys.
    let isEndOnly =
      isWhole || (length == numbers.count - 1 && steps[Int(numbers[numbers.startIndex + length])] == .recursiveWildcard)
    if isEndOnly { return }
    // The hash of the class of the next step further in.
    var inner: UInt64?
    for number in numbers {
      let part = parts[Int(number)]
      guard part.isName else {
        inner = nil
        continue
      }
      let name = steps[Int(number)].number
      body(Key(key: keys.singleClass(part.classHash), form: .singleClass(name)))
      if part.mode == .full {
        body(Key(key: keys.singleComponent(part.maskedHash), form: .singleComponent(name)))
      }
      if let inner { body(Key(key: keys.pair(part.classHash, inner), form: .pair(outer: name))) }
      inner = part.classHash
    }
  }

  /// Returns the key of a selector that the fewest other selectors on the page share, and the number of selectors that share
  /// it; nil if there is no key.
  mutating func rarest(of selector: Int, _ page: UInt32?, _ counter: KeyCounter) -> (key: Key, count: Int)? {
    var best: Key?
    var least = Int.max
    let (keys, limits) = (keys, limits)
    forEachKey(of: selector) { key in
      let count = counter[keys.onPage(key.key, page)]
      // Prefers the key of the end, which comes first, unless many selectors share it and another key is clearly rarer.
      if best == nil || (least > limits.maximumAtEnd && count * 2 < least) { (best, least) = (key, count) }
    }
    return best.map { ($0, least) }
  }

  private mutating func endKey(_ numbers: ArraySlice<UInt32>, isWhole: Bool) -> Key {
    var sum: UInt64 = 0
    var masked: UInt64 = 0
    scratch.removeAll(keepingCapacity: true)
    for (position, number) in numbers.enumerated() {
      let part = parts[Int(number)]
      sum = sum &+ keys.term(part.classHash, at: position)
      masked = masked &+ keys.term(part.maskedHash, at: position)
      if part.mode != .classOnly { scratch.append(UInt32(position) << 3 | UInt32(part.mode.rawValue)) }
    }
    let entries = scratch
    let mask = entries.withUnsafeBytes { masks.intern($0.bindMemory(to: UInt8.self)).rawValue }
    if Int(mask) == maskStarts.count - 1 {
      maskEntries += scratch
      maskStarts.append(UInt32(maskEntries.count))
    }
    return Key(
      key: keys.masked(masked, mask: mask, isWhole: isWhole),
      form: .end(
        length: numbers.count, mask: mask, erased: keys.erased(sum, length: numbers.count, isWhole: isWhole),
        isWhole: isWhole))
  }

  /// Records that an entry of a selector is filed under a key.
  mutating func use(_ key: Key, of selector: Int, _ page: UInt32?) {
    addToPrefilter(selector, page)
    switch key.form {
    case .end(let length, let mask, let erased, let isWhole):
      uses.append((erased, mask << 2 | (page == nil ? 2 : 1)))
      if isWhole { hasWholePaths = true } else { endLengths.insert(length) }
    case .singleClass(let number): classUses[number, default: 0] |= PathIndex.singleClass
    case .singleComponent(let number): classUses[number, default: 0] |= PathIndex.singleComponent
    case .pair(let number): classUses[number, default: 0] |= PathIndex.outerOfPair
    }
  }

  private mutating func addToPrefilter(_ selector: Int, _ page: UInt32?) {
    var sum: UInt64 = 0
    var length = 0
    for number in selectors.steps(of: selector).prefix(SuffixPrefilter.depth) {
      let part = parts[Int(number)]
      guard part.isName else { break }
      sum = sum &+ keys.term(part.classHash, at: length)
      length += 1
    }
    prefilter.add(keys.onPage(keys.ending(sum, length: length), page), length: length, page: page)
  }

  /// Adds a selector that has no key.
  mutating func addToAutomaton(_ selector: Int, entry: UInt32) {
    addToPrefilter(selector, nil)
    automaton.add(selectors.steps(of: selector), steps, entry: entry)
  }

  func freeze(classCount: Int) -> PathIndex {
    // One value for each mask; it shows whether the mask is in use with pages, without pages, or both.
    var sorted = uses
    sorted.sort { $0.key != $1.key ? $0.key < $1.key : $0.value < $1.value }
    var merged: [(key: UInt64, value: UInt32)] = []
    for use in sorted {
      if let last = merged.last, last.key == use.key, last.value >> 2 == use.value >> 2 {
        merged[merged.count - 1].value |= use.value
      } else {
        merged.append(use)
      }
    }
    var isEndLength = [UInt8](repeating: 0, count: (endLengths.max() ?? 0) + 1)
    for length in endLengths { isEndLength[length] = 1 }
    var usesOfClass = [UInt8](repeating: 0, count: classUses.isEmpty ? 0 : classCount)
    for (number, use) in classUses { usesOfClass[Int(number)] = use }
    return PathIndex(
      keys: keys, erased: KeyTable(merged), masks: FrozenArray(maskEntries), maskStarts: FrozenArray(maskStarts),
      isEndLength: FrozenArray(isEndLength), hasWholePaths: hasWholePaths, classUses: FrozenArray(usesOfClass),
      automaton: automaton.freeze(), prefilter: prefilter.freeze())
  }
}
