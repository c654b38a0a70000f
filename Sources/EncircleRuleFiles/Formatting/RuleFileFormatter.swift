import EncircleEvents
import EncircleTree
import Yams

/// Formats rule files, and the files with their tests.
///
/// ```swift
/// let formatted = try RuleFileFormatter.format(text, name: "shop.yaml")
/// ```
///
/// The result means the same, has the same comments, and is its own format. Of YAML, keys of files, rules, clauses and tests
/// come in the order of ``RuleFileKeys`` and ``RuleTestKeys``; what is in braces stays so if it fits into 120 columns; quotes
/// stay where a text might be taken for something else. JSON stays JSON.
public enum RuleFileFormatter {
  /// The formatted text, with LF at the ends of lines.
  ///
  /// - Parameter name: The file name that errors have; a `.json` file must be JSON.
  /// - Throws: ``RuleFileErrors`` with the one problem of a text that is no YAML, or has something that cannot be laid out.
  /// - Complexity: O(*n*), *n* bytes, for a bounded depth.
  public static func format(_ text: String, name: String = "<rules>") throws(RuleFileErrors) -> String {
    do throws(Diagnostic.Failure) {
      return try settled(try formatted(text, name), name)
    } catch {
      throw RuleFileErrors([error.diagnostic], isMissingInput: false)
    }
  }

  /// A formatted text that is its own format.
  private static func settled(_ text: String, _ name: String) throws(Diagnostic.Failure) -> String {
    var text = text
    // Once is enough for all texts that are known.
    for _ in 0..<3 {
      guard let again = try? formatted(text, name) else { break }
      if again.utf8.elementsEqual(text.utf8) { return text }
      text = again
    }
    throw Diagnostic.Failure(
      Diagnostic(
        "cannot be formatted: the result would have to be formatted again; the file stays as it is", file: name))
  }

  private static func formatted(_ text: String, _ name: String) throws(Diagnostic.Failure) -> String {
    let source = withPlainLineEnds(text)
    let isJSON = try isJSON(source, name)
    var tree: SyntaxTree
    do throws(SyntaxParser.Problem) {
      tree = try SyntaxParser.parse(source)
    } catch {
      // What is no YAML at all, Yams tells better; it has a limit of depth of its own.
      if !error.isDepth { _ = try YAMLText(unmarked: source, name: name).parse() }
      throw Diagnostic.Failure(Diagnostic(error.message, file: name, offset: error.offset, in: source))
    }
    let before = try YAMLText(unmarked: source, name: name).parse()
    let comments = tree.comments
    let role = NodeRole(ofDocumentWithKeys: before?.mapping?.keys.compactMap { $0.scalar?.string } ?? [])
    if let start = tree.root?.range.lowerBound {
      do throws(SyntaxNode.Mismatch) {
        guard let before else { throw SyntaxNode.Mismatch(offset: start) }
        try tree.root?.makeCanonical(before, role, keepsOrder: tree.hasAnchors, isJSON: isJSON)
      } catch {
        throw Diagnostic.Failure(
          Diagnostic("cannot format what stands here", file: name, offset: error.offset, in: source))
      }
    }
    let result: String
    if isJSON, let root = tree.root {
      result = JSONLayout.text(root, role)
    } else {
      result = SyntaxLayout.text(tree, role)
    }
    guard means(result, before, role), hasComments(comments, result) else {
      throw Diagnostic.Failure(
        Diagnostic("cannot be formatted: the result would not mean the same; the file stays as it is", file: name))
    }
    return result
  }

  /// Whether a text means what was read before.
  private static func means(_ result: String, _ before: Node?, _ role: NodeRole) -> Bool {
    let after: Node?
    do throws(Diagnostic.Failure) { after = try YAMLText(unmarked: result, name: "").parse() } catch { return false }
    guard let before, let after else { return before == nil && after == nil }
    return before.means(after, role)
  }

  /// Whether a text has these comments and no others.
  private static func hasComments(_ comments: [String], _ result: String) -> Bool {
    guard let tree = try? SyntaxParser.parse(result) else { return false }
    func sorted(_ comments: [String]) -> [[UInt8]] {
      comments.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    }
    return sorted(tree.comments) == sorted(comments)
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

  /// The text without byte order mark, with LF at the ends of lines.
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
    let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    return String(decoding: isMarked ? bytes[3...] : bytes[...], as: UTF8.self)
  }
}
