/// A problem in a text, to be shown to a person with its place, the line in question and a caret.
public struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
  /// A second place that a problem involves.
  public struct Note: Hashable, Sendable {
    public var message: String
    /// The name of the file, or nil for a text that is not from a file.
    public var file: String?
    public var location: SourceLocation

    public init(message: String, file: String?, location: SourceLocation) {
      self.message = message
      self.file = file
      self.location = location
    }

    /// `file:line:column: note: message`
    package var text: String {
      let place = [file, location.description].compactMap { $0 }.joined(separator: ":")
      return "\(place): note: \(message)"
    }
  }

  /// The problem in words, without its place.
  public var message: String
  /// The name of the file, or nil for a text that is not from a file.
  public var file: String?
  /// The place, or nil if the problem concerns the file as a whole.
  public var location: SourceLocation?
  /// The text of the line at ``location``, without its line break. For a long line, this is only the part around the location.
  public var sourceLine: String?
  /// The column at which ``sourceLine`` begins, counted from 1.
  public var sourceColumn = 1
  /// The word that was probably meant.
  public var suggestion: String?
  /// Other places that the problem involves, such as the first of two equal definitions.
  public var notes: [Note] = []

  public init(
    _ message: String, file: String? = nil, at location: SourceLocation? = nil, sourceLine: String? = nil,
    suggestion: String? = nil
  ) {
    self.message = message
    self.file = file
    self.location = location
    self.sourceLine = sourceLine
    self.suggestion = suggestion
  }

  /// Creates a diagnostic for the byte of `text` at `offset`, with that byte's line as ``sourceLine``.
  ///
  /// - Complexity: O(length).
  public init(_ message: String, file: String? = nil, offset: Int, in text: String, suggestion: String? = nil) {
    let lines = SourceLines(text)
    self.init(message, file: file, at: lines.location(of: offset), in: lines, suggestion: suggestion)
  }

  /// Creates a diagnostic for a place in a text, with its line.
  package init(
    _ message: String, file: String?, at location: SourceLocation, in lines: SourceLines, suggestion: String? = nil
  ) {
    let (line, column) = lines.excerpt(at: location)
    self.init(message, file: file, at: location, sourceLine: line, suggestion: suggestion)
    sourceColumn = column
  }

  /// The problem, and the suggestion in a question.
  package var messageWithSuggestion: String {
    message + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
  }

  /// `file:line:column: message`, in one line.
  package var shortText: String {
    let place = [file, location.map(\.description)].compactMap { $0 }.joined(separator: ":")
    return place.isEmpty ? message : "\(place): \(message)"
  }

  /// `file:line:column: error: message` with the suggestion, then the line with a caret beneath it, then the notes.
  ///
  /// Characters that a terminal would obey or hide are escaped, so that neither a file nor its name can add a line to this text.
  public var description: String {
    var text = [file, location.map(\.description)].compactMap { $0 }.map { "\($0):" }.joined()
    if !text.isEmpty { text += " " }
    text = VisibleText.escaping("\(text)error: \(messageWithSuggestion)")
    if let location, let sourceLine {
      text += "\n" + Self.excerpt(sourceLine, column: location.column - sourceColumn + 1)
    }
    for note in notes { text += "\n" + VisibleText.escaping(note.text) }
    return text
  }

  /// The number of columns of a long line that are shown before a place, and behind it.
  package static let shownColumns = 60

  /// Returns a line with a caret beneath a column, which is counted from 1. Of a long line, only the part around the
  /// column is shown.
  package static func excerpt(_ sourceLine: String, column: Int) -> String {
    let scalars = Array(sourceLine.unicodeScalars)
    let column = min(max(0, column - 1), scalars.count)
    let start = max(0, column - shownColumns)
    func string(_ part: ArraySlice<Unicode.Scalar>) -> String { String(String.UnicodeScalarView(part)) }
    // Tabs stay, as the caret stands behind them.
    let before = VisibleText.escaping(string(scalars[start..<column]), keepingTabs: true)
    let end = min(scalars.count, column + shownColumns)
    let after =
      VisibleText.escaping(string(scalars[column..<end]), keepingTabs: true) + (end < scalars.count ? "…" : "")
    // East Asian characters are two columns wide, and so is the ideographic space that stands in for them.
    let indent = String(
      String.UnicodeScalarView(
        before.unicodeScalars.map { $0 == "\t" ? "\t" : $0.value >= 0x2E80 ? "\u{3000}" : " " }))
    return "  \(start > 0 ? "…" : "")\(before)\(after)\n  \(start > 0 ? " " : "")\(indent)^"
  }
}

extension Diagnostic {
  /// Returns the candidate that is nearest to a misspelled word, or nil if none is near: at most a third of the letters
  /// may differ.
  ///
  /// - Parameter most: The largest number of letters that may differ, even where a third of them is more.
  /// - Complexity: O(candidates × length²). Words of more than 64 bytes are not compared.
  public static func nearest(
    to word: String, among candidates: some Sequence<String>, within most: Int = .max
  ) -> String? {
    let letters = Array(word.utf8)
    guard letters.count <= 64 else { return nil }
    let kinds = kindsOfLetters(word)
    var best: (distance: Int, candidate: String)?
    for candidate in candidates {
      let count = candidate.utf8.count
      // Any two single letters are within the allowed distance, so a match would mean nothing.
      guard count <= 64, max(letters.count, count) > 1 else { continue }
      let allowed = min(most, max(1, max(letters.count, count) / 3), best.map { $0.distance - 1 } ?? .max)
      // The words differ in at least as many letters as their lengths do.
      guard abs(letters.count - count) <= allowed else { continue }
      // Each letter that only one of them has is a difference, too.
      let others = kindsOfLetters(candidate)
      guard max((kinds & ~others).nonzeroBitCount, (others & ~kinds).nonzeroBitCount) <= allowed else { continue }
      if let distance = editDistance(letters, Array(candidate.utf8), atMost: allowed) { best = (distance, candidate) }
    }
    return best?.candidate
  }

  /// Returns a set with a bit for each letter of a word; two letters may share one.
  private static func kindsOfLetters(_ word: String) -> UInt64 { word.utf8.reduce(0) { $0 | 1 << UInt64($1 & 63) } }

  /// Returns the least number of insertions, deletions, replacements and swaps of neighbours that turn one word into
  /// the other: the optimal string alignment distance (Damerau 1964). Nil if it is more than `most`.
  private static func editDistance(_ a: [UInt8], _ b: [UInt8], atMost most: Int) -> Int? {
    var above = Array(repeating: 0, count: b.count + 1)
    var row = Array(0...b.count)
    var next = row
    var leastOfRow = 0
    for i in 0..<a.count {
      next[0] = i + 1
      var least = i + 1
      for j in 0..<b.count {
        next[j + 1] = min(row[j + 1] + 1, next[j] + 1, row[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { next[j + 1] = min(next[j + 1], above[j - 1] + 1) }
        least = min(least, next[j + 1])
      }
      // Each number is at least the least of one of the two rows before it.
      if least > most, leastOfRow > most { return nil }
      leastOfRow = least
      swap(&above, &row)
      swap(&row, &next)
    }
    return row[b.count] <= most ? row[b.count] : nil
  }
}
