import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText

/// Tests of values as rule files have them.
enum ImportTests {
  /// Returns whether selectors of a style can be written in this form.
  static func isReadable(_ selector: String, in style: PathStyleName) -> Bool {
    guard let selectors = try? ElementSelector.reading(selector, in: style) else { return false }
    return selectors.allSatisfy { $0.unreadableStep(in: style) == nil }
  }

  /// Returns whether ignoring case changes how a text is compared beyond ASCII.
  static func hasOtherCase(_ text: String) -> Bool {
    text.unicodeScalars.contains { !$0.isASCII && ($0.properties.isUppercase || $0.properties.isLowercase) }
  }

  /// Returns why an expression cannot be used; nil if it can.
  static func refusal(of expression: String) -> String? {
    do throws(RegularExpression.SyntaxError) {
      _ = try RegularExpression(expression)
      return nil
    } catch { return error.message }
  }

  /// The texts of booleans.
  static let booleans = ["true", "false"]

  /// Returns whether an expression matches the text of a boolean.
  static func matchesBoolean(_ expression: String) -> Bool {
    guard let expression = try? RegularExpression(expression) else { return false }
    return booleans.contains { expression.firstMatch(in: $0) != nil }
  }

  /// Returns whether texts of numbers may contain a byte.
  static func isInNumber(_ byte: UInt8) -> Bool { "0123456789.-+eE".utf8.contains(byte) }

  /// Returns whether an expression matches the text of a number, or may do so because it is too large to tell.
  static func mayMatchNumber(_ expression: String) -> Bool {
    let languages = [expression, "^[0-9.+eE-]+$"].map { text in
      (try? RegularExpression(text)).flatMap { ExpressionParser.states(of: $0) }.map { TextLanguage.expression($0) }
    }
    guard let both = languages as? [TextLanguage],
      let classes = TextClasses(of: both, textsPerClass: 1, budget: WordClasses.Budget())
    else { return true }
    return classes.classes.contains { $0.matching.numbers == [0, 1] }
  }

  /// Returns a test for one value, or for one of several.
  static func oneOf(_ values: [EventValue]) -> EventValue { values.count == 1 ? values[0] : .list(values) }

  /// Returns a mapping that combines two tests of one value; nil if one mapping cannot hold both.
  ///
  /// A mapping can have each kind of test only once, so a second one is written as a double negation.
  static func both(_ a: EventValue, _ b: EventValue) -> EventObject? {
    func mapping(_ value: EventValue) -> EventObject {
      switch value {
      case .object(let object): object
      case .list: ["in": value]
      default: ["equals": value]
      }
    }
    let (a, b) = (mapping(a), mapping(b))
    if a == b { return a }
    if a.members.count == 1, b.members.count == 1, let first = a["not"], let second = b["not"],
      let either = either(first, second)
    {
      return ["not": either]
    }
    let added = b.members.filter { !$0.name.hasSameBytes(as: "fold") }
    let isApart = added.allSatisfy { a[$0.name] == nil }
    let foldsNowhere = a["fold"] == nil && b["fold"] == nil
    if isApart, foldsNowhere || folds(a) && folds(b) {
      return EventObject(a.members + (a["fold"] == nil ? b.members : added))
    }
    // `fold` also applies to every test nested in the same mapping.
    for (outer, inner) in [(a, b), (b, a)]
    where outer["not"] == nil && (outer["fold"] == nil || folds(inner)) {
      return EventObject(outer.members + [.init(name: "not", value: ["not": .object(inner)])])
    }
    return nil
  }

  /// Returns a test that a value passes if it passes at least one of two tests. The test is one list or one expression; nil if
  /// neither can express it.
  private static func either(_ a: EventValue, _ b: EventValue) -> EventValue? {
    if case .list(let first) = a, case .list(let second) = b {
      let known = Set(first)
      return .list(first + second.filter { !known.contains($0) })
    }
    guard let first = expression(for: a), let second = expression(for: b) else { return nil }
    let both = "(?:\(first))|(?:\(second))"
    return refusal(of: both) == nil ? ["matches": .string(both)] : nil
  }

  /// Returns the expression equivalent to a test; nil for a test that is about more than texts, or ignores case.
  private static func expression(for test: EventValue) -> String? {
    switch test {
    case .string(let text): return "^(?:\(RegularExpression.quoting(text)))$"
    case .list(let values):
      let texts = values.compactMap { value in
        if case .string(let text) = value { RegularExpression.quoting(text) } else { nil }
      }
      return texts.count == values.count ? "^(?:\(texts.joined(separator: "|")))$" : nil
    case .object(let object):
      guard object.members.count == 1 else { return nil }
      if case .string(let expression)? = object["matches"] { return expression }
      if case .string(let text)? = object["contains"] { return RegularExpression.quoting(text) }
      return nil
    default: return nil
    }
  }

  /// Returns whether all tests of a mapping ignore case.
  private static func folds(_ test: EventObject) -> Bool {
    if test["fold"] != nil { return true }
    guard test.members.count == 1, case .object(let inner)? = test["not"] else { return false }
    return inner["fold"] != nil
  }
}

/// A pattern of SQL's `LIKE '%TEXT%'`, in which `%` matches any characters and `_` any single one, unless a `\` precedes it.
struct LikeText {
  private enum Part {
    case text([UInt8])
    case any, one
  }

  private var parts: [Part] = []

  init(_ text: String) {
    var literal: [UInt8] = []
    var bytes = Substring(text).utf8
    func isSpecial(_ byte: UInt8) -> Bool { "%_\\".utf8.contains(byte) }
    while let byte = bytes.popFirst() {
      if byte == UInt8(ascii: "\\"), let next = bytes.first, isSpecial(next) {
        literal.append(next)
        bytes.removeFirst()
      } else if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "_") {
        if !literal.isEmpty { parts.append(.text(literal)) }
        literal = []
        parts.append(byte == UInt8(ascii: "%") ? .any : .one)
      } else {
        literal.append(byte)
      }
    }
    if !literal.isEmpty { parts.append(.text(literal)) }
  }

  /// This is true if the text has wildcards.
  var hasWildcards: Bool { parts.contains { if case .text = $0 { false } else { true } } }

  /// The text without wildcards.
  var plain: String {
    parts.map { if case .text(let bytes) = $0 { String(decoding: bytes, as: UTF8.self) } else { "" } }.joined()
  }

  /// Returns an equivalent expression (RE2 syntax).
  ///
  /// - Parameter sign: The expression for one of any characters.
  func expression(sign: String = ".") -> String {
    parts.map { part in
      switch part {
      case .text(let bytes): RegularExpression.quoting(String(decoding: bytes, as: UTF8.self))
      case .any: sign + "*"
      case .one: sign
      }
    }.joined()
  }

  /// Returns a test for values that contain the text.
  func test(fold: Bool) -> EventObject {
    if hasWildcards { return ["matches": .string((fold ? "(?is)" : "(?s)") + expression())] }
    var test: EventObject = ["contains": .string(plain)]
    if fold { test["fold"] = true }
    return test
  }
}
