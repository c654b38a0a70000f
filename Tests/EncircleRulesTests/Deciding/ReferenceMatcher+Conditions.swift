import EncircleIdentity
import EncircleRules
import EncircleTestSupport
import EncircleText

extension ReferenceMatcher {
  func isClass(_ name: String, kindOf base: String) -> Bool {
    UTF8String(name) == UTF8String(base) || superclasses[name].map { isClass($0, kindOf: base) } ?? false
  }

  func holds(_ condition: Condition, _ value: JSON?) -> Bool {
    var text: String?
    if case .string(let string)? = value { text = string }
    switch condition {
    case .all(let conditions): return conditions.allSatisfy { holds($0, value) }
    case .any(let conditions): return conditions.contains { holds($0, value) }
    case .not(let condition): return !holds(condition, value)
    case .exists(let wanted): return wanted == (value != nil)
    case .isOneOf(let scalars, let fold): return scalars.contains { Self.isSame($0, value, fold) }
    case .number(let comparison, let number):
      guard case .number(let text)? = value else { return false }
      let (a, b) = (ReferenceNumber(text), ReferenceNumber(number.description))
      switch comparison {
      case .less: return a < b
      case .lessOrEqual: return !(b < a)
      case .greater: return b < a
      case .greaterOrEqual: return !(a < b)
      }
    case .version(let range):
      guard let version = text.flatMap({ ReferenceVersion($0) }) else { return false }
      return range.description.split(separator: " ").allSatisfy { Self.bound(String($0), holdsFor: version) }
    case .items(let test, let condition):
      guard case .list(let items)? = value else { return false }
      return test == .any ? items.contains { holds(condition, $0) } : items.allSatisfy { holds(condition, $0) }
    case .numberInText(let condition):
      if case .number? = value { return holds(condition, value) }
      return text.flatMap(Self.firstNumber).map { holds(condition, .number($0)) } ?? false
    case .sample(let sample):
      if case .number(let number)? = value { text = DecimalNumber(number)?.description }
      guard let text else { return false }
      // The event ID of a text is its SHA-256 in hexadecimal.
      let digits = EventID(identity: sample.salt.text + text).description.prefix(8)
      return UInt64(digits, radix: 16).map { Int($0 * 1_000_000 / (1 << 32)) < sample.millionths } ?? false
    case .kindOf(let names): return text.map { text in names.contains { isClass(text, kindOf: $0.text) } } ?? false
    case .matches(let expression):
      return text.map { ReferenceExpression(expression.description).isIn($0, fold: expression.foldsCase) } ?? false
    case .text(let test, let wanted, let fold):
      guard let text else { return false }
      let have = Self.scalars(text, fold)
      let want = Self.scalars(wanted.text, fold)
      switch test {
      case .prefix: return have.starts(with: want)
      case .suffix: return have.reversed().starts(with: want.reversed())
      case .contains: return have.indices.contains { have[$0...].starts(with: want) } || want.isEmpty
      case .glob: return ReferenceSelector.glob(want[...], have[...])
      }
    }
  }

  /// The first number in a text, found by an expression.
  private static func firstNumber(in text: String) -> String? {
    let expression = /-?(?:(?:[0-9]{1,3}(?:,[0-9]{3}(?![0-9]))+)(?![0-9])|[0-9]+)(?:\.[0-9]+)?/.matchingSemantics(
      .unicodeScalar)
    guard let match = text.firstMatch(of: expression) else { return nil }
    return String(match.output).replacing(",", with: "")
  }

  private static func isSame(_ scalar: Scalar, _ value: JSON?, _ fold: Bool) -> Bool {
    switch (scalar, value) {
    case (.null, .null?): true
    case (.bool(let a), .bool(let b)?): a == b
    case (.number(let a), .number(let b)?):
      !(ReferenceNumber(a.description) < ReferenceNumber(b)) && !(ReferenceNumber(b) < ReferenceNumber(a.description))
    case (.string(let a), .string(let b)?): scalars(a.text, fold) == scalars(b, fold)
    default: false
    }
  }

  // All that these tests fold.
  private static let folds: [Unicode.Scalar: String] = ["ß": "ss", "Σ": "σ", "ς": "σ", "É": "é"]

  private static func scalars(_ text: String, _ fold: Bool) -> [Unicode.Scalar] {
    guard fold else { return Array(text.unicodeScalars) }
    return text.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
      if let folded = folds[scalar] { return Array(folded.unicodeScalars) }
      guard scalar.value >= 0x41, scalar.value <= 0x5A else { return [scalar] }
      return Array(String(scalar).lowercased().unicodeScalars)
    }
  }

  private static func bound(_ text: String, holdsFor version: ReferenceVersion) -> Bool {
    let sign = text.prefix { "<>=!".contains($0) }
    guard let other = ReferenceVersion(String(text.dropFirst(sign.count))) else { return false }
    switch sign {
    case "<": return version < other
    case "<=": return !(other < version)
    case ">": return other < version
    case ">=": return !(version < other)
    case "!=": return version < other || other < version
    default: return !(version < other) && !(other < version)
    }
  }
}
