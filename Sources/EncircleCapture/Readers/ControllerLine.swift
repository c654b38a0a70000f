import EncircleText

/// A line of `_printHierarchy`.
struct ControllerLine {
  /// The class of the controller, as a range of the line.
  let className: Range<Int>
  /// The address of its view; nil if that is not loaded.
  let view: UInt64?
  /// This is true if the view is in a window.
  let isOnScreen: Bool

  /// Reads a line; nil if it has no controller.
  ///
  /// - Complexity: O(bytes).
  init?(_ line: UnsafeBufferPointer<UInt8>) {
    guard let start = line.firstIndex(where: { !ViewLine.isMark($0) && $0 != UInt8(ascii: "+") }),
      line[start] == UInt8(ascii: "<"),
      let headEnd = line.part(start..<line.count).offset(of: ">, state: ").map({ start + $0 }),
      let space = line[start..<headEnd].lastIndex(of: 0x20)
    else { return nil }
    var name = start + 1..<space
    if line[name].last == UInt8(ascii: ":") { name = name.lowerBound..<name.upperBound - 1 }
    guard Self.address(line.part(space + 1..<headEnd)) != nil, !name.isEmpty,
      name.count <= ViewLine.maximumNameLength, !Self.isProse(line.part(name))
    else { return nil }
    className = name
    let state = line.part(headEnd..<line.count)
    guard let viewStart = state.offset(of: ", view: ") else { return nil }
    let view = state.part(viewStart + 8..<state.count)
    guard view.first == UInt8(ascii: "<"), let end = Self.viewEnd(view),
      let pointer = view[..<end].lastIndex(of: 0x20)
    else {
      self.view = nil
      isOnScreen = false
      return
    }
    self.view = Self.address(view.part(pointer + 1..<end))
    isOnScreen =
      !view.part(end..<view.count).starts(withLiteral: "> not in the window")
      && !state.starts(withLiteral: ">, state: disappeared")
  }

  /// Returns whether a text before an address has white space that does not separate generic arguments, which no class name has.
  private static func isProse(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var depth = 0
    for byte in text {
      if byte == UInt8(ascii: "<") { depth += 1 }
      if byte == UInt8(ascii: ">") { depth -= 1 }
      if depth <= 0, isWhiteSpace(byte) { return true }
    }
    return false
  }

  /// Returns the offset of the `>` behind the address of a view. The name of its class may contain `>`, too.
  private static func viewEnd(_ view: UnsafeBufferPointer<UInt8>) -> Int? {
    var depth = 0
    for (i, byte) in view.enumerated() {
      if byte == UInt8(ascii: "<") { depth += 1 }
      if byte == UInt8(ascii: ">") {
        depth -= 1
        if depth == 0 { return i }
      }
    }
    return nil
  }

  /// Returns the value of a text such as `0x7f01`; nil if the text is not such a number, or is 0.
  static func address(_ text: UnsafeBufferPointer<UInt8>) -> UInt64? {
    guard text.starts(withLiteral: "0x"), text.count > 2, text.count <= 18 else { return nil }
    return Hexadecimal.number(text[2...]).flatMap { $0 == 0 ? nil : $0 }
  }
}
