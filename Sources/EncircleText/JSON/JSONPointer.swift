/// A JSON Pointer (RFC 6901), taken apart once for many lookups.
public struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
  package struct Step: Hashable, Sendable {
    /// The name of a member, unescaped.
    package var name: [UInt8]
    /// The position of an array's element, if the name is one: digits without leading zeros.
    package var position: Int?
  }

  package let steps: [Step]
  /// The pointer as it was written.
  public let description: String

  /// Parses `/a/b~1c/0`; the empty text points to the whole value.
  ///
  /// Nil if the text does not begin with `/`, or if a `~` is not part of `~0` or `~1`.
  public init?(parsing text: String) {
    var steps: [Step] = []
    if !text.utf8.isEmpty {
      guard text.utf8.first == UInt8(ascii: "/") else { return nil }
      for part in text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
        var name: [UInt8] = []
        var bytes = part.makeIterator()
        while let byte = bytes.next() {
          guard byte == UInt8(ascii: "~") else {
            name.append(byte)
            continue
          }
          switch bytes.next() {
          case UInt8(ascii: "0"): name.append(UInt8(ascii: "~"))
          case UInt8(ascii: "1"): name.append(UInt8(ascii: "/"))
          default: return nil
          }
        }
        steps.append(Step(name: name, position: Self.position(name)))
      }
    }
    self.steps = steps
    description = text
  }

  /// Pointers are equal when they point to the same place by the same names.
  public static func == (a: JSONPointer, b: JSONPointer) -> Bool { a.steps == b.steps }

  /// Hashes the values that ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(steps) }

  /// Returns the pointer to a member of the value that another pointer points to.
  package static func member(_ name: String, of pointer: String) -> String {
    let mustEscape = name.utf8.contains { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }
    return pointer + "/"
      + (mustEscape ? name.replacingBytes(of: "~", with: "~0").replacingBytes(of: "/", with: "~1") : name)
  }

  private static func position(_ name: [UInt8]) -> Int? {
    guard !name.isEmpty, name.allSatisfy(isDigit) else { return nil }
    guard name.count == 1 || name[0] != UInt8(ascii: "0") else { return nil }
    return Int(String(decoding: name, as: UTF8.self))
  }
}
