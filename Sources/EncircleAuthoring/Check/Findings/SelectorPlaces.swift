import EncircleIdentity
import EncircleRuleFiles
import EncircleRules

extension RuleSource.Place {
  /// Returns the place of the class name in a step of the selector that is written here.
  ///
  /// - Parameters:
  ///   - selector: The selector as the rules have it, which in some styles is not the one that is written.
  ///   - style: The style of the rules.
  /// - Returns: Nil if the selector goes over several lines, has YAML escapes, or has other steps than are written.
  func ofClass(inStep step: Int, of selector: ElementSelector, style: PathStyleName) -> Self? {
    guard let written, let scalar = WrittenScalar(written),
      let syntax = try? SelectorSyntax(parsing: scalar.text),
      syntax.selector.steps.count == selector.steps.count, syntax.selector.read(in: style).contains(selector)
    else { return nil }
    let span = syntax.classSpans[step]
    let columns = scalar.columns[span.lowerBound]..<scalar.columns[span.upperBound]
    var place = self
    place.location.column += columns.lowerBound
    place.written = String(String.UnicodeScalarView(Array(written.unicodeScalars)[columns]))
    return place
  }
}

/// A YAML scalar in one line: the text that it stands for, and where each byte of that is written.
private struct WrittenScalar {
  private(set) var text = ""
  /// For each byte of the text, and for its end, the number of scalars before it in the YAML.
  private(set) var columns: [Int] = []

  /// Reads a plain or quoted scalar; nil if it has escapes other than a doubled single quote.
  init?(_ written: String) {
    let scalars = Array(written.unicodeScalars)
    let quote = scalars.first == "'" || scalars.first == "\"" ? scalars.first : nil
    var column = quote == nil ? 0 : 1
    let end = quote == nil ? scalars.count : scalars.count - 1
    while column < end {
      let scalar = scalars[column]
      if quote == "\"", scalar == "\\" { return nil }
      for _ in 0..<UTF8.width(scalar) { columns.append(column) }
      text.unicodeScalars.append(scalar)
      column += quote == "'" && scalar == "'" ? 2 : 1
    }
    columns.append(column)
  }
}
