import EncircleEvents
import EncircleTree

/// What a property's value must have for a test to hold, so that the test can be found by the value.
struct ValueKeys {
  /// One way in which the test can hold.
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

    /// Whether it is all of a value.
    var isWhole: Bool {
      switch self {
      case .null, .bool, .number, .text, .foldedText: true
      case .part, .foldedPart: false
      }
    }
  }

  /// The number of the property.
  let subject: Int
  /// The test holds only if the value has one of these.
  let alternatives: [Alternative]
  /// The pages on which it is asked for; nil for any.
  let pages: [UInt32]?

  /// The keys of a test; nil if its value can be anything.
  init?(_ condition: Condition, subject: Int, pages: [UInt32]?) {
    guard let alternatives = Self.alternatives(of: condition), !alternatives.isEmpty else { return nil }
    self.subject = subject
    self.alternatives = alternatives
    // Pages help where values are looked up as a whole, and where the product is no more than linear in what was written.
    let isWhole = alternatives.allSatisfy(\.isWhole)
    let isSmall = pages.map { $0.count * alternatives.count <= 64 + 2 * ($0.count + alternatives.count) } ?? true
    self.pages = isWhole && isSmall ? pages : nil
  }

  private static func alternatives(of condition: Condition) -> [Alternative]? {
    switch condition {
    case .all(let conditions):
      // Any of them will do; the one with the fewest and longest.
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
    case .not, .matches, .exists, .number, .version, .kindOf: return nil
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
