import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

// Tests that are written in another form than the values that they mean.
extension ValueChecks {
  // MARK: - Versions

  /// Reports a version with fewer numbers than those that occur: `5.2` is not 5.2.0.
  func checkPartialVersion(_ text: UTF8String, _ subject: Subject, _ list: inout FindingList) -> Bool {
    let column = subject.column
    guard subject.kind == .versions, column.texts[text] == nil, VersionNumber(text.text) != nil else { return false }
    let longer = column.texts.filter { $0.key.text.utf8.starts(with: (text.text + ".").utf8) }
    guard !longer.isEmpty, let range = VersionRange.written(otherwise: text.text + ".*") else { return false }
    let known = longer.keys.sorted().prefix(3).map(\.text).joined(separator: ", ")
    let file = list.rules.sources[subject.tested.rule.id]
    let key = file?.isJSON ?? false ? "\"version\"" : "version"
    let test = "\(key): \(list.spelled(range, in: file))"
    let braces = file?.isJSON ?? false ? "{\(test)}" : "{ \(test) }"
    var edit: Finding.Edit?
    if case .alone? = subject.tested.value?.role { edit = list.edit(subject.tested.value?.place, braces) }
    edit?.isGuess = true
    list.add(
      .unknownValue, subject.tested,
      "\(subject.tested.property) is compared with \"\(text)\" as it stands, and in \(column.source) it is \(known)",
      suggestion: braces, edit: edit)
    return true
  }

  /// Reports `5.2-5.4`, which is a version before 5.2 rather than a range.
  func checkHyphen(_ tested: Tested, _ list: inout FindingList) -> Bool {
    guard case .version(let range) = tested.leaf.test else { return false }
    let text = range.description
    let parts = text.split(separator: "-")
    guard parts.count == 2, text.utf8.count <= 64,
      parts.allSatisfy({ part in
        part.utf8.contains(UInt8(ascii: ".")) && part.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) }
      })
    else { return false }
    let meant = ">=\(parts[0]) <=\(parts[1])"
    list.add(
      .unknownValue, tested, "\(text) is a pre-release of \(parts[0]); a range of versions is \(meant)",
      suggestion: meant,
      replacement: meant)
    return true
  }

  // MARK: - Types

  /// Reports a time in seconds, compared with one in milliseconds.
  func checkSeconds(_ tested: Tested, _ list: inout FindingList) -> Bool {
    guard list.rules.ruleSet.fields.places(of: .time).contains(tested.property) else { return false }
    let number: DecimalNumber
    switch tested.leaf.test {
    case .number(_, let value): number = value
    case .value(.number(let value), _, _): number = value
    default: return false
    }
    guard let seconds = Int64(number.description), let meant = SecondsForMilliseconds.meant(by: seconds) else {
      return false
    }
    list.add(
      .wrongType, tested, "\(tested.property) is in milliseconds, and \(seconds) is a time in seconds",
      suggestion: "\(meant)", edit: list.edit(tested.value?.place, "\(meant)"))
    return true
  }

  // Properties that SDKs send as true or false.
  private static let flags: Set<UTF8String> = [
    "$is_first_day", "$is_first_time", "$resume_from_background", "$wifi", "$is_channel_callback_event",
  ]

  /// Reports a text in place of true or false, also where no event shows which it is.
  func checkFlag(_ tested: Tested, _ column: KnownValues.Column, _ list: inout FindingList) -> Bool {
    guard column.count == 0, case .property(let name) = tested.property, Self.flags.contains(name),
      case .value(.string(let text), _, _) = tested.leaf.test
    else { return false }
    let flag = text == "true" || text == "false" ? text.text : nil
    list.add(
      .wrongType, tested, "\(name) is always true or false, and a text equals neither", suggestion: flag,
      edit: flag.flatMap { list.edit(tested.value?.place, $0) })
    return true
  }

  // MARK: - Patterns

  /// Reports an expression that no value passes, but would if its brackets stood for themselves, or without slashes.
  func checkExpression(_ expression: RegularExpression, _ subject: Subject, _ list: inout FindingList) {
    let text = expression.description
    let column = subject.column
    guard !subject.tested.leaf.isNegated, text.utf8.count <= 256 else { return }
    let known = column.texts.keys.map(\.text)
    let shown = subject.kind == .shown ? shownTexts : []
    func firstMatch(_ pattern: String, fold: Bool = false) -> String? {
      guard let expression = try? RegularExpression(pattern, foldsCase: fold) else { return nil }
      let probe = ConditionProbe(.matches(expression))
      return known.first { probe.holds(.string($0)) } ?? shown.first { probe.holds(.string($0.text)) }?.text
    }
    guard firstMatch(text) == nil else { return }
    let value = subject.tested.value
    if let (pattern, flags) = Self.betweenSlashes(text), let match = firstMatch(pattern, fold: flags.contains("i")) {
      let isJSON = list.rules.sources[subject.tested.rule.id]?.isJSON ?? false
      let fold = isJSON ? "\"fold\": true" : "fold: true"
      let key = isJSON ? "\"matches\"" : "matches"
      let written = list.spelled(pattern, in: list.rules.sources[subject.tested.rule.id])
      let tests = "\(key): \(written)" + (flags.contains("i") ? ", \(fold)" : "")
      // In a block, the two tests have lines of their own.
      let edit = subject.tested.source?.braces != nil ? list.edit(value?.test, tests) : nil
      list.add(
        .unknownValue, subject.tested,
        "\(subject.tested.property) never matches \"\(text)\": an expression has no slashes around it; without them it "
          + "matches \"\(match)\"", suggestion: "{ \(tests) }", edit: edit)
      return
    }
    let literal = Self.escapingBrackets(text)
    guard !literal.utf8.elementsEqual(text.utf8), let match = firstMatch(literal) else { return }
    list.add(
      .unknownValue, subject.tested,
      "\(subject.tested.property) never matches \"\(text)\", in which brackets make a group; with a backslash in front of "
        + "each it matches \"\(match)\"", suggestion: literal, replacement: literal)
  }

  /// Reads `/pattern/flags`.
  private static func betweenSlashes(_ text: String) -> (pattern: String, flags: String)? {
    guard text.utf8.first == UInt8(ascii: "/"), let last = text.lastIndex(of: "/"), last > text.startIndex else {
      return nil
    }
    let flags = text[text.index(after: last)...]
    let pattern = text[text.index(after: text.startIndex)..<last]
    guard !pattern.isEmpty, flags.utf8.allSatisfy({ "igmsu".utf8.contains($0) }) else { return nil }
    return (String(pattern), String(flags))
  }

  /// Returns an expression with a backslash in front of each bracket that has none.
  private static func escapingBrackets(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if !isEscaped, "()[]".unicodeScalars.contains(scalar) { result.append("\\") }
      isEscaped = scalar == "\\" && !isEscaped
      result.append(scalar)
    }
    return String(result)
  }

  /// Reports a `?` in a form, which stands for itself here.
  func reportQuestionMark(_ text: String, _ fold: Bool, _ subject: Subject, _ list: inout FindingList) -> Bool {
    guard text.utf8.contains(UInt8(ascii: "?")) else { return false }
    // One character each, by which other tools mean it.
    var pattern = "^"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "?": pattern += "."
      case "*": pattern += "(?s:.*)"
      default: pattern += "()[]{}.+^$|\\".unicodeScalars.contains(scalar) ? "\\\(scalar)" : "\(scalar)"
      }
    }
    guard let expression = try? RegularExpression(pattern + "$", foldsCase: fold) else { return false }
    let probe = ConditionProbe(.matches(expression))
    guard let match = subject.column.texts.keys.sorted().first(where: { probe.holds(.string($0.text)) }) else {
      return false
    }
    let glob = text.replacing("?", with: "*")
    var edit = list.edit(
      subject.tested.value?.place, list.spelled(glob, in: list.rules.sources[subject.tested.rule.id]))
    edit?.isGuess = true
    list.add(
      .unknownValue, subject.tested,
      "\(subject.tested.property) never has the form \"\(text)\", in which '?' is a question mark; '*' stands for any "
        + "characters, as in \"\(match)\"", suggestion: glob, edit: edit)
    return true
  }
}
