import EncircleText

extension RawRepresentable where RawValue == String, Self: CaseIterable {
  /// Returns the case with this name, compared by its bytes.
  static func named(_ name: String) -> Self? { allCases.first { sameText($0.rawValue, name) } }
}

/// Returns whether two texts have the same bytes.
func sameText(_ a: String, _ b: String) -> Bool { a.hasSameBytes(as: b) }

/// Returns whether two texts have the same bytes; nil is the same as nil only.
func sameText(_ a: String?, _ b: String?) -> Bool {
  switch (a, b) {
  case (let a?, let b?): sameText(a, b)
  case (nil, nil): true
  default: false
  }
}
