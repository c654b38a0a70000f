import EncircleText

/// Finds an event's existing `$encircle` member before a decision is added.
///
/// Readers disagree about objects in which a name occurs twice. If the existing member stayed, the sender of an event could forge
/// its decision.
enum OwnMember {
  private static let name = Array("$encircle".utf8)
  private static let written = Array("\"$encircle\"".utf8)
  private static let escape = Array("\\u".utf8)

  /// Returns the ranges of bytes, in ascending order, whose removal leaves an event without such a member at the top level; the rest
  /// is valid JSON.
  ///
  /// - Parameter event: An object in valid JSON, without surrounding white space.
  /// - Complexity: O(length); only the search for the name, or for an escape, if the event has neither.
  static func places(in event: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    guard contains(event, written) || contains(event, escape) else { return [] }
    var members = Members(event)
    var places: [Range<Int>] = []
    var hasOther = false
    while let member = members.next() {
      guard isName(event[member.name]) else {
        hasOther = true
        continue
      }
      // A member is removed with the comma before it; the first members of an object are removed with the comma after them.
      if hasOther {
        places.append(member.separator..<member.end)
      } else {
        places.append(member.name.lowerBound..<members.startOfNext)
      }
    }
    return places
  }

  private static func contains(_ event: UnsafeBufferPointer<UInt8>, _ text: [UInt8]) -> Bool {
    var start = 0
    // The `$` after the quote, or the backslash of an escape, is rare in events, so it is searched for first.
    let (place, byte) = text[0] == UInt8(ascii: "\"") ? (1, text[1]) : (0, text[0])
    while let i = event.offset(of: byte, from: start) {
      if i >= place, i - place + text.count <= event.count, event[(i - place)...].starts(with: text) { return true }
      start = i + 1
    }
    return false
  }

  /// Returns whether a JSON string, given with its quotes, is `$encircle`. None of its characters has a short escape.
  private static func isName(_ string: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    var rest = string.dropFirst().dropLast()
    // Six bytes for each character at most.
    guard rest.count <= 6 * name.count else { return false }
    for expected in name {
      guard let byte = rest.popFirst() else { return false }
      if byte == expected { continue }
      guard byte == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "u") else { return false }
      let digits = rest.prefix(4)
      rest = rest.dropFirst(4)
      guard UInt8(String(decoding: digits, as: UTF8.self), radix: 16) == expected else { return false }
    }
    return rest.isEmpty
  }

  /// The members of an object in valid JSON.
  private struct Members {
    struct Member {
      /// The place of the name, with its quotes.
      let name: Range<Int>
      /// The place of the comma before it; without a comma, the place of the brace.
      let separator: Int
      /// The end of the value.
      let end: Int
    }

    private let text: UnsafeBufferPointer<UInt8>
    private var separator = 0
    // The place from which to look for the next name.
    private var place = 1

    init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    /// The place of the next member's name, or of the brace at the end.
    var startOfNext: Int {
      var i = place
      while i < text.count, isWhiteSpace(text[i]) { i += 1 }
      return i
    }

    mutating func next() -> Member? {
      let start = startOfNext
      guard start < text.count, text[start] == UInt8(ascii: "\"") else { return nil }
      let name = start..<endOfString(start)
      let end = endOfValue(name.upperBound)
      let member = Member(name: name, separator: separator, end: end)
      place = end
      place = startOfNext
      separator = place
      if place < text.count, text[place] == UInt8(ascii: ",") { place += 1 }
      return member
    }

    private func endOfString(_ start: Int) -> Int {
      var i = start + 1
      while i < text.count, text[i] != UInt8(ascii: "\"") { i += text[i] == UInt8(ascii: "\\") ? 2 : 1 }
      return min(i + 1, text.count)
    }

    /// Returns the end of the value, without the white space behind it. It begins with the colon.
    private func endOfValue(_ start: Int) -> Int {
      var i = start
      var end = start
      var depth = 0
      while i < text.count {
        switch text[i] {
        case UInt8(ascii: "\""):
          i = endOfString(i)
          end = i
          continue
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          if depth == 0 { return end }
          depth -= 1
        case UInt8(ascii: ",") where depth == 0: return end
        default: break
        }
        if !isWhiteSpace(text[i]) { end = i + 1 }
        i += 1
      }
      return end
    }
  }
}
