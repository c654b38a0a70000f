import EncircleText

/// The divisions of single dimensions that are likely to be asked for again: those by few constraints.
final class Divisions {
  typealias Division = [(Bits, EventExample.Value)]

  private enum Kind: Hashable { case value, eventID, path }

  private struct Key: Hashable {
    let kind: Kind
    let constraints: [UTF8String]
  }

  private var divisions: [Key: Division] = [:]
  private var size = 0
  // The maximum number of values and components of paths that are kept; beyond these everything is forgotten.
  private static let maximumKept = 200_000
  // The maximum number of constraints of a division that is kept, so that it concerns one rule or two.
  private static let maximumConstraints = 2

  private static func key(_ constraints: [Constraint], _ keys: [UTF8String]) -> Key? {
    guard let first = constraints.first, constraints.count <= maximumConstraints else { return nil }
    let kind: Kind =
      switch first {
      case .value: .value
      case .eventID: .eventID
      case .path: .path
      }
    return Key(kind: kind, constraints: keys)
  }

  /// Returns the division by some constraints with these keys; nil if it is not known.
  func division(of constraints: [Constraint], _ keys: [UTF8String]) -> Division? {
    Self.key(constraints, keys).flatMap { divisions[$0] }
  }

  /// Keeps a division, unless it has many constraints.
  func keep(_ division: Division, of constraints: [Constraint], _ keys: [UTF8String]) {
    guard let key = Self.key(constraints, keys) else { return }
    size += division.reduce(1) { size, part in
      if case .path(let path) = part.1 { size + 1 + path.components.count } else { size + 1 }
    }
    if size > Self.maximumKept {
      divisions = [:]
      size = 0
    }
    divisions[key] = division
  }
}
