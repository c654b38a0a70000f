import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

// Tests that are written in another form than the values that they mean.
extension ValueChecks {
  // MARK: - Versions

  /// Reports a version with fewer numbers than the versions that occur: `5.2` is not 5.2.0.
  func checkPartialVersion(_ text: UTF8String, _ subject: Subject, _ list: inout FindingList) -> Bool {
    let column = subject.column
    guard subject.kind == .versions, column.texts[text] == nil, VersionNumber(text.text) != nil else { return false }
    let longer = column.texts.filter { $0.key.text.utf8.starts(with: (text.text + ".").utf8) }
    guard !longer.isEmpty, let range = VersionRange.written(otherwise: text.text + ".*") else { return false }
    let known = longer.keys.sorted().prefix(3).map(\.text).joined(separator: ", ")
    let place = list.place(of: subject.tested)
    let isJSON = place?.isJSON ?? false
    let test = "\(isJSON ? "\"version\"" : "version"): \(list.spelled(range, at: place))"
    let braces = isJSON ? "{\(test)}" : "{ \(test) }"
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
    let parts = text.splitBytes(at: "-")
    guard parts.count == 2, text.utf8.count <= 64,
      parts.allSatisfy({ part in
        part.utf8.contains(UInt8(ascii: ".")) && part.utf8.allSatisfy { $0 == 0x2E || isDigit($0) }
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

  /// Reports a text in place of true or false, even if no event shows which type the property has.
  func checkFlag(_ tested: Tested, _ column: KnownValues.Column, _ list: inout FindingList) -> Bool {
    guard column.count == 0, case .property(let name) = tested.property, Self.flags.contains(name),
      case .value(let value, _, _) = tested.leaf.test,
      !tested.leaf.twins.contains(where: { if case .bool = $0 { true } else { false } })
    else { return false }
    let (flag, type): (String?, String)
    switch value {
    case .string(let text): (flag, type) = (text == "true" || text == "false" ? text.text : nil, "text")
    case .number(let number):
      (flag, type) = (number == DecimalNumber(1) ? "true" : number == DecimalNumber(0) ? "false" : nil, "number")
    case .bool, .null: return false
    }
    list.add(
      .wrongType, tested, "\(name) is always true or false, and a \(type) equals neither", suggestion: flag,
      edit: flag.flatMap { list.edit(tested.value?.place, $0) })
    return true
  }

  // MARK: - Patterns

  /// Reports an expression that no value matches, although some value would match it without slashes around it, without its
  /// anchors, or with its brackets escaped.
  func checkExpression(_ expression: RegularExpression, _ subject: Subject, _ list: inout FindingList) {
    let text = expression.description
    let column = subject.column
    guard !subject.tested.leaf.isNegated, text.utf8.count <= 256 else { return }
    let known = column.texts.keys.map(\.text)
    let shown = subject.kind == .shown ? shownTexts : []
    func firstMatch(_ pattern: String, fold: Bool = false) -> String? {
      guard let tried = try? RegularExpression(pattern, foldsCase: fold || expression.foldsCase) else { return nil }
      let probe = ConditionProbe(.matches(tried))
      return known.first { probe.holds(.string($0)) } ?? shown.first { probe.holds(.string($0.text)) }?.text
    }
    guard firstMatch(text) == nil else { return }
    let value = subject.tested.value
    if let (pattern, flags) = Self.betweenSlashes(text), let match = firstMatch(pattern, fold: flags.contains("i")) {
      let place = list.place(of: subject.tested)
      let isJSON = place?.isJSON ?? false
      let fold = isJSON ? "\"fold\": true" : "fold: true"
      let key = isJSON ? "\"matches\"" : "matches"
      let written = list.spelled(pattern, at: place)
      let tests = "\(key): \(written)" + (flags.contains("i") && !expression.foldsCase ? ", \(fold)" : "")
      // In a block, each of the two tests has its own line.
      let edit = subject.tested.source?.braces != nil ? list.edit(value?.test, tests) : nil
      list.add(
        .unknownValue, subject.tested,
        "\(subject.tested.property) never matches \"\(text)\": an expression has no slashes around it; without them it "
          + "matches \"\(match)\"", suggestion: "{ \(tests) }", edit: edit)
      return
    }
    if let free = Self.withoutAnchors(text), let match = firstMatch(free) {
      list.add(
        .unknownValue, subject.tested,
        "\(subject.tested.property) never matches \"\(text)\", which ties it to an end of the text; without that it matches "
          + "\"\(match)\"", severity: subject.kind == .shown ? .note : nil, suggestion: free, replacement: free,
        isGuess: true)
      return
    }
    let literal = Self.escapingBrackets(text)
    guard !literal.hasSameBytes(as: text), let match = firstMatch(literal) else { return }
    list.add(
      .unknownValue, subject.tested,
      "\(subject.tested.property) never matches \"\(text)\", in which brackets make a group; with a backslash in front of "
        + "each it matches \"\(match)\"", suggestion: literal, replacement: literal)
  }

  /// Reads `/pattern/flags`.
  private static func betweenSlashes(_ text: String) -> (pattern: String, flags: String)? {
    guard text.utf8.first == UInt8(ascii: "/"), let last = text.utf8.lastIndex(of: UInt8(ascii: "/")),
      last > text.startIndex
    else {
      return nil
    }
    let flags = text[text.utf8.index(after: last)...]
    let pattern = text[text.utf8.index(after: text.startIndex)..<last]
    guard !pattern.isEmpty, flags.utf8.allSatisfy({ "igmsu".utf8.contains($0) }) else { return nil }
    return (String(pattern), String(flags))
  }

  /// Returns an expression without `^` in front and `$` at the end; nil if it has neither.
  private static func withoutAnchors(_ text: String) -> String? {
    var rest = text.utf8[...]
    if rest.first == UInt8(ascii: "^") { rest = rest.dropFirst() }
    if rest.last == UInt8(ascii: "$"), rest.dropLast().last != UInt8(ascii: "\\") { rest = rest.dropLast() }
    return rest.count == text.utf8.count || rest.isEmpty ? nil : String(Substring(rest))
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

  /// Reports a `?` in a glob, where it is an ordinary character.
  func reportQuestionMark(_ text: String, _ fold: Bool, _ subject: Subject, _ list: inout FindingList) -> Bool {
    guard text.utf8.contains(UInt8(ascii: "?")) else { return false }
    // Other tools take each `?` for any one character.
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
    let glob = text.replacingBytes(of: "?", with: "*")
    let place = subject.tested.value?.place
    var edit = list.edit(place, list.spelled(glob, at: place))
    edit?.isGuess = true
    list.add(
      .unknownValue, subject.tested,
      "\(subject.tested.property) never has the form \"\(text)\", in which '?' is a question mark; '*' stands for any "
        + "characters, as in \"\(match)\"", suggestion: glob, edit: edit)
    return true
  }

  /// Reports wildcards and anchors in a test of a part of a text, which compares them literally, and a glob without `*`, which
  /// matches only that very text.
  func reportSigns(
    _ test: Condition.TextTest, _ text: String, _ fold: Bool, _ subject: Subject, _ list: inout FindingList
  ) -> Bool {
    guard !subject.tested.leaf.isNegated else { return false }
    let shown = subject.kind == .shown ? shownTexts : []
    func firstMatch(_ test: Condition.TextTest, _ part: String) -> String? {
      guard !part.isEmpty else { return nil }
      let probe = ConditionProbe(.text(test, UTF8String(part), fold: fold))
      return
        (subject.column.texts.keys.filter { probe.holds(.string($0.text)) }.min()
        ?? shown.filter { probe.holds(.string($0.text)) }.min())?.text
    }
    if test == .glob {
      guard !text.utf8.contains(UInt8(ascii: "*")), let match = firstMatch(.contains, text) else { return false }
      list.add(
        .unknownValue, subject.tested,
        "\(subject.tested.property) never has the form \"\(text)\", which without '*' is one text; \"\(match)\" contains it",
        suggestion: "*\(text)*", replacement: "*\(text)*", isGuess: true)
      return true
    }
    let signs: [UInt8] = [UInt8(ascii: "*"), UInt8(ascii: "%")]
    var core = text.utf8[...]
    if test != .suffix {
      if core.first == UInt8(ascii: "^") { core = core.dropFirst() }
    }
    if test != .prefix {
      if core.last == UInt8(ascii: "$") { core = core.dropLast() }
    }
    core = core.drop { signs.contains($0) }
    while let last = core.last, signs.contains(last) { core = core.dropLast() }
    let plain = String(Substring(core))
    guard plain.utf8.count < text.utf8.count, let match = firstMatch(test, plain) else { return false }
    list.add(
      .patternAsText, subject.tested,
      "'\(test.rawValue)' compares \"\(text)\" as it stands, and has no signs of patterns; without them it is found in "
        + "\"\(match)\"", suggestion: plain, replacement: plain)
    return true
  }

  // MARK: - Definitions

  /// Reports a value that is the name of a definition, which only `use` takes.
  func checkDefined(_ tested: Tested, _ column: KnownValues.Column, _ list: inout FindingList) -> Bool {
    guard case .value(.string(let text), _, _) = tested.leaf.test, case .alone? = tested.value?.role,
      column.texts[text] == nil, !shownTexts.contains(text), list.rules.ruleSet.definedValues[text] != nil
    else { return false }
    let place = list.place(of: tested)
    let name = list.spelled(text.text, at: place)
    let use = place?.isJSON ?? false ? "{\"use\": \(name)}" : "{ use: \(name) }"
    list.add(
      .patternAsText, tested,
      "\(tested.property) is compared with the text \"\(text)\", which is also the name of a value under 'define'",
      suggestion: use, edit: list.edit(tested.value?.place, use), isGuess: true)
    return true
  }

  // MARK: - Nothing

  /// Reports null and the empty text where events leave the property out instead.
  func checkMissing(_ tested: Tested, _ column: KnownValues.Column, _ list: inout FindingList) -> Bool {
    guard !tested.leaf.isNegated, column.textCount > 0, column.textCount == column.count,
      case .value(let value, _, let all) = tested.leaf.test, all.count == 1
    else { return false }
    let what: String
    switch value {
    case .null: what = "null"
    case .string(let text) where text.text.isEmpty && column.texts[text] == nil: what = "an empty text"
    default: return false
    }
    let test = list.place(of: tested)?.isJSON ?? false ? "{\"exists\": false}" : "{ exists: false }"
    var edit: Finding.Edit?
    if case .alone? = tested.value?.role { edit = list.edit(tested.value?.place, test) }
    edit?.isGuess = true
    list.add(
      .wrongType, tested,
      "\(tested.property) is always a text in \(column.source), and never \(what); events without a value leave it out",
      suggestion: test, edit: edit)
    return true
  }

  // MARK: - Lists

  /// Reports tests of items where the property is never a list.
  func checkItems(
    _ test: PropertyTest, _ rule: SelectionRule, _ part: RuleSource.Part, isTap: Bool, _ list: inout FindingList
  ) {
    guard !test.isOfTextsWithin, test.condition.needsItems else { return }
    let column = values(of: test.property, isTap: isTap)
    guard column.count > 0 ? column.listCount == 0 : isText(test.property) else { return }
    list.add(
      .wrongType, rule, part,
      "\(test.property) is never a list\(column.count > 0 ? " in \(column.source)" : ""), so no test of its items holds",
      suggestion: "the tests without 'any' or 'all'")
  }
}

extension Condition {
  /// This is true if the condition holds only for lists.
  fileprivate var needsItems: Bool {
    switch self {
    case .items: true
    case .all(let parts): parts.contains(where: \.needsItems)
    default: false
    }
  }
}
