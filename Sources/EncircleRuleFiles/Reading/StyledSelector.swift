import EncircleIdentity
import EncircleRules
import EncircleText

/// A selector with brackets or texts, which not every style has, as it is written.
struct StyledSelector {
  private let node: Node
  private let document: YAMLText
  // This is true if `../` and `./` may precede it.
  private let isRelative: Bool
  /// The number of lines before the document, if that is a part of a file.
  var line = 0
  /// The style that the clause states.
  var style: RuleClause.Style
  /// This is true if the location already refers to the whole file, even if only a part of the file has been read.
  private(set) var isAbsolute = false

  /// The same selector, marked as read from the whole file.
  var absolute: StyledSelector {
    var result = self
    result.isAbsolute = true
    return result
  }

  init(_ node: Node, _ document: YAMLText, _ style: RuleClause.Style, isRelative: Bool = false) {
    self.node = node
    self.document = document
    self.style = style
    self.isRelative = isRelative
  }

  /// Returns the problem of a step that matches nothing in a style; nil if there is none.
  func problem(in style: PathStyleName) -> Diagnostic? {
    guard let written = node.scalar?.string else { return nil }
    let text = isRelative ? RelativeSelector.steps(of: written) : written
    if let problem = pageProblem(text, in: style) { return problem }
    if style.isWeb { return nil }
    guard let syntax = try? SelectorSyntax(parsing: text),
      let step = syntax.selector.unreadableStep(in: style)
    else { return nil }
    let problem =
      syntax.selector.steps[step].hasTexts
      ? "paths of style '\(style.rawValue)' have no texts; paths of posthog have 'text' and 'id'"
      : "style '\(style.rawValue)' has no component of this form; expected \(style.bracketExamples ?? "a class"), "
        + "or a locator as in View(0...2)" + Self.hint(syntax.selector.steps[step])
    var diagnostic = document.diagnostic(
      "in the selector: \(problem)", at: node,
      offset: written.utf8.count - text.utf8.count + syntax.stepSpans[step].lowerBound)
    diagnostic.location?.line += line
    return diagnostic
  }

  /// Returns the problem of a CSS selector in another style, or of another selector in a web style; nil if there is none.
  private func pageProblem(_ text: String, in style: PathStyleName) -> Diagnostic? {
    let message: String
    var offset = 0
    var suggestion: String?
    do throws(SelectorError) {
      if style.isWeb {
        guard try ElementSelector.css(parsing: text).contains(where: { $0.unreadableStep(in: style) != nil }) else {
          return nil
        }
        message =
          "events of style '\(style.rawValue)' say the tag, the id and the place among siblings of the tag of all elements, and classes and "
          + "the attributes name and href of the element itself alone: expected tags, '#id' and ':nth-of-type(n)' around it"
      } else {
        _ = try ElementSelector(parsing: text)
        return nil
      }
    } catch {
      (message, offset, suggestion) = (error.message, error.offset, error.suggestion)
    }
    var diagnostic = document.diagnostic(
      "in the selector: \(message)", at: node, offset: offset, suggestion: suggestion)
    diagnostic.location?.line += line
    return diagnostic
  }

  /// Returns a hint, in parentheses, that names the styles in which the step is valid; empty if there are none. Authors who copied the
  /// step from events may have stated the wrong style.
  private static func hint(_ step: ElementSelector.Step) -> String {
    let alone = ElementSelector(isAnchored: false, steps: [step])
    let styles = PathStyleName.allCases.filter {
      $0.bracketExamples != nil && alone.unreadableStep(in: $0) == nil
    }
    return styles.isEmpty ? "" : " (it is one of " + styles.map { "'\($0.rawValue)'" }.joined(separator: ", ") + ")"
  }
}
