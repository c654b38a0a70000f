import EncircleEvents
import EncircleText
import EncircleTree

/// Formats rule files, and the files with their tests.
///
/// ```swift
/// let formatted = try RuleFileFormatter.format(text, name: "shop.yaml")
/// ```
///
/// The result has the same meaning and the same comments, and does not change when it is formatted again. In YAML, the keys of
/// files, rules, clauses and tests follow the order of ``RuleFileKeys`` and ``RuleTestKeys``; braces stay if their contents fit
/// into 120 columns; quotes stay if YAML might otherwise read a text as something else. JSON stays JSON.
public enum RuleFileFormatter {
  /// Returns the formatted text, with LF at the ends of lines.
  ///
  /// - Throws: ``RuleFileErrors`` with one problem if the text is not YAML or cannot be laid out.
  /// - Complexity: O(*n*), *n* bytes, for a bounded depth.
  public static func format(_ text: String, name: String = "<rules>") throws(RuleFileErrors) -> String {
    do throws(Diagnostic.Failure) {
      return try formatted(text, name)
    } catch {
      throw RuleFileErrors([error.diagnostic], isMissingInput: false)
    }
  }

  private static func formatted(_ text: String, _ name: String) throws(Diagnostic.Failure) -> String {
    let layout = try Layout(of: text, name)
    func failure(_ what: String) -> Diagnostic.Failure {
      Diagnostic.Failure(
        Diagnostic("cannot be formatted: the result would \(what); the file stays as it is", file: name))
    }
    // Reads the result back as the next run would.
    guard let again = try? Layout(of: layout.text, name), layout.means(again) else {
      throw failure("not mean the same")
    }
    guard again.text.hasSameBytes(as: layout.text) else { throw failure("have to be formatted again") }
    return layout.text
  }

  /// A text as it is read, and how it is laid out.
  private struct Layout {
    let document: Node?
    let comments: [String]
    let role: NodeRole
    let text: String

    init(of text: String, _ name: String) throws(Diagnostic.Failure) {
      let source = withPlainLineEnds(text)
      let isJSON = try RuleFileFormatter.isJSON(source, name)
      var tree: SyntaxTree
      do throws(SyntaxParser.Problem) {
        tree = try SyntaxParser.parse(source)
      } catch {
        // If the text is not YAML at all, the message of the YAML reader is better. That reader has another limit of depth, though.
        if !error.isDepth { _ = try YAMLText(unmarked: source, name: name).parse() }
        throw Diagnostic.Failure(Diagnostic(error.message, file: name, offset: error.offset, in: source))
      }
      document = try YAMLText(unmarked: source, name: name).parse()
      comments = tree.comments
      role = NodeRole(ofDocumentWithKeys: document?.mapping?.compactMap { $0.key.scalar?.string } ?? [])
      if let start = tree.root?.range.lowerBound {
        do throws(SyntaxNode.Mismatch) {
          guard let document else { throw SyntaxNode.Mismatch(offset: start) }
          try tree.root?.makeCanonical(document, role, keepsOrder: tree.hasAnchors, isJSON: isJSON)
        } catch {
          throw Diagnostic.Failure(
            Diagnostic("cannot format this", file: name, offset: error.offset, in: source))
        }
      }
      if isJSON, let root = tree.root {
        self.text = JSONLayout.text(root, role)
      } else {
        self.text = SyntaxLayout.text(tree, role)
      }
    }

    /// Returns whether another text means the same, and has these comments and no others.
    func means(_ other: Layout) -> Bool {
      func sorted(_ comments: [String]) -> [[UInt8]] {
        comments.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
      }
      guard sorted(comments) == sorted(other.comments) else { return false }
      guard let document, let after = other.document else { return document == nil && other.document == nil }
      return document.means(after, role)
    }
  }

  private static func isJSON(_ text: String, _ name: String) throws(Diagnostic.Failure) -> Bool {
    let bytes = Array(text.utf8)
    let isNamed = name.utf8.reversed().starts(with: ".json".utf8.reversed())
    let first = bytes.first { !isWhiteSpace($0) }
    guard isNamed || first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return false }
    do throws(JSONError) {
      _ = try EventValue(json: bytes)
      return true
    } catch {
      guard isNamed else { return false }
      throw Diagnostic.Failure(
        Diagnostic("not valid JSON: \(error.kind.message)", file: name, offset: error.offset, in: text))
    }
  }

  /// Returns the text without a byte order mark, with LF at the ends of lines.
  static func withPlainLineEnds(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var previous: UInt8 = 0
    for byte in text.utf8 {
      if byte == 0x0D {
        bytes.append(0x0A)
      } else if byte != 0x0A || previous != 0x0D {
        bytes.append(byte)
      }
      previous = byte
    }
    return String(decoding: bytes.withoutByteOrderMark, as: UTF8.self)
  }

  /// Returns a text of ``withPlainLineEnds(_:)`` with the line ends of another text, and with its byte order mark if it has one.
  static func withLineEnds(of text: String, _ plain: String) -> String {
    let isCROnly = text.indexOfByte("\r") != nil && text.indexOfByte("\n") == nil
    let end = text.containsBytes(of: "\r\n") ? "\r\n" : isCROnly ? "\r" : "\n"
    let lines = end == "\n" ? plain : plain.replacingBytes(of: "\n", with: end)
    return text.utf8.starts(with: ByteOrderMark.utf8) ? "\u{FEFF}" + lines : lines
  }
}
