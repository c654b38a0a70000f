extension Sequence {
  /// Returns the elements in ascending order of the first of their numbers that differs. Elements whose numbers are all equal stay
  /// in order.
  ///
  /// - Parameter numbers: Returns the numbers of an element, equally many for each; called once for each element.
  package func stablySorted(by numbers: (Element) -> [Int]) -> [Element] {
    enumerated().map { (numbers: numbers($0.element) + [$0.offset], element: $0.element) }
      .sorted { $0.numbers.lexicographicallyPrecedes($1.numbers) }
      .map(\.element)
  }
}
