import EncircleEvents
import EncircleText

// Conditions as bytes, the form in which rule sets are saved: equal bytes mean equal conditions.
//
//     condition = tag operands
//     number    = text, as JSON writes it
//
// ByteCoding defines texts and lists.

extension Condition {
  fileprivate enum Tag: UInt8 {
    case all, any, not, isOneOf, prefix, suffix, contains, glob, matches, exists
    case less, lessOrEqual, greater, greaterOrEqual, version, kindOf, anyItem, allItems, numberInText, sample
  }

  fileprivate enum ScalarTag: UInt8 {
    case null, `false`, `true`, number, string
  }

  /// Appends the condition.
  func encode(to bytes: inout [UInt8]) {
    func tag(_ tag: Tag) { bytes.append(tag.rawValue) }
    switch self {
    case .all(let conditions):
      tag(.all)
      ByteCoding.append(conditions.count, to: &bytes)
      for condition in conditions { condition.encode(to: &bytes) }
    case .any(let conditions):
      tag(.any)
      ByteCoding.append(conditions.count, to: &bytes)
      for condition in conditions { condition.encode(to: &bytes) }
    case .not(let condition):
      tag(.not)
      condition.encode(to: &bytes)
    case .isOneOf(let values, let fold):
      tag(.isOneOf)
      bytes.append(fold ? 1 : 0)
      ByteCoding.append(values.count, to: &bytes)
      for value in values { Self.append(value, to: &bytes) }
    case .text(let test, let text, let fold):
      switch test {
      case .prefix: tag(.prefix)
      case .suffix: tag(.suffix)
      case .contains: tag(.contains)
      case .glob: tag(.glob)
      }
      bytes.append(fold ? 1 : 0)
      ByteCoding.append(text.text, to: &bytes)
    case .matches(let expression):
      tag(.matches)
      bytes.append(expression.foldsCase ? 1 : 0)
      ByteCoding.append(expression.description, to: &bytes)
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
      ByteCoding.append(number.description, to: &bytes)
    case .version(let range):
      tag(.version)
      ByteCoding.append(range.description, to: &bytes)
    case .items(let test, let condition):
      tag(test == .any ? .anyItem : .allItems)
      condition.encode(to: &bytes)
    case .numberInText(let condition):
      tag(.numberInText)
      condition.encode(to: &bytes)
    case .sample(let sample):
      tag(.sample)
      ByteCoding.append(sample.millionths, to: &bytes)
      ByteCoding.append(sample.salt.text, to: &bytes)
    case .kindOf(let names):
      tag(.kindOf)
      ByteCoding.append(names.count, to: &bytes)
      for name in names { ByteCoding.append(name.text, to: &bytes) }
    }
  }

  private static func append(_ value: Scalar, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(ScalarTag.null.rawValue)
    case .bool(let flag): bytes.append((flag ? ScalarTag.true : .false).rawValue)
    case .number(let number):
      bytes.append(ScalarTag.number.rawValue)
      ByteCoding.append(number.description, to: &bytes)
    case .string(let name):
      bytes.append(ScalarTag.string.rawValue)
      ByteCoding.append(name.text, to: &bytes)
    }
  }

  /// Reads a condition that fills all the bytes; nil if they are not one.
  init?(decoding bytes: UnsafeBufferPointer<UInt8>) {
    var decoder = ByteCoding.Decoder(bytes: bytes)
    guard let condition = decoder.condition(depth: 0), decoder.isAtEnd else { return nil }
    self = condition
  }
}

extension ByteCoding.Decoder {
  fileprivate mutating func decimal() -> DecimalNumber? { text().flatMap { DecimalNumber($0) } }

  fileprivate mutating func scalar() -> Scalar? {
    switch byte().flatMap(Condition.ScalarTag.init(rawValue:)) {
    case .null: .null
    case .false: .bool(false)
    case .true: .bool(true)
    case .number: decimal().map { .number($0) }
    case .string: text().map { .string(UTF8String($0)) }
    case nil: nil
    }
  }

  /// Reads a condition.
  mutating func condition() -> Condition? { condition(depth: 0) }

  fileprivate mutating func condition(depth: Int) -> Condition? {
    guard depth < Condition.maximumLevels, let tag = byte().flatMap(Condition.Tag.init(rawValue:)) else {
      return nil
    }
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
    case .less: return decimal().map { .number(.less, $0) }
    case .lessOrEqual: return decimal().map { .number(.lessOrEqual, $0) }
    case .greater: return decimal().map { .number(.greater, $0) }
    case .greaterOrEqual: return decimal().map { .number(.greaterOrEqual, $0) }
    case .version: return text().flatMap { VersionRange(parsing: $0) }.map { .version($0) }
    case .anyItem: return condition(depth: depth + 1).map { .items(.any, $0) }
    case .allItems: return condition(depth: depth + 1).map { .items(.all, $0) }
    case .numberInText: return condition(depth: depth + 1).map { .numberInText($0) }
    case .sample:
      guard let millionths = number(), let salt = text() else { return nil }
      return ValueSample(millionths: millionths, salt: UTF8String(salt)).map { .sample($0) }
    case .kindOf: return list { $0.text().map { UTF8String($0) } }.map { .kindOf($0) }
    }
  }

  private mutating func textTest(_ test: Condition.TextTest) -> Condition? {
    guard let fold = flag(), let text = text() else { return nil }
    return .text(test, UTF8String(text), fold: fold)
  }
}
