import CProcessor
import EncircleIdentity
import EncircleText
import EncircleTree

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A component of a path, with the place of its class name in the path's text.
struct ScannedComponent: BitwiseCopyable {
  /// The place of the class name.
  var start: UInt32
  var length: UInt32
  /// The locator.
  var numbers: ComponentNumbers

  /// Returns the class name in the path's text.
  func name(in path: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: path[Int(start)..<Int(start + length)])
  }
}

/// Reads paths that have exactly one reading, as nearly all have, without making strings. One scanner serves all paths.
struct PathScanner: ~Copyable {
  private(set) var components = GrowingBuffer<ScannedComponent>(capacity: 64)
  /// This is true if some class name begins with N, as the classes made by key-value observing do.
  private(set) var mayHaveObservation = false
  private var places = GrowingBuffer<UInt32>(capacity: 512)

  /// Reads a path into ``components``, whose class numbers are not set.
  ///
  /// - Returns: False if the path needs the full parser, or is malformed; the components have no meaning then.
  mutating func scan(_ path: UnsafeBufferPointer<UInt8>) -> Bool {
    components.removeAll()
    mayHaveObservation = false
    guard let text = path.baseAddress, path.count > 0, path.count <= Int(UInt32.max) else { return false }
    find(UInt8(ascii: "/"), path)
    if places.count == 0 { return scanWithoutSlashes(path) }
    var start = 0
    var i = 0
    // A leading slash.
    if places[0] == 0 { (start, i) = (1, 1) }
    while i < places.count {
      let end = Int(places[i])
      guard append(text, start, end) else { return false }
      start = end &+ 1
      i &+= 1
    }
    return append(text, start, path.count)
  }

  /// Calls `body` with the last class names of a path, the last one first: as many as requested, or all if there are fewer. The
  /// path in front of them is not read, and may be malformed.
  ///
  /// - Returns: Nil if the path may have several readings, is malformed at its end, has only one component, or a class that
  ///   key-value observing has made.
  @inline(__always)
  static func withLastNames<R>(
    _ wanted: Int, of path: UnsafeBufferPointer<UInt8>,
    _ body: (UnsafeBufferPointer<UnsafeBufferPointer<UInt8>>) -> R
  ) -> R? {
    guard let text = path.baseAddress else { return nil }
    return withUnsafeTemporaryAllocation(of: UnsafeBufferPointer<UInt8>.self, capacity: wanted) { names in
      var hasUnderscores = false
      var end = path.count
      for i in 0..<wanted {
        guard end > 3, text[end &- 1] == UInt8(ascii: ")") else { return nil }
        // Longer components are left to the full scan.
        let limit = max(0, end &- 256)
        var open = end &- 3
        while open > limit, text[open] != UInt8(ascii: "("), text[open] != UInt8(ascii: "/") { open &-= 1 }
        guard text[open] == UInt8(ascii: "(") else { return nil }
        var start =
          hasUnderscores ? limit : limit &+ encircle_find_last_byte(text + limit, open &- limit, UInt8(ascii: "/"))
        if start > limit {
          // An underscore behind a parenthesis could be a separator.
          if i == 0, memchr(text + start, Int32(UInt8(ascii: ")")), open &- start) != nil { return nil }
        } else if i == 0 || hasUnderscores {
          start = open
          while start > limit, !isUnderscore(text, start) { start &-= 1 }
          if start > limit { hasUnderscores = true }
        }
        guard open > start, start == 0 || start > limit, text[start] != UInt8(ascii: "'"),
          text[open &- 1] != UInt8(ascii: "'")
        else { return nil }
        if hasUnderscores {
          // In a path with slashes, underscores do not separate components. Otherwise an underscore within a name might.
          if i == 0, memchr(text, Int32(UInt8(ascii: "/")), path.count) != nil { return nil }
          guard hasNoSeparator(text, start, open) else { return nil }
        }
        if RuntimeSubclass.isObservation(UnsafeBufferPointer(start: text + start, count: open &- start)) { return nil }
        // A path with a single component may be in either notation.
        if start == 0, i == 0 { return nil }
        names.initializeElement(at: i, to: UnsafeBufferPointer(start: text + start, count: open &- start))
        if start <= 1 { return body(UnsafeBufferPointer(rebasing: names[0...i])) }
        end = start &- 1
      }
      return body(UnsafeBufferPointer(names))
    }
  }

  /// Returns whether a component in the notation with underscores begins here, with another in front of it.
  @inline(__always) private static func isUnderscore(_ text: UnsafePointer<UInt8>, _ start: Int) -> Bool {
    start > 1 && text[start &- 1] == UInt8(ascii: "_") && text[start &- 2] == UInt8(ascii: ")")
  }

  /// Reads a path without slashes: a component ends with a parenthesis, and an underscore follows.
  private mutating func scanWithoutSlashes(_ path: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let text = path.baseAddress else { return false }
    find(UInt8(ascii: ")"), path)
    var start = 0
    for i in 0..<places.count {
      let end = Int(places[i]) &+ 1
      guard end == path.count || text[end] == UInt8(ascii: "_") else { continue }
      guard append(text, start, end) else { return false }
      let name = components[components.count &- 1]
      guard Self.hasNoSeparator(text, start, start &+ Int(name.length)) else { return false }
      start = end &+ 1
    }
    return start == path.count &+ 1
  }

  /// Sets ``places`` to the places of a byte.
  private mutating func find(_ byte: UInt8, _ path: UnsafeBufferPointer<UInt8>) {
    places.removeAll()
    places.appendUninitialized(count: path.count &+ 8)
    let found = encircle_find_byte(path.baseAddress, path.count, byte, places.base)
    places.removeLast(path.count &+ 8 &- found)
  }

  /// Appends the component that stands in a part of the path; returns false if it is not one.
  @inline(__always)
  private mutating func append(_ text: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
    guard end &- start > 3, text[start] != UInt8(ascii: "'"), text[end &- 1] == UInt8(ascii: ")") else { return false }
    // Nearly all locators are indices of one or two digits.
    var open = end &- 3
    while open > start, text[open] != UInt8(ascii: "(") { open &-= 1 }
    guard open > start, let numbers = Self.locator(text + open + 1, count: end &- open &- 2) else { return false }
    if text[start] == UInt8(ascii: "N") { mayHaveObservation = true }
    components.append(
      ScannedComponent(
        start: UInt32(truncatingIfNeeded: start), length: UInt32(truncatingIfNeeded: open &- start), numbers: numbers))
    return true
  }

  /// Returns whether no underscore in a class name can be a separator, which has a name on both sides.
  private static func hasNoSeparator(_ text: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
    guard end &- start > 2 else { return true }
    for i in start &+ 1..<end &- 1 where text[i] == UInt8(ascii: "_") { return false }
    return true
  }

  /// Returns the locator whose text stands between the parentheses; nil if it is not one.
  @inline(__always)
  private static func locator(_ text: UnsafePointer<UInt8>, count: Int) -> ComponentNumbers? {
    let digit = text[0] &- 0x30
    if digit < 10 {
      if count == 1 { return ComponentNumbers(ClassTable.unknown, .index(Int(digit))) }
      let next = text[1] &- 0x30
      if count == 2, next < 10, digit > 0 {
        return ComponentNumbers(ClassTable.unknown, .index(Int(digit) * 10 + Int(next)))
      }
    }
    return Locator(parsing: UnsafeBufferPointer(start: text, count: count)).map {
      ComponentNumbers(ClassTable.unknown, $0)
    }
  }
}
