import EncircleIdentity
import EncircleRuleFiles
import EncircleRules

/// The places of the class names of a selector.
struct SelectorClassNames {
  private let place: RuleSource.Place
  private let scalars: [Unicode.Scalar]
  private let columns: [Int]
  private let spans: [Range<Int>]

  /// - Parameters:
  ///   - place: Where the selector is written.
  ///   - selector: The selector as the rules have it; in some styles it differs from the written one.
  ///   - style: The style of the rules.
  /// - Returns: Nil if the selector goes over several lines, has YAML escapes, or has other steps than are written.
  init?(_ place: RuleSource.Place, of selector: ElementSelector, style: PathStyleName) {
    guard let written = place.written, let scalar = WrittenScalar(written),
      let syntax = try? SelectorSyntax(parsing: scalar.text),
      syntax.selector.steps.count == selector.steps.count, syntax.selector.read(in: style).contains(selector)
    else { return nil }
    self.place = place
    scalars = Array(written.unicodeScalars)
    columns = scalar.columns
    spans = syntax.classSpans
  }

  /// Returns the place of the class name in a step.
  func place(inStep step: Int) -> RuleSource.Place {
    let columns = columns[spans[step].lowerBound]..<columns[spans[step].upperBound]
    var place = place
    place.location.column += columns.lowerBound
    place.written = String(String.UnicodeScalarView(scalars[columns]))
    return place
  }
}

/// A YAML scalar in one line: its text, and the place of each byte.
private struct WrittenScalar {
  let text: String
  /// For each byte of the text, and for its end, the number of scalars before it in the YAML.
  private(set) var columns: [Int] = []

  /// Reads a plain or quoted scalar; nil if it has escapes other than a doubled single quote.
  init?(_ written: String) {
    let bytes = Array(written.utf8)
    let quote = bytes.first.flatMap { [UInt8(ascii: "'"), UInt8(ascii: "\"")].contains($0) ? $0 : nil }
    var text: [UInt8] = []
    var column = quote == nil ? 0 : 1
    var next = column
    let end = bytes.count - column
    while next < end {
      let byte = bytes[next]
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") { return nil }
      text.append(byte)
      columns.append(column)
      let length = byte == UInt8(ascii: "'") && quote == byte ? 2 : 1
      next += length
      // The bytes of one scalar have one column.
      if next >= end || bytes[next] & 0xC0 != 0x80 { column += length }
    }
    columns.append(column)
    self.text = String(decoding: text, as: UTF8.self)
  }
}
