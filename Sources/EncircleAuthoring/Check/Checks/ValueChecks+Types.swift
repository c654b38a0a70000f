import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

extension ValueChecks {
  /// Reports a test that holds for no value of the types that the property has.
  func checkType(
    _ tested: Tested, _ column: KnownValues.Column, _ kind: Kind, _ list: inout FindingList
  ) -> Bool {
    let isText = column.count > 0 ? column.textCount == column.count : kind == .versions
    let isNumber = column.count > 0 && column.numberCount == column.count
    let isFlag = column.count > 0 && column.boolCount == column.count
    let isList = column.count > 0 && column.listCount == column.count
    let isVersion =
      kind == .versions || (isText && !column.texts.isEmpty && column.texts.keys.allSatisfy { Self.isDotted($0.text) })
    let source = column.count > 0 ? " in \(column.source)" : ""
    func report(_ type: String, _ effect: String, _ suggestion: String?, _ edit: Finding.Edit?) -> Bool {
      list.add(
        .wrongType, tested, "\(tested.property) is always \(type)\(source), \(effect)", suggestion: suggestion,
        edit: edit)
      return true
    }
    let value = tested.value
    let written = value?.place.written
    if isList {
      let isAlone = value?.role == .alone && list.place(of: tested)?.isJSON != true
      let any = isAlone ? written.map { "{ any: \($0) }" } : nil
      return report(
        "a list", "which equals no single value and is not a text", "a test of its items, as in { any: … }",
        any.flatMap { list.edit(value?.place, $0) })
    }
    let isSettled = tested.leaf.twins.contains { twin in
      switch twin {
      case .null: false
      case .bool: isFlag
      case .number: column.numberCount > column.textCount
      case .string: isText
      }
    }
    if isSettled { return true }
    switch tested.leaf.test {
    case .number where isText:
      // Only the first of several comparisons is reported.
      if tested.hasEarlierComparison { return true }
      let versions = isVersion ? list.versionEdit(tested) : nil
      return report(
        "a text", "so no comparison of numbers holds",
        versions?.text
          ?? (isVersion ? "'version' with the range" : "a test of a text, such as 'equals' or 'in'"), versions?.edit)
    case .number where isFlag: return report("true or false", "so no comparison of numbers holds", nil, nil)
    case .value(.number, _, _) where isText:
      let text = written.map { list.spelled($0, at: value?.place) }
      return report("a text", "and a number equals none", text, text.flatMap { list.edit(value?.place, $0) })
    case .value(.number(let number), _, _) where isFlag:
      let flag = number == DecimalNumber(1) ? "true" : number == DecimalNumber(0) ? "false" : nil
      return report(
        "true or false", "and a number equals neither", flag, flag.flatMap { list.edit(value?.place, $0) })
    case .value(.bool(let flag), _, _) where isText:
      let text = UTF8String(String(flag))
      guard column.texts[text] != nil else { return report("a text", "and \(flag) is not one", nil, nil) }
      let quoted = list.spelled(text.text, at: list.place(of: tested))
      return report("a text", "and \(flag) is not one", quoted, list.edit(value?.place, quoted))
    case .value(.bool(let flag), _, _) where isNumber:
      let number = flag ? "1" : "0"
      return report("a number", "and \(flag) is not one", number, list.edit(value?.place, number))
    case .value(.string(let text), _, _) where isNumber:
      let number = Self.isPlainNumber(text.text) ? text.text : nil
      return report("a number", "and a text equals none", number, number.flatMap { list.edit(value?.place, $0) })
    case .value(.string(let text), _, _) where isFlag:
      let flag = text == "true" || text == "false" ? text.text : nil
      return report(
        "true or false", "and a text equals neither", flag, flag.flatMap { list.edit(value?.place, $0) })
    case .text where isNumber || isFlag, .matches where isNumber || isFlag, .version where isNumber || isFlag:
      return report(
        isNumber ? "a number" : "true or false", "so no test of a text holds",
        isNumber ? "a comparison of numbers" : nil, nil)
    case .value(.string(let text), _, _) where column.numberCount > column.textCount && column.texts[text] == nil:
      // Some events have a text here, but never this one.
      let number = Self.isPlainNumber(text.text) ? text.text : nil
      let hasDigits = text.text.utf8.contains(where: isDigit)
      list.add(
        .wrongType, tested,
        "\(tested.property) is a number in \(column.numberCount) of \(column.count) cases\(source), and never this text",
        severity: hasDigits ? nil : .note, suggestion: number, edit: number.flatMap { list.edit(value?.place, $0) })
      return true
    default: return false
    }
  }

  /// Returns whether a text is a number that YAML reads as one, too.
  private static func isPlainNumber(_ text: String) -> Bool {
    DecimalNumber(text) != nil && !text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
  }

  /// Returns whether a text is a version with a dot in it.
  private static func isDotted(_ text: String) -> Bool {
    text.utf8.contains(UInt8(ascii: ".")) && VersionNumber(text) != nil
  }
}

extension FindingList {
  /// Returns the range of versions that is meant by comparisons of numbers, and the edit that writes it.
  fileprivate func versionEdit(_ tested: ValueChecks.Tested) -> (text: String, edit: Finding.Edit?)? {
    guard let source = tested.source else { return nil }
    let leaves = tested.condition.leaves
    let comparisons = leaves.compactMap { leaf -> String? in
      guard case .number(let comparison, _) = leaf.test, !leaf.isNegated, leaf.index < source.values.count,
        let written = source.values[leaf.index].place.written
      else { return nil }
      return comparison.rawValue + written
    }
    guard !comparisons.isEmpty else { return nil }
    let place = place(of: tested)
    let isJSON = place?.isJSON ?? false
    let range = comparisons.joined(separator: " ")
    let test = "\(isJSON ? "\"version\"" : "version"): \(spelled(range, at: place))"
    if comparisons.count == leaves.count, leaves.count == source.values.count, let braces = source.braces {
      return (test, edit(braces, isJSON ? "{\(test)}" : "{ \(test) }"))
    }
    return (test, comparisons.count == 1 ? edit(tested.value?.test, test) : nil)
  }
}
