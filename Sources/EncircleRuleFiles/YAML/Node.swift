import EncircleEvents
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

    /// The text on one line, in the quotes that the scalar has; nil for a block scalar and for a text with line breaks.
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
  /// The tag; empty if it has not been determined.
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

extension Node {
  /// Creates the node of a value that is written nowhere.
  ///
  /// Recursive; readers have limited the depth.
  ///
  /// - Parameters:
  ///   - place: The place of all nodes.
  ///   - repeated: Becomes a name that stands twice in one object.
  init(_ value: EventValue, at place: SourceLocation, repeated: inout String?) {
    switch value {
    case .list(let values):
      var nodes: [Node] = []
      nodes.reserveCapacity(values.count)
      for value in values { nodes.append(Node(value, at: place, repeated: &repeated)) }
      self.init(content: .sequence(nodes), tag: "", location: place)
    case .object(let object):
      var members: [(key: Node, value: Node)] = []
      members.reserveCapacity(object.members.count)
      var names: Set<UTF8String> = []
      for member in object.members {
        if !names.insert(UTF8String(member.name)).inserted { repeated = repeated ?? member.name }
        members.append(
          (Node(scalar: .string(member.name), at: place), Node(member.value, at: place, repeated: &repeated)))
      }
      self.init(content: .mapping(members), tag: "", location: place)
    default: self.init(scalar: value, at: place)
    }
  }

  /// Creates the node of a value that is neither a list nor an object.
  init(scalar value: EventValue, at place: SourceLocation) {
    let (text, style, tag): (String, Scalar.Style, ScalarTag) =
      switch value {
      case .bool(let flag): (flag ? "true" : "false", .plain, .bool)
      case .number(let number): (number.description, .plain, .float)
      case .string(let text): (text, .doubleQuoted, .text)
      default: ("null", .plain, .null)
      }
    self.init(content: .scalar(Scalar(string: text, style: style)), tag: tag.rawValue, location: place)
  }
}
