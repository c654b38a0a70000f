import EncircleEvents

/// The numbers of properties, in order of first mention.
struct PropertyNumbers {
  private(set) var references: [PropertyReference] = []
  private var numbers: [PropertyReference: Int] = [:]

  init(_ references: [PropertyReference] = []) { for reference in references { _ = number(of: reference) } }

  /// Returns the number of a property, which is added if it is new.
  mutating func number(of reference: PropertyReference) -> Int {
    if let known = numbers[reference] { return known }
    numbers[reference] = references.count
    references.append(reference)
    return references.count - 1
  }

  func find(_ reference: PropertyReference) -> Int? { numbers[reference] }
}
