/// The components of an event's path as numbers, if the path has one reading.
struct NumberedPath: ~Copyable {
  private(set) var components = GrowingBuffer<ComponentNumbers>(capacity: 64)
  // For each component, the number of a step that is known to match it, if there is one.
  private var knownSteps = GrowingBuffer<UInt32>(capacity: 64)

  mutating func removeAll() {
    components.removeAll()
    knownSteps.removeAll()
  }

  @inline(__always) mutating func append(_ component: ComponentNumbers) {
    components.append(component)
    knownSteps.append(UInt32.max)
  }

  /// Returns whether a selector matches the path without some of its last components.
  @inline(__always)
  func matches(
    _ selector: Int, _ table: borrowing SelectorTable, _ classes: borrowing ClassTable, dropping dropped: Int
  ) -> Bool {
    components.count > dropped
      && table.matches(selector, components[0..<components.count - dropped], classes, knownSteps: knownSteps.base)
  }
}
