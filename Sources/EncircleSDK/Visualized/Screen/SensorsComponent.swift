import EncircleText

/// A component of an `$element_path`: a class, with numbers in brackets.
struct SensorsComponent {
  /// The class, or `[SectionHeader]` or `[SectionFooter]`.
  var name: Substring
  /// The numbers; nil for `-`.
  var numbers: [Int?] = []

  /// Reads `Class`, `Class[3]`, `Class[-]`, `Class[0][3]` or `Class[0][-]`.
  init(_ text: Substring) {
    name = text
    while numbers.count < 2, name.utf8.last == UInt8(ascii: "]"),
      let open = name.utf8.lastIndex(of: UInt8(ascii: "[")), open > name.startIndex
    {
      let inner = name[name.utf8.index(after: open)...].dropLast()
      let number = inner.utf8.count <= 9 ? Int(inner) : nil
      guard inner == "-" || (number ?? -1) >= 0 else { return }
      numbers.insert(number, at: 0)
      name = name[..<open]
    }
  }

  /// Returns the components of a path; nil if there are too many.
  static func split(_ path: String, limit: Int) -> [SensorsComponent]? {
    let parts = path.splitBytes(at: "/", maxSplits: limit, omittingEmptySubsequences: false)
    return parts.count > limit || parts.contains(where: \.isEmpty) ? nil : parts.map { SensorsComponent($0) }
  }

  /// Returns whether two components can be the same one. The row of an inner list is `-` in some paths, but a number in the
  /// paths of lists inside it.
  func isSame(as other: SensorsComponent) -> Bool {
    guard name == other.name, numbers.count == other.numbers.count else { return false }
    return zip(numbers, other.numbers).allSatisfy { a, b in a == nil || b == nil || a == b }
  }

  var isSectionHeader: Bool { name == "[SectionHeader]" }
  var isSectionFooter: Bool { name == "[SectionFooter]" }
}
