import EncircleText

#if YAML
  import Yams
#endif

/// The type that YAML gives a scalar. It is found out only where it matters, as most scalars of rules are texts in any case.
enum ScalarTag {
  #if YAML
    typealias Name = Tag.Name
  #else
    /// The tags that scalars of JSON have.
    enum Name: String {
      case str = "tag:yaml.org,2002:str"
      case null = "tag:yaml.org,2002:null"
      case bool = "tag:yaml.org,2002:bool"
      case float = "tag:yaml.org,2002:float"
      case int = "tag:yaml.org,2002:int"
    }
  #endif

  static let text = Name.str.rawValue
  static let null = Name.null.rawValue
  static let bool = Name.bool.rawValue
  static let number = Name.float.rawValue

  /// The tag of a scalar in a document that was read without resolving tags.
  ///
  /// Keys can no longer be distinguished from texts in quotes, as they have been compared with each other.
  static func resolved(_ node: Node) -> Name {
    guard let scalar = node.scalar else { return .str }
    // Without a tag of its own what is written decides.
    #if YAML
      guard node.tag.isEmpty else { return Name(rawValue: node.tag) }
    #else
      guard node.tag.isEmpty else { return Name(rawValue: node.tag) ?? .str }
    #endif
    return resolved(scalar.string)
  }

  /// The tag that a plain scalar has.
  static func resolved(_ text: String) -> Name {
    // Only few characters begin something else than a text, and the resolver tries an expression for each tag.
    if let first = text.utf8.first, !beginsOther(first, text) { return .str }
    #if YAML
      if isWholeNumber(text) { return .int }
      return Resolver.default.resolveTag(of: Yams.Node(text, .implicit, .plain))
    #else
      // Every scalar of JSON has a tag.
      return .str
    #endif
  }

  /// Returns whether a scalar is null, or a key that reads so.
  static func isNull(_ node: Node) -> Bool {
    guard let scalar = node.scalar else { return false }
    if node.tag == null { return true }
    guard node.tag.isEmpty || (node.tag == text && scalar.style == .plain) else { return false }
    return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
  }

  private static let words = ["y", "yes", "n", "no", "true", "false", "on", "off", "null"]

  // The words in their spellings, numbers and times, infinity, << and =.
  private static func beginsOther(_ byte: UInt8, _ text: String) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "A")...UInt8(ascii: "z"):
      text.utf8.count <= 5 && "yYnNtTfFoO".utf8.contains(byte)
        && words.contains(where: text.lowercased().hasSameBytes)
    default: "~+-.<=".utf8.contains(byte)
    }
  }

  /// Whether a text is digits, of which the first is a zero only where it is all.
  private static func isWholeNumber(_ text: String) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return (text.utf8.first != UInt8(ascii: "0") || text.utf8.count == 1) && !text.isEmpty
      && text.utf8.allSatisfy(digits.contains)
  }
}
