import EncircleText

/// Texts that others have written, escaped for GitHub Flavored Markdown.
package enum MarkdownText {
  /// Returns a row of a table. The cells are Markdown.
  package static func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }

  /// Returns a text as code, so that Markdown in it has no effect: within more backticks than it has in a row.
  package static func code(_ text: String) -> String { code(text, columns: 100) }

  /// Returns a text as code that is shortened to a width.
  static func code(_ text: String, columns: Int) -> String {
    let text = VisibleText.escaping(VisibleText.shortened(text, columns: columns))
    var longest = 0
    var run = 0
    for byte in text.utf8 {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    // A `|` would end the cell of a table even within code.
    let content = text.replacingBytes(of: "|", with: "\\|")
    let space = text.utf8.first == UInt8(ascii: "`") || text.utf8.last == UInt8(ascii: "`") ? " " : ""
    return fence + space + content + space + fence
  }
}
