import EncircleEvents
import EncircleText

// Properties of rules as bytes, as compiled rules hold them.
//
//     property   = name  source  expression  type
//     source     = tag  operands
//     expression = flag [ text ]

extension RuleProperty {
  private enum Tag: UInt8 {
    case constant, property, path, element
  }

  func encode(to bytes: inout [UInt8]) {
    ByteCoding.append(name.text, to: &bytes)
    switch source {
    case .constant(let value):
      bytes.append(Tag.constant.rawValue)
      Condition.isOneOf([value], fold: false).encode(to: &bytes)
    case .property(let reference):
      bytes.append(Tag.property.rawValue)
      ByteCoding.append(reference.description, to: &bytes)
    case .path(let number):
      bytes.append(Tag.path.rawValue)
      ByteCoding.append(number.rawValue, to: &bytes)
    case .element(let selector):
      bytes.append(Tag.element.rawValue)
      if case .ancestor(let levels) = selector.base {
        ByteCoding.append(levels + 1, to: &bytes)
      } else {
        ByteCoding.append(0, to: &bytes)
      }
      ByteCoding.append(selector.readings.count, to: &bytes)
      for reading in selector.readings { ByteCoding.append(reading.description, to: &bytes) }
    }
    bytes.append(expression == nil ? 0 : 1)
    if let expression { ByteCoding.append(expression.description, to: &bytes) }
    ByteCoding.append(type?.rawValue ?? "", to: &bytes)
  }

  /// Reads the output of ``encode(to:)``; nil if the bytes are not a property.
  init?(from decoder: inout ByteCoding.Decoder) {
    guard let name = decoder.text(), let source = Self.source(&decoder), let hasExpression = decoder.flag() else {
      return nil
    }
    var expression: RegularExpression?
    if hasExpression {
      guard let text = decoder.text(), let compiled = try? RegularExpression(text) else { return nil }
      expression = compiled
    }
    guard let word = decoder.text(), word.isEmpty || ValueType(rawValue: word) != nil else { return nil }
    self.init(UTF8String(name), source, expression: expression, type: ValueType(rawValue: word))
  }

  private static func source(_ decoder: inout ByteCoding.Decoder) -> Source? {
    switch decoder.byte().flatMap(Tag.init(rawValue:)) {
    case .constant:
      guard case .isOneOf(let values, fold: false)? = decoder.condition(), values.count == 1 else { return nil }
      return .constant(values[0])
    case .property: return decoder.text().flatMap { PropertyReference(parsing: $0) }.map { .property($0) }
    case .path: return decoder.text().flatMap { PathNumber(rawValue: $0) }.map { .path($0) }
    case .element:
      guard let levels = decoder.number(), levels <= RelativeSelector.maximumLevels + 1,
        let readings = decoder.list({ $0.text().flatMap { try? ElementSelector(parsing: $0) } }),
        let first = readings.first
      else { return nil }
      var selector = RelativeSelector(base: levels == 0 ? .page : .ancestor(levels - 1), first)
      for reading in readings.dropFirst() { selector.append(reading) }
      return .element(selector)
    case nil: return nil
    }
  }
}
