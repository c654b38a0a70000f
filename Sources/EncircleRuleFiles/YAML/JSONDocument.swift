import EncircleEvents
import EncircleText

/// A JSON document as the nodes that YAML documents have.
///
/// YAML would reject or change some valid JSON: DEL, surrogate pairs, U+0085, and keys of more than 1,024 characters.
enum JSONDocument {
  /// The reason why a text that should be JSON is not a document.
  struct Problem: Error {
    let message: String
    let location: SourceLocation
    /// The place of the first of two equal names.
    var first: SourceLocation?
  }

  /// Returns the document in a text.
  ///
  /// - Parameter isNamed: True if the file's name claims that it is JSON, so that anything else is an error.
  /// - Returns: Nil for a text that is not JSON, and for an empty one.
  /// - Throws: A ``Problem`` with its place: the text is not JSON, or an object has a name twice.
  /// - Complexity: O(length); no recursion.
  static func root(of lines: SourceLines, isNamed: Bool) throws(Problem) -> Node? {
    try withContiguousBytes(lines.text.utf8) { bytes throws(Problem) -> Node? in
      guard let first = bytes.first(where: { !isWhiteSpace($0) }), isNamed || first == UInt8(ascii: "{") else {
        return nil
      }
      var tape = JSONTape()
      do throws(JSONError) {
        try tape.parse(bytes)
      } catch {
        guard isNamed else { return nil }
        throw Problem(
          message: "not valid JSON: \(cure(error, bytes) ?? error.kind.message)",
          location: lines.location(of: error.offset))
      }
      return try root(tape, bytes, lines)
    }
  }

  /// Explains something from another language that JSON does not have, if it is at the error; otherwise returns nil.
  private static func cure(_ error: JSONError, _ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard error.offset < bytes.count else { return nil }
    switch bytes[error.offset] {
    case UInt8(ascii: "/"), UInt8(ascii: "#"):
      return "JSON has no comments; rules with comments are written in YAML"
    case UInt8(ascii: "'"): return "texts and names have double quotes in JSON"
    case UInt8(ascii: "<"): return captureInstead
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      var before = error.offset
      while before > 0, isWhiteSpace(bytes[before - 1]) { before -= 1 }
      return before > 0 && bytes[before - 1] == UInt8(ascii: ",") ? "JSON has no comma after the last item" : nil
    default: return nil
    }
  }

  /// The message about a capture in place of rules.
  static let captureInstead = "this is XML, such as a capture has: captures are named apart from rules, by --captures"

  private static func root(
    _ tape: JSONTape, _ bytes: UnsafeBufferPointer<UInt8>, _ lines: SourceLines
  ) throws(Problem) -> Node? {
    let places = places(tape, bytes)
    var nodes: [Node] = []
    var twice: (first: Int, second: Int)?
    var lone: Int?
    // Goes backwards, so that the nodes inside an array or object are already on the stack when the array or object is made.
    for i in stride(from: tape.count - 1, through: 0, by: -1) {
      let node = tape[i]
      func make(_ content: Node.Content, _ kind: JSONNode.Kind) {
        nodes.append(Node(content: content, tag: tag(of: kind)?.rawValue ?? "", location: places[i]))
      }
      switch node.kind {
      case .null, .true, .false, .number:
        let text = String(decoding: bytes.part(node.range), as: UTF8.self)
        make(.scalar(Node.Scalar(string: text, style: .plain)), node.kind)
      case .string:
        if node.hasEscapes, let offset = loneSurrogate(bytes.part(node.range)) { lone = node.range.lowerBound + offset }
        make(.scalar(Node.Scalar(string: tape.string(i, in: bytes), style: .doubleQuoted)), node.kind)
      case .array, .object:
        var inside: [Node] = []
        var children: [Int] = []
        var child = i + 1
        while child < Int(node.next) {
          if let node = nodes.popLast() { inside.append(node) }
          children.append(child)
          child = Int(tape[child].next)
        }
        if node.kind == .array {
          make(.sequence(inside), node.kind)
          continue
        }
        var pairs: [(key: Node, value: Node)] = []
        pairs.reserveCapacity(inside.count / 2)
        var known: [UTF8String: Int] = [:]
        var isTwice = false
        for k in stride(from: 0, to: inside.count - 1, by: 2) {
          pairs.append((inside[k], inside[k + 1]))
          let name = UTF8String(inside[k].scalar?.string ?? "")
          if let first = known[name], !isTwice {
            isTwice = true
            // If names repeat, the first repetition in the text is reported. Going backwards, it is found last.
            if twice.map({ children[k] < $0.second }) ?? true { twice = (first, children[k]) }
          }
          known[name] = known[name] ?? children[k]
        }
        make(.mapping(pairs), node.kind)
      }
    }
    if let lone {
      throw Problem(
        message: "not valid JSON: half of a surrogate pair is not a character", location: lines.location(of: lone))
    }
    if let twice {
      let name = tape.string(twice.second, in: bytes)
      throw Problem(
        message: repeatedName(name), location: places[twice.second],
        first: places[twice.first])
    }
    return nodes.last
  }

  /// Returns the message about a name that occurs twice in one object.
  static func repeatedName(_ name: String) -> String { "the key '\(name)' occurs twice in one object" }

  /// Returns the place of each node; for a string, the place of its quote.
  private static func places(_ tape: JSONTape, _ bytes: UnsafeBufferPointer<UInt8>) -> [SourceLocation] {
    var places: [SourceLocation] = []
    places.reserveCapacity(tape.count)
    var line = 1
    var column = 1
    var offset = 0
    for i in 0..<tape.count {
      let node = tape[i]
      let start = node.kind == .string ? node.range.lowerBound - 1 : node.range.lowerBound
      while offset < start {
        let byte = bytes[offset]
        // In CR LF, only the LF counts as a line end.
        if byte == 0x0A || byte == 0x0D && bytes[offset + 1] != 0x0A {
          line += 1
          column = 1
        } else if byte & 0xC0 != 0x80 {
          column += 1
        }
        offset += 1
      }
      places.append(SourceLocation(line: line, column: column))
    }
    return places
  }

  /// Returns the offset of an escape in a string that is half of a surrogate pair without the other half.
  private static func loneSurrogate(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    func unit(_ i: Int) -> UInt32? {
      guard i + 6 <= text.count, text[i] == UInt8(ascii: "\\"), text[i + 1] == UInt8(ascii: "u") else { return nil }
      return text[i + 2..<i + 6].reduce(0) { value, digit in
        value.flatMap { value in
          Hexadecimal.value(of: digit).map { value << 4 | $0 }
        }
      }
    }
    var i = 0
    while i < text.count {
      guard text[i] == UInt8(ascii: "\\") else {
        i += 1
        continue
      }
      guard let value = unit(i) else {
        i += 2
        continue
      }
      if value & 0xFC00 == 0xDC00 { return i }
      if value & 0xFC00 == 0xD800 {
        guard let low = unit(i + 6), low & 0xFC00 == 0xDC00 else { return i }
        i += 6
      }
      i += 6
    }
    return nil
  }

  private static func tag(of kind: JSONNode.Kind) -> ScalarTag? {
    switch kind {
    case .null: .null
    case .true, .false: .bool
    case .number: .float
    case .string: .text
    case .array, .object: nil
    }
  }
}
