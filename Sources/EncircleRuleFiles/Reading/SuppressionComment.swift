import EncircleText

/// A comment with which the author of rules silences findings: `# encircle: off exact-row - the first row is the banner`.
///
/// At the end of a line it applies to that line; on a separate line it applies to the next line with content. In both cases it also
/// applies to the lines below with a deeper indentation: on the first line of a rule to the whole rule, on the first line of a clause
/// to the clause.
public struct SuppressionComment: Sendable {
  /// The place of the comment.
  public let place: RuleSource.Place
  /// The codes of the findings that it silences; empty if it is wrong.
  public let codes: [CheckCode]
  /// The lines that it applies to, counted from 1; nil if nothing follows it.
  public let lines: ClosedRange<Int>?
  /// The problem of the comment; nil if it is valid.
  public let problem: String?

  /// The expected form, for messages.
  static let form = "# encircle: off exact-row - the reason"

  /// Reads the comments of a rule file or a plan.
  ///
  /// - Complexity: O(*n*), *n* bytes; next to nothing for a file without such comments.
  static func all(in text: String) -> [SuppressionComment] {
    guard withContiguousBytes(text.utf8, { firstMark(in: $0) }) != nil else { return [] }
    let source = RuleFileFormatter.withPlainLineEnds(text)
    let lines = SourceLines(source)
    let bytes = Array(source.utf8)
    func place(_ offset: Int) -> RuleSource.Place {
      let location = lines.location(of: offset)
      let (line, column) = lines.excerpt(at: location)
      return RuleSource.Place(location: location, sourceLine: line, sourceColumn: column)
    }
    do throws(SyntaxParser.Problem) {
      let offsets = try SyntaxParser.parse(source).commentOffsets.filter { isMark(at: $0, bytes[...]) }
      guard !offsets.isEmpty else { return [] }
      let layout = CommentedBlocks(bytes)
      return offsets.map { offset in
        let place = place(offset)
        return read(bytes, offset, place, layout.block(ofCommentIn: place.location.line))
      }
    } catch {
      // If the layout is not understood, text that looks like a comment may not be one, so no comment applies.
      guard let first = bytes.withUnsafeBufferPointer({ firstMark(in: $0) }) else { return [] }
      let problem = "no comment silences findings in this file, as its layout is not understood: \(error.message)"
      return [SuppressionComment(place: place(first), codes: [], lines: nil, problem: problem)]
    }
  }

  private static func firstMark(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    bytes.indices.first { bytes[$0] == UInt8(ascii: "#") && isMark(at: $0, bytes[...]) }
  }

  /// Returns whether a comment of this kind begins at an offset, provided that a comment begins there.
  private static func isMark<Bytes: RandomAccessCollection<UInt8>>(at offset: Int, _ bytes: Bytes) -> Bool
  where Bytes.Index == Int {
    bytes[(offset + 1)...].drop { $0 == 0x20 || $0 == 0x09 }.starts(with: "encircle:".utf8)
  }

  private static func read(
    _ bytes: [UInt8], _ offset: Int, _ place: RuleSource.Place, _ lines: ClosedRange<Int>?
  ) -> SuppressionComment {
    let line = bytes[offset...].prefix { $0 != 0x0A }
    let text = String(decoding: line.drop { $0 != UInt8(ascii: ":") }.dropFirst(), as: UTF8.self)
    var codes: [CheckCode] = []
    var problem = words(of: text, &codes)
    if problem == nil, lines == nil {
      problem = "the comment stands before nothing: expected a rule, a clause or a key"
    }
    return SuppressionComment(place: place, codes: codes, lines: lines, problem: problem)
  }

  /// Reads `off`, the codes and the reason; returns the problem, if any.
  private static func words(of text: String, _ codes: inout [CheckCode]) -> String? {
    let scalars = Array(text.unicodeScalars)
    func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
    func string(_ part: some Sequence<Unicode.Scalar>) -> String { String(String.UnicodeScalarView(part)) }
    // The reason begins behind the first dash with spaces around it.
    let dash = scalars.indices.dropFirst().first { i in
      "-–—".unicodeScalars.contains(scalars[i]) && isSpace(scalars[i - 1])
        && (i + 1 == scalars.count || isSpace(scalars[i + 1]))
    }
    let words = scalars[..<(dash ?? scalars.count)].split { isSpace($0) || $0 == "," }.map { string($0) }
    guard let verb = words.first, verb.hasSameBytes(as: "off") else {
      return "expected 'off' after 'encircle:', as in '\(form)'"
    }
    guard words.count > 1 else { return "expected the code of a finding, as in '\(form)'" }
    let hasReason = dash.map { !scalars[($0 + 1)...].allSatisfy(isSpace) } ?? false
    var problem: String?
    // Without a dash, the words behind the first code may be the reason.
    for word in words.dropFirst().prefix(dash == nil ? 1 : words.count) {
      if let code = CheckCode(rawValue: word) {
        codes.append(code)
      } else if problem == nil {
        let nearest = Diagnostic.nearest(to: word, among: CheckCode.allCases.map(\.rawValue))
        problem = "unknown finding '\(word)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
      }
    }
    if hasReason { return problem }
    defer { codes = [] }
    return problem
      ?? "a finding is silenced with a reason: expected '# encircle: off \(codes.map(\.rawValue).joined(separator: ", ")) - …'"
  }
}

/// The lines of a YAML text by their indentation.
private struct CommentedBlocks {
  // Twice the indentation of each line, and one more for an item of a list, which may be indented like the key of the list;
  // nil for a line without content.
  private var ranks: [Int?] = []
  // For each line the next one with content that is not indented more.
  private var ends: [Int] = []

  init(_ bytes: [UInt8]) {
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      let content = line.drop { $0 == 0x20 }
      let first = content.first { $0 != 0x09 && $0 != 0x0D }
      if first == nil || first == UInt8(ascii: "#") {
        ranks.append(nil)
      } else {
        let isItem = content.first == UInt8(ascii: "-") && (content.dropFirst().first ?? 0x20) == 0x20
        ranks.append(2 * (content.startIndex - line.startIndex) + (isItem ? 1 : 0))
      }
    }
    ends = Array(repeating: ranks.count, count: ranks.count)
    // Lines whose end has not been found, each indented more than the one before.
    var open: [(rank: Int, line: Int)] = []
    for (line, rank) in ranks.enumerated() {
      guard let rank else { continue }
      while let last = open.last, last.rank >= rank { ends[open.removeLast().line] = line }
      open.append((rank, line))
    }
  }

  /// Returns the lines that a comment applies to, counted from 1.
  func block(ofCommentIn line: Int) -> ClosedRange<Int>? {
    guard let first = ranks.indices[(line - 1)...].first(where: { ranks[$0] != nil }) else { return nil }
    return first + 1...ends[first]
  }
}
