/// The grammar of numbers.
enum JSONNumber {
  /// Moves `i` behind the number that begins there, or to the first byte that cannot be part of it.
  ///
  ///     number = [ "-" ] ( "0" / digit1-9 *digit ) [ "." 1*digit ] [ ( "e" / "E" ) [ "+" / "-" ] 1*digit ]
  @inline(__always) static func scan(_ text: UnsafePointer<UInt8>, _ i: inout Int, _ end: Int) -> Bool {
    if text[i] == UInt8(ascii: "-") { i += 1 }
    guard i < end else { return false }
    if text[i] == UInt8(ascii: "0") {
      i += 1
      if i < end, isDigit(text[i]) { return false }
    } else {
      guard digits(text, &i, end) else { return false }
    }
    if i < end, text[i] == UInt8(ascii: ".") {
      i += 1
      guard digits(text, &i, end) else { return false }
    }
    if i < end, text[i] | 0x20 == UInt8(ascii: "e") {
      i += 1
      if i < end, text[i] == UInt8(ascii: "+") || text[i] == UInt8(ascii: "-") { i += 1 }
      guard digits(text, &i, end) else { return false }
    }
    return true
  }

  @inline(__always) private static func digits(_ text: UnsafePointer<UInt8>, _ i: inout Int, _ end: Int) -> Bool {
    let start = i
    while i < end, isDigit(text[i]) { i += 1 }
    return i > start
  }
}
