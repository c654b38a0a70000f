import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// The facts in cells about a property.
struct PropertyFacts {
  private var property: PlannedProperty
  private var changed = ChangedFacts()
  var facts: [(key: String, value: EventValue?)] { changed.all }
  private var kept: KeptTexts

  init(_ property: PlannedProperty) {
    self.property = property
    kept = KeptTexts(property.columns)
  }

  /// Takes a cell that differs from the old one; returns whether that is a change.
  mutating func set(_ column: PlanTable.Column, _ cell: String, _ set: PlanHeaders) throws(PlanFacts.Problem) -> Bool {
    if let header = column.kept {
      kept.set(header, cell)
      return true
    }
    let text = PlanVocabulary.trimmed(cell)
    let value: EventValue? = text.isEmpty ? nil : .string(cell)
    switch column.header.property {
    case .propertyName: return changed.record("name", value, was: property.name)
    case .propertyDescription: return changed.record("description", value, was: property.summary)
    case .propertyRemark: return changed.record("remark", value, was: property.remark)
    case .propertyType: return try setType(text, set)
    case .required:
      return setFlag("required", try PlanFacts.word(text, PlanVocabulary.flags, "answer") ?? false, \.isRequired)
    case .isList: return setFlag("list", try PlanFacts.word(text, PlanVocabulary.flags, "answer") ?? false, \.isList)
    case .values:
      guard let values = PlanVocabulary.values(cell) else { throw PlanFacts.Problem("a quote has no end") }
      return setValues(Self.values(values, of: property.type))
    case .pattern:
      guard changed.record("pattern", value, was: property.pattern?.description) else { return false }
      do throws(RegularExpression.SyntaxError) {
        property.pattern = value == nil ? nil : try RegularExpression(cell)
      } catch {
        throw PlanFacts.Problem("\(error)")
      }
    default: return false
    }
    return true
  }

  /// Checks the facts of several cells together.
  mutating func check() throws(PlanFacts.Problem) {
    if kept.isChanged { changed.record("columns", kept.value) }
    guard let type = property.type else { return }
    if property.values.contains(where: { !type.takes($0) }) { setValues(Self.values(property.values, of: type)) }
    if let wrong = property.values.first(where: { !type.takes($0) }) {
      throw PlanFacts.Problem("\(Self.text(wrong)) is no \(type.rawValue), which is the type of the property")
    }
    if property.pattern != nil, type != .string, type != .any {
      throw PlanFacts.Problem("a pattern is for texts, and the type of the property is \(type.rawValue)")
    }
  }

  private static func text(_ value: Scalar) -> String {
    if case .string(let text) = value { text.text } else { value.description }
  }

  /// Returns the values of a cell as those of a type: a text may look like a number, and spreadsheets write `TRUE`.
  private static func values(_ values: [Scalar], of type: PlannedProperty.ValueType?) -> [Scalar] {
    switch type {
    case .string: values.map { .string(UTF8String(text($0))) }
    case .boolean:
      values.map { value in
        switch PlanVocabulary.key(text(value)) {
        case "true": .bool(true)
        case "false": .bool(false)
        default: value
        }
      }
    default: values
    }
  }

  private mutating func setType(_ text: String, _ set: PlanHeaders) throws(PlanFacts.Problem) -> Bool {
    if PlanVocabulary.lists.contains(PlanVocabulary.key(text)) { return setFlag("list", true, \.isList) }
    let type = try PlanFacts.word(text, PlanVocabulary.types, "type")
    var isChange = false
    // If the headers have no column for lists, a list is a separate type, so any other type ends it.
    if !set.hasIsList, property.isList { isChange = setFlag("list", false, \.isList) }
    if type == property.type { return isChange }
    property.type = type
    changed.record("type", type.map { .string($0.rawValue) })
    return true
  }

  private mutating func setFlag(
    _ key: String, _ flag: Bool, _ path: WritableKeyPath<PlannedProperty, Bool>
  ) -> Bool {
    guard property[keyPath: path] != flag else { return false }
    property[keyPath: path] = flag
    changed.record(key, flag ? .bool(true) : nil)
    return true
  }

  @discardableResult private mutating func setValues(_ values: [Scalar]) -> Bool {
    guard values != property.values else { return false }
    property.values = values
    changed.record("values", values.isEmpty ? nil : .list(values.map(\.value)))
    return true
  }
}

extension Scalar {
  /// The value as events have it.
  var value: EventValue {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let value): .number(value)
    case .string(let value): .string(value.text)
    }
  }
}
