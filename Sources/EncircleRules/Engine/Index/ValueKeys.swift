import EncircleEvents
import EncircleText

/// The keys of a test on a property: values or parts of values, one of which the property must have.
struct ValueKeys {
  /// One way to fulfil the test.
  enum Alternative: Hashable {
    case null
    case bool(Bool)
    case number(DecimalNumber)
    /// Exactly this text.
    case text([UInt8])
    /// This text somewhere in the value.
    case part([UInt8])
    /// Like ``text(_:)`` and ``part(_:)``, case folded.
    case foldedText([UInt8])
    case foldedPart([UInt8])
  }

  /// The number of the property.
  let subject: Int
  /// The value must have one of these.
  let alternatives: [Alternative]
  /// The numbers of the pages that the test applies to; nil for any.
  let pages: [UInt32]?

  init(_ alternatives: [Alternative], subject: Int, pages: [UInt32]?) {
    self.subject = subject
    self.alternatives = alternatives
    // Unless the product would grow faster than the rules.
    self.pages = Self.isSmall(pages, alternatives) ? pages : nil
  }

  private static func isSmall(_ pages: [UInt32]?, _ alternatives: [Alternative]) -> Bool {
    pages.map { $0.count * alternatives.count <= 64 + 2 * ($0.count + alternatives.count) } ?? true
  }

  /// Returns the alternatives for a condition to hold: a value must contain one of them. Nil if other values can fulfil it, too.
  static func alternatives(of condition: Condition) -> [Alternative]? {
    switch condition {
    case .all(let conditions):
      // The alternatives of any one of these conditions will do; takes the fewest and, among those, the longest.
      return conditions.compactMap { alternatives(of: $0) }.min { ($0.count, -length($0)) < ($1.count, -length($1)) }
    case .any(let conditions):
      var result: [Alternative] = []
      for condition in conditions {
        guard let some = alternatives(of: condition) else { return nil }
        result += some
      }
      return result
    case .isOneOf(let values, let fold):
      return values.map { value in
        switch value {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .number(let number): .number(number)
        case .string(let name):
          fold ? .foldedText(Array(CaseFolding.folded(name).text.utf8)) : .text(Array(name.text.utf8))
        }
      }
    case .text(let test, let text, let fold):
      let bytes = Array((fold ? CaseFolding.folded(text) : text).text.utf8)
      var part = bytes[...]
      if test == .glob {
        let runs = bytes.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: true)
        guard let longest = runs.max(by: { $0.count < $1.count }) else { return nil }
        part = longest
      }
      guard !part.isEmpty else { return nil }
      return [fold ? .foldedPart(Array(part)) : .part(Array(part))]
    case .matches(let expression):
      guard let (text, fold) = RequiredText.find(in: expression.description, foldsCase: expression.foldsCase) else {
        return nil
      }
      guard fold else { return [.part(text)] }
      let folded = CaseFolding.folded(UTF8String(String(decoding: text, as: UTF8.self)))
      return [.foldedPart(Array(folded.text.utf8))]
    case .not, .exists, .number, .version, .kindOf, .items, .numberInText, .sample: return nil
    }
  }

  private static func length(_ alternatives: [Alternative]) -> Int {
    alternatives.map { alternative in
      switch alternative {
      case .text(let text), .part(let text), .foldedText(let text), .foldedPart(let text): text.count
      default: 8
      }
    }.min() ?? 0
  }
}

extension ValueKeys {
  private enum Tag: UInt8 {
    case null, `false`, `true`, number, text, part, foldedText, foldedPart
  }

  /// Appends the keys; see ``ByteCoding``.
  func encode(to bytes: inout [UInt8]) {
    ByteCoding.append(subject, to: &bytes)
    bytes.append(pages == nil ? 0 : 1)
    if let pages {
      ByteCoding.append(pages.count, to: &bytes)
      for page in pages { ByteCoding.append(Int(page), to: &bytes) }
    }
    ByteCoding.append(alternatives.count, to: &bytes)
    for alternative in alternatives {
      func append(_ tag: Tag, _ text: [UInt8]) {
        bytes.append(tag.rawValue)
        ByteCoding.append(text, to: &bytes)
      }
      switch alternative {
      case .null: bytes.append(Tag.null.rawValue)
      case .bool(let flag): bytes.append((flag ? Tag.true : .false).rawValue)
      case .number(let number): append(.number, Array(number.description.utf8))
      case .text(let text): append(.text, text)
      case .part(let text): append(.part, text)
      case .foldedText(let text): append(.foldedText, text)
      case .foldedPart(let text): append(.foldedPart, text)
      }
    }
  }

  /// Reads keys; nil if the bytes are not keys.
  init?(decoding decoder: inout ByteCoding.Decoder) {
    guard let subject = decoder.number(), let hasPages = decoder.flag() else { return nil }
    self.subject = subject
    if hasPages {
      guard let list = decoder.list({ $0.number().map { UInt32($0) } }) else { return nil }
      pages = list
    } else {
      pages = nil
    }
    let list = decoder.list { decoder -> Alternative? in
      switch decoder.byte().flatMap(Tag.init(rawValue:)) {
      case nil: nil
      case .null: .null
      case .false: .bool(false)
      case .true: .bool(true)
      case .number: decoder.text().flatMap { DecimalNumber($0) }.map { .number($0) }
      case .text: decoder.textBytes().map { .text($0) }
      // An empty text is part of every other, and no key.
      case .part: decoder.textBytes().flatMap { $0.isEmpty ? nil : .part($0) }
      case .foldedText: decoder.textBytes().map { .foldedText($0) }
      case .foldedPart: decoder.textBytes().flatMap { $0.isEmpty ? nil : .foldedPart($0) }
      }
    }
    guard let list, !list.isEmpty, Self.isSmall(pages, list) else { return nil }
    alternatives = list
  }
}
