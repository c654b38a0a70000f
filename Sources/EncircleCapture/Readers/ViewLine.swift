import EncircleText

/// The shape of the lines of `recursiveDescription`: marks of nesting and of copying, then a view.
///
///     view  = "<" *"<" class ( ": 0x" digits / ": <" … / ";" … / "> (layer)" )
///
/// No XML begins like this: a name in a tag is never followed by `;`, nor by `: 0x`.
enum ViewLine {
  /// The greatest length of a class name, in bytes. Those that the compiler mangles have several hundred.
  static let maximumNameLength = 4096

  /// Returns the offset of the `<` at the beginning of a view in a line; nil if the line is not a view.
  ///
  /// - Parameter allowsBareName: True if `<Class>` also counts as a view, although it might be XML.
  static func start(of line: UnsafeBufferPointer<UInt8>, allowsBareName: Bool) -> Int? {
    guard let (_, start) = nesting(of: line, at: 0), isHead(line, at: start, allowsBareName: allowsBareName) else {
      return nil
    }
    return start
  }

  /// Returns the number of `|` before the first `<` of a line, and the offset of that `<`; nil if anything but marks
  /// comes before it.
  static func nesting(of text: UnsafeBufferPointer<UInt8>, at lineStart: Int) -> (depth: Int, start: Int)? {
    var depth = 0
    var i = lineStart
    while i < text.count {
      let byte = text[i]
      if byte == UInt8(ascii: "<") { return (depth, i) }
      if byte == UInt8(ascii: "|") {
        depth += 1
      } else if !isMark(byte) {
        return nil
      }
      i += 1
    }
    return nil
  }

  /// Returns whether a byte may stand before a view: white space, or a comment mark or quote from copying. Chats and web
  /// pages replace spaces by U+00A0, the only character in UTF-8 that has just the bytes C2 and A0.
  static func isMark(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0xC2, 0xA0, UInt8(ascii: "/"), UInt8(ascii: "*"), UInt8(ascii: "#"),
      UInt8(ascii: "`"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: ">"), UInt8(ascii: "|"):
      true
    default: false
    }
  }

  /// Returns whether a view begins at a `<` that only marks precede in its line.
  static func isHead(_ text: UnsafeBufferPointer<UInt8>, at start: Int, allowsBareName: Bool = false) -> Bool {
    var i = start
    while i < text.count, text[i] == UInt8(ascii: "<"), i - start < 8 { i += 1 }
    let nameStart = i
    let end = min(text.count, nameStart + maximumNameLength)
    var brackets = 0
    while i < end {
      switch text[i] {
      case 0x0A, 0x0D, 0, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "="): return false
      case UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "/"): if i == nameStart { return false }
      case UInt8(ascii: ";"): return true
      case UInt8(ascii: ":"): if isPointer(text, at: i) { return true }
      case UInt8(ascii: "<"): brackets += 1
      case UInt8(ascii: ">"):
        if brackets == 0 {
          let rest = text.part(i + 1..<text.count)
          if rest.starts(withLiteral: " (layer)") { return true }
          return allowsBareName && i > nameStart && text[nameStart..<i].allSatisfy(isNameByte) && isEndOfLine(rest)
        }
        brackets -= 1
      default: break
      }
      i += 1
    }
    return false
  }

  /// Returns whether a view certainly begins at a `<`, whatever stands before it: one with a pointer or a frame.
  ///
  /// - Complexity: O(bytes to the next `<`).
  static func isCertain(_ text: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
    var i = start + 1
    let end = min(text.count, i + maximumNameLength)
    while i < end {
      switch text[i] {
      case 0x0A, 0x0D, 0, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "="), UInt8(ascii: "<"),
        UInt8(ascii: ">"):
        return false
      case UInt8(ascii: ";"):
        let rest = text.part(i..<text.count)
        return i > start + 1
          && (rest.starts(withLiteral: "; frame = (") || rest.starts(withLiteral: "; baseClass = "))
      case UInt8(ascii: ":") where i > start + 1 && isPointer(text, at: i):
        i += 4
        while i < text.count, Hexadecimal.value(of: text[i]) != nil { i += 1 }
        guard i < text.count else { return false }
        if text[i] == UInt8(ascii: ";") { return true }
        // A prompt may name a view, as in `po <UIWindow: 0x1>`. One in a string has a quote or `\n` behind it.
        return text[i] == UInt8(ascii: ">") && i + 1 < text.count
          && (text[i + 1] == UInt8(ascii: "\"") || text[i + 1] == UInt8(ascii: "\\"))
      default: break
      }
      i += 1
    }
    return false
  }

  /// Returns whether a `:` begins `: 0x` and a digit.
  static func isPointer(_ text: UnsafeBufferPointer<UInt8>, at colon: Int) -> Bool {
    colon + 4 < text.count && text[colon + 1] == 0x20 && text[colon + 2] == UInt8(ascii: "0")
      && text[colon + 3] | 0x20 == UInt8(ascii: "x") && Hexadecimal.value(of: text[colon + 4]) != nil
  }

  /// Returns whether a view begins at a `<` in other text: whether it is certain, or only marks precede it in its line.
  static func isView(_ text: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
    if isCertain(text, at: start) { return true }
    var i = start
    while i > 0, isMark(text[i - 1]) { i -= 1 }
    return (i == 0 || text[i - 1] == 0x0A || text[i - 1] == 0x0D) && isHead(text, at: start)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80..., UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "$"),
      UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: ","):
      true
    default: false
    }
  }

  /// Returns whether only marks and the closing signs of a string or a list precede the end of the line.
  private static func isEndOfLine(_ rest: UnsafeBufferPointer<UInt8>) -> Bool {
    for byte in rest {
      if byte == 0x0A || byte == 0x0D { return true }
      if !isCloser(byte) { return false }
    }
    return true
  }

  /// Returns whether a byte may follow a view, as it closes the string or the list that contains it.
  static func isCloser(_ byte: UInt8) -> Bool {
    isMark(byte) || byte == UInt8(ascii: ")") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]")
      || byte == UInt8(ascii: ";")
  }
}
