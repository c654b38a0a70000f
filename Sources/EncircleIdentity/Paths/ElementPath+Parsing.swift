import EncircleText

/// An error in the text of a path.
public enum PathError: Error, Hashable, Sendable {
  /// The text is empty.
  case empty
  /// There is nothing between two separators or after the last one. The offset is in UTF-8 bytes.
  case emptyComponent(offset: Int)
  /// The content of parentheses is not a locator. The offset is the beginning of the content, in UTF-8 bytes.
  case badLocator(String, offset: Int)
  /// A quoted class name has no closing quote. The offset is the opening quote, in UTF-8 bytes.
  case unclosedQuote(offset: Int)
  /// The text has several readings. `candidates` are the first of them, `count` is their number or `Int.max`.
  case ambiguous(candidates: [ElementPath], count: Int)
  /// The text has more than ``ElementPath/maximumLength`` bytes.
  case tooLong
}

extension PathError: CustomStringConvertible {
  /// The problem in words, without its place.
  public var message: String {
    switch self {
    case .empty: "a path has at least one component"
    case .emptyComponent: "expected a class name"
    case .badLocator(let found, _):
      "'\(found)' is not a locator: expected N, section:S row:R, section:S item:I or indexx:X indexy:Y"
    case .unclosedQuote: "expected a closing ' after the class name"
    case .ambiguous(_, let count): "ambiguous, \(count == .max ? "very many" : String(count)) readings"
    case .tooLong: "a path is at most \(ElementPath.maximumLength) bytes long"
    }
  }

  /// The problem in words, with its offset or the readings of an ambiguous path.
  public var description: String {
    switch self {
    case .empty, .tooLong: return message
    case .emptyComponent(let offset), .badLocator(_, let offset), .unclosedQuote(let offset):
      return "\(message) (byte \(offset))"
    case .ambiguous(let candidates, let count):
      let readings = candidates.map { $0.written(.slashes) } + (candidates.count < count ? ["…"] : [])
      return "\(message): \(readings.joined(separator: ", "))"
    }
  }
}

extension ElementPath {
  /// The greatest length of a path's text, in bytes.
  public static let maximumLength = 1 << 16
  /// The largest number of candidates in an error about an ambiguous path.
  public static let maximumCandidates = 16

  /// Parses a path.
  ///
  /// A text with `_` between components can be ambiguous, as class names may contain `_` and components may lack a
  /// locator. Then `vocabulary` decides. If it does not, an error with the candidates is thrown.
  ///
  /// - Parameters:
  ///   - text: The path. Writing the result gives the same bytes, except for a leading `/` and needless quotes.
  ///   - notation: The notation. If it is nil, a text with `/` is in that notation, and any other in the one with `_`.
  ///   - vocabulary: The known class names. If it is nil, no name is known, not even UIKit's.
  /// - Complexity: O(*n*), and with a vocabulary O(*n* + *u* × *l*) look-ups for *u* underscores and *l* different lengths of
  ///   class names in the vocabulary.
  public init(
    parsing text: String, notation: PathNotation? = nil, vocabulary: ClassVocabulary? = nil
  ) throws(PathError) {
    let graph = try Self.graph(parsing: text, notation: notation, vocabulary: vocabulary)
    let candidates = graph.readings(limit: Self.maximumCandidates)
    guard graph.count == 1, let path = candidates.first else {
      throw .ambiguous(candidates: candidates, count: graph.count)
    }
    self = path
  }

  /// Parses a path with all its readings, as ``init(parsing:notation:vocabulary:)`` does.
  package static func graph(
    parsing text: String, notation: PathNotation? = nil, vocabulary: ClassVocabulary? = nil
  ) throws(PathError) -> PathGraph {
    guard !text.utf8.isEmpty else { throw .empty }
    guard text.utf8.count <= maximumLength else { throw .tooLong }
    var text = text
    text.makeContiguousUTF8()
    let notation = notation ?? (text.utf8.contains(UInt8(ascii: "/")) ? .slashes : .underscores)
    switch notation {
    case .slashes: return PathGraph(try parseSlashes(text))
    case .underscores: return try parseUnderscores(text, vocabulary)
    }
  }

  // MARK: - Slashes

  private static func parseSlashes(_ text: String) throws(PathError) -> ElementPath {
    let bytes = text.utf8
    var components: [PathComponent] = []
    var i = bytes.startIndex
    if bytes.first == UInt8(ascii: "/") { i = bytes.index(after: i) }
    while true {
      let start = i
      let offset = bytes.distance(from: bytes.startIndex, to: start)
      var className: String?
      if i < bytes.endIndex, bytes[i] == UInt8(ascii: "'") {
        var name: [UInt8] = []
        i = bytes.index(after: i)
        while true {
          guard i < bytes.endIndex else { throw .unclosedQuote(offset: offset) }
          let byte = bytes[i]
          i = bytes.index(after: i)
          if byte == UInt8(ascii: "'") {
            guard i < bytes.endIndex, bytes[i] == byte else { break }
            i = bytes.index(after: i)
          }
          name.append(byte)
        }
        className = String(decoding: name, as: UTF8.self)
      }
      let end = bytes[i...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
      let rest = text[i..<end].utf8
      let restOffset = bytes.distance(from: bytes.startIndex, to: i)
      if let className {
        guard !className.isEmpty else { throw .emptyComponent(offset: offset) }
        var locator = Locator.none
        if !rest.isEmpty {
          guard rest.first == UInt8(ascii: "("), rest.last == UInt8(ascii: ")"),
            let parsed = Array(rest.dropFirst().dropLast().prefix(Locator.maximumLength + 1)).withUnsafeBufferPointer({
              Locator(parsing: $0)
            })
          else { throw .badLocator(String(Substring(rest)), offset: restOffset) }
          locator = parsed
        }
        components.append(PathComponent(className, locator))
      } else {
        components.append(try component(rest, offset: restOffset))
      }
      if end == bytes.endIndex { return ElementPath(components) }
      i = bytes.index(after: end)
    }
  }

  /// Parses a class name that a locator may follow.
  private static func component(_ text: Substring.UTF8View, offset: Int) throws(PathError) -> PathComponent {
    guard !text.isEmpty else { throw .emptyComponent(offset: offset) }
    let lastOpen = text.lastIndex(of: UInt8(ascii: "("))
    guard let (open, locator) = try trailingLocator(text, lastOpen, offset: offset) else {
      return PathComponent(String(Substring(text)))
    }
    guard open > text.startIndex else { throw .emptyComponent(offset: offset) }
    return PathComponent(String(Substring(text[..<open])), locator)
  }

  /// Returns the locator at the end of `text` and the place of its parenthesis; nil if the end belongs to a class name.
  ///
  /// - Parameter open: The last opening parenthesis in `text`.
  private static func trailingLocator(
    _ text: Substring.UTF8View, _ open: String.Index?, offset: Int
  ) throws(PathError) -> (open: String.Index, locator: Locator)? {
    guard text.last == UInt8(ascii: ")"), let open else { return nil }
    let inner = text[text.index(after: open)...].dropLast()
    // A text that is longer than any locator is not a locator. Its beginning still shows whether one was meant.
    let head = Array(inner.prefix(Locator.maximumLength + 1))
    let (locator, isMeant) = head.withUnsafeBufferPointer { (Locator(parsing: $0), Locator.isMeant(by: $0)) }
    if let locator { return (open, locator) }
    if isMeant {
      let place = offset + text.distance(from: text.startIndex, to: inner.startIndex)
      throw .badLocator(String(Substring(inner)), offset: place)
    }
    return nil
  }

  // MARK: - Underscores

  private static func parseUnderscores(
    _ text: String, _ vocabulary: ClassVocabulary?
  ) throws(PathError) -> PathGraph {
    PathGraph(
      try split(text).map { .underscored(UnderscoredNames(Array($0.text.utf8), $0.locator, vocabulary)) })
  }

  private struct Segment {
    let text: Substring
    let locator: Locator
  }

  /// Splits a text after each locator, as those are unambiguous. Only the last segment may have no locator.
  private static func split(_ text: String) throws(PathError) -> [Segment] {
    let bytes = text.utf8
    var segments: [Segment] = []
    var start = bytes.startIndex
    var i = start
    // The last opening parenthesis since `start`.
    var lastOpen: String.Index?
    while let close = bytes[i...].firstIndex(of: UInt8(ascii: ")")) {
      let next = bytes.index(after: close)
      lastOpen = bytes[i..<close].lastIndex(of: UInt8(ascii: "(")) ?? lastOpen
      i = next
      guard next == bytes.endIndex || bytes[next] == UInt8(ascii: "_") else { continue }
      let offset = bytes.distance(from: bytes.startIndex, to: start)
      guard let (open, locator) = try trailingLocator(text[start..<next].utf8, lastOpen, offset: offset) else {
        continue
      }
      guard open > start else { throw .emptyComponent(offset: offset) }
      segments.append(Segment(text: text[start..<open], locator: locator))
      if next == bytes.endIndex { return segments }
      start = bytes.index(after: next)
      i = start
      lastOpen = nil
    }
    guard start < bytes.endIndex else { throw .emptyComponent(offset: bytes.count) }
    segments.append(Segment(text: text[start...], locator: .none))
    return segments
  }
}
