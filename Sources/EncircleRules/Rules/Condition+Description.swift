import EncircleText

extension Condition: CustomStringConvertible {
  /// The condition in words, as a phrase that follows the name of a value: `is "a"`, `begins with "b"`.
  public var description: String {
    switch self {
    case .all(let conditions): conditions.map(\.description).joined(separator: " and ")
    case .any(let conditions): conditions.map(\.description).joined(separator: " or ")
    case .not(let condition): "not (\(condition))"
    case .isOneOf(let values, let fold):
      (values.count == 1 ? "is \(values[0])" : "is one of \(values.map(\.description).joined(separator: ", "))")
        + Self.folding(fold)
    case .text(let test, let text, let fold):
      switch test {
      case .prefix: "begins with \"\(text)\"" + Self.folding(fold)
      case .suffix: "ends with \"\(text)\"" + Self.folding(fold)
      case .contains: "contains \"\(text)\"" + Self.folding(fold)
      case .glob: "has the form \"\(text)\"" + Self.folding(fold)
      }
    case .matches(let expression): "matches /\(expression)/" + Self.folding(expression.foldsCase)
    case .exists(let wanted): wanted ? "exists" : "does not exist"
    case .number(let comparison, let number): "\(comparison.rawValue) \(number)"
    case .version(let range): "is a version \(range)"
    case .items(.any, let condition): "has an item that \(condition)"
    case .items(.all, let condition): "has only items that \(condition.description)"
    case .numberInText(let condition): "has a number that \(condition)"
    case .sample(let sample): sample.description
    case .kindOf(let names): "is a kind of \(names.map(\.text).joined(separator: " or "))"
    }
  }

  private static func folding(_ fold: Bool) -> String { fold ? ", ignoring case" : "" }
}
