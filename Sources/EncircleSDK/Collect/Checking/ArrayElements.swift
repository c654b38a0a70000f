import EncircleEvents
import EncircleText

/// Splits a JSON array into its elements, or an object into its members. Only brackets, commas and strings are examined, so a
/// broken element does not affect the others.
///
/// An element need not be JSON: `NaN`, invalid UTF-8, control characters and unknown escapes stay in their element. A string or
/// an object that is never closed takes all following text; ``recovered(_:from:)`` ends it where the next element seems to begin.
struct ArrayElements {
  private let text: UnsafeBufferPointer<UInt8>
  /// The bracket behind the last element.
  private let close: UInt8
  /// The offset at which the next element is looked for.
  private(set) var position: Int
  /// The number of bytes that recoveries may still search once more.
  private var bytesLeft = 64 << 20

  /// - Parameter start: The offset of the bracket or brace that opens the array or object.
  init(_ text: UnsafeBufferPointer<UInt8>, from start: Int) {
    self.text = text
    close = text[start] == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]")
    position = start + 1
  }

  /// Returns the next element, without white space around it; nil after the bracket that closes the array or object, or at the end.
  /// A `]` that `,{` follows is one too many, and ends nothing.
  ///
  /// - Complexity: O(bytes) for all elements together.
  mutating func next() -> Range<Int>? {
    while true {
      position = JSONTape.skipWhiteSpace(text, from: position)
      guard position < text.count else { return nil }
      switch text[position] {
      case close:
        position += 1
        if close == UInt8(ascii: "]"), objectFollows(position) { continue }
        return nil
      case UInt8(ascii: ","): position += 1
      default: return element()
      }
    }
  }

  /// Returns the next member of an object: the bytes of its name, with escapes, and its value without surrounding white space.
  /// Elements that are not members are skipped.
  ///
  /// - Complexity: O(bytes) for all members together.
  mutating func nextMember() -> (name: Range<Int>, value: Range<Int>)? {
    while let member = next() {
      guard text[member.lowerBound] == UInt8(ascii: "\""),
        let quote = text[(member.lowerBound + 1)..<member.upperBound].firstIndex(of: UInt8(ascii: "\""))
      else { continue }
      let colon = JSONTape.skipWhiteSpace(text, from: quote + 1)
      guard colon < member.upperBound, text[colon] == UInt8(ascii: ":") else { continue }
      let value = min(JSONTape.skipWhiteSpace(text, from: colon + 1), member.upperBound)
      return (member.lowerBound + 1..<quote, value..<member.upperBound)
    }
    return nil
  }

  private mutating func element() -> Range<Int> {
    let start = position
    position = end(from: start)
    var last = position
    while last > start, isWhiteSpace(text[last - 1]) { last -= 1 }
    return start..<last
  }

  /// Returns where an element ends: at a comma or bracket of the array or object, or at the end of the text.
  private func end(from start: Int) -> Int {
    var (objects, arrays) = (0, 0)
    var isInString = false
    var position = start
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "\\") where isInString: position += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case _ where isInString: break
      case UInt8(ascii: "{"): objects += 1
      case UInt8(ascii: "["): arrays += 1
      case close where objects + arrays == 0, UInt8(ascii: ",") where objects + arrays == 0: return position
      case UInt8(ascii: "}") where objects > 0: objects -= 1
      case UInt8(ascii: "]") where arrays > 0: arrays -= 1
      default: break
      }
      position += 1
    }
    return text.count
  }

  /// Ends a broken element that took the rest of the text: at an object where the parser expected a name, else at its first `},{`.
  /// The text after it is cut again.
  ///
  /// - Returns: The shorter element; the same element if it did not take the rest, or if no other one seems to begin in it. After
  ///   64 MiB, it is always the same element.
  mutating func recovered(_ element: Range<Int>, from error: JSONError) -> Range<Int> {
    guard position == text.count, bytesLeft > 0 else { return element }
    bytesLeft -= element.count
    let place = element.lowerBound + error.offset
    if error.kind == .expectedKey, place < text.count, text[place] == UInt8(ascii: "{") {
      position = place
      return element.lowerBound..<place
    }
    var start = element.lowerBound
    while let brace = text[start...].firstIndex(of: UInt8(ascii: "}")) {
      start = brace + 1
      if objectFollows(start) {
        position = start
        return element.lowerBound..<start
      }
    }
    return element
  }

  /// Returns whether a comma and an object follow, with or without white space around the comma.
  private func objectFollows(_ position: Int) -> Bool {
    let comma = JSONTape.skipWhiteSpace(text, from: position)
    guard comma < text.count, text[comma] == UInt8(ascii: ",") else { return false }
    let next = JSONTape.skipWhiteSpace(text, from: comma + 1)
    return next < text.count && text[next] == UInt8(ascii: "{")
  }
}
