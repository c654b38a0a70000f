import EncircleText

extension RawRepresentable where RawValue == String, Self: CaseIterable {
  /// Returns the case with this name, compared by its bytes.
  static func named(_ name: String) -> Self? { allCases.first { sameText($0.rawValue, name) } }
}
