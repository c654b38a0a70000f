import EncircleIdentity
import EncircleTree

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A component of a path where it stands in the text.
struct ScannedComponent: BitwiseCopyable {
  /// Where the class name is.
  var start: UInt32
  var length: UInt32
  /// The locator.
  var numbers: ComponentNumbers

  /// The class name in the path's text.
  func name(in path: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: path[Int(start)..<Int(start + length)])
  }
}

/// Reads the paths that have only one reading, which nearly all have, without making strings.
enum PathScanner {
  /// Appends the components of a path, whose class names have no numbers yet.
  ///
  /// - Returns: False if the path needs the full parser, or is wrong; some components may have been appended then.
  static func scan(_ path: UnsafeBufferPointer<UInt8>, to components: inout GrowingBuffer<ScannedComponent>) -> Bool {
    guard let text = path.baseAddress, path.count > 0, path.count <= Int(UInt32.max) else { return false }
    let count = path.count
    let slash = UInt8(ascii: "/")
    let hasSlashes = find(slash, text, 0, count) < count
    var start = hasSlashes && text[0] == slash ? 1 : 0
    while start < count {
      var end = start
      if hasSlashes {
        end = find(slash, text, end, count)
      } else {
        repeat {
          end = find(UInt8(ascii: ")"), text, end, count)
          if end == count { return false }
          end &+= 1
        } while end < count && text[end] != UInt8(ascii: "_")
      }
      guard end > start, text[start] != UInt8(ascii: "'"), text[end &- 1] == UInt8(ascii: ")") else { return false }
      var open = end &- 2
      while open > start, text[open] != UInt8(ascii: "(") { open &-= 1 }
      guard open > start, text[open] == UInt8(ascii: "("),
        let numbers = locator(UnsafeBufferPointer(rebasing: path[open &+ 1..<end &- 1]))
      else { return false }
      // A separator has a name before it and one behind.
      if !hasSlashes, open &- start > 2 {
        if find(UInt8(ascii: "_"), text, start &+ 1, open &- 1) < open &- 1 { return false }
      }
      components.append(
        ScannedComponent(
          start: UInt32(truncatingIfNeeded: start), length: UInt32(truncatingIfNeeded: open &- start),
          numbers: numbers))
      if end == count { return true }
      start = end &+ 1
    }
    return false
  }

  /// Where a byte is first from `start` on; `end` if it is not there.
  @inline(__always)
  private static func find(_ byte: UInt8, _ text: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
    guard let found = memchr(text + start, Int32(byte), end &- start) else { return end }
    return UnsafeRawPointer(text).distance(to: UnsafeRawPointer(found))
  }

  /// The locator with that text between the parentheses.
  @inline(__always) private static func locator(_ text: UnsafeBufferPointer<UInt8>) -> ComponentNumbers? {
    // Nearly all are indices of one or two digits.
    if text.count == 1 {
      let digit = text[0] &- 0x30
      if digit < 10 { return ComponentNumbers(ClassTable.unknown, .index(Int(digit))) }
    } else if text.count == 2 {
      let (tens, ones) = (text[0] &- 0x30, text[1] &- 0x30)
      if tens < 10, ones < 10, tens > 0 {
        return ComponentNumbers(ClassTable.unknown, .index(Int(tens) * 10 + Int(ones)))
      }
    }
    return Locator(parsing: text).map { ComponentNumbers(ClassTable.unknown, $0) }
  }
}
