import EncircleEvents
import EncircleText

/// Access to the values of untrusted JSON: a value that is missing or of another type is nil.
struct SnapshotJSON {
  let tape: JSONTape
  let text: UnsafeBufferPointer<UInt8>
  /// The maximum length of a text in bytes.
  let textLimit: Int

  init(_ text: UnsafeBufferPointer<UInt8>, _ limits: SnapshotLimits) throws(JSONError) {
    var tape = JSONTape(depthLimit: limits.depth, nodeLimit: limits.values)
    try tape.parse(text)
    self.tape = tape
    self.text = text
    textLimit = limits.textBytes
  }

  func isObject(_ node: Int) -> Bool { tape[node].kind == .object }

  /// Calls `body` with the name and the value of each member of an object. If a name is repeated, its last value counts.
  func forEachMember(of node: Int, _ body: (_ name: String, _ value: Int) -> Void) {
    guard isObject(node) else { return }
    let end = Int(tape[node].next)
    var name = node + 1
    while name < end {
      // All names that matter are short.
      if tape[name].range.count <= 64 { body(tape.string(name, in: text), name + 1) }
      name = Int(tape[name + 1].next)
    }
  }

  /// Calls `body` with the elements of an array until it returns false.
  func forEachElement(of node: Int, _ body: (Int) -> Bool) {
    guard tape[node].kind == .array else { return }
    let end = Int(tape[node].next)
    var element = node + 1
    while element < end, body(element) { element = Int(tape[element].next) }
  }

  /// Returns the text of a node; nil if it is too long.
  func string(_ node: Int) -> String? {
    guard tape[node].kind == .string, tape[node].range.count <= textLimit else { return nil }
    return tape.string(node, in: text)
  }

  /// Returns the text of a node; nil if it is too long or has only white space.
  func nonEmpty(_ node: Int) -> String? {
    string(node).flatMap { $0.utf8.contains { !isWhiteSpace($0) } ? $0 : nil }
  }

  /// Returns the text of a node, cut off after a whole Unicode scalar if it is too long.
  func beginning(_ node: Int) -> String? {
    tape[node].kind == .string ? tape.string(node, in: text).beginning(bytes: textLimit) : nil
  }

  func bool(_ node: Int) -> Bool? {
    switch tape[node].kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// Returns the number of a node; nil if it is not of a reasonable size.
  func number(_ node: Int) -> Double? {
    guard tape[node].kind == .number, tape[node].range.count <= 64 else { return nil }
    let digits = String(decoding: text[tape[node].range], as: UTF8.self)
    return Double(digits).flatMap { $0.isFinite && abs($0) <= 1e7 ? $0 : nil }
  }

  func integer(_ node: Int) -> Int? { number(node).flatMap { Int(exactly: $0) } }
}
