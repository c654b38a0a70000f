import EncircleText
import EncircleTree

/// The elements that match the last steps of a selector, narrowed one step at a time.
struct SuffixMatches {
  private let index: ElementIndex
  /// The elements, in pre-order.
  private(set) var elements: [Int32]
  // For each of the elements, the one above it that the outermost step so far matched.
  private var tops: [Int32]

  /// Finds the elements that the element's own step matches.
  ///
  /// - Complexity: O(elements of the class).
  init(_ step: StepPattern, _ index: ElementIndex) {
    self.index = index
    elements = index.elements(ofClass: step.classNumber).filter { index.matches(step, $0) }
    tops = elements
  }

  /// Keeps the elements that also match with one step more in front.
  ///
  /// - Complexity: O(elements so far).
  mutating func narrow(_ step: StepPattern) {
    filter { index, top in
      let parent = index.parents[Int(top)]
      return parent >= 0 && index.matches(step, parent) ? parent : nil
    }
  }

  /// Keeps the elements whose outermost step matched a top-level window.
  mutating func anchor() { filter { index, top in index.parents[Int(top)] < 0 ? top : nil } }

  /// Returns the elements with a landmark anywhere above their outermost step.
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

/// The subtrees of the elements that a step matches, as ranges of pre-order numbers.
struct LandmarkRanges {
  // The ranges are disjoint and in order; a subtree within another one is left out.
  private var ranges: [(start: Int32, end: Int32)] = []

  /// Finds the landmarks.
  ///
  /// - Complexity: O(elements of the class).
  init(_ landmark: StepPattern, _ index: ElementIndex) {
    for element in index.elements(ofClass: landmark.classNumber) where index.matches(landmark, element) {
      if let last = ranges.last, element < last.end { continue }
      ranges.append((element, index.screen.tree.subtreeEnd(of: ElementID(rawValue: element)).rawValue))
    }
  }

  /// Returns whether an element lies below one of the landmarks.
  func contain(_ element: Int32) -> Bool {
    let next = ranges.partitioningIndex { $0.start >= element }
    return next > 0 && element < ranges[next - 1].end
  }
}
