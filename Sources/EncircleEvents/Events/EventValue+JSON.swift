import EncircleText

extension EventValue {
  /// The value as JSON in UTF-8, without white space.
  ///
  /// - Complexity: O(*n*), *n* bytes of the result.
  public var json: [UInt8] {
    var output: [UInt8] = []
    write(to: &output)
    return output
  }

  /// Reads a JSON text. Numbers keep their exact value, and a lone surrogate becomes U+FFFD.
  ///
  /// - Parameter json: UTF-8, such as an array, a `Data`, or a buffer.
  /// - Throws: A `JSONError` with the offset of the problem.
  /// - Complexity: O(*n*), *n* bytes.
  public init(json: some Sequence<UInt8>) throws(JSONError) {
    try self.init(json: json, depthLimit: JSONTape.defaultDepthLimit)
  }

  /// Reads a JSON text with no more than a number of levels.
  package init(json: some Sequence<UInt8>, depthLimit: Int) throws(JSONError) {
    self = try withContiguousBytes(json) { text throws(JSONError) -> EventValue in
      var tape = JSONTape(depthLimit: depthLimit)
      try tape.parse(text)
      return EventValue(tape, in: text)
    }
  }

  // An array or object that is being written.
  private enum Frame {
    case list(ArraySlice<EventValue>)
    case object(ArraySlice<EventObject.Member>)
  }

  /// Appends the value's JSON; no recursion.
  func write(to output: inout [UInt8]) {
    var open: [Frame] = []
    var value: EventValue? = self
    while true {
      switch value {
      case nil: break
      case .null: output.append(contentsOf: "null".utf8)
      case .bool(let isTrue): output.append(contentsOf: (isTrue ? "true" : "false").utf8)
      case .number(let number): output.append(contentsOf: number.description.utf8)
      case .string(let text): JSONText.append(text, to: &output)
      case .list(let elements):
        output.append(UInt8(ascii: "["))
        open.append(.list(elements[...]))
      case .object(let object):
        output.append(UInt8(ascii: "{"))
        open.append(.object(object.members[...]))
      }
      // The next value, or the end of the collection that contains it.
      switch open.popLast() {
      case nil: return
      case .list(var rest):
        value = rest.popFirst()
        if value == nil { output.append(UInt8(ascii: "]")) } else { open.append(.list(rest)) }
        if value != nil, output.last != UInt8(ascii: "[") { output.append(UInt8(ascii: ",")) }
      case .object(var rest):
        let member = rest.popFirst()
        value = member?.value
        guard let member else {
          output.append(UInt8(ascii: "}"))
          continue
        }
        open.append(.object(rest))
        if output.last != UInt8(ascii: "{") { output.append(UInt8(ascii: ",")) }
        JSONText.append(member.name, to: &output)
        output.append(UInt8(ascii: ":"))
      }
    }
  }

  /// Creates the value of a whole tape, which is not empty.
  ///
  /// Reads backwards, so that the values inside an array or object are already on a stack when it is made: no recursion.
  init(_ tape: JSONTape, in text: UnsafeBufferPointer<UInt8>) {
    var values: [EventValue] = []
    for index in stride(from: tape.count - 1, through: 0, by: -1) {
      let node = tape[index]
      switch node.kind {
      case .null: values.append(.null)
      case .false: values.append(.bool(false))
      case .true: values.append(.bool(true))
      case .string: values.append(.string(tape.string(index, in: text)))
      case .number: values.append(tape.number(index, in: text).map { .number($0) } ?? .null)
      case .array, .object:
        var inside: [EventValue] = []
        var child = index + 1
        while child < Int(node.next) {
          if let value = values.popLast() { inside.append(value) }
          child = Int(tape[child].next)
        }
        if node.kind == .array {
          values.append(.list(inside))
        } else {
          var object = EventObject()
          for i in stride(from: 0, to: inside.count - 1, by: 2) {
            if case .string(let name) = inside[i] {
              object.members.append(EventObject.Member(name: name, value: inside[i + 1]))
            }
          }
          values.append(.object(object))
        }
      }
    }
    self = values.last ?? .null
  }
}
