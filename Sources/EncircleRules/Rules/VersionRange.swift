import EncircleText

/// A dotted version, as values and ranges have it.
public typealias VersionNumber = EncircleText.VersionNumber

/// Comparisons of a version that must all hold, such as `>=5.2 <6`.
public struct VersionRange: Hashable, Sendable, CustomStringConvertible {
  private enum Operator: String, CaseIterable {
    // Longest first, as one begins with another.
    case greaterOrEqual = ">="
    case lessOrEqual = "<="
    case notEqual = "!="
    case greater = ">"
    case less = "<"
    case equal = "="
  }

  private struct Bound: Hashable {
    let comparison: Operator
    let version: VersionNumber
  }

  private let bounds: [Bound]
  /// The range as it was written.
  public let description: String

  /// Reads comparisons separated by spaces; a version without an operator must be equal. Nil if the text is not a range.
  public init?(parsing text: String) {
    var bounds: [Bound] = []
    for word in text.split(whereSeparator: { $0 == " " }) {
      let comparison = Operator.allCases.first { word.beginsWithBytes(of: $0.rawValue) }
      guard let version = VersionNumber(String(word.dropFirst(comparison?.rawValue.count ?? 0))) else { return nil }
      bounds.append(Bound(comparison: comparison ?? .equal, version: version))
    }
    guard !bounds.isEmpty else { return nil }
    self.bounds = bounds
    description = text
  }

  /// Returns the range that was probably meant by a text in another notation: a package manager's, such as `^5.2`, `5.2.*` or
  /// `5.2 - 5.4`, or one with spaces after the operators. Returns nil for other texts.
  ///
  /// - Complexity: O(length).
  public static func written(otherwise text: String) -> String? {
    guard text.utf8.count <= 64 else { return nil }
    let scalars = Array(text.unicodeScalars)
    var comparisons: [String] = []
    var sign = ""
    // This is true if the last comparison is a bare version, which can begin a range.
    var isAlone = false
    // This is true if a range has begun.
    var isRange = false
    var i = 0
    while i < scalars.count {
      let scalar = scalars[i]
      let next = i + 1 < scalars.count ? scalars[i + 1] : " "
      i += 1
      switch scalar {
      case " ", ",", "，", "&": continue
      case _ where isAlone && sign.isEmpty && ["-", "–", "…", ".", "~"].contains(scalar): isRange = true
      case "≥": sign += ">="
      case "≤": sign += "<="
      case "<", ">", "=", "!", "~", "^": sign.unicodeScalars.append(scalar)
      case "v" where isDigit(next), "V" where isDigit(next): continue
      case _ where isDigit(scalar):
        i -= 1
        var version: [String] = []
        var isOpen = false
        while i < scalars.count, !isOpen {
          let start = i
          while i < scalars.count, isDigit(scalars[i]) { i += 1 }
          if start < i {
            version.append(String(String.UnicodeScalarView(scalars[start..<i])))
          } else {
            guard ["x", "X", "*"].contains(scalars[i]) else { return nil }
            isOpen = true
            while i < scalars.count, [".", "x", "X", "*"].contains(scalars[i]) { i += 1 }
            // A range cannot leave a number open and name those after it.
            if i < scalars.count, isDigit(scalars[i]) { return nil }
          }
          guard i + 1 < scalars.count, scalars[i] == ".", scalars[i + 1] != "." else { break }
          i += 1
        }
        guard let range = comparison(isRange ? "<=" : sign, version, isOpen: isOpen) else { return nil }
        if isRange, let lower = comparisons.popLast() {
          // In 5.2~1 the last number is a revision.
          guard let first = VersionNumber(lower), let last = VersionNumber(version.joined(separator: ".")),
            first <= last
          else { return nil }
          comparisons.append(">=" + lower)
        }
        comparisons.append(range)
        isAlone = sign.isEmpty && !isRange && !isOpen
        (sign, isRange) = ("", false)
      default:
        let start = i - 1
        while i < scalars.count, scalars[i].properties.isAlphabetic { i += 1 }
        switch String(String.UnicodeScalarView(scalars[start..<i])).lowercased() {
        case "and": continue
        case "to" where isAlone: isRange = true
        default: return nil
        }
      }
    }
    let range = comparisons.joined(separator: " ")
    return sign.isEmpty && !isRange && VersionRange(parsing: range) != nil ? range : nil
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  /// Returns a comparison with a version by its operator. The operators of package managers leave the last numbers open.
  private static func comparison(_ sign: String, _ version: [String], isOpen: Bool) -> String? {
    let numbers = version.compactMap { Int($0) }
    guard !numbers.isEmpty, numbers.count == version.count, numbers.allSatisfy({ $0 < 1_000_000_000 }) else {
      return nil
    }
    // With these operators, a comparison with 5 is another one than with all of 5.x.
    if isOpen, ["<=", "=<", ">", "!="].contains(sign) { return nil }
    let text = version.joined(separator: ".")
    let fixed: Int
    switch sign {
    case "^": fixed = 1
    case "~": fixed = min(2, numbers.count)
    case "~>": fixed = max(1, numbers.count - 1)
    case "", "=", "==":
      if !isOpen { return text }
      fixed = numbers.count
    case "=>": return ">=" + text
    case "=<": return "<=" + text
    default: return sign + text
    }
    var next = Array(numbers.prefix(fixed))
    next[fixed - 1] += 1
    return ">=\(text) <" + next.map(String.init).joined(separator: ".")
  }

  /// This is true if the range has all versions from some version on.
  package var isOpenEnded: Bool {
    bounds.allSatisfy { [.greater, .greaterOrEqual, .notEqual].contains($0.comparison) }
  }

  /// Returns the versions in the range that are lower than another one, as a range is written.
  package func before(_ version: String) -> String {
    limited("<" + version, replacing: [.less, .lessOrEqual]) { $0 >= $1 }
  }

  /// Returns another version and the later ones in the range, as a range is written.
  package func since(_ version: String) -> String {
    limited(">=" + version, replacing: [.greater, .greaterOrEqual]) { $0 <= $1 }
  }

  /// Returns the range with one more comparison, without those by some operators that it makes unnecessary.
  private func limited(
    _ comparison: String, replacing operators: [Operator],
    where isUnnecessary: (_ old: VersionNumber, _ new: VersionNumber) -> Bool
  ) -> String {
    let new = VersionRange(parsing: comparison)?.bounds.first
    let words = description.splitBytes(at: " ").map { String($0) }
    let kept = zip(words, bounds).filter { _, bound in
      guard let new, operators.contains(bound.comparison) else { return true }
      return !isUnnecessary(bound.version, new.version)
    }
    return (kept.map(\.0) + [comparison]).joined(separator: " ")
  }

  /// The bounds as ``VersionNumber/packed(_:)`` gives them; nil if they cannot be packed or do not form one range.
  var packedBounds: ClosedRange<Int64>? {
    var (lower, upper) = (Int64(0), Int64.max)
    for bound in bounds {
      guard let version = bound.version.packed else { return nil }
      switch bound.comparison {
      case .greaterOrEqual: lower = max(lower, version)
      case .lessOrEqual: upper = min(upper, version)
      case .greater: lower = max(lower, version + 1)
      case .less: upper = min(upper, version - 1)
      case .equal: (lower, upper) = (max(lower, version), min(upper, version))
      case .notEqual: return nil
      }
    }
    return lower <= upper ? lower...upper : nil
  }

  /// Returns whether a text is a version in the range.
  func contains(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    VersionNumber(parsing: text).map { contains($0) } ?? false
  }

  /// Returns whether a version is in the range.
  public func contains(_ version: VersionNumber) -> Bool {
    bounds.allSatisfy { bound in
      switch bound.comparison {
      case .greaterOrEqual: version >= bound.version
      case .lessOrEqual: version <= bound.version
      case .notEqual: version != bound.version
      case .greater: version > bound.version
      case .less: version < bound.version
      case .equal: version == bound.version
      }
    }
  }
}
