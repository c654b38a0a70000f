import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// A selector in the making: a landmark above a gap, where there is one, and the steps down to the element.
struct Candidate: Hashable, Sendable {
  /// The steps, the element's own first; not empty.
  var tail: [StepPattern]
  /// An ancestor of all these at any distance.
  var landmark: StepPattern?
  /// By step of the selector, outermost first and without the gap: how many levels above the element it is.
  var levels: [Int]
  /// Whether the last of `tail` is a top-level window, and the selector begins there.
  var isAnchored = false

  func selector(_ index: ElementIndex) -> ElementSelector {
    var steps: [ElementSelector.Step] = []
    if let landmark { steps += [landmark.step(index), .anyNumber] }
    steps += tail.reversed().map { $0.step(index) }
    return ElementSelector(isAnchored: isAnchored, steps: steps)
  }

  /// The level of a step of the selector; nil for the gap.
  func level(ofStep step: Int) -> Int? {
    guard landmark != nil else { return levels[step] }
    return step == 1 ? nil : levels[step == 0 ? 0 : step - 1]
  }
}

extension StepPattern {
  func step(_ index: ElementIndex) -> ElementSelector.Step {
    // Any element of the class tells its name.
    let name = index.elements(ofClass: classNumber).first.map { index.screen.className(of: ElementID(rawValue: $0)) }
    return .component(.name(UTF8String(name ?? "")), locator.pattern)
  }
}

extension LocatorTest {
  var pattern: ElementSelector.LocatorPattern? {
    func exactly(_ number: Int) -> ElementSelector.NumberTest {
      number == Locator.unknown ? .any : .range(lower: number, upper: number)
    }
    func fields(_ tests: [(ElementSelector.Field, ElementSelector.NumberTest)]) -> ElementSelector.LocatorPattern {
      .fields(tests.map { ElementSelector.FieldTest($0.0, $0.1) })
    }
    switch self {
    case .any: return nil
    case .exactly(.none): return ElementSelector.LocatorPattern.none
    case .exactly(.index(let index)): return .index(exactly(index))
    case .exactly(.row(let section, let row)): return fields([(.section, exactly(section)), (.row, exactly(row))])
    case .exactly(.item(let section, let item)): return fields([(.section, exactly(section)), (.item, exactly(item))])
    case .exactly(.position(let x, let y)): return fields([(.indexx, exactly(x)), (.indexy, exactly(y))])
    case .anyRow(let section): return fields([(.section, section.map(exactly) ?? .any), (.row, .any)])
    case .anyItem(let section): return fields([(.section, section.map(exactly) ?? .any), (.item, .any)])
    }
  }
}

/// The elements that match the last steps of a selector, narrowed one step at a time.
struct SuffixMatches {
  private let index: ElementIndex
  /// The elements, in pre-order.
  private(set) var elements: [Int32]
  // By element: what the outermost step so far matched.
  private var tops: [Int32]

  /// Begins with the element's own step.
  ///
  /// - Complexity: O(elements of the class).
  init(_ step: StepPattern, _ index: ElementIndex) {
    self.index = index
    elements = index.elements(ofClass: step.classNumber).filter { index.fits($0, step) }
    tops = elements
  }

  /// Keeps the elements that match one step more.
  ///
  /// - Complexity: O(elements so far).
  mutating func narrow(_ step: StepPattern) {
    filter { index, top in
      let parent = index.parents[Int(top)]
      return parent >= 0 && index.fits(parent, step) ? parent : nil
    }
  }

  /// Keeps those whose outermost step is a top-level window.
  mutating func anchor() { filter { index, top in index.parents[Int(top)] < 0 ? top : nil } }

  /// The elements with a landmark anywhere above their outermost step.
  ///
  /// - Complexity: O(elements so far × log landmarks).
  func elements(below landmarks: LandmarkRanges) -> [Int32] {
    elements.indices.filter { landmarks.contain(tops[$0]) }.map { elements[$0] }
  }

  private mutating func filter(_ newTop: (ElementIndex, Int32) -> Int32?) {
    var count = 0
    for i in elements.indices {
      guard let top = newTop(index, tops[i]) else { continue }
      elements[count] = elements[i]
      tops[count] = top
      count += 1
    }
    elements.removeSubrange(count...)
    tops.removeSubrange(count...)
  }
}

/// What lies below the elements that fit a step, as ranges of pre-order numbers.
struct LandmarkRanges {
  // Disjoint, in order; those within others are left out, since what lies below them lies below the outer ones.
  private var ranges: [(start: Int32, end: Int32)] = []

  /// - Complexity: O(elements of the class).
  init(_ landmark: StepPattern, _ index: ElementIndex) {
    for element in index.elements(ofClass: landmark.classNumber) where index.fits(element, landmark) {
      if let last = ranges.last, element < last.end { continue }
      ranges.append((element, index.screen.tree.subtreeEnd(of: ElementID(rawValue: element)).rawValue))
    }
  }

  /// Whether an element lies below one of them.
  func contain(_ element: Int32) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].start < element { low = middle + 1 } else { high = middle }
    }
    return low > 0 && element < ranges[low - 1].end
  }
}

extension Candidate {
  /// The elements that the selector matches, in pre-order.
  ///
  /// - Complexity: O(elements of the last step's class × steps).
  func matches(_ index: ElementIndex) -> [Int32] {
    var found = SuffixMatches(tail[0], index)
    for step in tail.dropFirst() { found.narrow(step) }
    if isAnchored { found.anchor() }
    return landmark.map { found.elements(below: LandmarkRanges($0, index)) } ?? found.elements
  }
}
