import EncircleEvents
import EncircleText

/// A text's values as one line, strings decoded; or the error.
func dump(_ text: [UInt8], depthLimit: Int = JSONTape.defaultDepthLimit) -> String {
  var tape = JSONTape(depthLimit: depthLimit)
  return dump(text, with: &tape)
}

func dump(_ text: String) -> String { dump(Array(text.utf8)) }

func dump(_ text: [UInt8], with tape: inout JSONTape) -> String {
  text.withUnsafeBufferPointer { bytes in
    do throws(JSONError) {
      try tape.parse(bytes)
    } catch {
      return "\(error.kind) \(error.offset)"
    }
    var result = ""
    var open: [(end: Int, closing: String, isObject: Bool)] = []
    var isName = false
    for index in 0..<tape.count {
      let node = tape[index]
      switch node.kind {
      case .null: result += "null"
      case .true: result += "true"
      case .false: result += "false"
      case .number: result += String(decoding: bytes[node.range], as: UTF8.self)
      case .string: result += "'\(tape.string(index, in: bytes))'"
      case .array, .object:
        result += node.kind == .array ? "[" : "{"
        open.append((Int(node.next), node.kind == .array ? "]" : "}", node.kind == .object))
        isName = node.kind == .object
        if node.next > index + 1 { continue }
      }
      var separator = ""
      while let last = open.last, last.end == index + 1 {
        result += last.closing
        open.removeLast()
        isName = false
      }
      if let last = open.last {
        if last.isObject { separator = isName ? ":" : "," } else { separator = "," }
        isName = last.isObject ? !isName : false
        // Behind a nested value the next node is a name.
        if last.isObject, separator == "," { isName = true }
      }
      result += separator
    }
    return result
  }
}
