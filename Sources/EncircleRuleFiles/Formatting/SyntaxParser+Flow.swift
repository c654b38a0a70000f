/// Collections in brackets.
extension SyntaxParser {
  /// A comment in brackets, and whether it is on the same line as the text before it.
  private typealias FlowComment = (text: String, isSameLine: Bool)

  /// Reads the collection whose bracket stands here.
  mutating func flowCollection() throws(Problem) -> CollectionSyntax {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw tooDeep }
    let start = position
    let isMapping = byte == UInt8(ascii: "{")
    let close = isMapping ? UInt8(ascii: "}") : UInt8(ascii: "]")
    var result = CollectionSyntax(isMapping: isMapping, isFlow: true, isOneLine: true)
    position += 1
    var comments = skipFlowSpace()
    while byte != close {
      guard position < bytes.count else {
        position = start
        throw problem("the bracket is never closed")
      }
      if isIndicator("?") { throw problem("cannot format a key with '?'") }
      var entry = SyntaxEntry(
        before: comments.map { .comment($0.text) }, value: SyntaxNode(content: .empty, range: position..<position))
      let node = try flowNode()
      comments = skipFlowSpace()
      if byte == UInt8(ascii: ":") {
        guard comments.isEmpty else { throw problem("cannot format a comment before a colon") }
        guard isMapping else { throw problem("cannot format a pair in a list without braces") }
        position += 1
        entry.key = node
        comments = skipFlowSpace()
        if let first = comments.first, first.isSameLine {
          entry.keyComment = first.text
          comments.removeFirst()
        }
        entry.between = comments.map { .comment($0.text) }
        entry.value = try flowNode()
        comments = skipFlowSpace()
      } else if isMapping {
        entry.key = node
        entry.value.range = position..<position
      } else {
        entry.value = node
      }
      if byte == UInt8(ascii: ",") {
        position += 1
        comments += skipFlowSpace()
      } else if byte != close {
        throw problem("expected a comma or the closing bracket")
      }
      if let first = comments.first, first.isSameLine {
        entry.comment = first.text
        comments.removeFirst()
      }
      entry.takeCommentsOfEmptyValue()
      result.entries.append(entry)
    }
    position += 1
    result.after = comments.map { .comment($0.text) }
    result.isOneLine = !bytes[start..<position].contains(0x0A)
    return result
  }

  private mutating func flowNode() throws(Problem) -> SyntaxNode {
    let start = position
    var node = SyntaxNode(properties: properties(), content: .empty, range: start..<position)
    if !node.properties.isEmpty, !skipFlowSpace().isEmpty {
      throw problem("cannot format a comment after an anchor or a tag")
    }
    switch byte {
    case UInt8(ascii: "["), UInt8(ascii: "{"): node.content = .collection(try flowCollection())
    case UInt8(ascii: "*"): node.content = .alias(alias())
    case UInt8(ascii: "\""), UInt8(ascii: "'"): node.content = .scalar(try quotedScalar())
    case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): return node
    case UInt8(ascii: ":") where !isPlainByte(after: position): return node
    default:
      node.content = .scalar(flowPlainScalar())
      guard position > start else { throw problem("cannot format this") }
    }
    node.range = start..<position
    return node
  }

  private mutating func flowPlainScalar() -> ScalarSyntax {
    var lines = [plainLine(isFlow: true)]
    while true {
      guard let (end, blanks) = passLineEnds() else { break }
      let next = byte == UInt8(ascii: "#") ? "" : plainLine(isFlow: true)
      guard !next.isEmpty else {
        position = end
        break
      }
      lines += Array(repeating: "", count: blanks) + [next]
    }
    return ScalarSyntax(style: .plain, lines: lines)
  }

  private mutating func skipFlowSpace() -> [FlowComment] {
    var comments: [FlowComment] = []
    var isSameLine = true
    while position < bytes.count {
      if Self.isBlank(byte) {
        if byte == 0x0A { isSameLine = false }
        position += 1
      } else if byte == UInt8(ascii: "#") {
        comments.append((comment(), isSameLine))
      } else {
        break
      }
    }
    return comments
  }
}
