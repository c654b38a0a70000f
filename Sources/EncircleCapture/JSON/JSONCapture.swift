import EncircleText
import EncircleTree

/// The JSON of a capture, and its kind.
enum JSONCapture {
  /// A tree of elements.
  case tree(JSONCaptureText, root: JSONRoot)
  /// A snapshot of a web page.
  case webPage(JSONCaptureText, root: Int)
  /// The text of another format as one string: the page source of WebDriverAgent, or of a web view.
  case text(Text)

  /// A string of the JSON.
  struct Text {
    /// The decoded string.
    let decoded: [UInt8]
    /// Its bytes in the JSON, and where they begin.
    private let raw: UnsafeBufferPointer<UInt8>
    private let start: Int

    init(_ raw: UnsafeBufferPointer<UInt8>, from start: Int) {
      self.raw = raw
      self.start = start
      var decoded: [UInt8] = []
      JSONString.decode(raw, into: &decoded)
      self.decoded = decoded
    }

    /// Returns the offset in the whole text of a byte of the decoded string.
    func originalOffset(of offset: Int) -> Int { start + JSONString.originalOffset(of: offset, in: raw) }
  }

  /// Reads JSON in UTF-8 and determines its kind.
  ///
  /// - Parameters:
  ///   - start: The beginning of the JSON. Other text may precede it and, if it has no brackets, follow it.
  ///   - format: The expected format; nil for any.
  /// - Complexity: O(bytes).
  init(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int, format: CaptureFormat?, limits: CaptureLimits
  ) throws(CaptureError) {
    let document = try JSONCaptureText(text, from: start, limits: limits)
    if let node = document.member("value", of: 0), document.kind(of: node) == .string, document.isPageSource(node) {
      self = .text(
        Text(document.text.part(document.range(of: node)), from: start + document.range(of: node).lowerBound))
      return
    }
    if format == nil || format == .webSnapshot, let root = WebSnapshotReader.root(of: document) {
      try document.requireEnd()
      self = .webPage(document, root: root)
      return
    }
    guard let root = JSONRoot(of: document) else {
      let found =
        if document.isFlatList {
          "a list of views without their nesting, as a query of Calabash gives"
        } else if document.object("value", of: 0).flatMap({ document.member("error", of: $0) }) != nil {
          "an error that the driver reports instead of the page source"
        } else {
          "JSON"
        }
      let place = SourceLocation(line: 1, column: 1)
      if let format { throw CaptureError(.wrongFormat(expected: format, found: found), at: place) }
      throw CaptureError(.unknownFormat(found), at: place)
    }
    if let format, format != root.dialect.format {
      throw CaptureError(
        .wrongFormat(expected: format, found: "JSON of \(root.dialect.format.rawValue)"), at: document.location(of: 0))
    }
    try document.requireEnd()
    self = .tree(document, root: root)
  }
}

/// The values of the JSON in a text.
struct JSONCaptureText {
  /// The text from the beginning of the JSON on.
  let text: UnsafeBufferPointer<UInt8>
  private let whole: UnsafeBufferPointer<UInt8>
  private let start: Int
  private var tape: JSONTape
  // The end of the JSON in `text`.
  private let end: Int

  init(_ whole: UnsafeBufferPointer<UInt8>, from start: Int, limits: CaptureLimits) throws(CaptureError) {
    self.whole = whole
    self.start = start
    text = whole.part(start..<whole.count)
    // Each level of elements is two levels of JSON, the object and the array that it is in; its members add a few more.
    tape = JSONTape(depthLimit: 2 * min(limits.depth, Int.max / 4) + 16, nodeLimit: max(1, limits.jsonValues))
    do throws(JSONError) {
      end = try tape.parseValue(text)
    } catch {
      // A file that is not a capture may be something else with brackets, such as a program or JSON with comments, so the
      // message does not complain about its syntax.
      guard Self.seemsCapture(text.part(0..<min(text.count, 4096))) else {
        throw CaptureError(.unknownFormat("JSON"), at: SourceLocation(line: 1, column: 1))
      }
      let place = SourceLocation(of: start + error.offset, in: whole)
      switch error.kind {
      case .tooDeep: throw CaptureError(.tooDeep(limit: limits.depth), at: place)
      case .tooManyValues(let limit): throw CaptureError(.tooManyValues(limit: limit), at: place)
      case .badUTF8: throw CaptureError(.badEncoding("UTF-8"), at: place)
      case .unexpectedEnd: throw CaptureError(.truncated("the JSON is not complete"), at: place)
      default: throw CaptureError(.malformedJSON(error.kind.message), at: place)
      }
    }
  }

  /// Returns whether broken JSON begins like a capture.
  private static func seemsCapture(_ head: UnsafeBufferPointer<UInt8>) -> Bool {
    ["\"children\"", "\"windows\"", "\"axeContext\"", "CalabashRootView", "\"value\"", "\"root\""].contains {
      head.offset(of: $0) != nil
    }
  }

  /// Throws an error if something follows that may be more JSON.
  func requireEnd() throws(CaptureError) {
    let rest = text[end...].firstIndex { byte in
      byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
    }
    if let rest {
      let place = SourceLocation(of: start + rest, in: whole)
      throw CaptureError(.malformedJSON(JSONError.Kind.trailingText.message), at: place)
    }
  }

  /// The number of bytes of the whole text.
  var byteCount: Int { whole.count }

  /// Returns the place of a value in the whole text.
  func location(of node: Int) -> SourceLocation {
    let isString = tape[node].kind == .string
    return SourceLocation(of: start + tape[node].range.lowerBound - (isString ? 1 : 0), in: whole)
  }

  func kind(of node: Int) -> JSONNode.Kind { tape[node].kind }

  /// Returns where the bytes of a value are; for a string without the quotes.
  func range(of node: Int) -> Range<Int> { tape[node].range }

  /// Returns the last member with the name; nil if there is none, or if the value is not an object.
  func member(_ name: StaticString, of node: Int) -> Int? { tape.member(name, of: node, in: text) }

  /// Returns the last member of that name if it is an object.
  func object(_ name: StaticString, of node: Int) -> Int? {
    member(name, of: node).flatMap { kind(of: $0) == .object ? $0 : nil }
  }

  /// Returns the range of the nodes inside an array or object. It begins with the first value or the first name.
  func contents(of node: Int) -> Range<Int> { node + 1..<Int(tape[node].next) }

  /// Returns the value or name behind a value and all that is in it.
  func next(after node: Int) -> Int { Int(tape[node].next) }

  /// Calls `body` with the characters of a string, or with the digits or the word of another value that is not an array or
  /// object.
  func withScalar<R, E: Error>(
    of node: Int, _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    guard tape[node].hasEscapes else { return try body(text.part(tape[node].range)) }
    var bytes: [UInt8] = []
    tape.appendString(node, in: text, to: &bytes)
    return try bytes.withUnsafeBufferPointer { buffer throws(E) -> R in try body(buffer) }
  }

  /// Returns the value as a number, with or without quotes; nil if it is not a number.
  func number(of node: Int) -> Double? {
    guard kind(of: node) == .number || kind(of: node) == .string else { return nil }
    return withScalar(of: node) { Number.double($0) }
  }

  /// Returns whether a string is the page source of WebDriverAgent, which begins with markup, or its description.
  func isPageSource(_ node: Int) -> Bool {
    withScalar(of: node) { text in
      text.first { !isWhiteSpace($0) } == UInt8(ascii: "<") || XCUILine.first(in: text) != nil
    }
  }

  /// This is true if the JSON is an array of views without nesting.
  var isFlatList: Bool {
    guard kind(of: 0) == .array, let first = contents(of: 0).first else { return false }
    return member("class", of: first) != nil && (member("rect", of: first) != nil || member("frame", of: first) != nil)
  }
}
