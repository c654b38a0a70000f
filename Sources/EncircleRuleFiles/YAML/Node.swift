import EncircleText

/// A node of a YAML or JSON document.
package struct Node: Sendable {
  /// A text, number or word.
  package struct Scalar: Sendable {
    /// The ways to write a scalar; a JSON string is in double quotes.
    package enum Style: Sendable {
      case plain, singleQuoted, doubleQuoted, literal, folded
    }

    /// The text that it stands for.
    package let string: String
    /// The way it is written.
    package let style: Style

    /// The scalar with its quotes, if it is written in one line as it reads; nil if it cannot be.
    package var written: String? {
      if string.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) { return nil }
      return switch style {
      case .plain: string
      case .singleQuoted: ScalarSpelling.singleQuoted(string)
      case .doubleQuoted: "\"" + string + "\""
      case .literal, .folded: nil
      }
    }
  }

  /// The content of a node.
  package enum Content: Sendable {
    case scalar(Scalar)
    case sequence([Node])
    case mapping([(key: Node, value: Node)])
  }

  /// The content.
  package let content: Content
  /// The tag; empty where it has not been found out.
  let tag: String
  /// The place.
  package let location: SourceLocation

  /// The scalar; nil if the node is not one.
  package var scalar: Scalar? { if case .scalar(let scalar) = content { scalar } else { nil } }

  /// The items of a list; nil if the node is not one.
  package var sequence: [Node]? { if case .sequence(let nodes) = content { nodes } else { nil } }

  /// The members of a mapping, with keys that differ in their bytes; nil if the node is not one.
  package var mapping: [(key: Node, value: Node)]? { if case .mapping(let members) = content { members } else { nil } }
}
