/// One value of a parsed JSON text.
@usableFromInline package struct JSONNode: Sendable {
  /// The kinds of values.
  @usableFromInline package enum Kind: UInt8, Sendable {
    case null, `false`, `true`, number, string, array, object
  }

  /// The offset of the value's first byte; for a string, of the byte after the quote.
  @usableFromInline package internal(set) var start: UInt32
  /// The offset behind the value's last byte; for a string, of the closing quote.
  @usableFromInline package internal(set) var end: UInt32
  /// The number of the first node after this one and all nodes in it.
  package internal(set) var next: UInt32
  /// The kind of the value.
  package internal(set) var kind: Kind
  /// This is true if the string has escape sequences, so that its bytes in the text differ from its characters.
  package internal(set) var hasEscapes: Bool

  /// The range of the value in the text, in bytes; for a string, without the quotes.
  @inlinable package var range: Range<Int> { Int(start)..<Int(end) }
}

/// The values of one JSON text (RFC 8259), validated and flat; made to be used again for the next text.
///
/// Nodes are numbered in pre-order; 0 is the whole text. The nodes inside an array are its elements; inside an object, they are
/// name, value, name, value, … Node *i* + 1 is the first one inside node *i*, unless `next` of *i* shows that there is none.
/// Duplicate names are kept: the last one counts. Strings and numbers stay in the text, so helpers take the text as an argument; it
/// must be the text that was parsed last.
@usableFromInline package struct JSONTape: Sendable {
  /// The longest text, in bytes.
  package static let maximumLength = Int(Int32.max)
  /// The deepest nesting of arrays and objects, unless the caller sets another limit.
  package static let defaultDepthLimit = 512

  /// The deepest nesting of arrays and objects; an array of numbers has depth 1.
  package let depthLimit: Int
  /// The largest number of nodes; each takes 16 bytes.
  let nodeLimit: Int
  // The first `count` nodes are in use; the others are spare.
  @usableFromInline var storage: [JSONNode] = []
  /// The number of nodes.
  @usableFromInline package internal(set) var count = 0
  // The parser's position in an incomplete text.
  var position = Position()

  /// Creates a tape without any nodes.
  package init(depthLimit: Int = JSONTape.defaultDepthLimit, nodeLimit: Int = JSONTape.maximumLength) {
    self.depthLimit = depthLimit
    self.nodeLimit = nodeLimit
  }

  /// Replaces the content by the values of `text`; the capacity is kept.
  ///
  /// - Throws: A ``JSONError`` for the first byte that cannot be part of a JSON text; the tape is then empty.
  /// - Complexity: O(*n*), *n* bytes; no recursion.
  package mutating func parse(_ text: UnsafeBufferPointer<UInt8>) throws(JSONError) {
    let end = try parseValue(text)
    let rest = JSONTape.skipWhiteSpace(text, from: end)
    if rest < text.count {
      clear()
      throw JSONError(.trailingText, at: rest)
    }
  }

  /// Replaces the content by the values of the JSON text at the beginning of `text`; keeps the capacity.
  ///
  /// - Returns: The offset behind the JSON text.
  /// - Throws: A ``JSONError`` for the first byte that cannot be part of a JSON text; the tape is then empty.
  /// - Complexity: O(*n*), *n* bytes; no recursion.
  package mutating func parseValue(_ text: UnsafeBufferPointer<UInt8>) throws(JSONError) -> Int {
    begin()
    return try advance(in: text, isComplete: true) ?? text.count
  }

  /// Forgets the content and the state of an unfinished parse; the capacity is kept.
  package mutating func clear() {
    count = 0
    position = Position()
  }

  /// The node with that number, less than ``count``.
  @inlinable package subscript(index: Int) -> JSONNode {
    assert(index < count)
    return storage[index]
  }

  /// Calls `body` with all nodes; the buffer is valid during the call only.
  package func withNodes<R, E: Error>(_ body: (UnsafeBufferPointer<JSONNode>) throws(E) -> R) throws(E) -> R {
    try storage.withUnsafeBufferPointer { all throws(E) -> R in
      try body(UnsafeBufferPointer(rebasing: all[0..<count]))
    }
  }
}
