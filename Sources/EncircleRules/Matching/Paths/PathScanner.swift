import EncircleIdentity
import EncircleTree

/// Reads the paths that have only one reading, which nearly all have, without making strings.
enum PathScanner {
  /// Calls `body` with each component.
  ///
  /// - Returns: False if the path needs the full parser, or is wrong; `body` may have been called then.
  static func scan(
    _ path: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>, Locator) -> Void
  ) -> Bool {
    let hasSlashes = path.contains(UInt8(ascii: "/"))
    var start = hasSlashes && path.first == UInt8(ascii: "/") ? 1 : 0
    while start < path.count {
      var end: Int
      if hasSlashes {
        end = path[start...].firstIndex(of: UInt8(ascii: "/")) ?? path.count
      } else {
        end = start
        repeat {
          guard let close = path[end...].firstIndex(of: UInt8(ascii: ")")) else { return false }
          end = close + 1
        } while end < path.count && path[end] != UInt8(ascii: "_")
      }
      let component = path.part(start..<end)
      guard let first = component.first, first != UInt8(ascii: "'"), component.last == UInt8(ascii: ")"),
        let open = component.lastIndex(of: UInt8(ascii: "(")), open > 0,
        let locator = Locator(parsing: component.part(open + 1..<component.count - 1))
      else { return false }
      let name = component.part(0..<open)
      // A separator has a name before it and one behind.
      if !hasSlashes, name.dropFirst().dropLast().contains(UInt8(ascii: "_")) { return false }
      body(name, locator)
      if end == path.count { return true }
      start = end + 1
    }
    return false
  }
}
