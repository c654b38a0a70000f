import EncircleEvents
import EncircleText
import EncircleTree

/// An object in a line of a session, with the place for messages about it.
struct SignalObject {
  let tape: JSONTape
  let text: UnsafeBufferPointer<UInt8>
  /// The node of the object.
  let node: Int
  let file: String
  let line: Int
  let limits: SessionLimits
  /// The captures of the session; nil in an object that cannot refer to any.
  var captures: SessionCaptures?

  /// Returns an error that points to a node.
  func error(_ message: String, at node: Int? = nil, suggestion: String? = nil) -> SessionError {
    .invalid(diagnostic(message, at: node, suggestion: suggestion))
  }

  /// Returns a diagnostic that points to a node.
  func diagnostic(_ message: String, at node: Int? = nil, suggestion: String? = nil) -> Diagnostic {
    let value = tape[node ?? self.node]
    let offset = Int(value.start) - (value.kind == .string ? 1 : 0)
    let column = SourceLocation(of: max(0, offset), in: text).column
    return Diagnostic(message, file: file, at: SourceLocation(line: line, column: column), suggestion: suggestion)
  }

  /// Returns the node of a member; nil if it is missing or null.
  func member(_ name: StaticString) -> Int? {
    guard let index = tape.member(name, of: node, in: text), tape[index].kind != .null else { return nil }
    return index
  }

  func string(_ name: StaticString) throws(SessionError) -> String? {
    guard let index = member(name) else { return nil }
    guard tape[index].kind == .string else { throw error("'\(name)' is not a text", at: index) }
    return tape.string(index, in: text)
  }

  func requiredString(_ name: StaticString) throws(SessionError) -> String {
    guard let value = try string(name) else { throw error("'\(name)' is missing") }
    return value
  }

  func flag(_ name: StaticString) throws(SessionError) -> Bool? {
    guard let index = member(name) else { return nil }
    switch tape[index].kind {
    case .true: return true
    case .false: return false
    default: throw error("'\(name)' is not true or false", at: index)
    }
  }

  /// Returns a member, which must be a finite number.
  func number(_ name: StaticString) throws(SessionError) -> Double? {
    guard let index = member(name) else { return nil }
    return try number(at: index, name)
  }

  private func number(at index: Int, _ name: StaticString) throws(SessionError) -> Double {
    guard tape[index].kind == .number,
      let value = Double(String(decoding: text.part(tape[index].range), as: UTF8.self)), value.isFinite
    else { throw error("'\(name)' is not a number that can be used", at: index) }
    return value
  }

  /// Returns a member, which must be a whole number in a range.
  func integer(_ name: StaticString, in range: ClosedRange<Int64>) throws(SessionError) -> Int64? {
    guard let index = member(name) else { return nil }
    return try integer(at: index, name, in: range)
  }

  private func integer(at index: Int, _ name: StaticString, in range: ClosedRange<Int64>) throws(SessionError) -> Int64
  {
    guard let value = tape.number(index, in: text).flatMap({ Int64($0.description) }), range.contains(value) else {
      throw error("'\(name)' is not a whole number from \(range.lowerBound) to \(range.upperBound)", at: index)
    }
    return value
  }

  /// Returns a member, which must be one of the words of a type.
  func keyword<Word: RawRepresentable & CaseIterable>(_ name: StaticString, _: Word.Type) throws(SessionError) -> Word?
  where Word.RawValue == String {
    guard let index = member(name) else { return nil }
    let text = try requiredString(name)
    guard let word = Word.named(text) else {
      let names = Word.allCases.map(\.rawValue)
      throw error(
        "'\(name)' is one of \(names.joined(separator: ", "))", at: index,
        suggestion: Diagnostic.nearest(to: text, among: names))
    }
    return word
  }

  /// Returns the nodes of the elements of a member, which must be an array.
  func elements(_ name: StaticString) throws(SessionError) -> [Int]? {
    guard let index = member(name) else { return nil }
    guard tape[index].kind == .array else { throw error("'\(name)' is not a list", at: index) }
    var result: [Int] = []
    var element = index + 1
    while element < Int(tape[index].next) {
      result.append(element)
      element = Int(tape[element].next)
    }
    return result
  }

  func strings(_ name: StaticString) throws(SessionError) -> [String]? {
    guard let nodes = try elements(name) else { return nil }
    var result: [String] = []
    for index in nodes {
      guard tape[index].kind == .string else { throw error("'\(name)' is not a list of texts", at: index) }
      result.append(tape.string(index, in: text))
    }
    return result
  }

  /// Returns the words of a member, which must be an array of known words.
  func keywords<Word: RawRepresentable & CaseIterable>(
    _ name: StaticString, _: Word.Type
  ) throws(SessionError) -> [Word]? where Word.RawValue == String {
    guard let texts = try strings(name) else { return nil }
    var result: [Word] = []
    for text in texts {
      guard let word = Word.named(text) else {
        let known = Word.allCases.map(\.rawValue)
        throw error(
          "'\(name)' may contain only \(known.joined(separator: ", "))", at: member(name),
          suggestion: Diagnostic.nearest(to: text, among: known))
      }
      result.append(word)
    }
    return result
  }

  /// Returns the numbers of a member, which must be an array of `count` numbers.
  func numbers(_ name: StaticString, count: Int) throws(SessionError) -> [Double]? {
    guard let nodes = try elements(name) else { return nil }
    guard nodes.count == count else { throw error("'\(name)' is not a list of \(count) numbers", at: member(name)) }
    var result: [Double] = []
    for index in nodes { result.append(try number(at: index, name)) }
    return result
  }

  /// Returns a member, which must be an object.
  func object(_ name: StaticString) throws(SessionError) -> EventObject? {
    guard let index = member(name) else { return nil }
    guard tape[index].kind == .object else { throw error("'\(name)' is not an object", at: index) }
    try checkMembers(of: index)
    do throws(JSONError) {
      guard case .object(let object) = try EventValue(json: text.part(tape[index].range)) else { return nil }
      return object
    } catch {
      throw self.error("'\(name)' is not an object", at: index)
    }
  }

  // Properties are merged name by name, so their number is limited.
  private func checkMembers(of index: Int) throws(SessionError) {
    var count = 0
    var key = index + 1
    while key < Int(tape[index].next) {
      count += 1
      key = Int(tape[key + 1].next)
    }
    if count > limits.members { throw error("more than \(limits.members) members in one object", at: index) }
  }

  /// Returns the object at another node of the same line.
  func object(at index: Int) -> SignalObject {
    SignalObject(tape: tape, text: text, node: index, file: file, line: line, limits: limits, captures: captures)
  }

  /// Returns the element of a capture that the members `capture` and `element` name; nil if both are missing.
  func element() throws(SessionError) -> CapturedElement? {
    let (file, number) = (try string("capture"), try integer("element", in: 0...Int64(Int32.max)))
    guard let file, let captures else {
      if number != nil {
        throw error("'element' is an element of a 'capture', which is missing", at: member("element"))
      }
      return nil
    }
    guard let number else { throw error("'capture' needs the number of an 'element'", at: member("capture")) }
    let capture: SessionCapture
    do throws(SessionCaptures.Failure) {
      capture = try captures.capture(file)
    } catch {
      throw self.error(error.message, at: member("capture"))
    }
    let count = capture.screen.tree.count
    guard number < count else {
      throw error("there is no element \(number): the capture has 0 to \(count - 1)", at: member("element"))
    }
    return CapturedElement(capture: capture, element: ElementID(Int(number)))
  }
}
