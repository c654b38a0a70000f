import EncircleText

/// Explains in plain words why a text is not YAML, and how to correct it.
///
/// libyaml only names the grammar rule that failed, and the place. Authors of rules make only a few kinds of mistakes, and the text at
/// that place shows which one it is: an unquoted text, indentation with a tab, or a full-width colon.
struct YAMLProblem {
  /// The problem in words.
  let message: String
  /// The place that the author must change, which may precede the place where the parser gave up.
  let location: SourceLocation

  // The part of a line that is examined, in bytes.
  private static let longestLine = 4_096
  private static let longestExample = 40

  /// Explains a problem.
  ///
  /// - Parameters:
  ///   - problem: The problem in libyaml's words.
  ///   - context: What libyaml was about to read, and where, if libyaml reports it.
  ///   - place: The place at which it gave up.
  /// - Complexity: O(1): only a few lines are examined, and at most the first 4,096 bytes of each.
  init(
    _ problem: String, context: (text: String, location: SourceLocation)?, at place: SourceLocation,
    in lines: SourceLines
  ) {
    let line = Line(place.line, lines)
    let explanation =
      Self.spaces(place, lines) ?? Self.dash(problem, place, lines) ?? Self.colon(place, lines) ?? Self.quoting(
        problem, context?.text, place, line)
      ?? Self.indentation(problem, place, line) ?? Self.comment(problem, context?.text, place, lines)
      ?? Self.unclosed(problem, context, place)
      ?? ("not valid YAML: " + (context.map { "\($0.text) " } ?? "") + problem, place)
    (message, location) = explanation
  }

  private typealias Explanation = (String, SourceLocation)

  /// A line of the text.
  private struct Line {
    let number: Int
    let scalars: [Unicode.Scalar]

    init(_ number: Int, _ lines: SourceLines) {
      self.number = number
      let start = lines.offset(of: SourceLocation(line: number, column: 1))
      let end = lines.offset(of: SourceLocation(line: number, column: YAMLProblem.longestLine))
      let bytes = lines.text.utf8
      let first = bytes.index(bytes.startIndex, offsetBy: min(start, bytes.count))
      let last = bytes.index(
        first, offsetBy: min(max(0, end - start), YAMLProblem.longestLine), limitedBy: bytes.endIndex)
      scalars = Array(lines.text.unicodeScalars[first..<(last ?? bytes.endIndex)])
    }

    /// This is true if nothing but white space stands in the line.
    var isBlank: Bool { scalars.allSatisfy { $0.properties.isWhitespace } }

    /// Returns the scalar at a column, which is counted from 1.
    subscript(column: Int) -> Unicode.Scalar? {
      scalars.indices.contains(column - 1) ? scalars[column - 1] : nil
    }

    /// Returns the place of a column.
    func location(_ column: Int) -> SourceLocation { SourceLocation(line: number, column: column) }

    /// Returns the text from a column to the end of the value that begins there.
    func value(from column: Int) -> String {
      var end = column - 1
      while end < scalars.count {
        let next = end + 1 < scalars.count ? scalars[end + 1] : " "
        if scalars[end] == ",", next == " " { break }
        if scalars[end] == " ", next == "#" { break }
        if scalars[end] == "]" || scalars[end] == "}",
          !scalars[(column - 1)..<end].contains(where: { $0 == "[" || $0 == "{" })
        {
          break
        }
        end += 1
      }
      while end > column, scalars[end - 1].properties.isWhitespace { end -= 1 }
      guard end >= column else { return "" }
      return String(String.UnicodeScalarView(scalars[(column - 1)..<end]))
    }

    /// Returns the unquoted text that ends before a column; nil if there is none.
    func value(upTo column: Int) -> String? {
      var start = column - 1
      while start > 0, !["{", "[", ","].contains(scalars[start - 1]) {
        if scalars[start - 1] == " ", start > 1, scalars[start - 2] == ":" { break }
        start -= 1
      }
      let text = scalars[start..<(column - 1)].drop { $0.properties.isWhitespace }
      guard let first = text.first, first != "'", first != "\"" else { return nil }
      return String(String.UnicodeScalarView(text))
    }
  }

  // MARK: - Colons

  static let fullWidthColon = "a full-width colon '：' does not separate a key from its value: write ': '"

  /// Finds a full-width colon, or a colon without a space after it, where YAML needs `: `. It may be on this line or on a line
  /// above, because the parser reads on until it finds a colon.
  private static func colon(_ place: SourceLocation, _ lines: SourceLines) -> Explanation? {
    var looked = 0
    // Only few blank lines are passed over.
    for number in (max(1, place.line - 16)...max(1, place.line)).reversed() where looked < 3 {
      let line = Line(number, lines)
      guard !line.isBlank else { continue }
      looked += 1
      if let explanation = colon(in: line) { return explanation }
    }
    return nil
  }

  private static func colon(in line: Line) -> Explanation? {
    for (i, scalar) in line.scalars.enumerated() {
      switch scalar {
      case "：": return (fullWidthColon, line.location(i + 1))
      case ":":
        guard let next = line[i + 2], next != " ", next != "\t" else { return nil }
        // The colon of an address, as in `https://…`, ends no key.
        if next == "/", line[i + 3] == "/" { return nil }
        let key = line.scalars[..<i].drop { $0 == " " || $0 == "-" }
        guard !key.isEmpty, key.allSatisfy(isOfKey) else { return nil }
        return ("a space is missing after this colon", line.location(i + 1))
      case "#", "\"", "'", "{", "[": return nil
      default: continue
      }
    }
    return nil
  }

  private static func isOfKey(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar == "$" || scalar == "_"
  }

  /// Returns the problem of a text in place of a mapping; nil if it is unknown.
  static func inPlaceOfMapping(_ text: String) -> String? {
    let head = text.unicodeScalars.prefix(80)
    if head.contains("：") { return fullWidthColon }
    if let first = head.first, let name = space(first) {
      return "this line is indented with \(name): YAML takes ordinary spaces only"
    }
    guard let colon = head.firstIndex(of: ":"), colon > head.startIndex, head[..<colon].allSatisfy(isOfKey) else {
      return nil
    }
    return "a space is missing after '\(String(String.UnicodeScalarView(head[...colon])))'"
  }

  // MARK: - Keys

  /// Returns the problem of a key that YAML accepts but that cannot be intended; nil if there is no known problem.
  static func key(_ word: String) -> String? {
    guard let first = word.unicodeScalars.first else { return nil }
    if first == "-", word.utf8.count > 1 { return missingSpace }
    if word.hasSameBytes(as: "<<") { return ForeignKeywords.mergeKeys }
    return space(first).map { "this line is indented with \($0): YAML takes ordinary spaces only" }
  }

  /// Returns the name of a space that YAML takes for a letter.
  private static func space(_ scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "\u{A0}", "\u{202F}": "a no-break space"
    case "\u{3000}": "an ideographic space"
    case "\u{2000}"..."\u{200A}", "\u{205F}": "a space of another width"
    case "\u{200B}", "\u{FEFF}": "an invisible character"
    default: nil
    }
  }

  // MARK: - Quotes

  /// Explains a problem with a text that needs quotes.
  private static func quoting(
    _ problem: String, _ context: String?, _ place: SourceLocation, _ line: Line
  ) -> Explanation? {
    if problem.contains("undefined alias") || (context ?? "").contains("an alias")
      || (context ?? "").contains("an anchor")
    {
      guard let column = column(of: ["*", "&"], upTo: place.column, in: line), let mark = line[column] else {
        return nil
      }
      let before = String(String.UnicodeScalarView(line.scalars.prefix(column - 1)))
      if mark == "*", before.contains("<<:") { return (ForeignKeywords.mergeKeys, line.location(column)) }
      let text = quoted(line.value(from: column))
      return mark == "*"
        ? (
          "'*' refers to an anchor in YAML, and no anchor above has this name: quote the text\(text)",
          line.location(column)
        )
        : ("'&' begins an anchor in YAML: quote the text\(text)", line.location(column))
    }
    if (context ?? "").contains("block scalar") {
      guard let column = column(of: [">", "|"], upTo: place.column, in: line), let mark = line[column] else {
        return nil
      }
      return (
        "'\(mark)' begins a text of several lines in YAML: quote the text\(quoted(line.value(from: column)))",
        line.location(column)
      )
    }
    if problem.contains("cannot start any token"), let mark = line[place.column], mark != "\t" {
      return (
        "no text begins with '\(mark)' in YAML: quote it\(quoted(line.value(from: place.column)))", place
      )
    }
    if (context ?? "").contains("directive") {
      return ("an unquoted text cannot begin with '%' in YAML: quote it", place)
    }
    if (context ?? "").contains("quoted scalar"), problem.contains("escape") || problem.contains("hexdecimal") {
      let escape =
        line[place.column].map { $0 == "\\" ? line[place.column + 1].map { "\\\($0)" } ?? "\\" : "\\\($0)" } ?? "\\"
      return (
        "'\(escape)' is not an escape in double quotes: use single quotes, where \\ is an ordinary character",
        place
      )
    }
    if let explanation = colonInText(problem, place, line) { return explanation }
    if problem.contains("block sequence entries are not allowed") {
      return ("a list begins on a line of its own, with '- ' in front of each item, or is written [ a, b ]", place)
    }
    if problem.contains("did not find expected key") || problem.contains("did not find expected '-'")
      || problem.contains("did not find expected <document start>")
    {
      guard let last = line.scalars.prefix(max(0, place.column - 1)).last(where: { !$0.properties.isWhitespace })
      else { return nil }
      switch last {
      case "'", "\"": return ("nothing follows a quoted text: quote all of it, or nothing", place)
      case "]", "}":
        if let mark = line[place.column], mark == "]" || mark == "}" { return ("this '\(mark)' closes nothing", place) }
        return ("nothing follows a closing bracket: quote a text that begins with '[' or '{'", place)
      default: return nil
      }
    }
    if problem.contains("another document") {
      return ("a file is one document: the part after '---' belongs in a separate file", place)
    }
    return nil
  }

  /// Explains a colon in an unquoted text that makes a key of the text for YAML.
  private static func colonInText(_ problem: String, _ place: SourceLocation, _ line: Line) -> Explanation? {
    let isInBlock = problem.contains("mapping values are not allowed")
    let isBeforeBracket = problem.contains("found unexpected ':'")
    guard isInBlock || isBeforeBracket || problem.contains("did not find expected ',' or '}'"),
      isBeforeBracket || hasValue(before: place.column, in: line)
    else { return nil }
    if line[place.column] == ":", let text = line.value(upTo: place.column) {
      switch line.scalars[place.column...].first(where: { !$0.properties.isWhitespace }) {
      case nil, "#", ",", "]", "}": return (endsWithColon(text), place)
      case _ where isBeforeBracket: return ("a space is missing after this colon", place)
      // In braces, several words are more likely to be a value and, after a missing comma, a key.
      case _ where !isInBlock && text.contains(" "): return nil
      default: break
      }
    } else if !isInBlock {
      return nil
    }
    return ("quote a text that contains ': ', as in key: 'a: b'", place)
  }

  /// Returns the problem of an unquoted text that ends with a colon and is therefore a key for YAML.
  ///
  /// - Parameter text: The text without the colon.
  static func endsWithColon(_ text: String) -> String { "quote a text that ends with ':'\(quoted(text + ":"))" }

  /// Returns the last column, up to one, that contains any of some characters.
  private static func column(of wanted: [Unicode.Scalar], upTo last: Int, in line: Line) -> Int? {
    var column = min(last, line.scalars.count)
    while column >= 1 {
      if let scalar = line[column], wanted.contains(scalar) {
        while line[column - 1] == scalar { column -= 1 }
        return column
      }
      column -= 1
    }
    return nil
  }

  /// Returns a text in single quotes as an example, if it is short.
  private static func quoted(_ text: String) -> String {
    guard text.utf8.count > 1, text.utf8.count <= longestExample else { return "" }
    return ", as in " + ScalarSpelling.singleQuoted(text)
  }

  /// Returns whether the line has a key and the beginning of its value in front of a column.
  private static func hasValue(before column: Int, in line: Line) -> Bool {
    for i in line.scalars.indices where i + 1 < column {
      if line.scalars[i] == ":", line[i + 2] == " " { return true }
    }
    return false
  }

  // MARK: - Indentation

  /// Explains a space that YAML takes for a letter in the indentation of the line, or of one above it.
  private static func spaces(_ place: SourceLocation, _ lines: SourceLines) -> Explanation? {
    for number in (max(1, place.line - 4)...max(1, place.line)).reversed() {
      let line = Line(number, lines)
      for (i, scalar) in line.scalars.enumerated() {
        if let name = space(scalar) {
          return ("this line is indented with \(name): YAML takes ordinary spaces only", line.location(i + 1))
        }
        if scalar != " ", scalar != "-" { break }
      }
    }
    return nil
  }

  /// Explains a `-` that should begin an item of a list but has no space behind it, in the line or in one above it.
  private static func dash(_ problem: String, _ place: SourceLocation, _ lines: SourceLines) -> Explanation? {
    guard
      problem.contains("mapping values are not allowed") || problem.contains("did not find expected")
        || problem.contains("could not find expected ':'")
    else { return nil }
    for number in (max(1, place.line - 2)...max(1, place.line)).reversed() {
      let line = Line(number, lines)
      guard let i = line.scalars.firstIndex(where: { $0 != " " }), line.scalars[i] == "-", let next = line[i + 2],
        next.properties.isAlphabetic, line.scalars.contains(":")
      else { continue }
      return (missingSpace, line.location(i + 1))
    }
    return nil
  }

  private static let missingSpace = "a space is missing after this '-', which begins an item of a list"

  private static func indentation(_ problem: String, _ place: SourceLocation, _ line: Line) -> Explanation? {
    if problem.contains("tab") || line[place.column] == "\t" {
      let column = line[place.column] == "\t" ? place.column : (line.scalars.firstIndex(of: "\t") ?? 0) + 1
      return ("YAML is indented with spaces: replace this tab", line.location(column))
    }
    if problem.contains("mapping values are not allowed") {
      return ("this line is indented deeper than the lines above it allow", place)
    }
    if problem.contains("did not find expected key") {
      return ("expected a key that is indented as those above it", place)
    }
    if problem.contains("did not find expected '-'") {
      return ("expected '- ' and the next item of the list, indented as those above it", place)
    }
    if problem.contains("could not find expected ':'") {
      return ("expected a key, ': ' and a value", place)
    }
    return nil
  }

  // MARK: - Unfinished texts and collections

  /// Explains a comment that begins where a text between brackets is meant, and takes the closing bracket with it.
  private static func comment(
    _ problem: String, _ context: String?, _ place: SourceLocation, _ lines: SourceLines
  ) -> Explanation? {
    guard problem.contains("expected node content") || (context ?? "").contains("flow ") else { return nil }
    for number in (max(1, place.line - 16)...max(1, place.line)).reversed() {
      let line = Line(number, lines)
      var depth = 0
      var quote: Unicode.Scalar?
      for (i, scalar) in line.scalars.enumerated() {
        switch scalar {
        case "'", "\"": quote = quote == nil ? scalar : quote == scalar ? nil : quote
        case _ where quote != nil: continue
        case "{", "[": depth += 1
        case "}", "]": depth -= 1
        case "#" where depth > 0 && line[i] == " ":
          guard let next = line[i + 2], next != " " else { continue }
          return (beginsComment(next), line.location(i + 1))
        default: continue
        }
      }
    }
    return nil
  }

  /// Returns an explanation for a text that begins with `#`, depending on the next character.
  static func beginsComment(_ next: Unicode.Scalar) -> String {
    "'#' begins a comment in YAML: quote a text that begins with it, as in '#\(next)…'"
  }

  private static func unclosed(
    _ problem: String, _ context: (text: String, location: SourceLocation)?, _ place: SourceLocation
  ) -> Explanation? {
    if problem.contains("expected node content") { return ("expected a value, or the bracket that ends this", place) }
    guard let context else { return nil }
    if context.text.contains("quoted scalar") { return ("this quote is never closed", context.location) }
    if context.text.contains("flow sequence") {
      return ("expected ',' or ']': the list that begins at \(context.location) does not end, or lacks a comma", place)
    }
    if context.text.contains("flow mapping") {
      return (
        "expected ',' or '}': the mapping that begins at \(context.location) does not end, or lacks a comma", place
      )
    }
    return nil
  }
}
