import EncircleText

/// Scans YAML line by line from the beginning up to a place. Unfinished text is accepted: an open bracket or quote ends before
/// the first line that is indented no deeper than its key.
struct YAMLScanner {
  private typealias Step = YAMLPlace.Step

  /// The part of a mapping that precedes a key.
  private struct Mapping {
    var keys: [String] = []
    /// The value of the key `style`.
    var style: String?
  }

  /// A key or a dash that may contain the place.
  private struct Block {
    let indent: Int
    let step: Step
    /// The part of the key's mapping before it.
    var before = Mapping()
  }

  /// A bracket that is open.
  private struct Flow {
    let isMapping: Bool
    var key: String?
    var isBehindColon = false
    /// This is true behind a text in quotes and behind a collection, where only a comma, a colon or a bracket can follow.
    var isComplete = false
    var before = Mapping()
  }

  private struct Token {
    let range: Range<Int>
    let quote: UInt8?
  }

  /// The deepest nesting of brackets in which the scanner finds places.
  static let maximumDepth = 1_000

  private let bytes: [UInt8]
  private let cursor: Int
  private var i = 0
  private var lineEnd = 0
  private var blocks: [Block] = []
  private var flow: [Flow] = []
  // The indentation of the key or dash before a text in block style.
  private var blockTextIndent: Int?
  // The quote of a text that continues in the next line.
  private var openQuote: UInt8?
  private var found: YAMLPlace?
  private var isDone = false

  init(_ bytes: [UInt8], cursor: Int) {
    self.bytes = bytes
    self.cursor = min(max(0, cursor), bytes.count)
  }

  /// Returns the place of the cursor.
  mutating func scan() -> YAMLPlace? {
    var lineStart = 0
    while !isDone {
      lineEnd = lineStart
      while lineEnd < bytes.count, bytes[lineEnd] != 0x0A, bytes[lineEnd] != 0x0D { lineEnd += 1 }
      i = lineStart
      scanLine(from: lineStart)
      if cursor <= lineEnd || lineEnd == bytes.count { break }
      lineStart = lineEnd + 1
      if bytes[lineEnd] == 0x0D, lineStart < bytes.count, bytes[lineStart] == 0x0A { lineStart += 1 }
    }
    return found
  }

  // MARK: - Lines

  private mutating func scanLine(from start: Int) {
    skipSpaces()
    let indent = i - start
    let isBlank = i == lineEnd
    if let text = blockTextIndent {
      let isInside = isBlank ? cursor - start > text || cursor > lineEnd : indent > text
      if isInside { return }
      if !isBlank { blockTextIndent = nil }
    }
    if !isBlank, !flow.isEmpty || openQuote != nil, indent <= blocks.last?.indent ?? -1 {
      flow.removeAll()
      openQuote = nil
    }
    if let quote = openQuote {
      guard let end = endOfQuote(quote) else { return }
      if cursor <= end { return finish(nil) }
      i = end
      openQuote = nil
    }
    if !flow.isEmpty { return scanFlow() }
    if cursor <= lineEnd, isBlank || cursor < i {
      // The column of the cursor determines which mapping the next key would belong to.
      let siblings = pop(atLeast: cursor - start).keys
      return finish(YAMLPlace(path, key: true, value: true, cursor..<cursor, siblings: siblings))
    }
    if isBlank || bytes[i] == UInt8(ascii: "#") { return }
    if indent == 0, startsDocument() {
      blocks.removeAll()
      return
    }
    scanBlock(indent)
  }

  private func startsDocument() -> Bool {
    let rest = bytes[i..<lineEnd]
    return rest.first == UInt8(ascii: "%") || rest.elementsEqual("---".utf8) || rest.elementsEqual("...".utf8)
  }

  private mutating func scanBlock(_ indent: Int) {
    var column = indent
    var isItem = false
    while i < lineEnd, bytes[i] == UInt8(ascii: "-"), i + 1 == lineEnd || bytes[i + 1] == UInt8(ascii: " ") {
      while let last = blocks.last, last.indent > column || last.indent == column && last.step == .item {
        blocks.removeLast()
      }
      blocks.append(Block(indent: column, step: .item))
      isItem = true
      let dash = i
      i += 1
      skipSpaces()
      column += i - dash
      if cursor > dash, cursor < i || i == lineEnd && cursor <= lineEnd {
        return finish(YAMLPlace(path, key: true, value: true, cursor..<cursor))
      }
    }
    guard i < lineEnd else { return }
    if startsValue(bytes[i]) { return scanValue() }
    let token = readToken(inFlow: false)
    if isColon(at: i, behind: token.quote) {
      scanKey(token, column)
    } else if isAtCursor(token) {
      let siblings = isItem ? [] : pop(atLeast: column).keys
      finish(YAMLPlace(path, key: true, value: true, token.range, quote: token.quote, siblings: siblings))
    }
  }

  /// Returns whether a byte begins a value that cannot be a key in block style.
  private func startsValue(_ byte: UInt8) -> Bool {
    [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "|"), UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "!")]
      .contains(byte)
  }

  private mutating func scanKey(_ token: Token, _ column: Int) {
    let before = pop(atLeast: column)
    if isAtCursor(token) {
      return finish(
        YAMLPlace(
          path, key: true, value: false, token.range, quote: token.quote, hasColon: true, siblings: before.keys))
    }
    blocks.append(Block(indent: column, step: .key(text(of: token)), before: before))
    i += 1
    let behindColon = i
    skipSpaces()
    if cursor >= behindColon, cursor < i || i == lineEnd && cursor <= lineEnd {
      return finish(YAMLPlace(path, key: false, value: true, cursor..<cursor))
    }
    scanValue()
  }

  private mutating func scanValue() {
    while i < lineEnd, bytes[i] == UInt8(ascii: "&") || bytes[i] == UInt8(ascii: "!") {
      while i < lineEnd, bytes[i] != UInt8(ascii: " ") { i += 1 }
      skipSpaces()
    }
    guard i < lineEnd, bytes[i] != UInt8(ascii: "#") else { return }
    switch bytes[i] {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if cursor <= i { return finish(YAMLPlace(path, key: false, value: true, cursor..<cursor)) }
      scanFlow()
    case UInt8(ascii: "|"), UInt8(ascii: ">"): blockTextIndent = blocks.last?.indent ?? -1
    default:
      let token = readToken(inFlow: false, isValue: true)
      if blocks.last?.step == .key("style") { blocks[blocks.count - 1].before.style = text(of: token) }
      if isAtCursor(token) {
        finish(YAMLPlace(path, key: false, value: true, token.range, quote: token.quote))
      } else if token.quote == nil, token.range.lowerBound <= cursor, cursor <= lineEnd, i >= lineEnd {
        // The cursor follows spaces at the end of a line, where the text may continue.
        finish(YAMLPlace(path, key: false, value: true, token.range.lowerBound..<cursor))
      }
    }
  }

  // MARK: - Brackets

  private mutating func scanFlow() {
    while !isDone {
      let gap = i
      while i < lineEnd, bytes[i] == UInt8(ascii: " ") || bytes[i] == UInt8(ascii: "\t") { i += 1 }
      let isAtEnd = i == lineEnd || [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(bytes[i])
      if !flow.isEmpty, cursor >= gap, cursor < i || cursor == i && isAtEnd {
        return finish(flow[flow.count - 1].isComplete ? nil : emptyFlowPlace())
      }
      guard i < lineEnd else { return }
      switch bytes[i] {
      case UInt8(ascii: "#") where i == 0 || bytes[i - 1] == UInt8(ascii: " "): return
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        flow.append(Flow(isMapping: bytes[i] == UInt8(ascii: "{")))
        i += 1
        if flow.count > Self.maximumDepth { return finish(nil) }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        flow.removeLast()
        i += 1
        if flow.isEmpty { return }
        flow[flow.count - 1].isComplete = true
      case UInt8(ascii: ","):
        flow[flow.count - 1].key = nil
        flow[flow.count - 1].isBehindColon = false
        flow[flow.count - 1].isComplete = false
        i += 1
      case UInt8(ascii: ":"):
        flow[flow.count - 1].isBehindColon = true
        flow[flow.count - 1].isComplete = false
        i += 1
      default: scanFlowToken()
      }
    }
  }

  private mutating func scanFlowToken() {
    let top = flow.count - 1
    let isKey = flow[top].isMapping && !flow[top].isBehindColon
    let token = readToken(inFlow: true, isValue: !isKey)
    var next = i
    while next < lineEnd, bytes[next] == UInt8(ascii: " ") { next += 1 }
    let hasColon = isColon(at: next, behind: token.quote)
    if isAtCursor(token) {
      return finish(
        YAMLPlace(
          path, key: isKey, value: !isKey, token.range, quote: token.quote, hasColon: hasColon,
          siblings: isKey ? flow[top].before.keys : []))
    }
    if !isKey, token.quote == nil, token.range.upperBound < cursor, cursor <= i {
      // The cursor follows spaces behind a text, which may continue.
      return finish(YAMLPlace(path, key: false, value: true, token.range.lowerBound..<cursor, hasColon: hasColon))
    }
    flow[top].isComplete = token.quote != nil
    if isKey {
      flow[top].key = text(of: token)
      flow[top].before.keys.append(text(of: token))
    } else if flow[top].key == "style" {
      flow[top].before.style = text(of: token)
    }
    // A colon inside a token is part of it, as in `a:b`.
    if i == token.range.lowerBound { i += 1 }
  }

  private func emptyFlowPlace() -> YAMLPlace {
    let top = flow[flow.count - 1]
    let isKey = top.isMapping && !top.isBehindColon
    return YAMLPlace(path, key: isKey, value: !isKey, cursor..<cursor, siblings: isKey ? top.before.keys : [])
  }

  // MARK: - Tokens

  /// Reads the part of a scalar that is in this line, and moves past it.
  private mutating func readToken(inFlow: Bool, isValue: Bool = false) -> Token {
    let start = i
    if bytes[i] == UInt8(ascii: "\"") || bytes[i] == UInt8(ascii: "'") {
      let quote = bytes[i]
      i += 1
      if let end = endOfQuote(quote) {
        i = end
      } else {
        openQuote = quote
        i = lineEnd
      }
      return Token(range: start..<i, quote: quote)
    }
    var end = start
    while i < lineEnd {
      let byte = bytes[i]
      if byte == UInt8(ascii: "#"), i > start, bytes[i - 1] == UInt8(ascii: " ") { break }
      if byte == UInt8(ascii: ":"), endsKey(at: i, inFlow: inFlow, isValue: isValue) { break }
      if inFlow,
        [UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}")]
          .contains(byte)
      {
        break
      }
      i += 1
      if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") { end = i }
    }
    return Token(range: start..<end, quote: nil)
  }

  /// Returns the offset after the closing quote in this line.
  private func endOfQuote(_ quote: UInt8) -> Int? {
    var j = i
    while j < lineEnd {
      if bytes[j] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        j += 1
      } else if bytes[j] == quote {
        if quote == UInt8(ascii: "'"), j + 1 < lineEnd, bytes[j + 1] == quote {
          j += 1
        } else {
          return j + 1
        }
      }
      j += 1
    }
    return nil
  }

  /// Returns whether a colon ends a key. In a value, it belongs to the text unless another value follows it: the text of
  /// `{ a: b(c: }` is unfinished.
  private func endsKey(at colon: Int, inFlow: Bool, isValue: Bool) -> Bool {
    guard isColon(at: colon, behind: nil) else { return false }
    guard isValue else { return true }
    guard inFlow, let next = bytes[(colon + 1)..<lineEnd].first(where: { !isWhiteSpace($0) }) else { return false }
    return ![UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(next)
  }

  /// Returns whether a colon that ends a key is at an offset.
  private func isColon(at offset: Int, behind quote: UInt8?) -> Bool {
    guard offset < lineEnd, bytes[offset] == UInt8(ascii: ":") else { return false }
    guard quote == nil, offset + 1 < lineEnd else { return true }
    let next = bytes[offset + 1]
    return next == UInt8(ascii: " ") || next == UInt8(ascii: "\t")
      || !flow.isEmpty && [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(next)
  }

  private func isAtCursor(_ token: Token) -> Bool {
    token.range.lowerBound <= cursor && cursor <= token.range.upperBound
  }

  private func text(of token: Token) -> String {
    YAMLPlace([], key: true, value: false, token.range, quote: token.quote).text(in: bytes)
  }

  // MARK: - Position

  private var path: [Step] {
    var path = blocks.map(\.step)
    for open in flow {
      if !open.isMapping {
        path.append(.item)
      } else if open.isBehindColon {
        path.append(.key(open.key ?? ""))
      }
    }
    return path
  }

  /// Removes the keys and dashes that do not contain a key in a column; returns the part of its mapping before it.
  private mutating func pop(atLeast column: Int) -> Mapping {
    var before = Mapping()
    while let indent = blocks.last?.indent, indent >= column {
      // The block is removed from the array, so that adding a key does not copy its keys.
      var last = blocks.removeLast()
      guard indent == column, case .key(let key) = last.step else { continue }
      last.before.keys.append(key)
      before = last.before
    }
    return before
  }

  private mutating func skipSpaces() {
    while i < lineEnd, bytes[i] == UInt8(ascii: " ") { i += 1 }
  }

  private mutating func finish(_ place: YAMLPlace?) {
    found = place
    found?.styles = blocks.compactMap(\.before.style) + flow.compactMap(\.before.style)
    isDone = true
  }
}
