import EncircleText

/// The reason why a text is not a selector.
public struct SelectorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of problem.
  public enum Kind: Hashable, Sendable {
    case empty
    case expectedStep
    case expectedClass(found: String)
    case expectedSlash(found: String)
    case unclosedQuote
    case emptyQuotes
    case expectedLocator(found: String)
    case expectedNumber(found: String)
    case numberTooLarge
    case negativeNumber
    case emptyRange(lower: Int, upper: Int)
    case unknownField(String)
    case expectedColon(field: String, found: String)
    case repeatedField(ElementSelector.Field)
    case conflictingFields(ElementSelector.Field, ElementSelector.Field)
    case commaBetweenFields
    /// A text is named twice.
    case repeatedText(ElementSelector.TextField)
    /// A number of a locator next to a text; no component has both.
    case mixedFields(String, String)
    case expectedText(field: String, found: String)
    case unclosedParenthesis(found: String)
    /// A path in the notation of events; `path` is the selector that was probably meant.
    case underscores(path: String)
    /// A range in another notation; `range` is the same range in the notation of selectors.
    case otherRange(_ range: String)
    case tooLong(limit: Int)
    /// A selector as another tool writes it.
    case otherNotation(SelectorNotation)
    /// A selector of a web page that is outside the subset of CSS that rules may use.
    case css(CSSProblem)
  }

  /// The kind of problem, with the texts that it is about.
  public var kind: Kind
  /// The place of the problem, in UTF-8 bytes from the beginning of the selector.
  public var offset: Int
  /// The text that is not a selector.
  public var text: String

  /// This is true if the place is a space between a name and more text, as in the name of a generic class.
  private var isInName: Bool {
    let rest = text.utf8.dropFirst(offset)
    return rest.first == 0x20 && rest.contains { $0 != 0x20 } && text.utf8.prefix(offset).last != UInt8(ascii: ")")
  }

  private static let quoting = "; a name with special characters is quoted: 'My View'"

  /// The problem in words: the expected and, where that helps, the actual text.
  public var message: String {
    switch kind {
    case .empty: "expected a selector, such as UITableView/ProductCell(section:0 row:*)/UIButton(1)"
    case .expectedStep: "expected a step after '/': a class name, '*', ':Class' or '**'"
    case .expectedClass(let found):
      "expected a class name, '*', ':Class' or '**', found \(found)\(Self.quoting)"
    case .expectedSlash(let found):
      "expected '/' or the end of the selector, found \(found)\(isInName ? Self.quoting : "")"
    case .unclosedQuote: "expected a closing ' after the class name"
    case .emptyQuotes: "expected a class name between the quotes"
    case .expectedLocator(let found):
      "expected a locator: a number, '*', N...M, N,M or fields such as section:0 row:*, found \(found)"
    case .expectedNumber(let found): "expected a number, found \(found)"
    case .numberTooLarge: "the number is too large"
    case .negativeNumber:
      "an index, section, row or item is never negative: expected 0 for the first one, or '*' for any"
    case .emptyRange(let lower, let upper): "the range \(lower)...\(upper) is empty: expected the lower number first"
    case .unknownField(let name):
      "expected one of the fields section, row, item, indexx, indexy, text and id, found '\(name)'"
    case .expectedColon(let field, let found): "expected ':' after '\(field)', found \(found)"
    case .repeatedField(let field): "the field \(field.rawValue) is named twice"
    case .conflictingFields(let a, let b): "no locator has both \(a.rawValue) and \(b.rawValue)"
    case .repeatedText(let field): "the field \(field.rawValue) is named twice"
    case .mixedFields(let a, let b): "no component has both \(a) and \(b)"
    case .expectedText(let field, let found):
      "expected a text after '\(field):', found \(found); one with spaces or other signs is quoted: \(field):'Pay now'"
    case .commaBetweenFields: "fields are separated by a space, as in section:0 row:1"
    case .unclosedParenthesis(let found): "expected ')' after the locator, found \(found)"
    case .underscores: "the steps of a selector are separated by '/', not by '_' as in paths of events"
    case .otherRange: "a range has three dots between its numbers"
    case .tooLong(let limit): "a selector is at most \(limit) bytes long"
    case .otherNotation(let notation): notation.message
    case .css(let problem): problem.message
    }
  }

  /// A replacement with the probable meaning: a field, a range or the whole selector.
  public var suggestion: String? {
    switch kind {
    case .unknownField(let name):
      Diagnostic.nearest(
        to: name,
        among: ElementSelector.Field.allCases.map(\.rawValue) + ElementSelector.TextField.allCases.map(\.rawValue))
    case .underscores(let path): path
    case .otherRange(let range): range
    case .otherNotation(let notation):
      notation.selector.flatMap { (try? ElementSelector(parsing: $0)) == nil ? nil : $0 }
    case .css(let problem): problem.suggestion
    default: nil
    }
  }

  /// The longest selector that is suggested as a whole, in bytes.
  static let longestSuggestion = 1_024

  /// The problem with the selector's text and a caret.
  public var diagnostic: Diagnostic { Diagnostic(message, offset: offset, in: text, suggestion: suggestion) }

  /// The problem with the selector's text and a caret.
  public var description: String { diagnostic.description }
}
