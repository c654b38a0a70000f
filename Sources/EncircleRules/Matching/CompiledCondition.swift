import EncircleEvents
import EncircleTree

/// A condition with its sets and patterns prepared.
indirect enum CompiledCondition: Sendable {
  case all([CompiledCondition])
  case any([CompiledCondition])
  case not(CompiledCondition)
  case isOneOf(ScalarSet)
  case prefix([UInt8], fold: Bool)
  case suffix([UInt8], fold: Bool)
  case contains(ByteSearch, fold: Bool)
  case glob(Glob, fold: Bool)
  case matches(RegularExpression)
  case exists(Bool)
  case number(Condition.Comparison, DecimalNumber)
  case version(VersionRange)
  case kindOf([ClassNumber])

  init(_ condition: Condition, _ classes: inout ClassTable) {
    switch condition {
    case .all(let conditions): self = .all(conditions.map { CompiledCondition($0, &classes) })
    case .any(let conditions): self = .any(conditions.map { CompiledCondition($0, &classes) })
    case .not(let condition): self = .not(CompiledCondition(condition, &classes))
    case .isOneOf(let values, let fold): self = .isOneOf(ScalarSet(values, fold: fold))
    case .text(let test, let text, let fold):
      let text = fold ? CaseFolding.folded(text) : text
      let bytes = Array(text.text.utf8)
      switch test {
      case .prefix: self = .prefix(bytes, fold: fold)
      case .suffix: self = .suffix(bytes, fold: fold)
      case .contains: self = .contains(ByteSearch(bytes), fold: fold)
      case .glob: self = .glob(Glob(bytes), fold: fold)
      }
    case .matches(let expression): self = .matches(expression)
    case .exists(let wanted): self = .exists(wanted)
    case .number(let comparison, let number): self = .number(comparison, number)
    case .version(let range): self = .version(range)
    case .kindOf(let names): self = .kindOf(names.map { classes.number($0) })
    }
  }

  /// Whether a value meets the condition. Conditions nest no deeper than ``Condition/maximumDepth``.
  func holds(_ value: EventValues.Value, _ values: EventValues, _ classes: inout ClassTable) -> Bool {
    switch self {
    case .all(let conditions): return conditions.allSatisfy { $0.holds(value, values, &classes) }
    case .any(let conditions): return conditions.contains { $0.holds(value, values, &classes) }
    case .not(let condition): return !condition.holds(value, values, &classes)
    case .exists(let wanted):
      if case .missing = value { return !wanted }
      return wanted
    case .isOneOf(let set): return set.contains(value, values)
    case .number(let comparison, let number):
      guard case .number(let range) = value, let found = values.decimal(range) else { return false }
      switch comparison {
      case .less: return found < number
      case .lessOrEqual: return found <= number
      case .greater: return found > number
      case .greaterOrEqual: return found >= number
      }
    default: break
    }
    guard case .string(let range) = value else { return false }
    return values.withString(range) { text in
      switch self {
      case .prefix(let wanted, let fold): return Self.withFolded(text, if: fold) { $0.starts(with: wanted) }
      case .suffix(let wanted, let fold):
        return Self.withFolded(text, if: fold) { $0.suffix(wanted.count).elementsEqual(wanted) }
      case .contains(let search, let fold): return Self.withFolded(text, if: fold) { search.isIn($0) }
      case .glob(let glob, let fold): return Self.withFolded(text, if: fold) { glob.matches($0) }
      case .matches(let expression): return expression.matches(text)
      case .version(let range): return Version(parsing: text).map { range.contains($0) } ?? false
      case .kindOf(let bases):
        let number = classes.number(text)
        return bases.contains { classes.isClass(number, kindOf: $0) }
      default: return false
      }
    }
  }

  private static func withFolded<R>(
    _ text: UnsafeBufferPointer<UInt8>, if fold: Bool, _ body: (UnsafeBufferPointer<UInt8>) -> R
  ) -> R {
    guard fold else { return body(text) }
    var folded: [UInt8] = []
    CaseFolding.append(text, to: &folded)
    return folded.withUnsafeBufferPointer(body)
  }
}

extension Condition {
  /// How deep `not` and its kin may nest.
  public static let maximumDepth = 32
}

/// Values of which one is to be met. A class, as conditions are looked at far more often than made, and copies of its
/// parts would be counted each time.
final class ScalarSet: Sendable {
  private let strings: StringTable
  private let numbers: Set<DecimalNumber>
  private let bools: Set<Bool>
  private let hasNull: Bool
  private let fold: Bool

  init(_ values: [Scalar], fold: Bool) {
    self.fold = fold
    var strings = StringTable()
    var numbers: Set<DecimalNumber> = []
    var bools: Set<Bool> = []
    var hasNull = false
    for value in values {
      switch value {
      case .null: hasNull = true
      case .bool(let flag): bools.insert(flag)
      case .number(let number): numbers.insert(number)
      case .string(let name): _ = strings.intern((fold ? CaseFolding.folded(name) : name).text)
      }
    }
    self.strings = strings
    self.numbers = numbers
    self.bools = bools
    self.hasNull = hasNull
  }

  func contains(_ value: EventValues.Value, _ values: EventValues) -> Bool {
    switch value {
    case .missing, .composite: return false
    case .null: return hasNull
    case .bool(let flag): return bools.contains(flag)
    case .number(let range): return !numbers.isEmpty && values.decimal(range).map { numbers.contains($0) } ?? false
    case .string(let range):
      return values.withString(range) { text in
        guard fold else { return strings.find(text) != nil }
        var folded: [UInt8] = []
        CaseFolding.append(text, to: &folded)
        return folded.withUnsafeBufferPointer { strings.find($0) != nil }
      }
    }
  }
}
