import EncircleTree

/// Parses the layout of a YAML document.
///
/// This is not a second YAML reader: it need not find every problem, because its result must equal that of libyaml. Text that it
/// cannot lay out is reported as a ``Problem``.
///
/// - Complexity: O(*n*), *n* bytes, for documents within the limit of depth. Recursion goes no deeper than that limit.
struct SyntaxParser {
  /// The reason why a text cannot be laid out, with its place.
  struct Problem: Error {
    let message: String
    /// The place, in bytes.
    let offset: Int
    /// This is true if the document exceeds the limit of depth.
    var isDepth = false
  }

  /// The deepest nesting of collections.
  static let maximumDepth = 64

  let bytes: [UInt8]
  var position = 0
  /// Comments and blank lines that do not belong to an entry yet, with their columns.
  var pending: [(column: Int, trivia: Trivia)] = []
  /// The comment behind the node that was read last.
  var trailing: String?
  var hasAnchors = false
  /// The offsets of the comments read so far.
  var commentOffsets: [Int] = []
  var depth = 0

  private init(_ text: String) { bytes = Array(text.utf8) }

  /// - Parameter text: With LF at the ends of lines.
  static func parse(_ text: String) throws(Problem) -> SyntaxTree {
    var parser = SyntaxParser(text)
    return try parser.document()
  }

  private mutating func document() throws(Problem) -> SyntaxTree {
    var tree = SyntaxTree()
    skipToContent()
    if isMarker("---") {
      tree.start = takePending()
      position += 3
      guard finishLine(), trailing == nil else { throw problem("cannot format text after '---' on the same line") }
      skipToContent()
    }
    if position < bytes.count, !isMarker("---"), !isMarker("...") {
      if bytes[position] == UInt8(ascii: "%") { throw problem("cannot format a file with YAML directives") }
      let leading = pending
      let node = try node(parentIndent: -1, isAfterKey: false)
      tree.root = node
      tree.comment = takeTrailing()
      if node.collection?.isFlow ?? true {
        let count = leading.count
        tree.before = leading.map(\.trivia)
        pending.removeFirst(min(count, pending.count))
        if var collection = node.collection, collection.entries.isEmpty {
          tree.before += collection.after
          collection.after = []
          tree.root?.content = .collection(collection)
        }
      }
    }
    tree.hasAnchors = hasAnchors
    skipToContent()
    tree.after = takePending()
    tree.commentOffsets = commentOffsets
    guard position == bytes.count else {
      if isMarker("...") { throw problem("cannot format a file with '...', the end of a YAML document") }
      throw problem(isMarker("---") ? "cannot format a file with several YAML documents" : "cannot format this")
    }
    return tree
  }

  // MARK: - Block style

  /// Reads the node that begins here, in block style.
  ///
  /// - Parameter isAfterKey: True if it begins on the line of its key, where no mapping and no list can.
  mutating func node(parentIndent: Int, isAfterKey: Bool) throws(Problem) -> SyntaxNode {
    let start = position
    if !isAfterKey {
      if try isImplicitKey() { return try collection(isMapping: true, indent: column) }
      if isIndicator("-") { return try collection(isMapping: false, indent: column) }
    }
    if isIndicator("?") { throw problem("cannot format a key with '?'") }
    var node = SyntaxNode(properties: properties(), content: .empty, range: start..<position)
    skipSpaces()
    if !node.properties.isEmpty, isAtLineEnd || byte == UInt8(ascii: "#") {
      node.range = start..<(start + node.properties.utf8.count)
      return try nodeBelow(node, parentIndent: parentIndent)
    }
    switch byte {
    case UInt8(ascii: "|"), UInt8(ascii: ">"):
      node.content = .blockScalar(try blockScalar(parentIndent: parentIndent))
      node.range = start..<position
      return node
    case UInt8(ascii: "["), UInt8(ascii: "{"): node.content = .collection(try flowCollection())
    case UInt8(ascii: "*"): node.content = .alias(alias())
    case UInt8(ascii: "\""), UInt8(ascii: "'"): node.content = .scalar(try quotedScalar())
    default: node.content = .scalar(plainScalar(parentIndent: parentIndent))
    }
    node.range = start..<position
    guard finishLine() else { throw problem("cannot format this") }
    return node
  }

  /// Reads the content of a node that has only its properties on this line.
  private mutating func nodeBelow(_ properties: SyntaxNode, parentIndent: Int) throws(Problem) -> SyntaxNode {
    guard finishLine() else { throw problem("cannot format this") }
    guard pending.isEmpty, trailing == nil else { throw problem("cannot format a comment after an anchor or a tag") }
    skipToContent()
    guard pending.isEmpty else { throw problem("cannot format a comment after an anchor or a tag") }
    guard position < bytes.count, column > parentIndent else { return properties }
    var node = try node(parentIndent: parentIndent, isAfterKey: false)
    guard node.properties.isEmpty else { throw problem("cannot format anchors and tags on several lines") }
    node.properties = properties.properties
    node.range = properties.range.lowerBound..<node.range.upperBound
    return node
  }

  /// Reads a mapping or a list whose first entry begins here.
  private mutating func collection(isMapping: Bool, indent: Int) throws(Problem) -> SyntaxNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw tooDeep }
    let start = position
    var end = position
    var result = CollectionSyntax(isMapping: isMapping, isFlow: false, isOneLine: false)
    while position < bytes.count, column == indent, !isMarker("---"), !isMarker("...") {
      guard isMapping != isIndicator("-") else { break }
      var entry = SyntaxEntry(
        before: takePending(), value: SyntaxNode(content: .empty, range: position..<position))
      if isMapping { entry.key = try key() }
      // Skips the dash or colon.
      position += 1
      let isTab = byte == UInt8(ascii: "\t")
      skipSpaces()
      entry.value.range = position..<position
      if isAtLineEnd || byte == UInt8(ascii: "#") {
        // The place of a value that is not there: right behind the dash or colon.
        var behind = position
        while behind > 0, bytes[behind - 1] == UInt8(ascii: " ") { behind -= 1 }
        entry.value.range = behind..<behind
        guard finishLine() else { throw problem("cannot format this") }
        entry.keyComment = takeTrailing()
        skipToContent()
        // A list may stand right beneath the key that it belongs to.
        let isBeneath = column > indent || (isMapping && column == indent && isIndicator("-"))
        if position < bytes.count, isBeneath, !isMarker("---"), !isMarker("...") {
          let leading = pending
          let value = try node(parentIndent: indent, isAfterKey: false)
          if value.collection?.isFlow ?? true {
            entry.between = leading.map(\.trivia)
            pending.removeFirst(min(leading.count, pending.count))
          }
          entry.value = value
          entry.comment = takeTrailing()
        } else if entry.keyComment != nil {
          entry.comment = entry.keyComment
          entry.keyComment = nil
        }
      } else {
        if isTab { throw problem("cannot format a tab between a key or dash and its value") }
        entry.value = try node(parentIndent: indent, isAfterKey: isMapping)
        entry.comment = takeTrailing()
      }
      end = max(end, entry.value.range.upperBound)
      entry.takeCommentsOfEmptyValue()
      result.entries.append(entry)
      skipToContent()
    }
    // The comments before a key that follows a list at the same column belong to the key.
    let isBeneathKey = !isMapping && position < bytes.count && column == indent
    result.after = takeComments(from: isBeneathKey ? indent + 1 : indent)
    return SyntaxNode(content: .collection(result), range: start..<end)
  }

  /// Reads the key that begins here, up to its colon.
  private mutating func key() throws(Problem) -> SyntaxNode {
    let start = position
    guard try isImplicitKey() else {
      throw problem(isIndicator("?") ? "cannot format a key with '?'" : "expected a key and a colon")
    }
    var node = SyntaxNode(properties: properties(), content: .empty, range: start..<start)
    skipSpaces()
    switch byte {
    case UInt8(ascii: "*"): node.content = .alias(alias())
    case UInt8(ascii: "\""), UInt8(ascii: "'"): node.content = .scalar(try quotedScalar())
    case UInt8(ascii: ":") where !isPlainByte(after: position): break
    default: node.content = .scalar(ScalarSyntax(style: .plain, lines: [plainLine(isFlow: false)]))
    }
    node.range = start..<position
    skipSpaces()
    return node
  }

  /// Returns whether a key begins here: whether a colon that ends one is on this line.
  private mutating func isImplicitKey() throws(Problem) -> Bool {
    let start = position
    let hadAnchors = hasAnchors
    defer {
      position = start
      hasAnchors = hadAnchors
    }
    _ = properties()
    skipSpaces()
    switch byte {
    case UInt8(ascii: "*"): _ = alias()
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      guard let scalar = try? quotedScalar(), scalar.lines.count == 1 else { return false }
    case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: ">"), UInt8(ascii: "#"): return false
    case UInt8(ascii: ":") where !isPlainByte(after: position): return true
    default:
      if isIndicator("-") || isIndicator("?") { return false }
      _ = plainLine(isFlow: false)
    }
    skipSpaces()
    return byte == UInt8(ascii: ":") && !isPlainByte(after: position)
  }

  var tooDeep: Problem {
    Problem(
      message: "nested deeper than \(Self.maximumDepth) levels: such a file cannot be formatted", offset: position,
      isDepth: true)
  }
}
