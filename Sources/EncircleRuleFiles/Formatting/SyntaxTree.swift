/// A YAML document as it is written: with comments, blank lines and quotes, which a tree of values does not have.
struct SyntaxTree {
  /// The node of the document; nil if the document is empty.
  var root: SyntaxNode?
  /// The trivia before the root. If the root is a collection in block style, its first entry has them instead.
  var before: [Trivia] = []
  /// The trivia behind the root.
  var after: [Trivia] = []
  /// The comment on the line of a root that is not a collection in block style.
  var comment: String?
  /// The trivia before the document's opening `---`; nil without one.
  var start: [Trivia]?
  /// This is true if some node has an anchor, so that the order of nodes matters.
  var hasAnchors = false
  /// The offsets of the comments in bytes, in the order of the text.
  var commentOffsets: [Int] = []
}

/// Text between nodes that has no meaning.
enum Trivia: Equatable {
  /// One blank line, or several.
  case blank
  /// A line with a comment, from the `#` on.
  case comment(String)

  /// The comment.
  var comment: String? {
    if case .comment(let text) = self { text } else { nil }
  }
}

/// One node as it is written.
struct SyntaxNode {
  enum Content {
    /// Nothing, which is null.
    case empty
    case alias(String)
    case scalar(ScalarSyntax)
    case blockScalar(BlockScalarSyntax)
    case collection(CollectionSyntax)
  }

  /// Anchor and tag as they are written.
  var properties = ""
  var content: Content
  /// The range in the text, in bytes, including its properties but not a comment behind it.
  var range: Range<Int>

  var collection: CollectionSyntax? {
    if case .collection(let collection) = content { collection } else { nil }
  }
}

/// A scalar in flow style: plain or quoted.
struct ScalarSyntax {
  enum Style { case plain, singleQuoted, doubleQuoted }

  var style: Style
  /// The lines as they are written, with quotes but without meaningless white space at their ends. There is at least one line.
  var lines: [String]
}

/// A scalar in block style, `|` or `>`.
struct BlockScalarSyntax {
  /// `|` or `>`, and the sign for the treatment of line ends at its end.
  var header: String
  /// The lines without their common indentation. Blank ones at the end only where they belong to the text.
  var lines: [String]
  /// This is true if the text begins with a space, so that the indentation must be explicit.
  var needsIndentation: Bool

  /// This is true if blank lines behind the scalar are part of it.
  var keepsBlankLines: Bool { header.utf8.contains(UInt8(ascii: "+")) }
}

/// A mapping or a sequence.
struct CollectionSyntax {
  var isMapping: Bool
  /// This is true if the collection is written in brackets.
  var isFlow: Bool
  /// This is true if the brackets are on one line.
  var isOneLine: Bool
  var entries: [SyntaxEntry] = []
  /// The trivia behind the last entry that belong to the collection.
  var after: [Trivia] = []
}

/// A member of a mapping, or an item of a sequence.
struct SyntaxEntry {
  /// Comments and blank lines before it.
  var before: [Trivia] = []
  /// The key; nil in a sequence.
  var key: SyntaxNode?
  /// The comment on the line of the key or dash, if the value begins on a later line.
  var keyComment: String?
  /// Comments between key or dash and value, on lines of their own.
  var between: [Trivia] = []
  var value: SyntaxNode
  /// The comment behind the value.
  var comment: String?
}

extension SyntaxEntry {
  /// Moves the comments inside brackets in front of them, if the brackets contain nothing else.
  mutating func takeCommentsOfEmptyValue() {
    guard var collection = value.collection, collection.entries.isEmpty, !collection.after.isEmpty else { return }
    between += collection.after
    collection.after = []
    value.content = .collection(collection)
  }
}

extension SyntaxNode {
  /// Calls `body` with the node and every node within, in the order of the text.
  ///
  /// Recursive; the parser has limited the depth.
  func forEachNode(_ body: (SyntaxNode) -> Void) {
    body(self)
    for entry in collection?.entries ?? [] {
      entry.key?.forEachNode(body)
      entry.value.forEachNode(body)
    }
  }

  /// Calls `body` with every comment within, in the order of the text.
  ///
  /// Recursive; the parser has limited the depth.
  func forEachComment(_ body: (String) -> Void) {
    guard let collection else { return }
    for entry in collection.entries {
      for trivia in entry.before { trivia.comment.map(body) }
      entry.keyComment.map(body)
      for trivia in entry.between { trivia.comment.map(body) }
      entry.value.forEachComment(body)
      entry.comment.map(body)
    }
    for trivia in collection.after { trivia.comment.map(body) }
  }

  /// This is true if the node contains a comment.
  var hasComments: Bool {
    var found = false
    forEachComment { _ in found = true }
    return found
  }
}

extension SyntaxTree {
  /// All comments, in the order of the text.
  var comments: [String] {
    var comments = ((start ?? []) + before).compactMap(\.comment)
    root?.forEachComment { comments.append($0) }
    if let comment { comments.append(comment) }
    return comments + after.compactMap(\.comment)
  }
}
