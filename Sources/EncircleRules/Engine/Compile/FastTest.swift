import EncircleEvents
import EncircleText

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A shortcut for a test: a few words of plain data that decide most values as the ``CompiledCondition`` would.
struct FastTest: BitwiseCopyable, Sendable {
  private enum Form: UInt8 {
    /// There is no shortcut.
    case other
    case equals, prefix, suffix, contains
    /// The value is one of a few texts, each stored with its length in a byte in front.
    case oneOf
    case exists, missing
    /// The value is an integer from `lower` to `upper`.
    case integer
    /// The value is a version of up to four small numbers, packed into one, from `lower` to `upper`.
    case version
  }

  /// The number of a property in the projection, or one of the subjects in ``TestTable/Test``.
  let subject: Int32
  private var form = Form.other
  // This is true if the result is inverted.
  private var isNegated = false
  /// This is true if the result depends on the element alone, so that it can be cached with the element.
  let isOfElement: Bool
  private let padding: UInt8 = 0
  // The text to compare with: texts[start ..< start + length].
  private var start: UInt32 = 0
  private var length: UInt32 = 0
  // The bounds of a number or a version. For a text of eight bytes or more, its first eight and its last eight bytes: most
  // values differ there, and the text itself is not read.
  private var lower = Int64.min
  private var upper = Int64.max

  /// Makes the shortcut for a condition, and appends its text to `texts`.
  init(_ condition: Condition, subject: Int, isOfElement: Bool, texts: inout [UInt8]) {
    self.subject = Int32(subject)
    self.isOfElement = isOfElement
    var condition = condition
    while case .not(let opposite) = condition {
      condition = opposite
      isNegated.toggle()
    }
    var text: [UInt8]?
    switch condition {
    case .isOneOf(let values, fold: false) where values.count == 1:
      if case .string(let name) = values[0] { (form, text) = (.equals, Array(name.text.utf8)) }
    case .isOneOf(let values, fold: false) where values.count <= 16:
      text = Self.list(values)
      if text != nil { form = .oneOf }
    case .text(.prefix, let name, fold: false): (form, text) = (.prefix, Array(name.text.utf8))
    case .text(.suffix, let name, fold: false): (form, text) = (.suffix, Array(name.text.utf8))
    case .text(.contains, let name, fold: false): (form, text) = (.contains, Array(name.text.utf8))
    case .exists(let wanted): form = wanted ? .exists : .missing
    case .number(let comparison, let number):
      guard let integer = Int64(number.description), integer > .min, integer < .max else { break }
      form = .integer
      switch comparison {
      case .less: upper = integer - 1
      case .lessOrEqual: upper = integer
      case .greater: lower = integer + 1
      case .greaterOrEqual: lower = integer
      }
    case .version(let range):
      guard let bounds = range.packedBounds else { break }
      form = .version
      (lower, upper) = (bounds.lowerBound, bounds.upperBound)
    default: break
    }
    guard let text else { return }
    guard texts.count + text.count <= UInt32.max else {
      form = .other
      return
    }
    start = UInt32(texts.count)
    texts.append(contentsOf: text)
    length = UInt32(texts.count) - start
    guard text.count >= 8, form != .oneOf else { return }
    text.withUnsafeBufferPointer { text in
      guard let first = text.baseAddress else { return }
      lower = Self.word(first)
      upper = Self.word(first + text.count - 8)
    }
  }

  /// Returns the texts one after the other, each with its length in front; nil if some value is not a text, or a long one.
  private static func list(_ values: [Scalar]) -> [UInt8]? {
    var list: [UInt8] = []
    for value in values {
      guard case .string(let name) = value, let length = UInt8(exactly: name.text.utf8.count) else { return nil }
      list.append(length)
      list.append(contentsOf: name.text.utf8)
    }
    return list
  }

  /// Returns whether the test holds for a value; nil if only the condition can decide.
  ///
  /// - Parameter texts: The buffer to which the texts were appended.
  @inline(__always)
  func holds(_ value: ProjectedValue, _ texts: UnsafePointer<UInt8>) -> Bool? {
    guard let holds = formHolds(value, texts) else { return nil }
    return holds != isNegated
  }

  @inline(__always)
  private func formHolds(_ value: ProjectedValue, _ texts: UnsafePointer<UInt8>) -> Bool? {
    switch form {
    case .other: return nil
    case .exists: return value.kind != .missing
    case .missing: return value.kind == .missing
    case .integer:
      guard value.kind == .number else { return false }
      guard let integer = Self.integer(value.bytes) else { return nil }
      return lower <= integer && integer <= upper
    case .version:
      guard value.kind == .string else { return false }
      guard let version = VersionNumber.packed(value.bytes) else { return nil }
      return lower <= version && version <= upper
    case .oneOf:
      guard value.kind == .string else { return false }
      var place = Int(start)
      let end = place + Int(length)
      while place < end {
        let text = UnsafeBufferPointer(start: texts + place + 1, count: Int(texts[place]))
        if sameBytes(text, value.bytes) { return true }
        place += 1 + text.count
      }
      return false
    case .equals, .prefix, .suffix, .contains:
      guard value.kind == .string else { return false }
      let text = value.bytes
      let count = Int(length)
      guard text.count >= count, form != .equals || text.count == count else { return false }
      guard count > 0, let base = text.baseAddress else { return true }
      let wanted = texts + Int(start)
      switch form {
      case .suffix: return equals(base + (text.count - count), wanted)
      case .contains: return Self.contains(base, text.count, wanted, count)
      default: return equals(base, wanted)
      }
    }
  }

  /// Returns whether the bytes at an address equal the test's text.
  @inline(__always)
  private func equals(_ text: UnsafePointer<UInt8>, _ wanted: UnsafePointer<UInt8>) -> Bool {
    let count = Int(length)
    if count >= 8 {
      guard Self.word(text) == lower, Self.word(text + count - 8) == upper else { return false }
      if count <= 16 { return true }
    }
    return memcmp(text, wanted, count) == 0
  }

  @inline(__always)
  private static func word(_ text: UnsafePointer<UInt8>) -> Int64 {
    UnsafeRawPointer(text).loadUnaligned(as: Int64.self)
  }

  /// Returns whether a short text contains another; nil for a long one, as every place is tried.
  private static func contains(
    _ text: UnsafePointer<UInt8>, _ textCount: Int, _ wanted: UnsafePointer<UInt8>, _ count: Int
  ) -> Bool? {
    guard textCount <= 256 else { return nil }
    for i in 0...textCount - count where text[i] == wanted[0] && memcmp(text + i, wanted, count) == 0 { return true }
    return false
  }

  /// Returns the value of a number that is written as an integer of at most 18 bytes; nil for others.
  private static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    let isNegative = text.first == UInt8(ascii: "-")
    guard text.count <= 18, text.count > (isNegative ? 1 : 0) else { return nil }
    var result: Int64 = 0
    for i in (isNegative ? 1 : 0)..<text.count {
      let digit = text[i] &- 0x30
      guard digit < 10 else { return nil }
      result = result &* 10 &+ Int64(digit)
    }
    return isNegative ? -result : result
  }
}
