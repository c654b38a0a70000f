import EncircleEvents
import EncircleTree

// Conditions as bytes: equal bytes mean equal conditions, and saved rule sets hold them so.
//
//     condition = tag operands
//     text      = length (32 bits, little-endian) bytes
//     number    = text, as JSON writes it

extension Condition {
  private enum Tag: UInt8 {
    case all, any, not, isOneOf, prefix, suffix, contains, glob, matches, exists
    case less, lessOrEqual, greater, greaterOrEqual, version, kindOf
  }

  private enum ScalarTag: UInt8 {
    case null, `false`, `true`, number, string
  }

  /// Appends the condition.
  func encode(to bytes: inout [UInt8]) {
    func tag(_ tag: Tag) { bytes.append(tag.rawValue) }
    switch self {
    case .all(let conditions):
      tag(.all)
      Self.append(conditions.count, to: &bytes)
      for condition in conditions { condition.encode(to: &bytes) }
    case .any(let conditions):
      tag(.any)
      Self.append(conditions.count, to: &bytes)
      for condition in conditions { condition.encode(to: &bytes) }
    case .not(let condition):
      tag(.not)
      condition.encode(to: &bytes)
    case .isOneOf(let values, let fold):
      tag(.isOneOf)
      bytes.append(fold ? 1 : 0)
      Self.append(values.count, to: &bytes)
      for value in values { Self.append(value, to: &bytes) }
    case .text(let test, let text, let fold):
      switch test {
      case .prefix: tag(.prefix)
      case .suffix: tag(.suffix)
      case .contains: tag(.contains)
      case .glob: tag(.glob)
      }
      bytes.append(fold ? 1 : 0)
      Self.append(text.text, to: &bytes)
    case .matches(let expression):
      tag(.matches)
      bytes.append(expression.foldsCase ? 1 : 0)
      Self.append(expression.description, to: &bytes)
    case .exists(let wanted):
      tag(.exists)
      bytes.append(wanted ? 1 : 0)
    case .number(let comparison, let number):
      switch comparison {
      case .less: tag(.less)
      case .lessOrEqual: tag(.lessOrEqual)
      case .greater: tag(.greater)
      case .greaterOrEqual: tag(.greaterOrEqual)
      }
      Self.append(number.description, to: &bytes)
    case .version(let range):
      tag(.version)
      Self.append(range.description, to: &bytes)
    case .kindOf(let names):
      tag(.kindOf)
      Self.append(names.count, to: &bytes)
      for name in names { Self.append(name.text, to: &bytes) }
    }
  }

  private static func append(_ value: Scalar, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(ScalarTag.null.rawValue)
    case .bool(let flag): bytes.append((flag ? ScalarTag.true : .false).rawValue)
    case .number(let number):
      bytes.append(ScalarTag.number.rawValue)
      append(number.description, to: &bytes)
    case .string(let name):
      bytes.append(ScalarTag.string.rawValue)
      append(name.text, to: &bytes)
    }
  }

  private static func append(_ count: Int, to bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: count >> shift)) }
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 {
      append($0.count, to: &bytes)
      bytes.append(contentsOf: $0)
    }
  }

  /// Reads a condition that takes up all the bytes; nil if they are none.
  init?(decoding bytes: UnsafeBufferPointer<UInt8>) {
    var decoder = Decoder(bytes: bytes)
    guard let condition = decoder.condition(depth: 0), decoder.isAtEnd else { return nil }
    self = condition
  }

  private struct Decoder {
    let bytes: UnsafeBufferPointer<UInt8>
    var place = 0

    var isAtEnd: Bool { place == bytes.count }

    mutating func byte() -> UInt8? {
      guard place < bytes.count else { return nil }
      defer { place += 1 }
      return bytes[place]
    }

    mutating func flag() -> Bool? {
      switch byte() {
      case 0: false
      case 1: true
      default: nil
      }
    }

    /// A number of things, each of which takes at least one byte.
    mutating func count() -> Int? {
      guard bytes.count - place >= 4 else { return nil }
      var count = 0
      for shift in stride(from: 0, to: 32, by: 8) {
        count |= Int(bytes[place]) << shift
        place += 1
      }
      return count <= bytes.count - place ? count : nil
    }

    mutating func text() -> String? {
      guard let count = count() else { return nil }
      defer { place += count }
      return String(validating: bytes.part(place..<place + count), as: UTF8.self)
    }

    mutating func list<T>(_ element: (inout Decoder) -> T?) -> [T]? {
      guard let count = count() else { return nil }
      var result: [T] = []
      for _ in 0..<count {
        guard let next = element(&self) else { return nil }
        result.append(next)
      }
      return result
    }

    mutating func number() -> DecimalNumber? { text().flatMap { DecimalNumber($0) } }

    mutating func scalar() -> Scalar? {
      switch byte().flatMap(ScalarTag.init(rawValue:)) {
      case .null: .null
      case .false: .bool(false)
      case .true: .bool(true)
      case .number: number().map { .number($0) }
      case .string: text().map { .string(Name($0)) }
      case nil: nil
      }
    }

    mutating func condition(depth: Int) -> Condition? {
      // One level more than rules may have, for the conditions that a property's tests are joined by.
      guard depth <= Condition.maximumDepth + 2, let tag = byte().flatMap(Tag.init(rawValue:)) else { return nil }
      switch tag {
      case .all: return list { $0.condition(depth: depth + 1) }.map { .all($0) }
      case .any: return list { $0.condition(depth: depth + 1) }.map { .any($0) }
      case .not: return condition(depth: depth + 1).map { .not($0) }
      case .isOneOf:
        guard let fold = flag(), let values = list({ $0.scalar() }) else { return nil }
        return .isOneOf(values, fold: fold)
      case .prefix: return textTest(.prefix)
      case .suffix: return textTest(.suffix)
      case .contains: return textTest(.contains)
      case .glob: return textTest(.glob)
      case .matches:
        guard let fold = flag(), let text = text(),
          let expression = try? RegularExpression(text, foldsCase: fold)
        else { return nil }
        return .matches(expression)
      case .exists: return flag().map { .exists($0) }
      case .less: return number().map { .number(.less, $0) }
      case .lessOrEqual: return number().map { .number(.lessOrEqual, $0) }
      case .greater: return number().map { .number(.greater, $0) }
      case .greaterOrEqual: return number().map { .number(.greaterOrEqual, $0) }
      case .version: return text().flatMap { VersionRange(parsing: $0) }.map { .version($0) }
      case .kindOf: return list { $0.text().map { Name($0) } }.map { .kindOf($0) }
      }
    }

    private mutating func textTest(_ test: Condition.TextTest) -> Condition? {
      guard let fold = flag(), let text = text() else { return nil }
      return .text(test, Name(text), fold: fold)
    }
  }
}
