import EncircleIdentity
import EncircleRules
import EncircleText

extension Condition {
  /// The test on the path of a web page, which the path also passes percent-encoded, with digits in upper or lower case. Rules compare
  /// paths without escapes, but PostHog compares them as they were sent.
  var withEncodedPaths: Condition {
    switch self {
    case .all(let conditions): return .all(conditions.map(\.withEncodedPaths))
    case .any(let conditions): return .any(conditions.map(\.withEncodedPaths))
    case .not(let condition): return .not(condition.withEncodedPaths)
    case .isOneOf(let values, let fold):
      var seen: Set<Scalar> = []
      let forms = values.flatMap { value -> [Scalar] in
        guard case .string(let path) = value else { return [value] }
        return Self.encodedForms(of: path.text).map { .string(UTF8String($0)) }
      }
      return .isOneOf(forms.filter { seen.insert($0).inserted }, fold: fold)
    case .text(let test, let text, let fold):
      return .any(Self.encodedForms(of: text.text).map { Condition.text(test, UTF8String($0), fold: fold) })
    case .matches(let expression):
      guard let (path, fold) = Self.pagePath(of: expression) else { return self }
      let patterns = Self.encodedForms(of: path).compactMap { Self.pagePattern($0, fold: fold) }
      return .any(patterns.map { Condition.matches($0) })
    case .exists, .number, .version, .kindOf, .items, .numberInText, .sample: return self
    }
  }

  /// Returns a path as it is and, if that differs, percent-encoded.
  private static func encodedForms(of path: String) -> [String] {
    var forms = [path]
    for inLowerCase in [false, true] {
      let form = WebAddress.encoded(path, inLowerCase: inLowerCase)
      if !forms.contains(where: { $0.hasSameBytes(as: form) }) { forms.append(form) }
    }
    return forms
  }

  /// Returns the path with stars for which ``pagePattern(_:fold:)`` returns an expression; nil if there is none.
  private static func pagePath(of expression: RegularExpression) -> (path: String, fold: Bool)? {
    let text = expression.description
    let fold = text.beginsWithBytes(of: "(?i)^")
    let quoted = String(decoding: text.utf8.dropFirst(fold ? 5 : 1).dropLast(), as: UTF8.self)
      .replacingBytes(of: ".*", with: "**").replacingBytes(of: "[^/]*", with: "*")
    guard !expression.foldsCase, let path = PostHogSteps.unquoted(quoted),
      let pattern = pagePattern(path, fold: fold), pattern.description.hasSameBytes(as: text)
    else { return nil }
    return (path, fold)
  }
}
