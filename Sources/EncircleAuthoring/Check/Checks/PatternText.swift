import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// A text that looks like a pattern or a comparison, with the tests that are meant by it.
struct PatternText {
  /// The kinds of pattern that a text can look like.
  enum Kind {
    case comparisons
    case glob
    case expression
    case alternatives([String])
    case kind
    /// A text with a sign of negation in front.
    case negation(String)
  }

  /// A test as rule files have it.
  private struct Test {
    let key: String
    let value: String
    /// This is true if the value is written without quotes, as numbers are.
    var isPlain = false
  }

  let kind: Kind
  private let tests: [Test]

  /// Reads the value of a property as a pattern; nil if it looks like a text.
  ///
  /// - Parameter isVersion: True if the property has versions.
  init?(value text: String, isVersion: Bool) {
    if isVersion, let range = Self.range(text) {
      (kind, tests) = (.comparisons, [Test(key: "version", value: range)])
    } else if !isVersion, let comparisons = Self.comparisons(text) {
      (kind, tests) = (.comparisons, comparisons)
    } else if let test = Self.expression(text) {
      (kind, tests) = (.expression, [test])
    } else if text.utf8.contains(UInt8(ascii: "*")) {
      (kind, tests) = (.glob, [Self.glob(text)])
    } else if text.utf8.first == UInt8(ascii: "%"), text.utf8.count > 2 {
      // A text may end with a percent sign, but hardly begins with one.
      (kind, tests) = (.glob, [Self.glob(Self.stars(text))])
    } else if let texts = Self.alternatives(text) {
      (kind, tests) = (.alternatives(texts), [])
    } else if let rest = Self.negated(text) {
      (kind, tests) = (.negation(rest), [Test(key: "not", value: rest)])
    } else {
      return nil
    }
  }

  /// Returns the text after `!` or `!=`; nil if there is none.
  private static func negated(_ text: String) -> String? {
    guard text.utf8.first == UInt8(ascii: "!") || text.unicodeScalars.first == "！" else { return nil }
    let rest = text.unicodeScalars.dropFirst().drop { $0 == "=" || $0 == " " }
    return rest.isEmpty ? nil : String(rest)
  }

  /// Reads the name of a page or an event as a pattern; nil if it looks like a name.
  ///
  /// - Parameter style: The style of the events if it is the name of a page; nil for the name of an event.
  init?(name text: String, ofPageIn style: PathStyleName?) {
    // In paths of web pages, slashes and percent signs are ordinary characters, and stars are patterns already.
    let isPath = style?.isWeb == true && text.utf8.first == UInt8(ascii: "/")
    if !isPath, let test = Self.expression(text) {
      (kind, tests) = (.expression, [test])
    } else if !isPath, text.utf8.contains(where: { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "%") }) {
      (kind, tests) = (.glob, [Self.glob(text.utf8.contains(UInt8(ascii: "*")) ? text : Self.stars(text))])
    } else if let texts = Self.alternatives(text, hasBars: style == .sensorsAndroid) {
      (kind, tests) = (.alternatives(texts), [])
    } else if style != nil, text.utf8.first == UInt8(ascii: ":"), text.utf8.count > 1 {
      (kind, tests) = (.kind, [Test(key: "kindOf", value: String(Substring(text.utf8.dropFirst())))])
    } else {
      return nil
    }
  }

  /// Returns whether a text passes the tests that are meant.
  func matches(_ text: String, fold: Bool) -> Bool {
    switch kind {
    case .glob, .expression:
      tests.allSatisfy { test in
        let condition: Condition?
        if let word = Condition.TextTest(rawValue: test.key) {
          condition = .text(word, UTF8String(test.value), fold: fold)
        } else if test.key == "exists" {
          condition = .exists(true)
        } else {
          condition = (try? RegularExpression(test.value, foldsCase: fold)).map { .matches($0) }
        }
        return condition.map { ConditionProbe($0).holds(.string(text)) } ?? false
      }
    case .comparisons, .alternatives, .kind, .negation: false
    }
  }

  /// Returns the tests as a file has them, without braces around them.
  ///
  /// - Parameter spelled: Returns a text as a scalar of the file.
  func written(isJSON: Bool, _ spelled: (String) -> String) -> String {
    tests.map { test in
      let isWord = test.key.utf8.allSatisfy { $0 >= UInt8(ascii: "A") }
      return "\(isWord && !isJSON ? test.key : "\"\(test.key)\""): \(test.isPlain ? test.value : spelled(test.value))"
    }.joined(separator: ", ")
  }

  // MARK: - Parts

  private static func glob(_ text: String) -> Test {
    let star = UInt8(ascii: "*")
    let bytes = Array(text.utf8)
    guard let first = bytes.firstIndex(where: { $0 != star }), let last = bytes.lastIndex(where: { $0 != star }) else {
      return Test(key: "exists", value: "true", isPlain: true)
    }
    let core = String(decoding: bytes[first...last], as: UTF8.self)
    if bytes[first...last].contains(star) || (first == 0 && last == bytes.count - 1) {
      return Test(key: "glob", value: text)
    }
    return Test(key: first == 0 ? "prefix" : last == bytes.count - 1 ? "suffix" : "contains", value: core)
  }

  /// Returns a pattern of SQL with * for each %.
  private static func stars(_ text: String) -> String {
    String(decoding: text.utf8.map { $0 == UInt8(ascii: "%") ? UInt8(ascii: "*") : $0 }, as: UTF8.self)
  }

  // The signs that occur in regular expressions but not in names begin with one of these.
  private static let expressionSigns = "/^.\\[".utf8

  /// Reads a regular expression; nil if the text has no sign that only expressions have.
  private static func expression(_ text: String) -> Test? {
    guard text.utf8.contains(where: expressionSigns.contains) else { return nil }
    let bytes = Array(text.utf8)
    func has(_ part: String) -> Bool {
      let part = Array(part.utf8)
      guard bytes.count >= part.count else { return false }
      return (0...bytes.count - part.count).contains { bytes[$0...].starts(with: part) }
    }
    var value = text
    if bytes.count > 2, bytes.first == UInt8(ascii: "/"), bytes.last == UInt8(ascii: "/") {
      value = String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
    } else if !(bytes.count > 1
      && (bytes.first == UInt8(ascii: "^") || has(".*") || has(".+") || has("\\d") || has("\\.") || has("[0-9]")))
    {
      return nil
    }
    guard (try? RegularExpression(value, foldsCase: false)) != nil else { return nil }
    return Test(key: "matches", value: value)
  }

  /// Reads alternatives such as `A|B`, `A || B`, `A, B` and `A，B`; nil if the text is not several names.
  ///
  /// - Parameter hasBars: True if a bar is part of a name, as in pages of `sensors-android`, which are `Activity|Fragment`.
  private static func alternatives(_ text: String, hasBars: Bool = false) -> [String]? {
    let separators: [Unicode.Scalar] = [",", "，", "、", ";", "；", "｜"] + (hasBars ? [] : ["|"])
    let parts = text.unicodeScalars.split(whereSeparator: separators.contains).map { part in
      let start = part.drop { $0 == " " }
      let count = start.reversed().drop { $0 == " " }.count
      return String(start.prefix(count))
    }
    return parts.count > 1 && parts.allSatisfy { !$0.isEmpty } ? parts : nil
  }

  /// Reads a range of versions such as `>=5.2 <6`, `>= 5.2` or `5.2.*`; nil if the text is anything else.
  private static func range(_ text: String) -> String? {
    let plain = TextVariants.plain(text)
    // With ^ in front it may also be a regular expression. A single version in another notation may be what apps send.
    guard plain.utf8.first != UInt8(ascii: "^"),
      let range = VersionRange(parsing: plain) == nil ? VersionRange.written(otherwise: plain) : plain,
      (plain + range).utf8.contains(where: "<>=!".utf8.contains)
    else { return nil }
    return range
  }

  /// Reads comparisons of numbers such as `>= 3`; nil if the text is anything else.
  private static func comparisons(_ text: String) -> [Test]? {
    var rest = Array(TextVariants.plain(text).utf8)[...]
    var found: [(word: String, value: String)] = []
    func skip(_ bytes: [UInt8]) { rest = rest.drop { bytes.contains($0) } }
    skip([0x20])
    while !rest.isEmpty, found.count < 8 {
      let word = rest.prefix {
        [UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "="), UInt8(ascii: "!")].contains($0)
      }
      rest = rest.dropFirst(word.count)
      skip([0x20])
      let value = rest.prefix { $0 != 0x20 && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "&") }
      rest = rest.dropFirst(value.count)
      skip([0x20, UInt8(ascii: ","), UInt8(ascii: "&")])
      let text = String(decoding: value, as: UTF8.self)
      guard !word.isEmpty, DecimalNumber(text) != nil else { return nil }
      found.append((String(decoding: word, as: UTF8.self), text))
    }
    guard !found.isEmpty, rest.isEmpty else { return nil }
    let words = found.map { $0.word.hasSameBytes(as: "==") ? "=" : $0.word }
    let known = ["<": "<", "<=": "<=", ">": ">", ">=": ">=", "=": "equals"]
    let tests = zip(words, found).compactMap { word, comparison in
      known[word].map { Test(key: $0, value: comparison.value, isPlain: true) }
    }
    guard tests.count == found.count, Set(tests.map(\.key)).count == tests.count else { return nil }
    return tests
  }
}

extension FindingList {
  /// Reports a text that looks like a pattern but is compared literally.
  ///
  /// - Parameter what: The name of the tested value.
  mutating func add(_ pattern: PatternText, _ text: String, _ what: String, _ tested: ValueChecks.Tested) {
    let place = place(of: tested)
    let isJSON = place?.isJSON ?? false
    let message: String
    let replacement: String
    let value = tested.value
    var edit: Finding.Edit?
    if case .alternatives(let texts) = pattern.kind {
      message = "\(what) is compared with all of \"\(text)\", not with each of its parts"
      replacement = "[" + texts.map { spelled($0, at: place) }.joined(separator: ", ") + "]"
      // Only a single value is edited, because an item of a list may be on a separate line.
      if case .alone? = value?.role { edit = self.edit(value?.place, replacement) }
    } else {
      message = "\(what) is compared with \"\(text)\" as it stands: a pattern or a comparison is a test of its own"
      let tests = pattern.written(isJSON: isJSON) { spelled($0, at: place) }
      replacement = isJSON ? "{\(tests)}" : "{ \(tests) }"
      switch value?.role {
      case .alone: edit = self.edit(value?.place, replacement)
      // If there are other tests, one of them may have the same name.
      case .test where tested.condition.leaves.count == 1: edit = self.edit(value?.test, tests)
      default: edit = nil
      }
    }
    add(.patternAsText, tested, message, suggestion: replacement, edit: edit)
  }
}
