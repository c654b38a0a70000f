import EncircleText

/// A YAML or JSON document with the places of its nodes.
///
/// Nodes made from values have places but no text; their document has no text, either.
struct YAMLText {
  /// The text and its lines, which end with LF, CR LF or CR, as in YAML 1.2: YAML 1.1 takes U+0085, U+2028 and U+2029 for line
  /// breaks, too, which editors do not show as such.
  let lines: SourceLines
  let name: String
  /// This is true if the nodes are written in the text.
  private let hasText: Bool
  // This is true for JSON and for a text that begins with a brace like JSON. It is stored because every place repeats it.
  private let isJSON: Bool

  /// Creates the document of nodes that are made of values.
  init(ofValues name: String) {
    lines = SourceLines("")
    self.name = name
    hasText = false
    isJSON = Self.isJSONFile(name)
  }

  /// Creates the document of a text. A byte order mark in front is not part of it.
  init(_ text: String, name: String) {
    self.init(
      unmarked: text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text, name: name)
  }

  /// Creates a text whose leading byte order mark has been removed.
  init(unmarked text: String, name: String) {
    lines = SourceLines(text)
    self.name = name
    hasText = true
    isJSON = Self.isJSONFile(name) || text.utf8.first { !isWhiteSpace($0) } == UInt8(ascii: "{")
  }

  private static func isJSONFile(_ name: String) -> Bool { name.endsWithBytes(of: ".json") }

  // MARK: - Documents

  /// Parses the document; returns nil if it is empty.
  ///
  /// A file whose name ends in `.json` is read as JSON, and so is a text that begins with `{` and is JSON as a whole. This does
  /// not determine the types of scalars; see ``ScalarTag``.
  func parse() throws(Diagnostic.Failure) -> Node? {
    do throws(JSONDocument.Problem) {
      if let root = try JSONDocument.root(of: lines, isNamed: Self.isJSONFile(name)) { return root }
    } catch {
      var diagnostic = diagnostic(error.message, at: error.location)
      if let first = error.first {
        diagnostic.notes = [Diagnostic.Note(message: "the first one", file: name, location: first)]
      }
      throw Diagnostic.Failure(diagnostic)
    }
    if let first = lines.text.utf8.firstIndex(where: { !isWhiteSpace($0) }),
      lines.text.utf8[first] == UInt8(ascii: "<"),
      lines.text.utf8[first...].contains(UInt8(ascii: ">"))
    {
      let isDescription = lines.text.utf8[first...].prefix(200).contains(UInt8(ascii: ";"))
      throw Diagnostic.Failure(
        diagnostic(
          isDescription
            ? "this is the description of a view, such as a capture has: captures are named apart from rules, by --captures"
            : JSONDocument.captureInstead,
          at: lines.location(of: lines.text.utf8.distance(from: lines.text.utf8.startIndex, to: first))))
    }
    if let (problem, offset) = YAMLCharacters.problem(in: lines.text) {
      throw Diagnostic.Failure(diagnostic(problem, at: lines.location(of: offset)))
    }
    do throws(YAMLDocument.Problem) {
      return try YAMLDocument.read(lines)
    } catch {
      throw Diagnostic.Failure(
        error.location.map { diagnostic(error.message, at: $0) } ?? Diagnostic(error.message, file: name))
    }
  }

  // MARK: - Places

  /// Returns the place of a node.
  func location(of node: Node) -> SourceLocation { node.location }

  /// Returns a value with the place of the node that it was read from.
  func placed<Value>(_ value: Value, at node: Node) -> RuleFile.Placed<Value> {
    RuleFile.Placed(value, at: location(of: node), in: self)
  }

  /// Returns the place of a node and its text as written.
  func place(of node: Node) -> RuleSource.Place {
    let location = location(of: node)
    let (line, column) = lines.excerpt(at: location)
    var place = RuleSource.Place(
      location: location, sourceLine: line, sourceColumn: column, written: nil, isJSON: isJSON)
    if let written = node.scalar?.written, lines.has(written, at: lines.offset(of: location)) {
      place.written = written
    }
    return place
  }

  /// Returns the problem of a value whose first character has a special meaning in YAML: `#1` is read as a comment, `&a` as an anchor
  /// and `!=1` as a tag. Returns nil for other nodes.
  func mistakenValue(_ node: Node) -> String? {
    guard hasText, let scalar = node.scalar, scalar.style == .plain else { return nil }
    let (line, column) = lines.excerpt(at: node.location)
    let rest = line.unicodeScalars.dropFirst(max(0, node.location.column - column)).drop { $0 == ":" || $0 == " " }
    guard let first = rest.first, let next = rest.dropFirst().first, !next.properties.isWhitespace else { return nil }
    switch first {
    case "#" where scalar.string.isEmpty:
      return YAMLProblem.beginsComment(next)
    case "&" where scalar.string.isEmpty:
      return "'&' begins an anchor in YAML: quote a text that begins with it, as in '&\(next)…'"
    case "!" where !node.tag.isEmpty && !node.tag.beginsWithBytes(of: "tag:yaml.org,2002:"):
      return "'!' begins a tag in YAML: quote a text that begins with it, as in '!\(next)…'"
    default: return nil
    }
  }

  /// Returns the problem of a key in braces that no colon follows, as `b` in `{ a: text, b }`; nil for other keys. YAML gives such a
  /// key an empty value.
  ///
  /// - Parameter allowed: The keys that the mapping may have; nil if it may have any.
  func keyWithoutColon(_ key: Node, _ value: Node, among allowed: [String]? = nil) -> String? {
    guard hasText, let name = key.scalar, let written = name.written, let text = value.scalar, text.style == .plain,
      text.string.isEmpty
    else { return nil }
    if name.style == .plain, name.string.unicodeScalars.contains("：") { return YAMLProblem.fullWidthColon }
    var end = lines.offset(of: key.location)
    guard lines.has(written, at: end) else { return nil }
    end += written.utf8.count
    while lines.has(" ", at: end) || lines.has("\t", at: end) { end += 1 }
    guard [",", "}", "\n", "\r"].contains(where: { lines.has($0, at: end) }) else { return nil }
    let word = name.string.splitBytes(at: ":").first ?? ""
    if name.style == .plain, allowed?.contains(String(word)) ?? true,
      let cause = YAMLProblem.inPlaceOfMapping(name.string)
    {
      return cause
    }
    return "'\(name.string)' has no value: quote a text that contains a comma, and write several values in brackets"
  }

  /// Returns a problem of a node or, if `offset` is given, of the place that many bytes after the beginning of a scalar's text.
  func diagnostic(_ message: String, at node: Node, offset: Int = 0, suggestion: String? = nil) -> Diagnostic {
    var location = location(of: node)
    if !hasText, let text = node.scalar?.string {
      location.column += text.utf8.prefix(offset).count { $0 & 0xC0 != 0x80 }
      return diagnostic(message, at: location, suggestion: suggestion)
    }
    // If the scalar is written without escapes or line breaks, the place within it is known.
    if offset > 0, let scalar = node.scalar, scalar.style != .literal, scalar.style != .folded {
      let isQuoted = scalar.style == .singleQuoted || scalar.style == .doubleQuoted
      let start = lines.offset(of: location) + (isQuoted ? 1 : 0)
      if lines.has(scalar.string, at: start) { location = lines.location(of: start + offset) }
    }
    return diagnostic(message, at: location, suggestion: suggestion)
  }

  private func diagnostic(_ message: String, at location: SourceLocation, suggestion: String? = nil) -> Diagnostic {
    Diagnostic(message, file: name, at: location, in: lines, suggestion: suggestion)
  }
}

extension YAMLText {
  /// Returns the place of a key and its value, up to the end of the value; nil if they span lines.
  func place(from key: SourceLocation, through value: Node) -> RuleSource.Place? {
    guard let end = endOffset(of: value), key.line == value.location.line else { return nil }
    return place(from: key, to: end)
  }

  /// Returns the place of a mapping in braces; nil if it spans lines, or does not end with a scalar.
  func placeOfBraces(_ node: Node) -> RuleSource.Place? {
    guard let mapping = node.mapping else { return nil }
    var last: SourceLocation?
    var end = 0
    for (_, value) in mapping {
      last = value.location
      end = endOffset(of: value) ?? 0
    }
    guard let last, end > 0, last.line == node.location.line else { return nil }
    while lines.has(" ", at: end) || lines.has(",", at: end) { end += 1 }
    guard lines.has("{", at: lines.offset(of: node.location)), lines.has("}", at: end) else { return nil }
    return place(from: node.location, to: end + 1)
  }

  /// Returns the offset behind a scalar that is written in one line.
  private func endOffset(of node: Node) -> Int? {
    let place = place(of: node)
    return place.written.map { lines.offset(of: place.location) + $0.utf8.count }
  }

  private func place(from location: SourceLocation, to end: Int) -> RuleSource.Place? {
    let start = lines.offset(of: location)
    guard start < end else { return nil }
    let (line, column) = lines.excerpt(at: location)
    let written = withContiguousBytes(lines.text.utf8) { String(decoding: $0.part(start..<end), as: UTF8.self) }
    return RuleSource.Place(
      location: location, sourceLine: line, sourceColumn: column, written: written, isJSON: isJSON)
  }
}

extension Diagnostic {
  /// A diagnostic as an error.
  struct Failure: Error {
    let diagnostic: Diagnostic
    init(_ diagnostic: Diagnostic) { self.diagnostic = diagnostic }
  }
}
