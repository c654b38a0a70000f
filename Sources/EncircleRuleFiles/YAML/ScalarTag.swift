import Yams

/// The type that YAML gives a scalar. It is found out only where it matters, as most scalars of rules are texts in any case.
enum ScalarTag {
  /// The tag of a scalar in a document that was read without resolving tags.
  ///
  /// Keys cannot be told from texts in quotes any more, as they have been compared with each other.
  static func resolved(_ node: Node) -> Tag.Name {
    guard case .scalar(let scalar) = node else { return .str }
    // Without a tag of its own what is written decides; only few characters begin something else than a text.
    let written = scalar.tag.rawValue
    guard written.isEmpty else { return Tag.Name(rawValue: written) }
    if let first = scalar.string.utf8.first, !beginsOther(first) { return .str }
    return Resolver.default.resolveTag(of: node)
  }

  /// Returns whether a scalar is null, or a key that reads so.
  static func isNull(_ node: Node) -> Bool {
    guard case .scalar(let scalar) = node else { return false }
    let written = scalar.tag.rawValue
    if written == Tag.Name.null.rawValue { return true }
    guard written.isEmpty || (written == Tag.Name.str.rawValue && scalar.style == .plain) else { return false }
    return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
  }

  // Yes, no, true, false, on, off and null in their spellings, numbers and times, infinity, << and =.
  private static func beginsOther(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "yYnNtTfFoO~+-.<=".utf8.contains(byte)
    }
  }
}
