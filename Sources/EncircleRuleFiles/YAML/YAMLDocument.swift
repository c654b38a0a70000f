import EncircleText
#if YAML
  import Yams
#endif

/// A YAML document, read by Yams.
enum YAMLDocument {
  /// The result of reading a text.
  enum Result {
    /// The document; nil if it is empty.
    case document(Node?)
    /// Some keys of one mapping are the same for Swift; this is the problem, should they have the same bytes.
    case equalKeys(Problem)
  }

  /// Why a text is not a document.
  struct Problem: Error {
    let message: String
    /// The place; nil if the text as a whole is meant.
    let location: SourceLocation?
  }

  #if YAML
    // Aliases can stand for more than a machine can hold; rules need few.
    private static let mostAliases = 16
    // The nodes that all aliases of a file may stand for, besides one for each byte of the file.
    private static let mostAliasNodes = 100_000

    /// Reads a text.
    ///
    /// - Parameter resolvesTags: Whether nodes get the types that YAML gives them. Yams finds these with regular expressions, for
    ///   every key and value; rules need few of them: see ``ScalarTag``.
    static func read(_ characters: YAMLCharacters, _ lines: SourceLines, resolvesTags: Bool) throws(Problem) -> Result {
      let aliases = AliasScan(characters.text, most: mostAliases)
      if let offset = aliases.excess {
        throw Problem(message: "more than \(mostAliases) YAML aliases", location: lines.location(of: offset))
      }
      let root: Yams.Node
      do {
        let resolver: Resolver = resolvesTags ? .default : .basic
        guard let node = try Yams.compose(yaml: characters.text, resolver, .default, .utf8) else {
          return .document(nil)
        }
        root = node
      } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
        let names = keys.prefix(3).map { "'\(characters.restored($0))'" }.joined(separator: ", ")
        let others = keys.count > 3 ? " and \(keys.count - 3) more" : ""
        // What may stand several times is an item of a list, whose '- ' has been forgotten.
        let isItem = keys.contains {
          ["id", "include", "exclude", "event", "page", "selector", "name", "screen"].contains("\($0)")
        }
        let message =
          (keys.count == 1
            ? "the key \(names) occurs twice in one mapping" : "the keys \(names)\(others) occur twice in one mapping")
          + (isItem ? "; in a list, each item begins with '- '" : "")
        return .equalKeys(Problem(message: message, location: location(context.mark)))
      } catch {
        throw problem(error, lines)
      }
      var conversion = Conversion(characters: characters, resolvesTags: resolvesTags)
      conversion.left = aliases.hasAliases ? lines.text.utf8.count + mostAliasNodes : .max
      let most = conversion.left
      let document = conversion.converted(root)
      if let place = conversion.excess {
        let message = "with its YAML aliases, the file has more than \(most) values; this is one of them"
        throw Problem(message: message, location: place)
      }
      return .document(document)
    }

    private static func problem(_ error: any Error, _ lines: SourceLines) -> Problem {
      switch error as? YamlError {
      case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
        .composer(let context, let problem, let mark, _):
        let context = context.map { (text: $0.text, location: location($0.mark)) }
        let explained = YAMLProblem(problem, context: context, at: location(mark), in: lines)
        return Problem(message: explained.message, location: explained.location)
      // Characters that YAML does not have were found before; the error's own description would quote the text.
      case .reader(let problem, let offset, _, _):
        return Problem(message: "not valid YAML: \(problem)", location: offset.map { lines.location(of: $0) })
      default: return Problem(message: "not valid YAML: \(error)", location: nil)
      }
    }

    private static func location(_ mark: Mark) -> SourceLocation {
      SourceLocation(line: mark.line, column: mark.column)
    }

    /// Makes nodes of those of Yams.
    private struct Conversion {
      let characters: YAMLCharacters
      let resolvesTags: Bool
      /// The number of nodes that may still be made.
      var left = Int.max
      /// The place of the first node that was too many.
      var excess: SourceLocation?

      // The parser bounds the depth of documents: 1,000 levels.
      mutating func converted(_ node: Yams.Node) -> Node {
        let place = node.mark.map { location($0) } ?? SourceLocation(line: 1, column: 1)
        func make(_ content: Node.Content, _ tag: Tag) -> Node {
          Node(content: content, tag: tag.rawValue, location: place)
        }
        guard left > 0 else {
          excess = excess ?? place
          return make(.sequence([]), .implicit)
        }
        left -= 1
        switch node {
        case .scalar(let scalar):
          let tag = resolvesTags ? node.tag : scalar.tag
          let text = characters.changesNothing ? scalar.string : characters.restored(scalar.string)
          return make(.scalar(Node.Scalar(string: text, style: Node.Scalar.Style(scalar.style))), tag)
        case .sequence(let sequence):
          let tag = resolvesTags ? node.tag : sequence.tag
          return make(.sequence(sequence.map { converted($0) }), tag)
        case .mapping(let mapping):
          let tag = resolvesTags ? node.tag : mapping.tag
          return make(.mapping(mapping.map { (converted($0.key), converted($0.value)) }), tag)
        case .alias(let alias):
          // The parser puts what an alias stands for in its place.
          return make(.sequence([]), alias.tag)
        }
      }
    }
  #else
    /// Says that the text is not JSON.
    static func read(_ characters: YAMLCharacters, _ lines: SourceLines, resolvesTags: Bool) throws(Problem) -> Result {
      throw Problem(message: "not JSON: this build of Encircle reads no YAML", location: nil)
    }
  #endif
}

#if YAML
  extension Node.Scalar.Style {
    fileprivate init(_ style: Yams.Node.Scalar.Style) {
      switch style {
      case .any, .plain: self = .plain
      case .singleQuoted: self = .singleQuoted
      case .doubleQuoted: self = .doubleQuoted
      case .literal: self = .literal
      case .folded: self = .folded
      }
    }
  }
#endif
