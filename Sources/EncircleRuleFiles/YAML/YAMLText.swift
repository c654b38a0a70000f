import EncircleEvents
import EncircleText
import Yams

/// A YAML or JSON document with the places of its nodes.
struct YAMLText {
  let text: String
  let name: String
  // Byte offsets of the lines.
  private let lines: [Int]
  // The offset of a byte order mark with which a line begins, as where files were joined. libyaml passes it over and counts
  // it as a column, so that the line would be indented by what nobody sees.
  private let byteOrderMark: Int?

  // Aliases can stand for more than a machine can hold; rules need few.
  private static let mostAliases = 16

  /// A byte order mark in front is no part of the document.
  init(_ text: String, name: String) {
    self.init(
      unmarked: text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text, name: name)
  }

  /// A text from whose front a byte order mark has been removed.
  init(unmarked text: String, name: String) {
    let text = Self.joiningSurrogates(text)
    self.text = text
    self.name = name
    var lines = [0]
    var mark: Int?
    var bytes = text
    bytes.withUTF8 { bytes in
      func isMark(_ i: Int) -> Bool {
        i + 3 <= bytes.count && bytes[i] == 0xEF && bytes[i + 1] == 0xBB && bytes[i + 2] == 0xBF
      }
      if isMark(0) { mark = 0 }
      for i in bytes.indices where bytes[i] == 0x0A || bytes[i] == 0x0D {
        if bytes[i] == 0x0A { lines.append(i + 1) }
        if mark == nil, isMark(i + 1) { mark = i + 1 }
      }
    }
    byteOrderMark = mark
    self.lines = lines
  }

  /// The text with JSON's escapes of characters beyond U+FFFF, which are two, as YAML writes them: `\U0001F44D`.
  ///
  /// Only a text that is JSON is changed; elsewhere a backslash may mean itself.
  private static func joiningSurrogates(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.first(where: { !isWhiteSpace($0) }) == UInt8(ascii: "{"), bytes.contains(UInt8(ascii: "\\")),
      (try? EventValue(json: bytes)) != nil
    else { return text }
    // The code unit of the escape \uXXXX there.
    func unit(_ i: Int) -> UInt32? {
      guard i + 6 <= bytes.count, bytes[i] == UInt8(ascii: "\\"), bytes[i + 1] == UInt8(ascii: "u") else { return nil }
      return UInt32(String(decoding: bytes[i + 2..<i + 6], as: UTF8.self), radix: 16)
    }
    var result: [UInt8] = []
    var i = 0
    while i < bytes.count {
      if let high = unit(i), (0xD800...0xDBFF).contains(high), let low = unit(i + 6), (0xDC00...0xDFFF).contains(low) {
        let digits = String(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00), radix: 16)
        result += Array(("\\U" + String(repeating: "0", count: 8 - digits.count) + digits).utf8)
        i += 12
        continue
      }
      // An escaped byte is copied with its backslash, as it may be one itself.
      let length = bytes[i] == UInt8(ascii: "\\") ? 2 : 1
      result += bytes[i..<min(i + length, bytes.count)]
      i += length
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The document; nil if it is empty.
  ///
  /// - Parameter resolvesTags: Whether nodes get the types that YAML gives them. Yams finds these with regular expressions, for
  ///   every key and value; rules need few of them: see ``ScalarTag``.
  func parse(resolvesTags: Bool = true) throws(Diagnostic.Failure) -> Node? {
    if Self.aliasCount(text) > Self.mostAliases {
      throw Diagnostic.Failure(Diagnostic("more than \(Self.mostAliases) YAML aliases", file: name))
    }
    if let offset = byteOrderMark {
      throw Diagnostic.Failure(
        Diagnostic(
          "a byte order mark (U+FEFF, which is not seen) within the file: remove it", file: name, offset: offset,
          in: text))
    }
    do {
      return try Yams.compose(yaml: text, resolvesTags ? .default : .basic)
    } catch let error as YamlError {
      throw Diagnostic.Failure(diagnostic(of: error))
    } catch {
      throw Diagnostic.Failure(Diagnostic("\(error)", file: name))
    }
  }

  /// The number of what look like aliases in documents that also have what looks like an anchor.
  private static func aliasCount(_ text: String) -> Int {
    var text = text
    return text.withUTF8 { bytes in
      guard bytes.contains(UInt8(ascii: "&")) else { return 0 }
      var anchors = 0
      var aliases = 0
      for i in 0..<max(0, bytes.count - 1)
      where (bytes[i] == UInt8(ascii: "&") || bytes[i] == UInt8(ascii: "*")) && isNameByte(bytes[i + 1]) {
        // In flow style nothing need stand between a key's `?` or `:` and an alias, and some line breaks are not ASCII.
        let previous = i == 0 ? UInt8(ascii: "\n") : bytes[i - 1]
        guard previous >= 0x80 || isWhiteSpace(previous) || "[{,:?".utf8.contains(previous) else { continue }
        if bytes[i] == UInt8(ascii: "&") { anchors += 1 } else { aliases += 1 }
      }
      return anchors == 0 ? 0 : aliases
    }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...:
      true
    default: false
    }
  }

  private func diagnostic(of error: YamlError) -> Diagnostic {
    switch error {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let message = (context.map { "\($0.text) " } ?? "") + problem
      return diagnostic("not valid YAML: \(message)", at: SourceLocation(line: mark.line, column: mark.column))
    case .reader(let problem, let offset?, _, _):
      // Yams counts characters.
      let index = text.index(text.startIndex, offsetBy: offset, limitedBy: text.endIndex) ?? text.endIndex
      let byte = text.utf8.distance(from: text.startIndex, to: index)
      return Diagnostic("not valid YAML: \(problem)", file: name, offset: byte, in: text)
    case .duplicatedKeysInMapping(let duplicates, let context):
      let names = duplicates.map { "'\($0)'" }.joined(separator: ", ")
      return diagnostic(
        "the key \(names) occurs twice in one mapping",
        at: SourceLocation(line: context.mark.line, column: context.mark.column))
    default: return Diagnostic("not valid YAML: \(error)", file: name)
    }
  }

  /// The place of a node.
  func location(of node: Node) -> SourceLocation {
    node.mark.map { SourceLocation(line: $0.line, column: $0.column) } ?? SourceLocation(line: 1, column: 1)
  }

  /// A value with the place of the node that it was read from.
  func placed<Value>(_ value: Value, at node: Node) -> RuleFile.Placed<Value> {
    RuleFile.Placed(value, at: location(of: node), in: self)
  }

  /// Where a node is written, and as what.
  func place(of node: Node) -> RuleSource.Place {
    let location = location(of: node)
    let line = line(location.line)
    var written: String?
    if let scalar = node.scalar {
      let rest = Substring(line).unicodeScalars.dropFirst(location.column - 1)
      let text: String? =
        switch scalar.style {
        case .plain, .any: scalar.string
        case .singleQuoted:
          "'" + scalar.string.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
        case .doubleQuoted: "\"" + scalar.string + "\""
        case .literal, .folded: nil
        }
      if let text, rest.starts(with: text.unicodeScalars) { written = text }
    }
    return RuleSource.Place(location: location, sourceLine: line, written: written)
  }

  /// A problem of a node, or within the text of a scalar, `offset` bytes from its beginning.
  func diagnostic(_ message: String, at node: Node, offset: Int = 0, suggestion: String? = nil) -> Diagnostic {
    var location = location(of: node)
    // Where a scalar is written as it reads, the place within it is known.
    if offset > 0, let scalar = node.scalar {
      let isQuoted = scalar.style == .singleQuoted || scalar.style == .doubleQuoted
      let isVerbatim = scalar.style == .plain || isQuoted
      let written = Substring(line(location.line)).unicodeScalars.dropFirst(location.column - 1 + (isQuoted ? 1 : 0))
      if isVerbatim, written.starts(with: scalar.string.unicodeScalars) {
        let before = String(decoding: Array(scalar.string.utf8.prefix(offset)), as: UTF8.self)
        location.column += before.unicodeScalars.count + (isQuoted ? 1 : 0)
      }
    }
    return diagnostic(message, at: location, suggestion: suggestion)
  }

  private func diagnostic(_ message: String, at location: SourceLocation, suggestion: String? = nil) -> Diagnostic {
    Diagnostic(message, file: name, at: location, sourceLine: line(location.line), suggestion: suggestion)
  }

  /// A line, without its end; empty if there is none with that number.
  func line(_ number: Int) -> String {
    guard number >= 1, number <= lines.count else { return "" }
    let start = lines[number - 1]
    let end = number < lines.count ? lines[number] - 1 : text.utf8.count
    let utf8 = text.utf8
    let from = utf8.index(utf8.startIndex, offsetBy: start)
    let to = utf8.index(from, offsetBy: max(0, end - start))
    var line = String(Substring(utf8[from..<to]))
    if line.utf8.last == 0x0D { line = String(line.unicodeScalars.dropLast()) }
    return line
  }
}

extension Diagnostic {
  /// A diagnostic as an error.
  struct Failure: Error {
    let diagnostic: Diagnostic
    init(_ diagnostic: Diagnostic) { self.diagnostic = diagnostic }
  }
}
