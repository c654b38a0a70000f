/// Scalars, aliases, anchors and tags.
extension SyntaxParser {
  /// Reads an anchor and a tag, if they are here.
  mutating func properties() -> String {
    var parts: [String] = []
    while byte == UInt8(ascii: "&") || byte == UInt8(ascii: "!") {
      let start = position
      if byte == UInt8(ascii: "&") { hasAnchors = true }
      while position < bytes.count, !Self.isBlank(byte), !isFlowEnd(byte) { position += 1 }
      parts.append(text(start..<position))
      let end = position
      skipSpaces()
      if byte != UInt8(ascii: "&"), byte != UInt8(ascii: "!") { position = end }
    }
    return parts.joined(separator: " ")
  }

  mutating func alias() -> String {
    hasAnchors = true
    let start = position
    while position < bytes.count, !Self.isBlank(byte), !isFlowEnd(byte) { position += 1 }
    return text(start..<position)
  }

  private func isFlowEnd(_ byte: UInt8) -> Bool { ",[]{}".utf8.contains(byte) }

  /// Reads the part of a plain scalar on this line, without the white space behind it.
  mutating func plainLine(isFlow: Bool) -> String {
    let start = position
    var end = position
    while !isAtLineEnd {
      let byte = byte
      if isFlow, isFlowEnd(byte) { break }
      if byte == UInt8(ascii: "#"), position > start, Self.isBlank(bytes[position - 1]) { break }
      if byte == UInt8(ascii: ":") {
        if !isPlainByte(after: position) || (isFlow && isFlowEnd(bytes[position + 1])) { break }
      }
      position += 1
      if !Self.isBlank(byte) { end = position }
    }
    position = end
    return text(start..<end)
  }

  /// Skips the end of a line, the empty lines after it and the indentation of the next line.
  ///
  /// - Returns: The end of the line's content and the number of empty lines; nil, without moving, if there is more on the line.
  mutating func passLineEnds() -> (end: Int, blanks: Int)? {
    let end = position
    skipSpaces()
    guard isAtLineEnd else {
      position = end
      return nil
    }
    var blanks = 0
    while position < bytes.count, isAtLineEnd {
      position += 1
      skipSpaces()
      if isAtLineEnd { blanks += 1 }
    }
    return (end, blanks)
  }

  /// Reads a plain scalar in block style, with the lines beneath that belong to it.
  mutating func plainScalar(parentIndent: Int) -> ScalarSyntax {
    var lines = [plainLine(isFlow: false)]
    while true {
      guard let (end, blanks) = passLineEnds() else { break }
      let isContinued =
        position < bytes.count && column > parentIndent && byte != UInt8(ascii: "#") && !isMarker("---")
        && !isMarker("...")
      guard isContinued else {
        position = end
        break
      }
      lines += Array(repeating: "", count: blanks)
      lines.append(plainLine(isFlow: false))
      // The text has reached a colon that would end a key; libyaml reports the problem.
      if lines[lines.count - 1].isEmpty { break }
    }
    return ScalarSyntax(style: .plain, lines: lines)
  }

  mutating func quotedScalar() throws(Problem) -> ScalarSyntax {
    let start = position
    let quote = byte
    position += 1
    while true {
      guard position < bytes.count else {
        position = start
        throw problem("the quote is never closed")
      }
      let byte = byte
      position += 1
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        position = min(position + 1, bytes.count)
      } else if byte == quote {
        // A doubled single quote stands for one quote in the text.
        guard quote == UInt8(ascii: "'"), self.byte == quote else { break }
        position += 1
      }
    }
    var lines = text(start..<position).utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
    for i in lines.indices {
      if i > 0 { lines[i].removeFirst(lines[i].prefix { Self.isBlank($0) }.count) }
      if i < lines.count - 1 { while let last = lines[i].last, Self.isBlank(last) { lines[i].removeLast() } }
    }
    return ScalarSyntax(
      style: quote == UInt8(ascii: "'") ? .singleQuoted : .doubleQuoted,
      lines: lines.map { String(decoding: $0, as: UTF8.self) })
  }

  /// Reads a scalar with `|` or `>` and the lines beneath that are its text.
  mutating func blockScalar(parentIndent: Int) throws(Problem) -> BlockScalarSyntax {
    var header = text(position..<position + 1)
    position += 1
    var given: Int?
    while !isAtLineEnd, !Self.isBlank(byte) {
      switch byte {
      case UInt8(ascii: "+"), UInt8(ascii: "-"): header += text(position..<position + 1)
      case UInt8(ascii: "1")...UInt8(ascii: "9") where given == nil: given = Int(byte - UInt8(ascii: "0"))
      default: throw problem("cannot format this header of a block scalar")
      }
      position += 1
    }
    guard finishLine() else { throw problem("cannot format text after the header of a block scalar") }
    var indent = given.map { max(parentIndent, 0) + $0 }
    var lines: [String] = []
    while position < bytes.count {
      let start = position
      while byte == UInt8(ascii: " "), position - start < indent ?? .max { position += 1 }
      if !isAtLineEnd {
        if indent == nil {
          guard position - start > parentIndent else {
            position = start
            break
          }
          indent = position - start
        }
        guard position - start == indent, !(start == position && (isMarker("---") || isMarker("..."))) else {
          position = start
          break
        }
      }
      let content = position
      while !isAtLineEnd { position += 1 }
      lines.append(text(content..<position))
      if position < bytes.count { position += 1 }
    }
    // If a file ends without a line end, its last text has none, either. The formatted file ends with a line end, so the header
    // needs a `-`.
    if position == bytes.count, bytes.last != 0x0A, lines.last?.isEmpty == false { header = header.prefix(1) + "-" }
    let result = BlockScalarSyntax(
      header: header, lines: lines, needsIndentation: lines.first { !$0.isEmpty }?.utf8.first == UInt8(ascii: " "))
    guard !result.keepsBlankLines, !lines.isEmpty else { return result }
    // Other blank lines at the end are not part of the text. They are read again as blank lines.
    var kept = lines
    while kept.last?.isEmpty == true { kept.removeLast() }
    for _ in kept.count..<lines.count {
      position -= position == bytes.count && bytes[position - 1] != 0x0A ? 0 : 1
      while position > 0, bytes[position - 1] != 0x0A { position -= 1 }
    }
    return BlockScalarSyntax(header: header, lines: kept, needsIndentation: result.needsIndentation)
  }
}
