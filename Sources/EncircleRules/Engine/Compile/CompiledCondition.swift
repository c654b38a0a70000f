import EncircleEvents
import EncircleText

/// A condition with its sets and patterns prepared.
indirect enum CompiledCondition: Sendable {
  case all([CompiledCondition])
  case any([CompiledCondition])
  case not(CompiledCondition)
  case equals([UInt8])
  case isOneOf(ScalarSet)
  case prefix([UInt8], fold: Bool)
  case suffix([UInt8], fold: Bool)
  case contains(ByteSearch, fold: Bool)
  case glob([UInt8], fold: Bool)
  case matches(RegularExpression)
  case exists(Bool)
  case number(Condition.Comparison, DecimalNumber)
  case version(VersionRange)
  case kindOf([UTF8String])
  case items(Condition.ListTest, CompiledCondition)
  case numberInText(CompiledCondition)
  case sample(ValueSample)

  init(_ condition: Condition) {
    switch condition {
    case .all(let conditions): self = .all(conditions.map { CompiledCondition($0) })
    case .any(let conditions): self = .any(conditions.map { CompiledCondition($0) })
    case .not(let condition): self = .not(CompiledCondition(condition))
    case .isOneOf(let values, let fold):
      if !fold, values.count == 1, case .string(let name) = values[0] {
        self = .equals(Array(name.text.utf8))
      } else {
        self = .isOneOf(ScalarSet(values, fold: fold))
      }
    case .text(let test, let text, let fold):
      let text = fold ? CaseFolding.folded(text) : text
      let bytes = Array(text.text.utf8)
      switch test {
      case .prefix: self = .prefix(bytes, fold: fold)
      case .suffix: self = .suffix(bytes, fold: fold)
      case .contains: self = .contains(ByteSearch(bytes), fold: fold)
      case .glob: self = .glob(bytes, fold: fold)
      }
    case .matches(let expression): self = .matches(expression)
    case .exists(let wanted): self = .exists(wanted)
    case .number(let comparison, let number): self = .number(comparison, number)
    case .version(let range): self = .version(range)
    case .kindOf(let names): self = .kindOf(names)
    case .items(let test, let condition): self = .items(test, CompiledCondition(condition))
    case .numberInText(let condition): self = .numberInText(CompiledCondition(condition))
    case .sample(let sample): self = .sample(sample)
    }
  }

  /// Returns whether the condition holds for a value. Conditions of rule files nest no deeper than ``Condition/maximumLevels``.
  func holds(_ value: ProjectedValue, _ classes: borrowing ClassTable) -> Bool {
    switch self {
    case .all(let conditions):
      for condition in conditions where !condition.holds(value, classes) { return false }
      return true
    case .any(let conditions):
      for condition in conditions where condition.holds(value, classes) { return true }
      return false
    case .not(let condition): return !condition.holds(value, classes)
    case .exists(let wanted): return (value.kind != .missing) == wanted
    case .isOneOf(let set): return set.contains(value)
    case .number(let comparison, let number):
      guard value.kind == .number, let found = DecimalNumber(value.bytes) else { return false }
      switch comparison {
      case .less: return found < number
      case .lessOrEqual: return found <= number
      case .greater: return found > number
      case .greaterOrEqual: return found >= number
      }
    case .items(let test, let condition): return Self.itemsHold(test, condition, value, classes)
    case .numberInText(let condition): return Self.numberHolds(condition, value, classes)
    case .sample(let sample): return Self.isIn(sample, value)
    default: break
    }
    guard value.kind == .string else { return false }
    let text = value.bytes
    switch self {
    case .equals(let wanted): return wanted.withUnsafeBufferPointer { sameBytes(text, $0) }
    case .prefix(let wanted, let fold): return Self.withFolded(text, if: fold) { $0.starts(with: wanted) }
    case .suffix(let wanted, let fold):
      return Self.withFolded(text, if: fold) { $0.suffix(wanted.count).elementsEqual(wanted) }
    case .contains(let search, let fold): return Self.withFolded(text, if: fold) { search.isIn($0) }
    case .glob(let pattern, let fold):
      return Self.withFolded(text, if: fold) { text in
        pattern.withUnsafeBufferPointer { Glob.matches(text, $0) }
      }
    case .matches(let expression): return expression.matches(text)
    case .version(let range): return range.contains(text)
    case .kindOf(let bases):
      for base in bases where classes.isClass(text, kindOf: base) { return true }
      return Self.otherClasses(in: text).contains { name in bases.contains { classes.isClass(name, kindOf: $0) } }
    default: return false
    }
  }

  /// Returns whether a value is a list in which some items, or all, meet a condition.
  ///
  /// - Complexity: O(length of the list) and the condition, once for each item.
  private static func itemsHold(
    _ test: Condition.ListTest, _ condition: CompiledCondition, _ value: ProjectedValue,
    _ classes: borrowing ClassTable
  ) -> Bool {
    guard value.kind == .composite, value.bytes.first == UInt8(ascii: "[") else { return false }
    var tape = JSONTape()
    guard (try? tape.parse(value.bytes)) != nil else { return false }
    var text: [UInt8] = []
    var item = 1
    while item < tape.count {
      let node = tape[item]
      var holds: Bool
      if node.kind == .string, node.hasEscapes {
        text.removeAll(keepingCapacity: true)
        tape.appendString(item, in: value.bytes, to: &text)
        holds = text.withUnsafeBufferPointer { condition.holds(ProjectedValue(string: $0), classes) }
      } else {
        let bytes = value.bytes.part(node.range)
        let length = [.number, .string, .array].contains(node.kind) ? bytes.count : 0
        let item = ProjectedValue(
          kind: node.kind.projected, length: Int32(truncatingIfNeeded: length),
          start: bytes.baseAddress ?? value.bytes.baseAddress.unsafelyUnwrapped)
        holds = condition.holds(item, classes)
      }
      if holds != (test == .all) { return holds }
      item = Int(node.next)
    }
    return test == .all
  }

  /// Returns whether a value is a number that meets a condition, or a text whose first number does.
  private static func numberHolds(
    _ condition: CompiledCondition, _ value: ProjectedValue, _ classes: borrowing ClassTable
  ) -> Bool {
    if value.kind == .number { return condition.holds(value, classes) }
    guard value.kind == .string, let number = NumberInText.first(in: value.bytes) else { return false }
    return number.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return false }
      return condition.holds(
        ProjectedValue(kind: .number, length: Int32(truncatingIfNeeded: bytes.count), start: start), classes)
    }
  }

  private static func isIn(_ sample: ValueSample, _ value: ProjectedValue) -> Bool {
    switch value.kind {
    case .string: return sample.contains(value.bytes)
    case .number:
      guard let number = DecimalNumber(value.bytes) else { return false }
      return Array(number.description.utf8).withUnsafeBufferPointer { sample.contains($0) }
    default: return false
    }
  }

  /// Returns the class names that the name of an Android page contains besides the whole: activity and fragment in
  /// `Activity|Fragment`, and the class in `/Fragment`. Class names themselves do not contain `|` or `/`.
  private static func otherClasses(in page: UnsafeBufferPointer<UInt8>) -> [UnsafeBufferPointer<UInt8>] {
    if page.first == UInt8(ascii: "/") { return [page.part(1..<page.count)] }
    guard let bar = page.firstIndex(of: UInt8(ascii: "|")) else { return [] }
    return [page.part(0..<bar), page.part(bar + 1..<page.count)]
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

extension JSONNode.Kind {
  fileprivate var projected: ProjectedValue.Kind {
    switch self {
    case .null: .null
    case .false: .false
    case .true: .true
    case .number: .number
    case .string: .string
    case .array, .object: .composite
    }
  }
}

extension Condition {
  /// The depth to which `not`, `all` and `any` may nest in a rule file.
  public static let maximumDepth = 32

  /// An upper bound on the depth to which conditions nest when a test of a rule file is read. Each level of the file becomes up
  /// to two conditions, as in `.all([…, .not(…)])`. The innermost test may be a named value, which can be as deep again. Up to
  /// three more enclose them where tests are joined with others, or are about the texts within an element.
  static let maximumLevels = 4 * maximumDepth + 3
}

/// A set of values for equality tests; one of them must equal the value. It is a class because copying a structure would count
/// references for each evaluation.
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

  func contains(_ value: ProjectedValue) -> Bool {
    switch value.kind {
    case .missing, .composite: return false
    case .null: return hasNull
    case .true: return bools.contains(true)
    case .false: return bools.contains(false)
    case .number: return !numbers.isEmpty && DecimalNumber(value.bytes).map { numbers.contains($0) } ?? false
    case .string:
      guard fold else { return strings.find(value.bytes) != nil }
      var folded: [UInt8] = []
      CaseFolding.append(value.bytes, to: &folded)
      return folded.withUnsafeBufferPointer { strings.find($0) != nil }
    }
  }
}
